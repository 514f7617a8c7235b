"""Verifies that a table asserts figures of the periods asked for, and no others that it shows beside them."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from agent.state import Period, PeriodForm
from agent.state.query import Last, Query, Span, Years
from agent.state.tables import Cell, Table

A_MONTH, HALF_A_YEAR = timedelta(days=31), timedelta(days=182)


def problems(table: Table, query: Query) -> Iterator[str]:
    """Each asserted figure that is of a period not asked for, in a sentence."""
    asserted = [one for one in table.asserted if one.fiscal_year is not None and not is_foretold(one)]
    for cell in asserted:
        row = [one for one in table.cells if (one.row, one.cik, one.measure) == (cell.row, cell.cik, cell.measure)]
        if not is_asked(cell, row, query.periods_of(cell.cik)):
            yield f"{cell.label}, {cell.company}, {cell.place.called}: a figure of another period than asked for is asserted."


def is_foretold(cell: Cell) -> bool:
    """Whether a figure is expected: the period in a question may be that of the document which tells it."""
    return any(one.is_guidance for one in cell.facts)


def is_asked(cell: Cell, row: Iterable[Cell], periods: Years | Span | Last) -> bool:
    """Whether a period is asked for. row: all figures of the measure, of which the newest answer a question without a year."""
    newer = {one.place for one in row if one.value is not None and one.period_end and is_newer(one, cell)}
    match periods:
        case Years(periods=named):
            return any(is_named(cell, one) if one.year or one.end else not newer for one in named)
        case Span(first=first, last=last):
            years = names(cell, first.form)
            return (not first.year or max(years) >= first.year) and (
                last is None or not last.year or min(years) <= last.year
            )
        case Last(count=count, until=until):
            if until and until.year:
                return (
                    min(names(cell, until.form)) <= until.year
                    and len({one for one in newer if one.year <= until.year}) < count
                )
            return len(newer) < count
    return True


def is_newer(one: Cell, other: Cell) -> bool:
    return bool(one.period_end and other.period_end and one.period_end > other.period_end)


def is_named(cell: Cell, period: Period) -> bool:
    """Whether a period is the one named by its last day, or by its year."""
    if period.end:
        return cell.period_end is not None and abs(cell.period_end - period.end) <= A_MONTH
    return period.year in names(cell, period.form)


def names(cell: Cell, form: PeriodForm) -> set[int]:
    """The years that a period may be called by: a fiscal one is the company's own, or the column's."""
    own = {year for year in (cell.fiscal_year, cell.calendar_year) if year is not None}
    if form is PeriodForm.FISCAL or cell.period_end is None:
        return own
    return own | {cell.period_end.year, (cell.period_end - HALF_A_YEAR).year}
