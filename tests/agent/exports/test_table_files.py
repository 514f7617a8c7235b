"""What stands in the file of a table, read back from its bytes."""

import csv
import io
import json
import re
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from agent.numbers import formula
from agent.numbers.render import MINUS
from agent.state import Cell, FactRef
from agent.state.tables import Recast
from agent.web.api.table_rows import rows_of
from agent.web.exports.cell_values import MORE_DIGITS, Amount
from agent.web.exports.file_formats import Format, name_of, written
from agent.web.exports.provenance import About
from agent.web.tables.table_card import TableCard
from tests.agent.exports import sheets
from tests.agent.tables.cells import APPLE, MICROSOFT, accession_of, card, cell, growth, margin, result
from tests.support import answers
from tests.support.sample import Sample

ABOUT = About(
    question="How did revenue move?",
    at=datetime(2026, 11, 18, 9, 14, tzinfo=UTC),
    url="https://diligence.example/runs/1",
)
YEARS = card(
    cell("383285000000", 2023), cell("391035000000", 2024), cell("-5", 2024, row=1, label="Loss", measure="x")
)


def site(path: str) -> str:
    return f"https://diligence.example{path}"


@pytest.mark.django_db
def test_a_restated_cell_says_where_its_value_stands_and_what_was_first_reported() -> None:
    recast = Recast(fiscal_year=2024, accession="0000320193-24-000123", first=Decimal("385000000000"))
    shown = cell("383285000000", 2023).model_copy(update={"recast": recast, "basis_break": "The basis breaks here."})
    text = written((card(shown, cell("391035000000", 2024)),), Format.CSV, ABOUT, site).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    said = "As in 0000320193-24-000123; first reported: 385000000000 USD. The basis breaks here."
    assert [one["Basis"] for one in rows] == [said, ""]


def book(*tables: TableCard, about: About = ABOUT) -> dict[str, sheets.Sheet]:
    return sheets.read(written(tables, Format.XLSX, about, site))


def table(*tables: TableCard) -> list[dict[str, str]]:
    text = written(tables, Format.CSV, ABOUT, site).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


# --- Excel ---


def test_years_are_columns_and_measures_are_rows_below_what_the_file_is() -> None:
    found = book(YEARS)["Figures"]
    title, asked, answered, address, heads, revenue, loss = found.rows()
    assert title == ["Apple, total revenue and loss, fiscal 2023 and 2024"]
    assert asked == ["Asked: How did revenue move?"]
    assert str(answered[0]).startswith("Answered 18 Nov 2026, 09:14 UTC. ")
    assert address == [ABOUT.url]
    assert found.links["A4"] == ABOUT.url
    assert heads == ["Company", "Measure", "Unit", "FY2023", "FY2024"]
    assert revenue == ["Apple", "Total revenue", "US$, shown in millions", 383285000000, 391035000000]
    assert loss == ["Apple", "Loss", "US$, shown in millions", -5]
    assert found.cells["E7"] == -5


def test_headings_and_names_stay_in_sight_and_columns_are_wide_enough() -> None:
    found = book(YEARS)["Figures"]
    assert found.frozen == (5, 2)
    assert found.widths[2] > len("Total revenue")
    assert found.widths[5] > len("391,035,000,000")


def test_a_fact_leads_to_its_page_and_a_computed_figure_to_its_formula() -> None:
    found = book(card(cell(), margin(row=1)))
    figures, formulas = found["Figures"], found["Formulas"]
    assert figures.links["D6"] == f"https://diligence.example/facts/{APPLE + 2024}"
    assert figures.links["D7"] == "'Formulas'!A2"
    assert formulas.rows()[1] == [
        "Apple", 2024, "FY", "Gross margin", 0.46206349, "%", "gross profit \u00f7 total revenue",
        "180,683 \u00f7 391,035 (money in millions)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "unit", "number", "format_"),
    [
        ("391035000000", "USD", 391035000000, "#,##0,,"),
        ("-1397000", "EUR", -1397000, "#,##0.000,,"),
        ("6.08", "USD/shares", 6.08, "#,##0.00##"),
        ("46.206349", "percent", 0.46206349, "0.0%"),
        ("-0.52", "percent", -0.0052, "0.00%"),
        ("0.241", "pure", 0.241, "0.0##%"),
        ("1.5", "points", 1.5, "0.0"),
        ("1.234", "ratio", 1.234, '0.00"x"'),
        ("64.53", "days", 64.53, "0.0"),
        ("15116786000", "shares", 15116786000, "#,##0"),
    ],
)
def test_a_number_is_shown_by_its_unit(value: str, unit: str, number: float, format_: str) -> None:
    found = book(card(cell(value, unit=unit)))["Figures"]
    assert found.cells["D6"] == number
    assert found.formats["D6"] == format_


def test_a_reported_figure_with_more_digits_than_a_double_is_a_number_that_says_so() -> None:
    found = book(card(cell("1234567890123456789")))["Figures"]
    assert found.cells["D6"] == 1.23456789012346e18
    assert found.remarks["D6"] == f"{MORE_DIGITS}1234567890123456789"


def test_a_quotient_without_an_end_is_a_number_all_the_same() -> None:
    found = book(card(margin(value="46.20634981523393046658227524390399")))["Figures"]
    assert found.raw["D6"] == "0.462063498152339"


def test_no_digit_is_made_up_of_a_decimal() -> None:
    assert book(card(cell("0.94", unit="USD/shares")))["Figures"].raw["D6"] == "0.94"


def test_a_gap_is_a_text_with_its_reason_beside_it() -> None:
    found = book(card(cell(), cell(None, 2023)))["Figures"]
    assert found.cells["D6"] == "Measure not reported"
    assert found.remarks["D6"] == "Apple reports none. Look elsewhere."
    assert "Fiscal 2023: Apple reports none. Look elsewhere." in found.texts()


def test_every_fact_is_a_source_with_its_filing() -> None:
    found = book(card(cell(), margin(row=1)))["Sources"]
    assert found.column("Role") == ["Value", "Operand", "Operand"]
    assert found.column("Operand") == [None, "Gross profit", "Total revenue"]
    assert found.column("Measure") == ["Total revenue", "Gross margin", "Gross margin"]
    assert found.column("Value as filed") == [391035000000, 180683000000, 391035000000]
    assert found.column("Tag")[0] == "us-gaap:Revenues"
    assert found.column("Accession")[0] == accession_of(2024)
    days = [found.column(heading)[0] for heading in ("Period start", "Period end")]
    first = date(1899, 12, 30)
    assert [float(day or 0) for day in days] == [(end - first).days for end in (date(2023, 10, 1), date(2024, 9, 28))]
    assert found.links["R2"] == f"https://diligence.example/facts/{APPLE + 2024}"
    assert found.links["S2"].startswith("https://www.sec.gov/Archives/")


def test_a_balance_has_no_first_day() -> None:
    one = cell()
    assert one.fact is not None
    balance = one.model_copy(update={"fact": one.fact.model_copy(update={"start": one.fact.end})})
    assert book(card(balance))["Sources"].column("Period start") == [None]


def test_a_file_without_anything_computed_has_no_formulas() -> None:
    assert list(book(YEARS)) == ["Figures", "Sources"]


def test_each_table_of_an_answer_has_a_sheet() -> None:
    assert list(book(YEARS, card(margin()))) == ["Figures 1", "Figures 2", "Formulas", "Sources"]


def test_what_was_computed_over_the_years_stands_below_with_its_formula() -> None:
    formula = "100 * ((revenue / revenue[FY-4]) ** (1 / 4) - 1)"
    found = book(card(cell(), results=(result("cagr", formula=formula, operands=margin().operands),)))
    rows = found["Figures"].rows()
    place = rows.index(["Company", "Over the years", "Unit", "Value", "Fiscal years"])
    assert rows[place + 1] == [
        "Apple", "Compound annual growth rate: Total revenue", "%", 0.092477, "2020-2024",
    ]  # fmt: skip
    assert found["Formulas"].column("Fiscal year") == ["2020-2024"]
    assert found["Sources"].column("Measure")[1:] == ["Compound annual growth rate: Total revenue"] * 2


def test_notes_and_what_stands_beside_the_answer_are_told() -> None:
    found = book(card(cell(notes=("It was restated.",)), cell("1", row=1, alternative=True)))["Figures"]
    assert "It was restated." in found.texts()
    assert "Total revenue (also computed)" in found.texts()


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


# --- formulas over cells ---


def test_a_computed_figure_is_a_formula_over_the_cells_of_its_operands() -> None:
    profit = answers.operand("gross_profit", "Gross profit", fact_of(2024, "180683000000", "GrossProfit"), cik=APPLE)
    revenue = answers.operand("revenue", "Total revenue", fact_of(2024, "391035000000"), cik=APPLE)
    found = book(card(cell(), margin(row=1, operands=(profit, revenue))))["Figures"]
    operands = found.rows()[-1]
    assert operands == ["Apple", "Gross profit", "US$, shown in millions", 180683000000]
    assert found.formulas == {"D7": "D10/D6"}


def test_operands_that_the_table_does_not_show_stand_below_it_under_their_years() -> None:
    before = answers.operand("revenue", "Total revenue", fact_of(2023, "383285000000"), fiscal_year=2023, cik=APPLE)
    now = answers.operand("revenue", "Total revenue", fact_of(2024, "391035000000"), fiscal_year=2024, cik=APPLE)
    grown = growth(
        "2.0220",
        formula="100 * (revenue / revenue[FY-1] - 1)",
        operands=(now, before.model_copy(update={"name": "revenue[FY-1]"})),
        asked=True,
    )
    found = book(card(grown))["Figures"]
    assert found.rows()[-2:] == [
        ["Company", "Operands", "Unit", "FY2024", "FY2023"],
        ["Apple", "Total revenue", "US$, shown in millions", 391035000000, 383285000000],
    ]
    assert found.formulas == {"D6": "D9/E9-1"}


def test_two_figures_of_one_year_are_two_rows_of_operands() -> None:
    first, restated = (fact_of(2023, value) for value in ("383285000000", "380000000000"))
    both = tuple(
        answers.operand("revenue", "Total revenue", one, name=name, fiscal_year=2023, cik=APPLE)
        for name, one in (("revenue", first), ("revenue:fy2024", restated))
    )
    asked = margin(2023, value="0.86", formula="100 * (revenue / revenue:fy2024 - 1)", operands=both)
    found = book(card(asked))["Figures"]
    assert found.formulas == {"D6": "D9/D10-1"}
    assert [row[1] for row in found.rows()[-2:]] == [
        "Total revenue",
        f"Total revenue (10-K {accession_of(2023)})",
    ]


CASES = {
    "gross_profit / revenue": "ratio",
    "100 * (gross_profit / revenue)": "percent",
    "100 * (gross_profit / revenue) - 100 * 0.25": "points",
    "avg(revenue) / avg(gross_profit)": "ratio",
    "d(revenue)": "USD",
    "-revenue - (gross_profit - opt(nothing))": "USD",
    "100 * ((revenue / revenue[FY-1]) ** (1 / 4) - 1)": "percent",
    "100 * (abs(gross_profit - revenue) / (revenue - gross_profit / 2))": "percent",
    "(-2) ** 2 * (revenue / 2 / gross_profit)": "ratio",
    "100 * (d(gross_profit) / prev(revenue))": "percent",
}


@pytest.mark.parametrize(("text", "unit"), CASES.items())
def test_a_formula_of_the_sheet_gives_the_figure_of_the_page(text: str, unit: str) -> None:
    """The sheet's own expression, computed from the sheet's own cells."""
    values = {("revenue", 0): "391035", ("revenue", -1): "383285", ("gross_profit", 0): "180683", ("gross_profit", -1): "169148"}  # fmt: skip
    operands = tuple(
        answers.operand(name, name, fact_of(2024 + at, value, tag=name), fiscal_year=2024 + at).model_copy(
            update={"name": f"{name}[FY{at}]" if at else name}
        )
        for (name, at), value in values.items()
    )

    def resolve(name: formula.Name, at: int) -> Decimal:
        if (name.key, at) not in values:
            raise formula.Missing(name, at)
        return Decimal(values[name.key, at])

    shown = formula.evaluate(formula.parse(text), resolve)
    found = book(card(margin(value=str(shown), unit=unit, formula=text, operands=operands)))["Figures"]
    assert computed_by_hand(found, "D6") == pytest.approx(float(shown) / (100 if unit == "percent" else 1), rel=1e-12)
    assert found.cells["D6"] == pytest.approx(computed_by_hand(found, "D6"), rel=1e-12)


def computed_by_hand(sheet: sheets.Sheet, reference: str) -> float:
    """What a formula of the sheet gives, by the same arithmetic in this language's signs."""
    text = re.sub(r"[A-Z]+\d+", lambda cell: f"sheet[{cell.group()!r}]", sheet.formulas[reference])
    found = eval(text.replace("^", "**").replace("ABS(", "abs("), {"sheet": sheet.cells, "abs": abs})  # noqa: S307
    assert isinstance(found, float | int)
    return float(found)


def fact_of(year: int, value: str, tag: str = "Revenues") -> FactRef:
    one = cell(value, year).fact
    assert one is not None
    return one.model_copy(update={"tag": tag})


# --- marks and charts ---


def test_a_restated_figure_stays_a_number_with_its_mark_and_its_reason() -> None:
    recast = Recast(fiscal_year=2024, accession="0000320193-24-000123", first=Decimal("385000000000"))
    shown = cell("383285000000", 2023).model_copy(update={"recast": recast, "basis_break": "The basis breaks here."})
    found = book(card(shown, cell("391035000000", 2024)))["Figures"]
    assert (found.cells["D6"], found.formats["D6"]) == (383285000000, '#,##0,," r"')
    assert "first reported: $385,000 million" in found.remarks["D6"]
    assert "The basis breaks here." in found.remarks["D6"]
    assert any(text.startswith("Marked r: ") for text in found.texts())


def test_one_row_over_years_has_a_chart_and_one_figure_has_none() -> None:
    assert book(card(cell("383285000000", 2023), cell()))["Figures"].charts == 1
    assert book(card(cell()))["Figures"].charts == 0
    assert book(YEARS)["Figures"].charts == 0


def test_a_statement_has_its_headings_and_no_chart() -> None:
    found = book(card(cell("1", 2023, heading="Sales"), cell("2", heading="Sales"), statement="income statement"))
    assert found["Figures"].rows()[5] == ["Sales"]
    assert found["Figures"].charts == 0


# --- CSV ---


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


# --- Markdown and JSON ---


def markdown(*tables: TableCard) -> list[str]:
    return written(tables, Format.MD, ABOUT, site).decode().splitlines()


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


# --- names ---


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


def test_an_amount_beyond_what_a_double_reaches_is_a_text() -> None:
    assert Amount(Decimal("1E+400"), "USD").number is None


@pytest.mark.django_db
def test_files_keep_the_calendar_column_and_each_companys_own_year() -> None:
    found = card(cell(calendar_year=2024), cell("281724000000", 2025, MICROSOFT, calendar_year=2024))
    assert [(one["Fiscal year"], one["Column"]) for one in table(found)] == [("2024", "CY2024"), ("2025", "CY2024")]
    lines = "\n".join(markdown(found))
    assert "|  | CY2024 | Unit | Source |" in lines
    assert "(FY2025, 28 Sep 2025)" in lines
    sheet = book(found)["Figures"]
    assert "FY2025, 28 Sep 2025" in sheet.column("CY2024")


def series_of(*tables: TableCard) -> list[tuple[str, str]]:
    """The cells of names and values that the chart of a workbook draws."""
    content = zipfile.ZipFile(io.BytesIO(written(tables, Format.XLSX, ABOUT, site)))
    chart = content.read("xl/charts/chart1.xml").decode()
    return list(
        zip(
            re.findall(r"<c:cat>.*?<c:f>(.*?)</c:f>", chart),
            re.findall(r"<c:val>.*?<c:f>(.*?)</c:f>", chart),
            strict=True,
        )
    )


def test_a_chart_draws_the_cells_of_its_rows_under_the_years() -> None:
    years = [cell("383285000000", 2023), cell()]
    assert series_of(card(*years)) == [("Figures!$D$5:$E$5", "Figures!$D$6:$E$6")]
    both = card(*years, cell("1", 2023, cik=MICROSOFT), cell("2", cik=MICROSOFT))
    assert [values for _, values in series_of(both)] == ["Figures!$D$6:$E$6", "Figures!$D$7:$E$7"]
