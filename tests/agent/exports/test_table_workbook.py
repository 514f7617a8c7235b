"""What stands in the Excel file of a table, read back from its bytes."""

from datetime import date
from decimal import Decimal

import pytest

from agent.state.tables import Recast
from agent.web.exports.cell_values import MORE_DIGITS, Amount
from tests.agent.exports.written_files import ABOUT, YEARS, book
from tests.agent.tables.cells import APPLE, accession_of, card, cell, margin, result


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
    assert found.widths[1] > len("Company") > len("Apple")
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


def test_a_restated_figure_stays_a_number_with_its_mark_and_its_reason() -> None:
    recast = Recast(fiscal_year=2024, accession="0000320193-24-000123", first=Decimal("385000000000"))
    shown = cell("383285000000", 2023).model_copy(update={"recast": recast, "basis_break": "The basis breaks here."})
    found = book(card(shown, cell("391035000000", 2024)))["Figures"]
    assert (found.cells["D6"], found.formats["D6"]) == (383285000000, '#,##0,," r"')
    assert "first reported: $385,000 million" in found.remarks["D6"]
    assert "The basis breaks here." in found.remarks["D6"]
    assert any(text.startswith("Marked r: ") for text in found.texts())


def test_an_amount_beyond_what_a_double_reaches_is_a_text() -> None:
    assert Amount(Decimal("1E+400"), "USD").number is None
