"""Rows over fiscal years or quarters on one basis, as far as reports give them so (`agent.numbers.basis.series`)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent.numbers.basis.quarter_series import QuarterSeries
from agent.numbers.basis.series import Series, Sources, same
from agent.numbers.cells.cells import UNSAID, BuiltCell, filled, restated
from agent.numbers.cells.measure_keys import MOVES
from agent.numbers.cells.operation_results import merge
from agent.numbers.cells.row_expressions import changed
from agent.numbers.parts.part_figures import MemberFinder
from agent.numbers.periods.asked_years import TRANSITION
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
    result = list(cells)
    rows: dict[Key, Row] = {}
    for key, indexes in _indexes_by_row(cells, apart).items():
        row = [cells[index] for index in indexes]
        if _has_two_cells_for_a_period(row) or any(built.cell.period_reading for built in row):
            continue
        # A row's changes stand below it, and follow it.
        changed_row = None if row[0].cell.asked else rows.get(_key_of_changed_row(key))
        rows[key] = Row(list(_changes(row, changed_row))) if changed_row else _row_on_one_basis(row)
        for index, built in zip(indexes, _under_one_label(rows[key].cells), strict=True):
            result[index] = built
    return result


def _indexes_by_row(cells: Sequence[BuiltCell], apart: Collection[int]) -> dict[Key, list[int]]:
    """The indexes of the cells of each row of one measure and company over years, or over quarters."""
    rows: dict[Key, list[int]] = {}
    for index, built in enumerate(cells):
        cell, version = built.cell, built.version
        of_quarter = cell.fiscal_period in QUARTERS and not version.is_statement_row
        of_year = cell.fiscal_period is FiscalPeriod.YEAR
        if cell.fiscal_year is None or not (of_year or of_quarter) or cell.row in apart or version.is_blank:
            continue
        # Opening and closing balances of a statement are two rows of one element.
        lines = (of_year, *version.lines)
        key = (cell.row, cell.cik, version.key, version.reading, cell.alternative, lines)
        rows.setdefault(key, []).append(index)
    return rows


def _has_two_cells_for_a_period(row: Sequence[BuiltCell]) -> bool:
    return len({built.cell.place for built in row}) < len(row)


def _under_one_label(row: Sequence[BuiltCell]) -> Sequence[BuiltCell]:
    """A row of a part under one label: where its reports tag it inside unlike parts, without these."""
    labels = {built.cell.label for built in row if built.cell.asserted}
    if not labels or not any(isinstance(line, MemberFinder) for line in row[0].version.lines.values()):
        return row
    label = labels.pop() if len(labels) == 1 else row[0].version.label
    return [replace(built, cell=built.cell.model_copy(update={"label": label})) for built in row]


def _key_of_changed_row(key: Key) -> Key:
    """The key of the row whose changes a row shows; empty for a row that shows no changes."""
    row, cik, measure, *rest = key
    prefix = next((prefix for prefix in MOVES if str(measure).startswith(prefix)), "")
    return (row, cik, str(measure).removeprefix(prefix), *rest) if prefix else ()


def _changes(row: Sequence[BuiltCell], changed_row: Row) -> Iterator[BuiltCell]:
    """A row of changes between the figures shown above it, and none across a break."""
    series = changed_row.series
    if series is None:
        yield from row
        return
    figures = {series.position(built.cell.place): built for built in changed_row.cells}
    for built in row:
        position = series.position(built.cell.place)
        now, before = figures.get(position), figures.get(position - series.lag)
        if built.evaluated is None or now is None:
            yield built
        elif before is None or before.evaluated is None or now.evaluated is None:
            yield built.without(UNSAID) if now.cell.recast or now.cell.basis_break else built
        elif not _are_joined(series, changed_row.sources, position - series.lag, position):
            yield built.without(UNSAID)
        elif not now.cell.recast:
            yield built
        else:
            percent = built.cell.unit == "percent"
            tree, _ = changed(now.evaluated.tree, before.evaluated.tree, now.version.unit, percent=percent)
            merged = merge(tree, (now.evaluated, before.evaluated))
            cell = filled(built.cell, built.version, merged, built.company_filings, built.cell.fiscal_year or 0)
            yield replace(built, cell=cell, evaluated=merged)


def _are_joined(series: Series, sources: Sources, before: int, after: int) -> bool:
    return series.joined((sources.get(before, before), before), (sources.get(after, after), after))


def _row_on_one_basis(row: Sequence[BuiltCell]) -> Row:
    """The cells of one measure of one company, each of another year or quarter.

    In this order: which report gives each figure today; from which period the basis is taken; from which report the
    figure of each period is read on that basis; each cell as that report gives it, and the reason where the basis
    breaks before it. A year whose own 10-K is not loaded is filled from one that prints it as a comparative.
    """
    series = _series(row)
    basis = series.filings.basis
    by_position = {series.position(built.cell.place): built for built in row}
    reported = [position for position, built in by_position.items() if built.evaluated]
    missing = [position for position, built in by_position.items() if _is_missing(built)]
    fillable = [] if basis is Basis.FIRST else missing
    # A part that its year's own report gives no figure of is there already as a later one gives it.
    report_of = {position: _report_of(series, by_position[position].cell, position) for position in reported}
    series.found.update({(report_of[position], position): by_position[position].evaluated for position in reported})

    asked = [position for position in reported if by_position[position].cell.asked and basis is not Basis.LAST]
    start = max(asked or reported or fillable, default=0)
    reports = [report_of[start]] if reported and basis is not Basis.LAST else series.printing(start, start + 1)
    start_report = next((report for report in reports if series.reading(report, start)), 0)
    if not start_report or (len(reported) < 2 and not fillable and basis is not Basis.LAST):
        return Row(row)

    shown = sorted({*reported, *fillable})
    last = max(shown[-1], *report_of.values()) if reported else shown[-1]
    sources, breaks = series.sources(range(shown[0], last + 1), start, start_report)
    cells = []
    for position, built in zip(by_position, row, strict=True):
        if position in shown:
            built = _as_reported_in(series, sources.get(position, position), position, built)
        earlier = max((other for other in shown if other < position), default=position)
        reason = next((why for place, why in breaks.items() if earlier < place <= position), "")
        cells.append(replace(built, cell=built.cell.model_copy(update={"basis_break": reason})) if reason else built)
    return Row(cells, series, sources)


def _as_reported_in(series: Series, report: int, position: int, built: BuiltCell) -> BuiltCell:
    """A cell with the figure that another report gives for its period, marked as restated; itself where none differs."""
    reading = series.reading(report, position) if report != position else None
    if not reading or (built.evaluated and same(built.evaluated, reading)):
        return built
    return restated(built, reading, series.year_of(report))


def _report_of(series: Series, cell: Cell, position: int) -> int:
    """The position of the report that gives a cell's figure."""
    return series.position(Place(cell.recast.fiscal_year, cell.fiscal_period)) if cell.recast else position


def _series(row: Sequence[BuiltCell]) -> Series:
    first = row[0]
    if first.cell.fiscal_period is FiscalPeriod.YEAR:
        return Series(first.version, first.company_filings)
    series = QuarterSeries(first.version, first.company_filings)
    positions = [series.position(built.cell.place) for built in row]
    series.first, series.last = min(positions), max(positions)
    return series


def _is_missing(built: BuiltCell) -> bool:
    """Whether a year has no figure because its own 10-K is not loaded, or prints no such row of a statement.

    A transition period has no report, and is not missing.
    """
    gap = built.cell.gap
    if gap is not None and built.version.is_statement_row:
        return gap == UNSAID
    return gap is not None and gap.code is Code.YEAR_NOT_INGESTED and gap.detail != TRANSITION
