"""What is true of a whole table, in sentences: signs, splits of shares, newer filings, years that end on other days."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from agent.numbers import years
from agent.numbers.bases import of_concept, quarters_added_up
from agent.numbers.cells import Made
from agent.numbers.expressions import Name
from agent.numbers.interim import InterimLedger
from agent.numbers.ledger import Ledger
from agent.numbers.over_years import on_shares
from agent.numbers.registry import PeriodType, Unit
from agent.numbers.years import Asked, Missing
from agent.refusals.labels import listed, possessive
from agent.state.query import Change, Query, Statement
from filings.xbrl.periods import QUARTERS, FiscalPeriod, Place

# Fiscal years that end within so many days of each other are compared without a word.
ALIGNED = timedelta(days=10)
AS_TAGGED = "Rows have the signs of their tags, so an outflow may be positive. Rows by class or segment are left out."

OVER_A_YEAR = "Growth and changes are over a year: against the same period, or the same day, of the year before."


def notes_of(
    query: Query,
    ledgers: dict[int, Ledger],
    columns: dict[int, tuple[Asked | Missing, ...]],
    cells: Sequence[Made],
) -> Iterator[str]:
    """The sentences, in order. columns: of each company by CIK. cells: all that were made."""
    if any(isinstance(row.measure, Statement) for row in query.rows):
        yield AS_TAGGED
    parts = any(
        isinstance(one, Asked) and one.period is not FiscalPeriod.YEAR for found in columns.values() for one in found
    )
    if parts and any(isinstance(row.measure, Change) and not row.measure.sequential for row in query.rows):
        yield OVER_A_YEAR
    yield from _splits(cells)
    yield from _unlike_quarters(cells)
    for cik, found in columns.items():
        for one in found:
            if isinstance(one, Asked) and one.newer:
                name = ledgers[cik].company.called
                yield f"The SEC lists a newer 10-K of {name}, filed {one.newer:%-d %b %Y}. It has not been read yet."
        if last := next((one for one in reversed(found) if isinstance(one, Asked) and one.named), None):
            year, end = years.label(last.filing)
            when = Place(year, last.period).called
            yield f"{possessive(ledgers[cik].company.called)} {when} ended on {end:%-d %b %Y}."
    if len(ledgers) < 2:
        return
    ends = {
        ledgers[cik].company.called: max(years.label(one.filing)[1] for one in found if isinstance(one, Asked))
        for cik, found in columns.items()
        if any(isinstance(one, Asked) for one in found)
    }
    if ends and max(ends.values()) - min(ends.values()) > ALIGNED:
        said = listed([f"{name} {end:%-d %b %Y}" for name, end in ends.items()])
        yield f"The periods compared end on different days: {said}."


def _splits(cells: Sequence[Made]) -> Iterator[str]:
    """Rows per share, or of shares, across a split: each year is given as it was first reported."""
    rows: dict[int, list[Made]] = {}
    for one in cells:
        if one.worked and one.cell.value is not None and on_shares(one.worked):
            rows.setdefault(one.cell.cik, []).append(one)
    for found in rows.values():
        ledger = found[0].ledger
        held = [one.cell.fiscal_year for one in found if one.cell.fiscal_year is not None]
        if splits := ledger.splits(min(held), max(held)):
            filings = f"the 10-K of fiscal {listed(list(map(str, splits)))}"
            yield (
                f"{ledger.company.called}: {filings} restates shares by a whole factor, after a split. "
                "Figures of earlier years are on the shares of their time."
            )


def _unlike_quarters(cells: Sequence[Made]) -> Iterator[str]:
    """The quarters of a year of which one was restated since, so that the four do not add up to the year."""
    found: dict[tuple[int, int, str], dict[FiscalPeriod, Made]] = {}
    for one in cells:
        if one.cell.asserted and isinstance(one.ledger, InterimLedger) and one.cell.fiscal_year is not None:
            row = (one.cell.cik, one.cell.fiscal_year, one.version.key)
            found.setdefault(row, {})[one.ledger.period] = one
    for (_, year, key), quarters in found.items():
        if not set(QUARTERS) <= set(quarters):
            continue
        fourth = quarters[FiscalPeriod.Q4]
        concept = fourth.ledger.registry.concepts.get(key) if isinstance(fourth.version.expr, Name) else None
        flow = concept is not None and concept.period is PeriodType.DURATION and concept.unit is Unit.USD
        nine_months = fourth.ledger.of(FiscalPeriod.NINE_MONTHS) if isinstance(fourth.ledger, InterimLedger) else None
        if flow and nine_months and quarters_added_up(nine_months, of_concept(key), year) is False:
            yield (
                f"The quarters of fiscal {year} do not add up to the year for {fourth.cell.company}: one was restated "
                "after it was first reported."
            )
