"""Tables that filings print, as files: reached from the reader and from answers that quote their rows."""

import csv
import io
import re
from decimal import Decimal

import pytest
from django.test import Client

from agent.web.exports.cell_values import Printed
from agent.web.exports.printed_table_sheet import SectionTable, printed, table_at
from filings.document.blocks import Block
from filings.models import Section
from tests.agent.exports import sheets
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


def found(rows: int = 4, columns: int = 3) -> tuple[Section, Block]:
    """A section of the sample with a table of so many rows and columns at least."""
    for section in Section.objects.select_related("filing__company").filter(item="7"):
        for block in section.parsed_blocks:
            if block.kind == "table" and len(block.rows) >= rows and len(block.rows[0]) >= columns:
                return section, block
    raise LookupError("The sample has no such table.")


@pytest.mark.parametrize(
    ("text", "number", "shown", "plain"),
    [
        ("1,757", "1757", "#,##0", "1757"),
        ("$ 1,757", "1757", '"$"#,##0', "1757"),
        ("$ (15)", "-15", '"$"0', "-15"),
        ("(1,234.5)", "-1234.5", "#,##0.0", "-1234.5"),
        ("(3)%", "-0.03", "0%", "-3%"),
        ("23.0 %", "0.230", "0.0%", "23.0%"),
        ("\u22124", "-4", "0", "-4"),
        ("2024", "2024", "0", "2024"),
        ("\u20ac0.05", "0.05", '"\u20ac"0.00', "0.05"),
    ],
)
def test_a_printed_figure_is_a_number_that_is_shown_as_printed(text: str, number: str, shown: str, plain: str) -> None:
    value = printed(text)
    assert isinstance(value, Printed)
    assert (value.number, value.format, value.text) == (Decimal(number), shown, plain)


@pytest.mark.parametrize(
    "text", ["", "\u2014", "n/a", "2023-2024", "4)", "Item 7", "1,2345", "12 months", "9" * 16, "=1+1"]
)
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert printed(text) == text


def test_cells_stand_in_their_columns(sample: Sample) -> None:
    section, block = found()
    grid = SectionTable(section, block).grid
    assert len({len(row) for row in grid}) == 1
    words = [section.text[cell.start : cell.end].strip() for row in block.rows for cell in row]
    assert [one for row in grid for one in row if one] == [one for one in words if one]


def test_every_table_of_a_section_leads_to_its_files(client: Client, sample: Sample) -> None:
    section, block = found()
    page = client.get(section.get_absolute_url()).content.decode()
    address = f"{section.get_absolute_url()}/table.csv?at={block.start}"
    assert address in page
    tables = [one for one in section.parsed_blocks if one.kind == "table" and len(one.rows) > 1]
    assert len(re.findall(r"table\.xlsx\?", page)) == len(tables)
    reply = client.get(address)
    assert reply["Content-Disposition"].startswith("attachment")
    rows = list(csv.reader(io.StringIO(reply.content.decode("utf-8-sig"))))
    table = SectionTable(section, block)
    assert len(rows) == len(table.grid)
    assert [row[0].lstrip("'") for row in rows] == [row[0] for row in table.grid]


def test_the_workbook_has_numbers_below_what_the_table_is_of(client: Client, sample: Sample) -> None:
    section, block = found()
    reply = client.get(f"{section.get_absolute_url()}/table.xlsx?at={block.start + 1}")
    sheet = sheets.read(reply.content)["Table"]
    table = SectionTable(section, block)
    assert sheet.cells["A1"] == table.title
    assert section.filing.accession in str(sheet.cells["A2"])
    assert any(f"at={block.start}-{block.end}" in link for link in sheet.links.values())
    numbers = [one.number for row in table.values for one in row if isinstance(one, Printed)]
    assert numbers
    assert [one for one in sheet.cells.values() if isinstance(one, float)] == [float(one) for one in numbers]


@pytest.mark.parametrize("query", ["", "?at=", "?at=x", "?at=-1", "?at=999999999", "?at=9999999999999", "?at=\u0661"])
def test_where_no_table_is_there_is_no_file(client: Client, sample: Sample, query: str) -> None:
    section, _ = found()
    assert client.get(f"{section.get_absolute_url()}/table.csv{query}").status_code == 404


def test_other_kinds_of_files_are_named_as_unknown(client: Client, sample: Sample) -> None:
    section, block = found()
    assert client.get(f"{section.get_absolute_url()}/table.md?at={block.start}").status_code == 400


def test_a_position_in_prose_has_no_table(sample: Sample) -> None:
    section, block = found()
    assert table_at(section, block.start) == SectionTable(section, block)
    assert table_at(section, block.end) is None or section.text[block.end : block.end + 1].strip()
