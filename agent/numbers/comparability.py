"""Whether stretches of a company's years are on one basis: no accounts recast, and no element changed, between reports."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from agent.numbers.company_filings import CompanyFilings
from agent.numbers.gaps import Unanswered
from agent.numbers.interim import MADE_OF, InterimFilings, ledger_of
from agent.numbers.members import own_members
from agent.numbers.rounding import half_unit
from agent.numbers.selection_result import Choice
from agent.numbers.statement_lines import DURATIONS, LineOf
from filings.xbrl import facts
from filings.xbrl.facts import Value
from filings.xbrl.periods import QUARTERS, TRAILING, Place

UNITS = [Decimal(10) ** power for power in range(6, -1, -1)]
NOT_KNOWN = "No other report in our data shows whether the company regrouped its parts between these reports."


class ReportedFigure(NamedTuple):
    """What a filing gives of a figure. element: its tag, with the members of a part; empty where it is derived."""

    value: Decimal
    half_unit: Decimal
    element: str


@dataclass(frozen=True)
class Figure:
    """A figure to be found in filings of several stretches.

    find: what the filing of a fiscal year gives, `offset` years back. printed: of a printed line or a part of the
    company, which must be known to be on one basis, as reports name and cut them anew more often than the whole.
    """

    find: Callable[[CompanyFilings, int, int], ReportedFigure | None]
    printed: bool = False


def of_concept(key: str) -> Figure:
    """The figure of a concept, as filings choose it."""

    def find(company_filings: CompanyFilings, year: int, offset: int) -> ReportedFigure | None:
        selection = company_filings.selection(year)
        choice = selection.annual(key, offset) if selection else None
        if not isinstance(choice, Choice):
            return None
        return ReportedFigure(choice.value, choice.half_unit, choice.candidate.name if choice.candidate else "")

    return Figure(find)


def of_line(line: LineOf, like: Value) -> Figure:
    """The figure of a printed line or of a part of the company.

    like: one that was found. Where a report's statements are not stored, what it tags under that element tells.
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
    """Why the stretches that one of a fiscal year is made of are not on one basis, in a sentence; empty where nothing
    speaks against it.

    Where a 10-K restates the year before and that year's 10-Q does not, or the other way round, the accounts were recast
    in between; likewise where the next year's filings restate one of the two only. Twelve months to a quarter's end also
    need that the 10-Q does not restate the year before, and that the quarters add up to the years to date.
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
        # What a 10-Q leaves as it was, the 10-K before it has as it was too.
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


# A ledger, and a fiscal year of it.
FactOperand = tuple[CompanyFilings, int]


def part_redefined(years: CompanyFilings, figure: Figure, first: int, last: int) -> str:
    """Why a part of the company is not surely the same in two fiscal years, in a sentence: a 10-K of the years behind the
    first restates the year before, or none tells. Empty where each gives the year before as its own 10-K did.
    """
    for year in range(first + 1, last + 1):
        restated = _restates(years, figure, year)
        if restated is None:
            return NOT_KNOWN
        if restated:
            return f"The {years.report(year)} restates the figure for fiscal {year - 1}."
    return ""


def recast_between(quarters: Sequence[FactOperand], figure: Figure) -> str:
    """Why quarters are not on one basis, in a sentence; empty where nothing speaks against it.

    A fourth quarter is on the basis of the 10-K that it is made from.
    """
    return unlike_parts(
        [
            (one.years if isinstance(one, InterimFilings) and not one.period.days else one, year)
            for one, year in quarters
        ],
        figure,
    )


def unlike_parts(parts: Sequence[FactOperand], figure: Figure) -> str:
    """Why parts are not on one basis: accounts recast between their reports, or two elements.

    They were recast where the later report restates the year before and the earlier one does not, and where the next
    year's reports restate the earlier part and not the later. The other way round it was in another year.
    """
    parts = sorted(parts, key=lambda one: (one[1], one[0].period.quarter))
    known = False
    for later, recast in ((0, (False, True)), (1, (True, False))):
        told = [(one, year + later, _restates(one, figure, year + later)) for one, year in parts]
        known = known or all(restated is not None for _, _, restated in told)
        for at, (one, year, restated) in enumerate(told):
            for other, other_year, restated_too in told[at + 1 :]:
                if (restated, restated_too) == recast:
                    restating, plain = one.report(year), other.report(other_year)
                    restating, plain = (restating, plain) if restated else (plain, restating)
                    return f"The {restating} restates the year before, and the {plain} does not."
    return two_elements(parts, figure) or ("" if known or not figure.printed else NOT_KNOWN)


def two_elements(parts: Sequence[FactOperand], figure: Figure) -> str:
    """Which two reports tag a figure otherwise, in a sentence; empty where all that give it do so alike."""
    given = [(one.report(year), found.element) for one, year in parts if (found := figure.find(one, year, 0))]
    tagged = [one for one in given if one[1]]
    for report, element in tagged[1:]:
        if element != tagged[0][1]:
            return f"The {tagged[0][0]} tags it as {tagged[0][1]}, and the {report} as {element}."
    return ""


def quarters_added_up(part: CompanyFilings, figure: Figure, year: int) -> bool | None:
    """Whether the quarters, as each 10-Q gave its own, add up to the year to date; None where one is not given."""
    if not isinstance(part, InterimFilings):
        return None
    ledgers = [ledger_of(part.years, one) for one in QUARTERS[: part.period.quarter]]
    found = [figure.find(one, year, 0) for one in (*ledgers, part)]
    given = [one for one in found if one]
    if len(given) < len(found):
        return None
    *quarters, whole = given
    # Where decimals are not known, zeros behind all of them are the unit of the reports: 1,253.1 million.
    unit = min(_trailing(one.value) for one in given)
    slack = max(sum((one.half_unit for one in given), Decimal(0)), unit * len(given) / 2)
    return abs(sum(one.value for one in quarters) - whole.value) <= slack


def _trailing(value: Decimal) -> Decimal:
    """The largest power of ten, up to millions, that a value is whole in."""
    return next((unit for unit in UNITS if not value % unit), Decimal(0))


def _restates(company_filings: CompanyFilings, figure: Figure, year: int) -> bool | None:
    """Whether the filing of a year gives the year before otherwise than that one's own; None where it is not known."""
    before, now = figure.find(company_filings, year - 1, 0), figure.find(company_filings, year, -1)
    if before is None or now is None or before.value == -now.value != 0:
        return None  # with the opposite sign, one of the two is a slip
    return abs(before.value - now.value) > before.half_unit + now.half_unit
