"""Notes that apply to a whole table: signs, share splits, newer filings, years that end on different days."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from agent.numbers import asked_years
from agent.numbers.aggregates import on_shares
from agent.numbers.asked_years import Asked, Missing
from agent.numbers.cells import BuiltCell
from agent.numbers.company_filings import CompanyFilings
from agent.numbers.comparability import of_concept, quarters_added_up
from agent.numbers.expressions import Name
from agent.numbers.interim import InterimFilings
from agent.numbers.registry import PeriodType, Unit
from agent.refusals.grammar import capitalized, few_years, listed, lower_first, possessive
from agent.state.query import Breakdown, Change, Last, Periods, Query, Statement, Years
from agent.state.references import PeriodForm
from filings.xbrl.periods import QUARTERS, FiscalPeriod, Place

# Fiscal years that end within this many days of each other are compared without a note.
ALIGNED = timedelta(days=10)
# A quarter lasts three months and its 10-Q is filed within 45 days: after that, the next one is due.
QUARTER_FILED = timedelta(days=92 + 92 + 45)
AS_TAGGED = "Outflows may be shown as positive. Rows by class or segment are left out."
# Longer lists of dates than this are given as a range.
MOST_DATES = 2

OVER_A_YEAR = "Growth and changes are year over year."


def notes_of(
    query: Query,
    by_company: dict[int, CompanyFilings],
    columns: dict[int, tuple[Asked | Missing, ...]],
    cells: Sequence[BuiltCell],
    today: date,
) -> Iterator[str]:
    """The notes, in order. columns: by the company's CIK. cells: all of the table's."""
    if any(isinstance(row.measure, Statement) for row in query.rows):
        yield AS_TAGGED
    parts = any(
        isinstance(one, Asked) and one.period is not FiscalPeriod.YEAR for found in columns.values() for one in found
    )
    moved = [row.measure.of if isinstance(row.measure, Breakdown) else row.measure for row in query.rows]
    if parts and any(isinstance(one, Change) and not one.sequential for one in moved):
        yield OVER_A_YEAR
    yield from _bases(cells, several=len(by_company) > 1)
    yield from _unlike_quarters(cells)
    for cik, found in columns.items():
        yield from _old(query.periods_of(cik), by_company[cik], found, today)
        for one in found:
            if isinstance(one, Asked) and one.newer:
                name = by_company[cik].company.called
                yield f"{name} filed a newer 10-K on {one.newer:%-d %b %Y}. It is not loaded yet."
        if last := next((one for one in reversed(found) if isinstance(one, Asked) and one.named), None):
            year, end = asked_years.label(last.filing)
            when = Place(year, last.period).called
            yield f"{possessive(by_company[cik].company.called)} {when} ended on {end:%-d %b %Y}."
    if len(by_company) < 2:
        return
    ends = {
        by_company[cik].company.called: max(
            asked_years.label(one.filing)[1] for one in found if isinstance(one, Asked)
        )
        for cik, found in columns.items()
        if any(isinstance(one, Asked) for one in found)
    }
    if ends and max(ends.values()) - min(ends.values()) > ALIGNED:
        said = listed([f"{name} {end:%-d %b %Y}" for name, end in ends.items()])
        if len(ends) > MOST_DATES:
            said = f"{min(ends.values()):%-d %b %Y} to {max(ends.values()):%-d %b %Y}"
        yield f"The periods compared end on different days: {said}."


def _old(
    periods: Periods, company_filings: CompanyFilings, found: Sequence[Asked | Missing], today: date
) -> Iterator[str]:
    """A note where the newest quarter or twelve months in the table is not the company's newest: reports are old or
    lack it.
    """
    named = periods.periods if isinstance(periods, Years) else ()
    newest = (isinstance(periods, Last) and not periods.until) or any(one.form is PeriodForm.LATEST for one in named)
    ends = [asked_years.label(one.filing)[1] for one in found if isinstance(one, Asked)]
    held = [filing.period_end for filing in (*company_filings.interim, *company_filings.filings) if filing.period_end]
    if not (newest and ends and company_filings.interim):
        return
    name = possessive(company_filings.company.called)
    if max(held) - max(ends) > ALIGNED:
        yield (f"{name} newest report, to {max(held):%-d %b %Y}, is not used here: an earlier one is missing.")
    elif today - max(held) > QUARTER_FILED:
        yield f"The newest loaded report of {company_filings.company.called} ends on {max(held):%-d %b %Y}."


class Restatement(NamedTuple):
    """Years of one row that are shown as another year's 10-K prints them."""

    whose: str
    filed_for: int
    missing: bool  # whether their own 10-Ks are not loaded
    split: bool

    def said(self, years: Collection[int]) -> str:
        """The note on these years."""
        their = "their" if len(years) > 1 else "its"
        when = f"fiscal {few_years(sorted(years))}"
        if self.missing:
            said = f"{when} from the fiscal {self.filed_for} 10-K; {their} own is not loaded."
        else:
            split = " (share split)" if self.split else ""
            said = f"{when} as restated in the fiscal {self.filed_for} 10-K{split}."
        return f"{self.whose}: {said}" if self.whose else capitalized(said)


def _bases(cells: Sequence[BuiltCell], *, several: bool) -> Iterator[str]:
    """Notes on years that are shown as a later 10-K prints them, and on years that no 10-K puts on one basis.

    several: whether there are several companies. They are named then, as measures are where there are several.
    """
    shown = [one for one in cells if not one.cell.alternative]
    labels = {one.cell.label for one in shown if one.cell.asked}
    restated: dict[Restatement, set[int]] = {}
    breaks: dict[str, None] = {}
    for one in shown:
        cell, recast = one.cell, one.cell.recast
        named = (cell.company if several else "", cell.label if len(labels) > 1 else "")
        whose = ", ".join(lower_first(word) if place and several else word for place, word in enumerate(named) if word)
        if recast and cell.value is not None and cell.fiscal_year is not None:
            shares = one.evaluated is not None and on_shares(one.evaluated)
            split = shares and bool(one.company_filings.splits(cell.fiscal_year, recast.fiscal_year))
            note = Restatement(whose, recast.fiscal_year, recast.first is None, split)
            restated.setdefault(note, set()).add(cell.fiscal_year)
        if cell.basis_break:
            breaks[f"{whose}: {lower_first(cell.basis_break)}" if whose else cell.basis_break] = None
    yield from (note.said(years) for note, years in restated.items())
    yield from breaks


def _unlike_quarters(cells: Sequence[BuiltCell]) -> Iterator[str]:
    """A note where one quarter of a year was restated, so that the four do not add up to the year."""
    found: dict[tuple[int, int, str], dict[FiscalPeriod, BuiltCell]] = {}
    for one in cells:
        if one.cell.asserted and isinstance(one.company_filings, InterimFilings) and one.cell.fiscal_year is not None:
            row = (one.cell.cik, one.cell.fiscal_year, one.version.key)
            found.setdefault(row, {})[one.company_filings.period] = one
    for (_, year, key), quarters in found.items():
        if not set(QUARTERS) <= set(quarters):
            continue
        fourth = quarters[FiscalPeriod.Q4]
        concept = fourth.company_filings.registry.concepts.get(key) if isinstance(fourth.version.expr, Name) else None
        flow = concept is not None and concept.period is PeriodType.DURATION and concept.unit is Unit.USD
        nine_months = (
            fourth.company_filings.of(FiscalPeriod.NINE_MONTHS)
            if isinstance(fourth.company_filings, InterimFilings)
            else None
        )
        if flow and nine_months and quarters_added_up(nine_months, of_concept(key), year) is False:
            yield (
                f"{fourth.cell.company}: the quarters of fiscal {year} do not add up to the year; one was restated."
            )
