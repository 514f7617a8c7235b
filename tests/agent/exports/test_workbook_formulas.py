"""Computed figures of the Excel file are formulas over the cells of their operands."""

import re
from decimal import Decimal

import pytest

from agent.numbers.registry import formula
from agent.state import FactRef
from tests.agent.exports import sheets
from tests.agent.exports.written_files import book
from tests.agent.tables.cells import APPLE, accession_of, card, cell, growth, margin
from tests.support import answers


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
