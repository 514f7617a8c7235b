"""Read tables as JSON, and back: columns once a table, figures by the number of their column."""

from datetime import date
from decimal import Decimal
from typing import Any

from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import Period
from filings.tables.every_table import ReadTable


def stored(table: ReadTable) -> dict[str, Any]:
    """A table as {"columns": [[heading, first day, last day], ...], "rows": [[label, heading, [figure, ...]], ...]};
    a figure is [column, start behind the table's, length, text, value, unit, power, digits]. A row of guidance ends with 1.
    """
    columns: dict[tuple[str, str, str], int] = {}
    rows = []
    for row in table.rows:
        cells = []
        for one in row.cells:
            column = (one.column, one.period.start.isoformat(), one.period.end.isoformat())
            number = columns.setdefault(column, len(columns))
            at = one.start - table.start
            value = format(one.value, "f")
            cells.append([number, at, one.end - one.start, one.text, value, one.unit, one.power, one.digits])
        rows.append([row.label, row.heading, cells, *([1] if row.guidance else [])])
    return {"columns": [list(one) for one in columns], "rows": rows}


def rows_of(content: dict[str, Any], start: int) -> tuple[ReadRow, ...]:
    """The rows of a stored table that begins at `start` of its section's text."""
    columns = [
        (heading, Period(date.fromisoformat(first), date.fromisoformat(last)))
        for heading, first, last in content["columns"]
    ]
    found = []
    for label, heading, cells, *guidance in content["rows"]:
        read = []
        for number, at, length, text, value, unit, power, digits in cells:
            column, period = columns[number]
            first = start + at
            read.append(ReadCell(first, first + length, text, Decimal(value), unit, power, digits, period, column))
        found.append(ReadRow(label, heading, tuple(read), bool(guidance)))
    return tuple(found)
