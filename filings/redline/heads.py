"""The rows that name the columns of a table's row."""

from filings.models import Section
from filings.redline.compared_units import Unit
from filings.tables.table import PrintedTable


def heads_of(unit: Unit | None, section: Section) -> str:
    """The printed headings of a row's columns, cells a tab apart; empty for a row that is one, and for what is no row."""
    if unit is None or unit.kind != "table":
        return ""
    table = PrintedTable(section.text, section.parsed_blocks[unit.block])
    place = next(iter(table.places(unit.start, unit.end)), None)
    rows = [table.range_of(one) for one in table.heads(place) if table.rows[one]] if place is not None else []
    return "\n".join(section.text[start:end] for start, end in rows)
