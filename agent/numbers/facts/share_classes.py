"""Figures of a share class: earnings per share and share counts, which a filing may report by class only."""

from collections.abc import Sequence
from itertools import combinations

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.selection_result import Choice
from agent.numbers.registry.concept import PeriodType, Unit
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first
from agent.state.query import Breakdown, Concept, Member, Query
from agent.state.tables import Gap
from filings.models import Fact
from filings.xbrl import member_facts
from filings.xbrl.axes import CLASSES, class_names, words

# Figures of the whole company, which have the period of those by class.
BESIDE = {PeriodType.DURATION: "net_income", PeriodType.INSTANT: "total_assets"}
OF_SHARES = (Unit.SHARES, Unit.PER_SHARE)


def is_class(member: Member) -> bool:
    """Whether a part is a class of shares."""
    return all(one.partition("=")[0] == CLASSES for one in member.members)


def of_class(member: Member, of: Concept, company_filings: CompanyFilings, year: int, offset: int) -> list[Fact]:
    """The facts of a class under one element, at least one, in a fiscal year's filing, `offset` years back.

    Raises Unanswered. Zero stands for a dash: a class that did not exist yet.
    """
    selection = company_filings.selection(year)
    if selection is None:
        raise KeyError(f"No {company_filings.report(year)} is held of {company_filings.company.name}.")
    concept = company_filings.registry.concepts[of.key]
    given = by_class(of, selection, offset)
    found = [one for one in given if one.dimensions in member.members]
    name = next((name for name in concept.names if any(one.name == name for one in found)), "")
    found = [one for one in found if one.name == name]
    if not found:
        raise _absent(member, concept.label, given, company_filings, year, selection)
    return found


def by_class(of: Concept, selection: Selection, offset: int = 0) -> list[Fact]:
    """Every class's facts of a measure in the year asked; none for measures that are neither per share nor share
    counts.
    """
    registry, filing = selection.filing_figures.registry, selection.filing_figures.filing
    concept = registry.concepts[of.key]
    if concept.unit not in OF_SHARES:
        return []
    unit = selection.filing_figures.unit(concept)
    # A statement of equity has share counts of several days, and of all classes together.
    told = member_facts.by_class(filing, concept.names)
    every = [one for one in told if one.unit == unit and one.statement != "equity"]
    if beside := BESIDE.get(concept.period):
        choice = selection.annual(beside, offset)
        if not isinstance(choice, Choice):
            return []
        like = choice.candidates[0].fact
        return [one for one in every if (one.start, one.end) == (like.start, like.end)]
    if offset or concept.period is not PeriodType.INSTANT_AFTER_FYE:
        return []
    newest = max((one.end for one in every), default=None)
    return [one for one in every if one.end == newest]


def names_of_classes(of: Concept, selection: Selection) -> dict[str, str]:
    """Every class with a figure of the year asked, as "Axis=Member", by its letter or else in its element's words.

    A figure without a letter that is the sum of several others is of these together, and left out.
    """
    given = by_class(of, selection)
    lettered = {one.dimensions for one in given if class_names(one.dimensions.partition("=")[2])}
    added = {one.dimensions: one.value for one in given if one.dimensions in lettered}
    together = {sum(some) for size in range(2, len(added) + 1) for some in combinations(added.values(), size)}
    every = [one for one in given if one.dimensions in lettered or one.value not in together]
    members = {one.dimensions: one.dimensions.partition("=")[2] for one in every}
    return {told: (*class_names(member), words(member))[0] for told, member in members.items()}


def split_by_class(query: Query, company_filings: CompanyFilings, years: Sequence[int]) -> Query:
    """The query with share counts that no year asked gives for all classes together asked class by class."""
    selections = [one for year in years if (one := company_filings.selection(year))]
    rows = [
        row.model_copy(update={"measure": Breakdown(of=row.measure, axis="class")})
        if isinstance(row.measure, Concept) and _has_classes_alone(row.measure, selections)
        else row
        for row in query.rows
    ]
    return query.model_copy(update={"rows": tuple(rows)})


def _has_classes_alone(of: Concept, selections: Sequence[Selection]) -> bool:
    concept = selections[0].filing_figures.registry.concepts.get(of.key) if selections else None
    if concept is None or concept.unit is not Unit.SHARES or concept.period is PeriodType.DURATION:
        return False
    whole = any(isinstance(one.annual(of.key), Choice) for one in selections)
    return not whole and any(names_of_classes(of, one) for one in selections)


def _absent(
    member: Member, label: str, given: Sequence[Fact], company_filings: CompanyFilings, year: int, selection: Selection
) -> Unanswered:
    def gap() -> Gap:
        filing = selection.filing_figures.filing
        classes = member_facts.classes(filing, [one.name for one in given])
        if not (classes or member_facts.labels(filing)):
            text = f"No figures by class of shares are loaded from the {company_filings.report(year)} of {company_filings.company.called}."
            return Gap(code=Code.DIMENSIONAL_ONLY, text=text, looked_for=(("Part", member.label),))
        text = f"The {company_filings.report(year)} of {company_filings.company.called} gives no {lower_first(label)} for {member.label}."
        detail = f"Reported for {listed(classes)}." if classes else "It is reported for no class of shares."
        return Gap(code=Code.DIMENSIONAL_ONLY, text=text, detail=detail, looked_for=(("Part", member.label),))

    return Unanswered(gap, absent=True)
