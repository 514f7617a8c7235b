"""Reasons why a cell has no value: a code and two sentences, computed only where they are shown."""

from collections.abc import Callable, Iterable
from typing import Any

from agent.numbers.facts.cited_facts import fact_ref
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.filing_figures import FilingFigures
from agent.numbers.facts.missing_facts import explained
from agent.numbers.facts.selection_result import NoChoice
from agent.numbers.registry.concept import STATEMENTS
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first, possessive
from agent.refusals.sentences import sentence
from agent.state import CompanyRef
from agent.state.tables import Gap
from filings.xbrl import facts
from filings.xbrl.facts import Value

INDUSTRIES = {"bank": "a bank", "broker": "a broker", "insurer": "an insurer"}


class Unanswered(Exception):
    """Raised where no value can be given.

    gap: computes the reason, which many callers never need. absent: the filing does not report the measure for the
    year, so that `opt(x)` and `a | b` go on. facts: primary keys of facts that were considered and belong to another
    measure.
    """

    def __init__(
        self,
        gap: Callable[[], Gap],
        *,
        absent: bool = False,
        meaningless: bool = False,
        facts: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__()
        self.gap = gap
        self.absent = absent
        self.meaningless = meaningless
        self.facts = facts


def of_company(code: Code, company: CompanyRef, **words: Any) -> Gap:
    """A gap with the sentences of its code."""
    said: dict[str, Any] = {"company": company.called, **words}
    return Gap(code=code, text=sentence(code, second=False, **said), detail=sentence(code, second=True, **said))


def unchosen(choice: NoChoice, company_filings: CompanyFilings, year: int, selection: Selection) -> Unanswered:
    """The reason why nothing answers a concept for a year."""
    # A fact under one of its elements in a place that is not trusted is no absence.
    absent = choice.code is Code.CONCEPT_NOT_REPORTED and not (choice.text or choice.variant or choice.candidates)

    def gap() -> Gap:
        filing_figures = selection.filing_figures
        concept = filing_figures.registry.concepts[choice.key]
        company, filed = company_filings.company.called, filing_figures.filing.fiscal_year or year
        text, detail, nearest = explained(choice, concept, company, filed, filing_figures)
        if choice.code is Code.CONFLICT and year != filed and not text:
            text = f"{possessive(company)} fiscal {filed} 10-K gives different figures for {lower_first(concept.label)} in fiscal {year}."
        words: dict[str, Any] = {"company": company, "label": concept.label, "year": year}
        if not text:
            text = sentence(choice.code, second=False, held=facts.count(filing_figures.filing), **words)
        statement = STATEMENTS.get(concept.statement, "")
        rows = [("Measure", concept.label)]
        if statement:
            rows.append(("Statement", f"{statement}, {'loaded' if choice.face_held else 'not loaded'}"))
        if nearest:
            rows.append(("Nearest line", nearest))
        return Gap(
            code=choice.code,
            text=text,
            detail=detail or sentence(choice.code, second=True, **words),
            looked_for=tuple(rows),
            tags=choice.tried,
            candidates=tuple(fact_ref(one.held, filing_figures) for one in choice.candidates),
        )

    return Unanswered(gap, absent=absent, facts=frozenset(one.fact.pk for one in choice.candidates))


def broken(label: str, said: Iterable[str], values: Iterable[Value], filing_figures: FilingFigures) -> Unanswered:
    """A value that its own or a later filing contradicts. said: the failed checks, in words. values: its facts."""
    failed = tuple(said)

    def gap() -> Gap:
        return Gap(
            code=Code.CONFLICT,
            text=f"The reported {lower_first(label)} fails a check.",
            detail=failed[0],
            looked_for=(("Measure", label), *(("Check", one) for one in failed)),
            candidates=tuple(fact_ref(one, filing_figures) for one in values),
        )

    return Unanswered(gap)


def of_industry(label: str, industry: str, company: CompanyRef) -> Unanswered:
    """A measure that statements of a bank or an insurer do not have."""

    def gap() -> Gap:
        what = INDUSTRIES.get(industry, industry)
        made = of_company(Code.NOT_MEANINGFUL, company, label=label, industry=what)
        return made.model_copy(update={"looked_for": (("Measure", label), ("Industry", what))})

    return Unanswered(gap, meaningless=True)


def of_other_industries(label: str, industries: Iterable[str], company: CompanyRef) -> Unanswered:
    """A measure that only statements of a bank or an insurer have."""
    usual = listed([INDUSTRIES.get(one, one) for one in industries], "or")

    def gap() -> Gap:
        text = f"{label} is a measure of {usual}, which {company.called} is not."
        return Gap(code=Code.NOT_MEANINGFUL, text=text, looked_for=(("Measure", label),))

    return Unanswered(gap, meaningless=True)


def meaningless(text: str, detail: str = "") -> Gap:
    """A value that would mislead, or units that cannot be combined."""
    return Gap(code=Code.NOT_MEANINGFUL, text=text, detail=detail)
