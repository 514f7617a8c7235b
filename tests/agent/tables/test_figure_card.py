"""One figure of a card: in a column, in a headline, in the line to copy; and the period it is of."""

from datetime import date

import pytest

from agent.state import Cell, Scale
from agent.web.tables.figure_card import Figure
from tests.agent.tables.cells import accession_of, card, cell, margin
from tests.support import answers


@pytest.mark.parametrize(
    ("figure", "scale", "column"),
    [
        (cell(), None, "391,035"),
        (cell(), Scale.BILLIONS, "391.035"),
        (cell("-1445000"), None, "\u22121.445"),
        (margin(), None, "46.2%"),
        (margin(value="9.23456", unit="ratio"), Scale.BILLIONS, "9.23x"),
        (cell("6.1", unit="USD/shares"), Scale.MILLIONS, "6.10"),
        (cell(None), None, "\u2013"),
    ],
)
def test_a_figure_of_a_column(figure: Cell, scale: Scale | None, column: str) -> None:
    assert Figure(figure, scale).column == column


def test_a_computed_figure_is_dated_by_the_flow_of_its_year() -> None:
    year, before = date(2024, 9, 28), date(2023, 9, 30)
    facts = [
        answers.fact_ref(fact=1, start=before, end=before),
        answers.fact_ref(fact=2, start=year, end=year),
        answers.fact_ref(fact=3, start=date(2023, 10, 1), end=year),
    ]
    operands = tuple(answers.operand(str(number), "x", fact) for number, fact in enumerate(facts))
    assert Figure(margin(operands=operands)).dated.fact == 3
    assert not Figure(margin(operands=operands)).is_instant
    assert Figure(margin(operands=operands[:2])).dated.fact == 2
    assert Figure(margin(operands=operands[:2])).is_instant


@pytest.mark.parametrize(
    ("figure", "reading", "below"),
    [
        (cell(period_reading="fiscal 2025"), "Fiscal 2025", "Total revenue, fiscal 2024"),
        (margin(reading="average equity"), "Average equity", "Gross margin, fiscal 2024"),
        (cell(label="net income loss"), "Net income loss", "Fiscal 2024"),
    ],
)
def test_a_reading_is_called_by_what_tells_it_apart_and_the_rest_stands_below(
    figure: Cell, reading: str, below: str
) -> None:
    assert (Figure(figure).reading, Figure(figure).below) == (reading, below)


def test_a_figure_is_copied_with_its_period_in_full_and_its_source() -> None:
    assert card(cell()).plain == (
        "Apple, total revenue, fiscal 2024 (year ended 28 Sep 2024): $391,035 million (391,035,000,000 US dollars). "
        f"us-gaap:Revenues, 10-K {accession_of(2024)}, filed 20 Feb 2025."
    )
    balance = answers.fact_ref("Cash", "5000000", start=answers.YEAR[1])
    assert "(as of 31 Dec 2024): $5 million (5,000,000 US dollars)" in card(answers.cell(balance)).plain


def test_the_figure_in_full_is_said_once() -> None:
    assert Figure(cell()).says_exact
    assert not Figure(cell("15116786000", unit="shares")).says_exact
    assert not Figure(margin()).says_exact
    printed = Figure(cell("-0.60", unit="percent"))
    assert (printed.text, printed.says_exact) == ("\u22120.60%", False)


def test_a_table_is_copied_with_its_title_its_rows_and_every_source() -> None:
    lines = card(cell("383285000000", 2023), cell(), scale=Scale.BILLIONS).plain.splitlines()
    assert lines[0] == "Apple, total revenue, fiscal 2023 and 2024"
    assert "| Total revenue, USD billion | **383.285** | **391.035** |" in lines
    assert lines[-2:] == [
        f"us-gaap:Revenues, 10-K {accession_of(2023)}",
        f"us-gaap:Revenues, 10-K {accession_of(2024)}",
    ]
