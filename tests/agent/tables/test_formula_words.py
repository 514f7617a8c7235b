"""Formulas as people read them: what each operand is called, which year it is of, and its figure with its fact."""

from collections.abc import Sequence

import pytest

from agent.numbers.registry import formula, registry
from agent.state.tables import CellOperand
from agent.web.tables.formula_words import in_figures, in_words, of_one_money
from filings.xbrl.periods import Place
from tests.support import answers

APPLE, MICROSOFT = 320193, 789019


def typed(shown: str) -> str:
    """With the minus and the times sign of a keyboard."""
    return shown.replace("\u2212", "-").replace("\u00d7", "x")


def operand(name: str, label: str, value: str, year: int = 2024, cik: int = APPLE, unit: str = "USD") -> CellOperand:
    fact = answers.fact_ref(value=value, unit=unit, cik=cik)
    return answers.operand(name.partition("[")[0], label, fact, name=name, cik=cik, fiscal_year=year)


PROFIT = operand("gross_profit", "Gross profit", "180683000000")
REVENUE = operand("revenue", "Total revenue", "391035000000")
BEFORE = operand("revenue[FY-1]", "Total revenue", "383285000000", 2023)
COST = operand("cost", "Cost of revenue", "28925000000")
STOCK = operand("inventory", "Inventories, net", "8454000000")
STOCK_BEFORE = operand("inventory[FY-1]", "Inventories, net", "8420000000", 2023)
EQUITY = operand("equity", "Stockholders' equity", "56950000000")
SHARES = operand("shares", "Common shares", "15116786000", unit="shares")
LOSS = operand("net_income", "Net income (loss)", "-5000000")

SEVERAL = [
    # What is only multiplied to be given in percent says so by its sign.
    ("100 * (gross_profit / revenue)", "percent", [PROFIT, REVENUE],
     "gross profit ÷ total revenue", "180,683 ÷ 391,035"),
    ("100 * (revenue / revenue[FY-1] - 1)", "percent", [REVENUE, BEFORE],
     "total revenue (fiscal 2024) ÷ total revenue (fiscal 2023) - 1", "391,035 ÷ 383,285 - 1"),
    ("(100 * (gross_profit / revenue) + 100 * (gross_profit / revenue)) / 2", "percent", [PROFIT, REVENUE],
     "(gross profit ÷ total revenue + gross profit ÷ total revenue) ÷ 2",
     "(180,683 ÷ 391,035 + 180,683 ÷ 391,035) ÷ 2"),
    ("100 * (gross_profit / revenue) - 100", "percent", [PROFIT, REVENUE],
     "100 x gross profit ÷ total revenue - 100", "100 x 180,683 ÷ 391,035 - 100"),
    # An average has two years, and both figures.
    ("cost / avg(inventory)", "ratio", [COST, STOCK, STOCK_BEFORE],
     "cost of revenue ÷ average inventories, net (fiscal 2023 and 2024)", "28,925 ÷ ((8,454 + 8,420) ÷ 2)"),
    ("cost / (cost + d(inventory))", "ratio", [COST, STOCK, STOCK_BEFORE],
     "cost of revenue ÷ (cost of revenue + change in inventories, net (fiscal 2023 and 2024))",
     "28,925 ÷ (28,925 + 8,454 - 8,420)"),
    ("cost / avg(inventory + equity)", "ratio",
     [COST, STOCK, STOCK_BEFORE, EQUITY, operand("equity[FY-1]", "Stockholders' equity", "62146000000", 2023)],
     "cost of revenue ÷ (average of inventories, net + stockholders' equity in fiscal 2023 and 2024)",
     "28,925 ÷ ((8,454 + 56,950 + 8,420 + 62,146) ÷ 2)"),
    # Signs and parentheses stand where they change the value, and nowhere else.
    ("gross_profit - (revenue - cost)", "USD", [PROFIT, REVENUE, COST],
     "gross profit - (total revenue - cost of revenue)", "180,683 - (391,035 - 28,925)"),
    ("gross_profit - net_income", "USD", [PROFIT, LOSS], "gross profit - net income (loss)", "180,683 - (-5)"),
    ("(revenue / revenue:fy2023[FY-1]) ** (1 / 4)", "ratio",
     [REVENUE, operand("revenue:fy2023[FY-1]", "Total revenue", "274515000000", 2020)],
     "(total revenue (fiscal 2024) ÷ total revenue (fiscal 2020))^(1 ÷ 4)", "(391,035 ÷ 274,515)^(1 ÷ 4)"),
    ("abs(net_income) / revenue", "ratio", [LOSS, REVENUE],
     "the absolute value of (net income (loss)) ÷ total revenue", "|(-5)| ÷ 391,035"),
    # What is not tagged is zero, and is said.
    ("equity - opt(preferred_stock)", "USD", [EQUITY], "stockholders' equity - preferred stock", "56,950 - 0"),
    # Millions of dollars are not divided by single shares.
    ("equity / shares", "USD/shares", [EQUITY, SHARES],
     "stockholders' equity ÷ common shares", "56,950,000,000 ÷ 15,116,786,000"),
    ("eps", "USD/shares", [operand("eps", "EPS, diluted", "6.1", unit="USD/shares")], "EPS, diluted", "6.10"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "unit", "operands", "words", "figures"), SEVERAL, ids=[row[0] for row in SEVERAL])
def test_a_formula_is_read_in_words_and_in_figures(
    text: str, unit: str, operands: Sequence[CellOperand], words: str, figures: str
) -> None:
    assert typed(in_words(text, unit, operands, Place(2024))) == words
    assert typed("".join(piece.text for piece in in_figures(text, unit, operands))) == figures


def test_every_figure_leads_to_its_fact() -> None:
    pieces = in_figures("cost / avg(inventory)", "ratio", [COST, STOCK, STOCK_BEFORE])
    assert [piece.fact for piece in pieces if piece.fact] == [COST.fact, STOCK.fact, STOCK_BEFORE.fact]


def test_operands_of_another_year_than_the_one_answered_are_dated() -> None:
    assert in_words("revenue", "USD", [BEFORE.model_copy(update={"name": "revenue"})], Place(2024)) == (
        "total revenue (fiscal 2023)"
    )


def test_operands_of_several_companies_are_told_apart() -> None:
    both = [operand("revenue:aapl", "Total revenue", "2000000"), operand("revenue:msft", "Total revenue", "1000000", cik=MICROSOFT)]  # fmt: skip
    names = {APPLE: "Apple", MICROSOFT: "Microsoft"}
    assert typed(in_words("revenue:aapl - revenue:msft", "USD", both, None, names)) == (
        "total revenue (Apple) - total revenue (Microsoft)"
    )
    earlier = [both[0], both[1].model_copy(update={"fiscal_year": 2023})]
    assert typed(in_words("revenue:aapl - revenue:msft", "USD", earlier, None, names)) == (
        "total revenue (Apple, fiscal 2024) - total revenue (Microsoft, fiscal 2023)"
    )


def test_a_fact_has_no_formula_and_one_that_cannot_be_read_stays_as_it_is() -> None:
    assert (in_words("", "USD", (), Place(2024)), in_figures("", "USD", ())) == ("", ())
    assert (in_words("revenue +", "USD", (), Place(2024)), in_figures("revenue +", "USD", ())) == ("revenue +", ())


def test_money_and_nothing_else_is_in_millions() -> None:
    assert of_one_money([EQUITY, REVENUE])
    assert not of_one_money([EQUITY, SHARES])
    assert not of_one_money([EQUITY, operand("x", "X", "1", unit="EUR")])
    assert not of_one_money([])


def test_no_formula_of_the_registry_shows_a_key_a_function_or_a_sign_of_code() -> None:
    known = registry.load()
    for key, metric in known.metrics.items():
        for variant in metric.variants.values() or [metric]:
            if " | " in str(variant.expr):  # a figure is made of one of its readings
                continue
            text = f"100 * ({variant.expr})" if metric.unit == "percent" else str(variant.expr)
            keys = dict.fromkeys(one.name.key for one in formula.operands(formula.parse(text)))
            operands = [
                operand(f"{name}{offset}", known.label(name).replace("_", " "), "1000000", year)
                for name in keys
                for offset, year in (("", 2024), ("[FY-1]", 2023))
            ]
            words = in_words(text, metric.unit, operands, Place(2024))
            code = ("avg(", " d(", "opt(", "prev(", "_", "*", "[FY", " / ", "100 \u00d7")
            assert not any(sign in words for sign in code), (key, words)
