"""Rows over fiscal years or quarters on one basis, as far as reports give them so (`agent.numbers.basis.series`)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent.numbers.basis.quarter_series import QuarterSeries
from agent.numbers.basis.series import Series, Sources, same
from agent.numbers.cells.cells import UNSAID, BuiltCell, filled, restated
from agent.numbers.cells.row_expressions import changed
from agent.numbers.parts.part_figures import MemberFinder
from agent.numbers.periods.asked_years import TRANSITION
from agent.numbers.registry.measure_keys import MOVES
from agent.numbers.tables.operation_results import merge
from agent.refusals.codes import Code
from agent.state.query import Basis
from agent.state.tables import Cell
from filings.xbrl.periods import QUARTERS, FiscalPeriod, Place

Key = tuple[object, ...]


@dataclass(frozen=True)
class Row:
    """A row's cells as they are shown. series: what they were read with, and the filing of each; None where as built."""

    cells: Sequence[BuiltCell]
    series: Series | None = None
    sources: Sources = field(default_factory=dict)


def on_one_basis(cells: Sequence[BuiltCell], apart: Collection[int] = ()) -> list[BuiltCell]:
    """The cells with each row over fiscal years or quarters on one basis where filings give it, and its breaks marked.

    A row's changes, which stand below it, follow its basis. apart: numbers of rows that are left as they are.
    """
    rows: dict[Key, list[int]] = {}
    key: Key
    for at, one in enumerate(cells):
        of_quarter = one.cell.fiscal_period in QUARTERS and not one.version.is_statement_row
        of_year = one.cell.fiscal_period is FiscalPeriod.YEAR
        known = one.cell.fiscal_year is not None and (of_year or of_quarter)
        if known and one.cell.row not in apart and not one.version.is_blank:
            # Opening and closing balances of a statement are two rows of one element.
            line = (of_year, *one.version.lines)
            key = (one.cell.row, one.cell.cik, one.version.key, one.version.reading, one.cell.alternative, line)
            rows.setdefault(key, []).append(at)
    found = list(cells)
    shown: dict[Key, Row] = {}
    for key, places in rows.items():
        row = [cells[at] for at in places]
        if len({one.cell.place for one in row}) < len(row) or any(one.cell.period_reading for one in row):
            continue
        # A row's changes stand below it, and follow it.
        of = shown.get(_changed(key)) if not row[0].cell.asked else None
        shown[key] = Row(list(_changes(row, of))) if of else _of_row(row)
        for at, one in zip(places, _called_alike(shown[key].cells), strict=True):
            found[at] = one
    return found


def _called_alike(row: Sequence[BuiltCell]) -> Sequence[BuiltCell]:
    """A row of a part under one name: where its reports tag it inside unlike parts, without these."""
    labels = {one.cell.label for one in row if one.cell.asserted}
    if not labels or not any(isinstance(line, MemberFinder) for line in row[0].version.lines.values()):
        return row
    label = labels.pop() if len(labels) == 1 else row[0].version.label
    return [replace(one, cell=one.cell.model_copy(update={"label": label})) for one in row]


def _changed(key: Key) -> Key:
    """The key of the row that a row of changes is of; empty for another row."""
    row, cik, measure, *rest = key
    word = next((word for word in MOVES if str(measure).startswith(word)), "")
    return (row, cik, str(measure).removeprefix(word), *rest) if word else ()


def _changes(row: Sequence[BuiltCell], of: Row) -> Iterator[BuiltCell]:
    """A row of changes from year to year, of the figures shown above it, and none across a break."""
    series = of.series
    shown = {series.position(one.cell.place): one for one in of.cells} if series else {}
    for one in row:
        at = series.position(one.cell.place) if series else 0
        now, before = shown.get(at), shown.get(at - series.lag) if series else None
        if one.evaluated is None or now is None or series is None:
            yield one
        elif before is None or before.evaluated is None or now.evaluated is None:
            yield one.without(UNSAID) if now.cell.recast or now.cell.basis_break else one
        elif not _are_joined(series, of.sources, at - series.lag, at):
            yield one.without(UNSAID)
        elif not now.cell.recast:
            yield one
        else:
            percent = one.cell.unit == "percent"
            tree, _ = changed(now.evaluated.tree, before.evaluated.tree, now.version.unit, percent=percent)
            merged = merge(tree, (now.evaluated, before.evaluated))
            cell = filled(one.cell, one.version, merged, one.company_filings, one.cell.fiscal_year or 0)
            yield replace(one, cell=cell, evaluated=merged)


def _are_joined(series: Series, sources: Sources, before: int, after: int) -> bool:
    return series.joined((sources.get(before, before), before), (sources.get(after, after), after))


def _of_row(row: Sequence[BuiltCell]) -> Row:
    """The cells of one measure of one company, each of another year or quarter.

    A year whose own 10-K is not loaded is filled from one that prints it as a comparative.
    """
    series = _series(row)
    held = {series.position(one.cell.place): one for one in row}
    told = [at for at, one in held.items() if one.evaluated]
    # A part that its year's own report gives no figure of is there already as a later one gives it.
    given_by = {at: _given_by(series, held[at].cell, at) for at in told}
    series.found.update({(given_by[at], at): held[at].evaluated for at in told})
    basis = series.filings.basis
    lacking = [at for at, one in held.items() if _is_lacking(one) and basis is not Basis.FIRST]
    asked = [at for at in told if held[at].cell.asked and basis is not Basis.LAST]
    start = max(asked or told or lacking, default=0)
    printing = [given_by[start]] if told and basis is not Basis.LAST else series.printing(start, start + 1)
    given = next((one for one in printing if series.reading(one, start)), 0)
    if not given or (len(told) < 2 and not lacking and basis is not Basis.LAST):
        return Row(row)
    shown = sorted({*told, *lacking})
    last = max(shown[-1], *given_by.values()) if told else shown[-1]
    sources, breaks = series.sources(range(shown[0], last + 1), start, given)
    cells = []
    for at, one in zip(held, row, strict=True):
        before = max((other for other in shown if other < at), default=at)
        said = next((why for place, why in breaks.items() if before < place <= at), "")
        filed_for = sources.get(at, at)
        found = series.reading(filed_for, at) if filed_for != at and at in shown else None
        if found and not (one.evaluated and same(one.evaluated, found)):
            one = restated(one, found, series.year_of(filed_for))
        cells.append(replace(one, cell=one.cell.model_copy(update={"basis_break": said})) if said else one)
    return Row(cells, series, sources)


def _given_by(series: Series, cell: Cell, at: int) -> int:
    """The position of the report that gives a cell."""
    return series.position(Place(cell.recast.fiscal_year, cell.fiscal_period)) if cell.recast else at


def _series(row: Sequence[BuiltCell]) -> Series:
    first = row[0]
    if first.cell.fiscal_period is FiscalPeriod.YEAR:
        return Series(first.version, first.company_filings)
    series = QuarterSeries(first.version, first.company_filings)
    positions = [series.position(one.cell.place) for one in row]
    series.first, series.last = min(positions), max(positions)
    return series


def _is_lacking(one: BuiltCell) -> bool:
    """Whether a year has no figure because its own 10-K is not loaded, or prints no such row of a statement; of a
    transition period there is none.
    """
    gap = one.cell.gap
    if gap is not None and one.version.is_statement_row:
        return gap == UNSAID
    return gap is not None and gap.code is Code.YEAR_NOT_INGESTED and gap.detail != TRANSITION
