"""Charts of tables: columns for one row, lines for several companies, stacked columns for parts."""

from collections.abc import Sequence
from dataclasses import replace

from agent.numbers.facts.render import in_table
from agent.state import Cell
from agent.web.tables.figure_card import Figure, fact_path
from agent.web.tables.year_table import YearRows
from filings.web import charts
from filings.web.charts import Chart, Point, Series, Words


def small(rows: YearRows, cells: Sequence[Cell]) -> Chart | None:
    """Small columns beside a single figure, for its row."""
    return charts.columns(_series(rows, cells), small=True)


def chart(rows: YearRows) -> Chart | None:
    """The chart of a table: columns for one row, a line a company for one measure; None where no chart helps.

    Parts that add up to a row's figures, such as expenses by kind, are stacked.
    """
    asked = rows.asked
    if not asked:
        return None
    first, tick = asked[0], _tick(rows, asked[0])
    if len(rows.companies) > 1:
        of_first = [cells for cells in asked if _measure(cells) == _measure(first)]
        return charts.lines(_named_series(rows, of_first), tick) if len(of_first) <= charts.SERIES else None
    if len(asked) > 1:
        return None
    return (
        charts.stacked(parts, tick) if (parts := _parts(rows, first)) else charts.columns(_series(rows, first), tick)
    )


def of_rows(rows: YearRows) -> Chart | None:
    """The asked rows in the unit of the first: a line each, or of one year a column each; None for too many, or one figure."""
    asked = rows.asked
    units = [{cell.unit for cell in cells if cell.value is not None} for cells in asked]
    alike = [cells for cells, unit in zip(asked, units, strict=True) if unit == units[0]]
    if not 1 < len(alike) <= charts.SERIES or not units[0]:
        return None
    tick = _tick(rows, alike[0])
    series = _named_series(rows, alike)
    if all(len(one.points) == 1 for one in series):
        points = tuple(replace(one.points[0], label=one.name) for one in series)
        return charts.columns(Series("", points), tick)
    return charts.lines(series, tick)


def _named_series(rows: YearRows, shown: Sequence[Sequence[Cell]]) -> list[Series]:
    return [replace(_series(rows, cells), name=name) for name, cells in zip(_names(shown), shown, strict=True)]


def _names(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """What tells rows apart: their companies, their labels, or both."""
    companies, labels = {cells[0].company for cells in rows}, {cells[0].label for cells in rows}
    if len(labels) == 1:
        return [cells[0].company for cells in rows]
    if len(companies) == 1:
        return [cells[0].label for cells in rows]
    return [f"{cells[0].company}: {cells[0].label}" for cells in rows]


def upon_one_another(rows: YearRows, named: Sequence[tuple[str, Sequence[Cell]]]) -> Chart | None:
    """Rows that are named parts of a whole, stacked; None for more than can be distinguished."""
    if not 1 < len(named) <= charts.SERIES:
        return None
    series = [replace(_series(rows, cells), name=name) for name, cells in named]
    return charts.stacked(series, _tick(rows, named[0][1]))


def _measure(cells: Sequence[Cell]) -> tuple[int, str, str]:
    return cells[0].row, cells[0].measure, cells[0].reading


def _series(rows: YearRows, cells: Sequence[Cell]) -> Series:
    """A row as points, one for each year of the table."""
    by_place = {cell.column: cell for cell in cells}
    return Series(cells[0].company, tuple(_point(rows, by_place.get(one), one.short) for one in rows.places))


def _point(rows: YearRows, cell: Cell | None, label: str) -> Point:
    if cell is None or cell.value is None:
        return Point(label, None)
    figure = Figure(cell, rows.scale)
    context = any(not one.asked for one in rows.table.cells)
    return Point(
        label,
        cell.value,
        figure.column,
        figure.href,
        f"{figure.title}: {figure.text}",
        asked=cell.asserted and context,
        breaks=bool(cell.basis_break),
    )


def _parts(rows: YearRows, cells: Sequence[Cell]) -> list[Series]:
    """The parts that all asked figures add up from, where they are the same in all years; else none."""
    by_place = {cell.place: {one.label: one for one in cell.breakdown} for cell in cells if cell.asserted}
    labels = next(iter(by_place.values()), {})
    if len(by_place) < 2 or not labels or any(set(found) != set(labels) for found in by_place.values()):
        return []
    return [
        Series(
            label,
            tuple(
                Point(
                    place.short,
                    one.fact.value,
                    in_table(one.fact.value, one.fact.unit, rows.scale),
                    fact_path(one.fact),
                )
                for place, found in sorted(by_place.items(), key=lambda one: one[0])
                if (one := found[label])
            ),
        )
        for label in labels
    ]


def _tick(rows: YearRows, cells: Sequence[Cell]) -> Words:
    """An axis value in the same format as the table's column."""
    unit = next((cell.unit for cell in cells if cell.value is not None), "")
    return lambda value: in_table(value, unit, rows.scale)
