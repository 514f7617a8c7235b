"""A chosen number as the state keeps it: every fact with all that is needed to find it again."""

from decimal import Decimal

from agent.numbers.book import Book
from agent.numbers.choice import Choice, ChosenOperand
from agent.numbers.concept import STATEMENTS, Concept
from agent.numbers.derive import breakdown
from agent.numbers.rounding import same_after_rounding
from agent.numbers.select import Selection
from agent.state import FactRef, FilingRef, Found, LaterValue, Operand, Reading, Rejected, Target
from filings.models import Fact
from filings.xbrl import facts
from filings.xbrl.facts import Value

SPLIT = Decimal("1.45")


def found(
    target: Target, filing: FilingRef, reading: Reading, choice: Choice, selection: Selection, label: str = ""
) -> Found:
    """The record of a choice, with its later values and the parts it is made of."""
    book = selection.book
    afterwards = later(choice.candidate.held) if choice.candidate and not reading.mention else ()
    concept = book.registry.concepts[reading.concept]
    candidate = choice.candidate
    return Found(
        target=target.id,
        concept=reading.concept,
        label=concept.label,
        accession=filing.accession,
        fiscal_year=filing.fiscal_year,
        period_end=filing.period_end,
        value=choice.value,
        unit=book.unit(concept),
        fact=fact_ref(candidate.held, book) if candidate else None,
        formula=choice.formula,
        operands=operands(choice.parts, book),
        breakdown=operands(breakdown(choice, selection), book) if candidate else (),
        reading=label,
        mention=reading.mention,
        rejected=tuple(Rejected(fact=fact_ref(loser.held, book), why=why) for loser, why in choice.losers),
        later=afterwards,
        notes=(
            *choice.notes,
            *about_split(concept, choice.value, afterwards),
            *about_label(book.filing.named_year, book.filing.fiscal_year),
        ),
    )


def about_label(named: int | None, label: int | None) -> tuple[str, ...]:
    """A note where the document itself names another fiscal year than the label it is answered under."""
    if named is None or named == label:
        return ()
    return (f"The document mostly says fiscal {named}; Diligence labels the year fiscal {label}.",)


def about_split(concept: Concept, value: Decimal, afterwards: tuple[LaterValue, ...]) -> tuple[str, ...]:
    """A note where a later filing restates shares, or an amount per share, by a whole factor."""
    if not concept.basis_sensitive or not value:
        return ()
    if any(one.fact.value and is_split(one.fact.value, value) for one in afterwards):
        return ("Later filings give a split-adjusted figure; this is the figure before the split.",)
    return ()


def is_split(after: Decimal, before: Decimal) -> bool:
    """Whether a figure was restated by a whole factor: three halves or more; per-share amounts are rounded to the cent."""
    ratio = max(after / before, before / after)
    return ratio >= SPLIT and abs(ratio * 2 - round(ratio * 2)) <= ratio / 50


def operands(parts: tuple[ChosenOperand, ...], book: Book) -> tuple[Operand, ...]:
    """The operands of a formula, each with its fact."""
    return tuple(
        Operand(
            concept=part.key,
            label=book.registry.concepts[part.key].label,
            fact=fact_ref(part.candidate.held, book),
            offset=part.offset,
        )
        for part in parts
    )


def fact_ref(held: Value, book: Book) -> FactRef:
    """A stored fact as cited, with its place on the face."""
    fact = held.fact
    kind, lines = book.lines(held.name, [fact.statement, *STATEMENTS] if fact.statement else STATEMENTS)
    line = next((line for line in lines if line.label == fact.label), lines[0] if lines else None)
    return reference(
        fact,
        statement=fact.statement or kind or "",
        title=book.faces[kind].title if kind else "",
        order=fact.order if fact.order is not None else line.order if line else None,
        label=fact.label or (line.label if line else ""),
        sha256=source_hash(fact, book),
    )


def source_hash(fact: Fact, book: Book) -> str:
    """SHA-256 of the file a fact was read from."""
    if fact.source == Fact.Source.DOCUMENT and fact.document_id:
        return next((one.sha256 for one in book.documents if one.pk == fact.document_id), "")
    return book.filing.facts_sha256


def reference(
    fact: Fact, *, statement: str = "", title: str = "", order: int | None = None, label: str = "", sha256: str = ""
) -> FactRef:
    """A stored fact as cited."""
    return FactRef(
        fact=fact.pk,
        cik=fact.filing.company.cik,
        accession=fact.filing.accession,
        form=fact.form,
        filed=fact.filed,
        taxonomy=fact.taxonomy,
        tag=fact.tag,
        unit=fact.unit,
        start=fact.start,
        end=fact.end,
        raw=fact.raw,
        value=fact.value,
        decimals=fact.decimals,
        source=fact.source,
        sha256=sha256,
        statement=statement,
        title=title,
        order=order,
        label=label,
        printed=fact.printed,
        url=fact.filing.url,
    )


def later(held: Value) -> tuple[LaterValue, ...]:
    """What later 10-Ks say of the same tag and period; a change within rounding is none."""
    return tuple(
        LaterValue(
            fact=reference(other.fact),
            fiscal_year=other.fact.filing.fiscal_year,
            change=Decimal(0)
            if same_after_rounding(other.value, other.fact.decimals, held.value, held.fact.decimals)
            else other.value - held.value,
        )
        for other in facts.later_values(held.fact)
    )
