"""The native chart of a table's sheet: over the cells of the sheet, so that it follows them."""

from collections.abc import Callable, Sequence

from agent.state import Cell
from agent.web.exports.cell_values import Amount, amount
from agent.web.exports.sheet_layout import NAMED, SheetLayout
from agent.web.exports.xlsx_writer import Sheet
from filings.web.charts import SERIES

WIDTH, HEIGHT = 720, 380


def draw(sheet: Sheet, layout: SheetLayout, shown: Callable[[Amount], Amount]) -> None:
    """Put a chart on the right of a table: columns for one row, a line a company for one measure.

    shown: a figure in the unit of money of the sheet, which the axis has too. None for a statement, for fewer than two years with figures, and for more rows than can be told apart.
    """
    rows = _charted(layout)
    places = layout.card.rows.places
    if not rows or len(places) < 2:
        return
    several = len(rows) > 1
    # A reason in place of a figure counts as zero in a line, and as no column.
    gaps = any(cell.value is None for _, cells in rows for cell in cells)
    chart = sheet.book.workbook.add_chart({"type": "line" if several and not gaps else "column"})
    first, last = NAMED, NAMED + len(places) - 1
    heads = layout.first - 2
    name = sheet.worksheet.get_name()
    for number, cells in rows:
        chart.add_series(
            {
                "name": cells[0].company if several else _label(cells),
                "categories": [name, heads, first, heads, last],
                "values": [name, number, first, number, last],
                "gap": 60,
                **({"marker": {"type": "automatic"}} if several and not gaps else {}),
            }
        )
    chart.set_title({"name": layout.card.title, "name_font": {"size": 12, "bold": True}, "overlay": False})
    chart.set_legend({"position": "bottom"} if several else {"none": True})
    given = [one for _, cells in rows for cell in cells if (one := amount(cell))]
    chart.set_y_axis(
        {
            "num_format": shown(max(given, key=lambda one: abs(one.value))).format,
            "major_gridlines": {"visible": True, "line": {"color": "#E4E4E2"}},
            "line": {"none": True},
        }
    )
    chart.set_size({"width": WIDTH, "height": HEIGHT})
    sheet.worksheet.insert_chart(heads, len(layout.places) + NAMED + 1, chart)


def _charted(layout: SheetLayout) -> list[tuple[int, list[Cell]]]:
    """The rows of the chart, with their numbers counted from 0."""
    if layout.card.statement:
        return []
    lines = [(number, line) for number, line in enumerate(layout.lines, start=layout.first - 1) if _asked(line)]
    rows = [(number, line) for number, line in lines if not isinstance(line, str)]
    if not rows:
        return []
    measure = rows[0][1][0].measure
    alike = [one for one in rows if one[1][0].measure == measure]
    told = [one for one in alike if sum(cell.value is not None for cell in one[1]) > 1]
    one_company = len(layout.card.rows.companies) == 1
    if one_company and len(rows) > 1 and not layout.card.single:
        return []
    return told if len(told) <= SERIES else []


def _asked(line: Sequence[Cell] | str) -> bool:
    return not isinstance(line, str) and any(cell.asked and not cell.alternative for cell in line)


def _label(cells: Sequence[Cell]) -> str:
    return f"{cells[0].company}, {cells[0].label}"
