"""What stands in the CSV, Markdown and JSON files of a table."""

import csv
import io
import json
from decimal import Decimal

import pytest

from agent.numbers.facts.render import MINUS
from agent.numbers.tables.table_text import rows_of
from agent.state import Cell
from agent.state.tables import Recast
from agent.web.exports.file_formats import Format, name_of, written
from tests.agent.exports import sheets
from tests.agent.exports.written_files import ABOUT, book, markdown, site, table
from tests.agent.tables.cells import APPLE, MICROSOFT, accession_of, card, cell, margin, result
from tests.support import answers
from tests.support.sample import Sample


@pytest.mark.django_db
def test_a_restated_cell_says_where_its_value_stands_and_what_was_first_reported() -> None:
    recast = Recast(fiscal_year=2024, accession="0000320193-24-000123", first=Decimal("385000000000"))
    shown = cell("383285000000", 2023).model_copy(update={"recast": recast, "basis_break": "The basis breaks here."})
    text = written((card(shown, cell("391035000000", 2024)),), Format.CSV, ABOUT, site).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    said = "As in 0000320193-24-000123; first reported: 385000000000 USD. The basis breaks here."
    assert [one["Basis"] for one in rows] == [said, ""]


@pytest.mark.parametrize("format_", [Format.XLSX, Format.MD])
def test_what_a_later_filing_reports_is_told(format_: Format) -> None:
    one = cell()
    assert one.fact is not None
    after = one.fact.model_copy(update={"value": Decimal(390000000000), "accession": accession_of(2025)})
    restated = card(one.model_copy(update={"restated": (answers.later("revenue", one.fact, after),)}))
    said = written([restated], format_, ABOUT, site)
    told = "\n".join(sheets.read(said)["Figures"].texts()) if format_ is Format.XLSX else said.decode()
    assert (
        "Total revenue, fiscal 2024: $391,035 million as first reported, $390,000 million in 10-K "
        f"{accession_of(2025)}." in told
    )


def test_a_row_of_csv_is_a_cell_and_a_quotient_has_twelve_digits(sample: Sample) -> None:
    one, gap, computed = table(card(cell(), cell(None, 2023), margin(value="46.20634981523393046658")))
    assert one == {
        "Company": "Apple", "Ticker": "AAPL", "CIK": str(APPLE), "Fiscal year": "2024", "Period": "FY", "Period end": "2024-09-28",
        "Measure": "Total revenue", "Value": "391035000000", "Unit": "USD", "Asked": "yes", "Formula": "",
        "Operands": "",
        "Why no figure": "", "Tags": "us-gaap:Revenues", "Axis": "", "Member": "", "Accessions": accession_of(2024), "Filed": "2025-02-20",
        "Fact pages": f"https://diligence.example/facts/{APPLE + 2024}", "Filings": one["Filings"], "Basis": "", "Column": "FY2024",
    }  # fmt: skip
    assert one["Filings"].startswith("https://www.sec.gov/")
    assert (gap["Value"], gap["Why no figure"]) == ("", "Apple reports none. Look elsewhere.")
    assert computed["Value"] == "46.2063498152"
    assert computed["Formula"] == "gross profit \u00f7 total revenue"
    assert computed["Operands"].startswith("Gross profit, fiscal 2024: ")
    assert computed["Operands"].endswith("; Total revenue, fiscal 2024: 391035000000 USD")


def of_part(**changes: object) -> Cell:
    """Revenue of a segment of Apple."""
    one = cell()
    assert one.fact is not None
    told = {"dimensions": "StatementBusinessSegmentsAxis=EuropeMember;ConsolidationItemsAxis=OperatingSegmentsMember"}
    return one.model_copy(update={"fact": one.fact.model_copy(update=told | changes)})


PARTS = (("Segments", "=Europe"), ("Consolidation Items", "Operating Segments"))


@pytest.mark.django_db
def test_axis_and_member_of_a_part_have_columns_of_their_own() -> None:
    told, unlabelled = of_part(parts=PARTS), of_part()
    one, other = table(card(told), card(unlabelled))
    names = ("Tags", "Axis", "Member")
    assert [one[name] for name in names] == [
        "us-gaap:Revenues", "Segments | Consolidation Items", "'=Europe | Operating Segments",
    ]  # fmt: skip
    # Answers of before labels were kept say the words of the elements.
    assert [other[name] for name in names] == [
        "us-gaap:Revenues", "Statement Business Segments | Consolidation Items", "Europe | Operating Segments",
    ]  # fmt: skip
    sources = book(card(told))["Sources"]
    assert sources.column("Tag") == ["us-gaap:Revenues"]
    assert sources.column("Axis") == ["Segments | Consolidation Items"]
    assert sources.column("Member") == ["=Europe | Operating Segments"]
    assert "us-gaap:Revenues =Europe \\| Operating Segments [FY2024" in "\n".join(markdown(card(told)))


@pytest.mark.django_db
def test_csv_is_as_excel_reads_it() -> None:
    content = written([card(cell(company='Apple, "the" one\nand only'))], Format.CSV, ABOUT, site)
    assert content.startswith(b"\xef\xbb\xbfCompany,")
    assert content.count(b"\r\n") == 2
    assert b'"Apple, ""the"" one\nand only"' in content


@pytest.mark.django_db
def test_csv_has_what_was_computed_over_the_years_too() -> None:
    *_, last = table(card(cell(), results=(result("average", "200", "USD", formula="(a + b) / 2"),)))
    assert (last["Measure"], last["Fiscal year"], last["Value"]) == ("Average: Total revenue", "2020-2024", "200")


def test_markdown_is_the_table_of_the_card_with_its_sources() -> None:
    lines = markdown(card(cell("-1000000", 2023), cell()))
    page = "https://diligence.example/facts/"
    old, new = (f"{page}{APPLE + year}" for year in (2023, 2024))
    assert "|  | FY2023 | FY2024 | Unit | Source |" in lines
    assert (
        f"| Total revenue | [{MINUS}1]({old}) | [391,035]({new}) | US$ millions | us-gaap:Revenues "
        f"[FY2023 10-K {accession_of(2023)}]({old}), [FY2024 10-K {accession_of(2024)}]({new}) |"
    ) in lines
    assert lines[-1] == ABOUT.url


def test_markdown_tells_companies_apart_and_says_why_there_is_no_figure() -> None:
    lines = markdown(card(cell(), cell(None, cik=MICROSOFT)))
    assert [line[:12] for line in lines if line.startswith("| ")][2:] == ["| Apple: Tot", "| Microsoft:"]
    assert "- Microsoft: Microsoft reports none. Look elsewhere." in lines


def test_nothing_in_markdown_is_markup_of_others() -> None:
    [row] = [line for line in markdown(card(cell(label="A|b](http://evil) <script>\n# x"))) if "Apple" not in line and "evil" in line]  # fmt: skip
    assert r"A\|b\](http://evil) \<script\> \# x" in row
    assert row.count(" | ") == 3


def test_json_has_the_rows_of_the_api() -> None:
    shown = card(cell(), cell(None, 2023), results=(result("average"),))
    found = json.loads(written([shown], Format.JSON, ABOUT, site))
    assert found["question"] == ABOUT.question
    assert found["answered"] == "2026-11-18T09:14:00+00:00"
    [one] = found["tables"]
    assert one["title"] == shown.title
    assert one["table"] == [row.model_dump(mode="json") for row in rows_of(shown.table)]
    assert one["results"][0]["operation"] == "average"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Apple, gross margin, fiscal 2020 to 2024", "apple-gross-margin-2020-2024.csv"),
        ("Apple, R&D, fiscal 2024", "apple-rd-2024.csv"),
        ("../../etc/passwd\r\nX: y", "etcpasswd-x-y.csv"),
        ("\u65e5\u672c", "figures.csv"),
        ("x" * 300, f"{'x' * 80}.csv"),
    ],
)
def test_a_file_is_named_for_what_is_in_it(title: str, name: str) -> None:
    assert name_of(title, Format.CSV) == name


@pytest.mark.django_db
def test_files_keep_the_calendar_column_and_each_companys_own_year() -> None:
    found = card(cell(calendar_year=2024), cell("281724000000", 2025, MICROSOFT, calendar_year=2024))
    assert [(one["Fiscal year"], one["Column"]) for one in table(found)] == [("2024", "CY2024"), ("2025", "CY2024")]
    lines = "\n".join(markdown(found))
    assert "|  | CY2024 | Unit | Source |" in lines
    assert "(FY2025, 28 Sep 2025)" in lines
    sheet = book(found)["Figures"]
    assert "FY2025, 28 Sep 2025" in sheet.column("CY2024")
