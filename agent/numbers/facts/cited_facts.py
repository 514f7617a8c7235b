"""Facts as an answer cites them: with everything needed to find each one again."""

from decimal import Decimal

from agent.numbers.facts.filing_figures import FilingFigures
from agent.numbers.registry.concept import STATEMENTS, Concept
from agent.state import FactRef, LaterValue
from agent.state.conversion import converted
from filings.models import Fact
from filings.xbrl.facts import Value
from filings.xbrl.member_facts import named
from filings.xbrl.splits import is_split


def about_label(named: int | None, label: int | None) -> tuple[str, ...]:
    """A note where the document uses another fiscal-year label than the answer."""
    if named is None or named == label:
        return ()
    return (f"The document itself calls fiscal {label} fiscal {named}.",)


def about_split(concept: Concept, value: Decimal, afterwards: tuple[LaterValue, ...]) -> tuple[str, ...]:
    """A note where a later filing restates a share count or per-share amount by a whole-number factor."""
    if not concept.basis_sensitive or not value:
        return ()
    if any(one.fact.value and is_split(one.fact.value, value) for one in afterwards):
        return ("As reported before a later share split.",)
    return ()


def fact_ref(held: Value, filing_figures: FilingFigures) -> FactRef:
    """A stored fact as cited, with its line on the statement."""
    fact = held.fact
    if fact.pk is None:
        return reference(fact, label=fact.label, negated=held.negated)
    if fact.dimensions:
        # Statements show the whole company; the printed row of a part is stored with the fact.
        face = filing_figures.faces.get(fact.statement)
        return reference(
            fact,
            statement=fact.statement,
            title=face.title if face else "",
            label=fact.label,
            sha256=source_hash(fact, filing_figures),
        )
    kind, lines = filing_figures.lines(held.name, [fact.statement, *STATEMENTS] if fact.statement else STATEMENTS)
    line = next((line for line in lines if line.label == fact.label), lines[0] if lines else None)
    return reference(
        fact,
        statement=fact.statement or kind or "",
        title=filing_figures.faces[kind].title if kind else "",
        order=fact.order if fact.order is not None else line.order if line else None,
        label=fact.label or (line.label if line else ""),
        negated=held.negated,
        sha256=source_hash(fact, filing_figures),
    )


def source_hash(fact: Fact, filing_figures: FilingFigures) -> str:
    """SHA-256 of the file a fact was read from."""
    if fact.source != Fact.Source.COMPANYFACTS and fact.document_id:
        return next((one.sha256 for one in filing_figures.documents if one.pk == fact.document_id), "")
    return filing_figures.filing.facts_sha256


def reference(
    fact: Fact,
    *,
    statement: str = "",
    title: str = "",
    order: int | None = None,
    label: str = "",
    sha256: str = "",
    negated: bool = False,
) -> FactRef:
    """A stored fact as cited."""
    return converted(
        FactRef,
        fact,
        fact=fact.pk or 0,
        cik=fact.filing.company.cik,
        accession=fact.filing.accession,
        value=-fact.value if negated else fact.value,
        negated=negated,
        sha256=sha256,
        statement=statement,
        title=title,
        order=order,
        label=label,
        parts=tuple((one.axis_label, one.label) for one in named(fact.filing, fact.dimensions)),
        url=fact.filing.url,
        page=fact.page or "",
        given=None,
    )
