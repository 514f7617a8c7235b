"""Guidance that is laid out as a table: figures and ranges of periods to come, and of no other."""

from datetime import date
from decimal import Decimal

from filings.document.layout import read_layout
from filings.tables.column_periods import Subject
from filings.tables.every_table import every_table
from filings.tables.sentence_figures import every_sentence
from tests.support.printed_report import table

THIRD = Subject(date(2024, 9, 30), 2024, 3)


def guided(title: str, markup: str) -> list[tuple[str, str, Decimal, str, str]]:
    """Label, limit, value, unit and last day of each figure of guidance below a title."""
    read = read_layout(f"<html><body><p><b>{title}</b></p>{markup}</body></html>".encode())
    return [
        (row.label, cell.column, cell.value, cell.unit, cell.period.end.isoformat())
        for one in every_sentence([read], THIRD)
        for row in one.rows
        for cell in row.cells
        if row.guidance
    ]


def test_limits_in_two_columns_are_a_range_of_the_period_that_the_heading_tells() -> None:
    rows = [("Revenue", "$ 1,210", "$ 1,240"), ("Gross margin", "41.5 %", "42.5 %")]
    found = guided("Fourth Quarter 2024 Outlook (in millions)", table(("", "Low", "High"), rows))
    assert found == [
        ("Revenue", "low", Decimal(1_210_000_000), "USD", "2024-12-31"),
        ("Revenue", "high", Decimal(1_240_000_000), "USD", "2024-12-31"),
        ("Gross margin", "low", Decimal("41.5"), "percent", "2024-12-31"),
        ("Gross margin", "high", Decimal("42.5"), "percent", "2024-12-31"),
    ]


def test_a_range_in_one_cell_says_its_own_unit_or_is_left_out() -> None:
    rows = [("Revenue", "$1.2 billion to $1.3 billion"), ("Tax rate", "18% - 20%"), ("Net sales", "1,150 - 1,200")]
    assert guided("Guidance", table(("", "Full Year 2025"), rows)) == [
        ("Revenue", "low", Decimal(1_200_000_000), "USD", "2025-12-31"),
        ("Revenue", "high", Decimal(1_300_000_000), "USD", "2025-12-31"),
        ("Tax rate", "low", Decimal(18), "percent", "2025-12-31"),
        ("Tax rate", "high", Decimal(20), "percent", "2025-12-31"),
    ]


def test_columns_of_results_are_no_guidance_and_columns_of_guidance_no_results() -> None:
    heads = ("(in millions)", "Q3 2024 Actual", "Q4 2024 Outlook")
    markup = table(heads, [("Operating expenses", "$ 310", "$ 325")])
    assert guided("Reconciliation", markup) == [
        ("Operating expenses", "", Decimal(325_000_000), "USD", "2024-12-31"),
    ]
    read = read_layout(f"<html><body>{markup}</body></html>".encode())
    values = [cell.value for one in every_table([read], THIRD) for row in one.rows for cell in row.cells]
    assert Decimal(325_000_000) not in values


def test_a_column_of_what_was_expected_before_is_no_guidance_of_today() -> None:
    rows = [("Revenue", "$1.2 billion to $1.3 billion", "$1.3 billion to $1.4 billion"), ("Tax rate", "18%", "19%")]
    prior = ("", "Prior outlook, full year 2025", "Current outlook, full year 2025")
    dated = ("", "Full year 2025, as of July 31, 2024", "Full year 2025, now")
    for heads in (prior, dated):
        found = [(label, limit, str(value)) for label, limit, value, *_ in guided("Outlook", table(heads, rows))]
        assert ("Tax rate", "previous", "18") in found
        assert ("Tax rate", "", "19") in found
        assert [limit for label, limit, _ in found if label == "Revenue"] == [
            "previous low",
            "previous high",
            "low",
            "high",
        ]
