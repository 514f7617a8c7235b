"""Tables as text, every figure by way of one renderer, and as JSON with every digit."""

from decimal import Decimal

import pytest

from agent.numbers.facts.render import headline, rounded
from agent.numbers.tables.table_text import ROUNDED, markdown, rows
from agent.state import Period, PeriodForm
from agent.state.query import Concept, Difference, Metric, Over, OverYears, Rank, Threshold, Years
from tests.support.sample import Sample
from tests.support.tables import span, table, years

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("46.2063498", "percent", "46.2%"),
        ("-3.4499", "percent", "\u22123.4%"),
        ("0.0449", "percent", "0.04%"),
        ("75.0499", "percent", "75.0%"),
        ("8.388", "points", "8.4 points"),
        ("1.2345", "ratio", "1.23x"),
        ("64.5128", "days", "64.5 days"),
        ("16.678205", "USD/shares", "$16.68 per share"),
        ("19024666666.6667", "USD", "$19,024.7 million"),
        ("19024666666", "USD", "$19,024.666666 million"),
        ("-16893000000", "USD", "\u2212$16,893 million"),
    ],
)
def test_computed_figures_are_rounded_in_text_alone(value: str, unit: str, text: str) -> None:
    assert " ".join(filter(None, headline(rounded(Decimal(value), unit), unit))) == text


def test_a_table_has_a_column_a_year_and_says_that_it_rounds(sample: Sample) -> None:
    text = markdown(table(sample["AAPL"], span(2023, 2024), Concept(key="revenue"), Metric(key="gross_margin")))
    assert text.splitlines()[:6] == [
        "| | FY2023 | FY2024 |",
        "|---|---:|---:|",
        "| Total revenue, USD million | **383,285** | **391,035** |",
        "| Growth of total revenue | \u22122.8% | 2.0% |",
        "| Gross margin | **44.1%** | **46.2%** |",
        "| Change of gross margin | 0.82 | 2.1 |",
    ]
    assert ROUNDED in text


def test_context_is_plain_and_a_gap_is_explained_below(sample: Sample) -> None:
    text = markdown(table(sample["AAPL"], years(2024), Concept(key="revenue")))
    assert "| 383,285 | **391,035** |" in text
    text = markdown(table(sample["AAPL"], years(2014, 2024), Concept(key="revenue")))
    assert "| \u2013 | **391,035** |" in text
    assert "Our data begins with fiscal 2015" in text


def test_two_readings_of_a_year_share_a_row_and_are_told_below(sample: Sample) -> None:
    bare = Years(periods=(Period(form=PeriodForm.BARE, year=2024),))
    text = markdown(table(sample["NVDA"], bare, Concept(key="revenue")))
    assert "| 26,974 | **60,922** | **130,497** |" in text
    assert "Fiscal 2024: Fiscal 2024 (ended 28 Jan 2024)." in text


def test_results_are_said_in_sentences(sample: Sample) -> None:
    two = [sample["AAPL"], sample["V"]]
    revenue = Concept(key="revenue")
    assert "1. Apple $391,035 million, 2. Visa" in markdown(table(two, years(2024), revenue, operations=(Rank(),)))
    assert "Difference of total revenue, fiscal 2024: $355,109 million." in markdown(
        table(two, years(2024), revenue, operations=(Difference(),))
    )
    over = OverYears(over=Over.CAGR)
    text = markdown(table(two[0], span(2022, 2024), revenue, operations=(over,)))
    assert "Compound annual growth rate of total revenue, Apple, fiscal 2022 to 2024: \u22120.42%." in text
    high = markdown(table(two[0], span(2022, 2024), revenue, operations=(OverYears(over=Over.HIGHEST),)))
    assert "Highest total revenue, Apple, fiscal 2022 to 2024: $394,328 million in fiscal 2022." in high
    bound = Threshold(comparison=">", bound=Decimal(10**11))
    assert ": yes." in markdown(table(two[0], years(2024), revenue, operations=(bound,)))


def test_json_keeps_every_digit_and_every_fact(sample: Sample) -> None:
    made = table(sample["AAPL"], years(2014, 2024), Metric(key="gross_margin"))
    gone, row = [one for one in rows(made) if one["asked"]]
    assert list(row) == [
        "company", "cik", "fiscal_year", "fiscal_period", "column", "period_end", "measure", "part", "role", "value", "unit", "asked", "guided_as_of", "formula", "facts", "restated_in", "first_reported", "basis_break", "gap",
    ]  # fmt: skip
    assert (row["company"], row["fiscal_year"], row["period_end"]) == ("Apple", 2024, "2024-09-28")
    assert Decimal(row["value"]) == made.asserted[0].value
    assert {one["tag"] for one in row["facts"]} > {"us-gaap:GrossProfit"}
    assert (gone["value"], gone["gap"]["code"]) == (None, "year_before_2015")


def test_the_rows_of_one_company_are_named_where_they_are_put_in_order(sample: Sample) -> None:
    measures = Concept(key="revenue"), Concept(key="net_income"), Concept(key="rnd")
    text = markdown(table(sample["AAPL"], years(2024), *measures, operations=(Rank(top=1),)))
    assert "Highest, fiscal 2024: Total revenue, $391,035 million." in text
    text = markdown(table(sample["AAPL"], years(2024), *measures, operations=(Rank(highest=False),)))
    assert (
        "Apple, fiscal 2024, lowest first: 1. Research and development expense $31,370 million, 2. Net income" in text
    )
