"""Whether figures of several reports are comparable: no restatement and no change of element lies between them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.rounding import half_unit
from agent.numbers.facts.selection_result import Choice
from agent.numbers.facts.statement_lines import DURATIONS, LineOf
from agent.numbers.parts.part_facts import own_members
from agent.numbers.periods.interim import MADE_OF, InterimFilings, period_filings
from filings.xbrl import facts
from filings.xbrl.facts import Value
from filings.xbrl.periods import QUARTERS, TRAILING, Place

UNITS = [Decimal(10) ** power for power in range(6, -1, -1)]
NOT_KNOWN = "No other report in our data shows whether the company regrouped its parts between these reports."


class ReportedFigure(NamedTuple):
    """A figure as one filing gives it. element: its tag, with the members of a part; empty where it is derived."""

    value: Decimal
    half_unit: Decimal
    element: str


@dataclass(frozen=True)
class Figure:
    """A figure to be looked up in several filings.

    find: the figure that a fiscal year's filing gives, `offset` years back. printed: whether it is a printed line or a
    part of the company; these must be proven comparable, because reports rename and regroup them often.
    """

    find: Callable[[CompanyFilings, int, int], ReportedFigure | None]
    printed: bool = False


def of_concept(key: str) -> Figure:
    """The figure of a concept, as each filing's selection gives it."""

    def find(company_filings: CompanyFilings, year: int, offset: int) -> ReportedFigure | None:
        selection = company_filings.selection(year)
        choice = selection.annual(key, offset) if selection else None
        if not isinstance(choice, Choice):
            return None
        return ReportedFigure(choice.value, choice.half_unit, choice.candidate.name if choice.candidate else "")

    return Figure(find)


def of_line(line: LineOf, like: Value) -> Figure:
    """The figure of a printed line or a part of the company.

    like: one that was found. Where a report's statements are not loaded, its fact under the same element is used.
    """

    def find(company_filings: CompanyFilings, year: int, offset: int) -> ReportedFigure | None:
        if (selection := company_filings.selection(year)) is None:
            return None
        if selection.filing_figures.faces or like.fact.dimensions:
            try:
                _, held = line(company_filings, year, offset)
            except Unanswered:
                return None
        else:
            tagged = facts.held(selection.filing_figures.filing, [like.name], period=DURATIONS[-offset])
            if not tagged:
                return None
            held = tagged[0]
        element = " ".join((held.name, *own_members(held.fact)))
        return ReportedFigure(held.value, half_unit(held.value, held.fact.decimals), element)

    return Figure(find, printed=True)


def unlike(company_filings: InterimFilings, figure: Figure, year: int) -> str:
    """Why the periods that a figure is computed from are not comparable, in a sentence; empty where they are.

    Where a 10-K restates the year before and that year's 10-Q does not, or the reverse, the accounts were restated in
    between; likewise where the next year's filings restate only one of the two. Trailing twelve months also need that
    the 10-Q does not restate the year before, and that the quarters add up to the years to date.
    """
    if company_filings.period.days:
        return unlike_parts(
            [(company_filings.of(one.period), year) for one in MADE_OF.get(company_filings.period, ((),))[0]], figure
        )
    trailing = company_filings.period in TRAILING
    part = company_filings.of(MADE_OF[company_filings.period][0][1].period)
    year_of_both = year - 1 if trailing else year
    known = False
    for now in (year_of_both, year_of_both + 1):
        of_year, of_part = _restates(company_filings.years, figure, now), _restates(part, figure, now)
        if trailing and now == year and of_part:
            return f"The {part.report(now)} restates the year before, and that year's 10-K is not restated."
        if None not in (of_year, of_part) and of_year != of_part:
            restating, other = (company_filings.years, part) if of_year else (part, company_filings.years)
            return f"The {restating.report(now)} restates the year before, and the {other.report(now)} does not."
        # If a 10-Q leaves the year before unchanged, so does the 10-K before it.
        telling = now == year if trailing else of_year is not None
        known = known or (telling and of_part is not None)
    if figure.printed:
        stretches = [(company_filings.of(one.period), year + one.shift) for one in MADE_OF[company_filings.period][0]]
        if why := two_elements(stretches, figure):
            return why
        if not known:
            return NOT_KNOWN
    if trailing:
        for now in (year - 1, year):
            if (added := quarters_added_up(part, figure, now)) is not None and not added:
                return f"The quarters of fiscal {now} do not add up to {Place(now, part.period).called}: one was restated."
    return ""


# A company's filings, and a fiscal year.
FiledYear = tuple[CompanyFilings, int]


def recast_between(quarters: Sequence[FiledYear], figure: Figure) -> str:
    """Why quarters are not comparable, in a sentence; empty where they are.

    A fourth quarter counts as reported by the 10-K that it is computed from.
    """
    return unlike_parts(
        [
            (one.years if isinstance(one, InterimFilings) and not one.period.days else one, year)
            for one, year in quarters
        ],
        figure,
    )


class _Report(NamedTuple):
    """A report, and whether it restates the year before; None where that is unknown."""

    company_filings: CompanyFilings
    year: int
    restates: bool | None

    @classmethod
    def of(cls, company_filings: CompanyFilings, year: int, figure: Figure) -> "_Report":
        return cls(company_filings, year, _restates(company_filings, figure, year))

    @property
    def name(self) -> str:
        return self.company_filings.report(self.year)


def unlike_parts(parts: Sequence[FiledYear], figure: Figure) -> str:
    """Why figures are not comparable: the accounts were restated between their reports, or the element changed.

    They were restated where the later report restates the year before and the earlier one does not, or where the next
    year's reports restate the earlier figure and not the later one. The other way round, the restatement was in another
    year.
    """
    parts = sorted(parts, key=lambda part: (part[1], part[0].period.quarter))
    own = [_Report.of(filings, year, figure) for filings, year in parts]
    if why := _restated_between(own, by_earlier=False):
        return why
    next_year = [_Report.of(filings, year + 1, figure) for filings, year in parts]
    if why := _restated_between(next_year, by_earlier=True):
        return why
    if why := two_elements(parts, figure):
        return why
    known = any(all(report.restates is not None for report in reports) for reports in (own, next_year))
    return "" if known or not figure.printed else NOT_KNOWN


def _restated_between(reports: Sequence[_Report], *, by_earlier: bool) -> str:
    """Which of two reports alone restates the year before, in a sentence: the earlier or the later one, as said."""
    for earlier, later in combinations(reports, 2):
        if earlier.restates is by_earlier and later.restates is (not by_earlier):
            restating, other = (earlier, later) if by_earlier else (later, earlier)
            return f"The {restating.name} restates the year before, and the {other.name} does not."
    return ""


def two_elements(parts: Sequence[FiledYear], figure: Figure) -> str:
    """Which two reports use different elements of the taxonomy, in a sentence; empty where all use the same."""
    given = [(one.report(year), found.element) for one, year in parts if (found := figure.find(one, year, 0))]
    tagged = [one for one in given if one[1]]
    for report, element in tagged[1:]:
        if element != tagged[0][1]:
            return f"The {tagged[0][0]} and the {report} tag it differently."
    return ""


def quarters_added_up(part: CompanyFilings, figure: Figure, year: int) -> bool | None:
    """Whether the quarters, as each 10-Q reported them, add up to the year to date; None where one is missing."""
    if not isinstance(part, InterimFilings):
        return None
    by_company = [period_filings(part.years, one) for one in QUARTERS[: part.period.quarter]]
    found = [figure.find(one, year, 0) for one in (*by_company, part)]
    given = [one for one in found if one]
    if len(given) < len(found):
        return None
    *quarters, whole = given
    # Without known decimals, trailing zeros common to all values are the reporting unit: 1,253.1 million.
    unit = min(_trailing(one.value) for one in given)
    slack = max(sum((one.half_unit for one in given), Decimal(0)), unit * len(given) / 2)
    return abs(sum(one.value for one in quarters) - whole.value) <= slack


def _trailing(value: Decimal) -> Decimal:
    """The largest power of ten, up to millions, that divides a value."""
    return next((unit for unit in UNITS if not value % unit), Decimal(0))


def _restates(company_filings: CompanyFilings, figure: Figure, year: int) -> bool | None:
    """Whether a year's filing changes the figure of the year before; None where that is unknown."""
    before, now = figure.find(company_filings, year - 1, 0), figure.find(company_filings, year, -1)
    if before is None or now is None or before.value == -now.value != 0:
        return None  # with the opposite sign, one of the two is an error
    return abs(before.value - now.value) > before.half_unit + now.half_unit
