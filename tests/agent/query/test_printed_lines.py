"""Rows printed on a company's statements are asked for by their own labels."""

import pytest

from agent.query.companies.statement_names import printed
from agent.query.explain import line
from agent.query.question import read
from agent.query.words.lexicon import Called
from agent.state.query import Line, Query, Years
from agent.state.references import RelativePeriod
from tests.agent.query.held import REGISTRY, TODAY, WIDER
from tests.support.sample import Sample

NORTHWIND = 9999999901

PRINTED = (
    ("Vehicle cost of sales", ("aapl:VehicleCostOfSales",)),
    ("Net merchandise costs, including buying", ("aapl:MerchandiseCosts", "us-gaap:CostOfRevenue")),
    ("Provision for income taxes (benefit)", ("us-gaap:IncomeTaxExpenseBenefit",)),
    ("Marketable securities", ("us-gaap:MarketableSecuritiesCurrent",)),
    ("Net sales", ("aapl:SomethingElse",)),
    ("Other", ("aapl:Other",)),
)


def told(question: str) -> str:
    return line(*read(question, WIDER, REGISTRY, TODAY, lambda ciks: Called(PRINTED)))


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Apple vehicle cost of sales 2023", "line 'Vehicle cost of sales'"),
        (
            "What were Apple's net merchandise costs, including buying, in 2023?",
            "line 'Net merchandise costs, including buying'",
        ),
        ("Apple provision for income taxes 2023", "income_tax"),
        ("Apple net sales 2023", "revenue"),
        ("Apple marketable securities 2023", "short_term_investments"),
    ],
)
def test_a_printed_label_names_its_row(question: str, row: str):
    assert told(question) == f"AAPL | 2023 | {row}"


def test_the_row_keeps_the_elements_that_stand_under_it():
    (found,) = read("Apple vehicle cost of sales 2023", WIDER, REGISTRY, TODAY, lambda ciks: Called(PRINTED))
    assert isinstance(found, Query)
    assert found.rows[0].measure == Line(label="Vehicle cost of sales", names=("aapl:VehicleCostOfSales",))


def test_a_label_that_says_nothing_alone_names_no_row():
    assert "line" not in told("Apple other 2023")


@pytest.mark.parametrize(
    "asked", ["How many marketable vans did Apple have in 2023?", "Number of marketable vans at Apple 2023"]
)
def test_a_number_of_what_a_statement_has_an_amount_of_is_not_that_amount(asked: str):
    called = Called((("Marketable vans", ("aapl:Vans",)), ("Van shares", ("aapl:VanShares",))))

    def said(question: str) -> str:
        return line(*read(question, WIDER, REGISTRY, TODAY, lambda ciks: called))

    assert said("Apple marketable vans 2023") == "AAPL | 2023 | line 'Marketable vans'"
    assert said(asked).startswith("not_understood")
    assert said("How many van shares did Apple have in 2023?") == "AAPL | 2023 | line 'Van shares'"


def test_a_label_is_the_word_of_its_company_only():
    assert told("Apple and Microsoft vehicle cost of sales 2023").startswith("not_understood")


def test_a_word_more_narrows_a_printed_line_too():
    assert told("Apple luxury vehicle cost of sales 2023").startswith("not_understood")


@pytest.mark.parametrize(
    ("statements", "part"),
    [
        (("balance",), RelativePeriod.DAY),
        (("balance", "cashflow"), RelativePeriod.DAY),
        (("cashflow",), None),
        (("income", "balance"), None),
    ],
)
def test_a_day_asked_of_a_line_of_the_balance_sheet_need_not_end_a_year(
    statements: tuple[str, ...], part: RelativePeriod | None
):
    tags = ("aapl:DepositsHeld",)
    called = Called((("Deposits held", tags),), placed=tuple(("Deposits held", kind, tags) for kind in statements))
    (found,) = read("Apple deposits held at June 30, 2023", WIDER, REGISTRY, TODAY, lambda ciks: called)
    assert isinstance(found, Query)
    assert isinstance(found.periods, Years)
    assert [one.part for one in found.periods.periods] == [part]


def test_rows_are_called_as_printed_and_as_the_taxonomy_calls_their_element(sample: Sample):
    held = dict(printed([NORTHWIND], "as stored").rows)
    assert held["Accounts receivable, net"] == ("us-gaap:AccountsReceivableNetCurrent",)
    assert held["Share-based Payment Arrangement, Noncash Expense"] == ("us-gaap:ShareBasedCompensation",)
    assert printed([320193], "as stored") == Called()  # no statement of it is held


# --- labels of several statements, and the place of a figure ---

RECEIVABLES = ("us-gaap:NontradeReceivablesCurrent",)
CHANGES = ("us-gaap:IncreaseDecreaseInOtherReceivables",)
TWICE = Called(
    rows=(("Vendor receivables", RECEIVABLES), ("Vehicle cost of sales", ("aapl:VehicleCostOfSales",))),
    placed=(
        ("Vendor receivables", "balance", RECEIVABLES),
        ("VENDOR RECEIVABLES", "cashflow", CHANGES),
        ("Vehicle cost of sales", "income", ("aapl:VehicleCostOfSales",)),
        ("Inventories", "balance", ("us-gaap:InventoryNet",)),
        ("Inventories", "cashflow", ("us-gaap:IncreaseDecreaseInInventories",)),
    ),
)


def measured(question: str) -> list[object]:
    (found,) = read(question, WIDER, REGISTRY, TODAY, lambda ciks: TWICE)
    return [row.measure for row in found.rows] if isinstance(found, Query) else []


def test_a_label_of_several_statements_is_a_row_of_the_first():
    vendors = Line(label="Vendor receivables", names=RECEIVABLES, statement="balance")
    assert measured("Apple vendor receivables 2023") == [vendors]
    assert measured("Apple vehicle cost of sales 2023") == [
        Line(label="Vehicle cost of sales", names=("aapl:VehicleCostOfSales",))
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Apple vendor receivables (cash flow) 2023",
        "Apple vendor receivables on the cash flow statement 2023",
        "What were Apple's vendor receivables per the cash flow in 2023?",
        "Apple cash flow vendor receivables 2023",
    ],
)
def test_or_of_the_statement_that_is_named(question: str):
    assert measured(question) == [Line(label="VENDOR RECEIVABLES", names=CHANGES, statement="cashflow")]


@pytest.mark.parametrize(
    "question",
    [
        "Apple inventories (cash flow) 2023",
        "Apple cash flow change in inventories 2023",
        "Apple change in inventories on the cash flow statement 2023",
        "Apple increase (decrease) in inventories per the cash flow statement 2023",
    ],
)
def test_a_change_that_the_cash_flow_statement_prints_is_its_row(question: str):
    changes = ("us-gaap:IncreaseDecreaseInInventories",)
    assert measured(question) == [Line(label="Inventories", names=changes, statement="cashflow")]


@pytest.mark.parametrize(
    "question",
    [
        "Apple revenue (cash flow) 2023",
        "Apple cash flow revenue 2023",
        "Apple inventories (income statement) 2023",
    ],
)
def test_cash_flow_beside_what_is_none_of_its_rows_is_no_place(question: str):
    assert measured(question) == []


@pytest.mark.parametrize("question", ["Apple cash flow 2023", "Apple revenue and cash flow 2023"])
def test_cash_flow_that_is_no_place_is_each_of_the_three(question: str):
    assert [getattr(one, "key", "") for one in measured(question)][-3:] == ["cfo", "cfi", "cff"]


OF_BALANCE = Called(
    placed=(
        ("Long-term debt", "balance", ("us-gaap:LongTermDebtNoncurrent",)),
        ("Net sales", "income", ("us-gaap:Revenues", "us-gaap:SalesRevenueNet")),
        ("Net income", "income", ("us-gaap:ProfitLoss",)),
    )
)


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Apple long-term debt on the face of the balance sheet 2023", "line 'Long-term debt'"),
        ("Apple net income per the income statement 2023", "line 'Net income'"),
        ("Apple net sales per the income statement 2023", "revenue"),
        ("Apple net margin per the income statement 2023", "net_margin"),
    ],
)
def test_a_named_statement_gives_its_row_where_it_is_another_measure(question: str, row: str):
    assert line(*read(question, WIDER, REGISTRY, TODAY, lambda ciks: OF_BALANCE)) == f"AAPL | 2023 | {row}"


def test_a_row_under_a_later_element_of_a_measure_is_itself_beside_the_first():
    first, later = "us-gaap:NonoperatingIncomeExpense", "us-gaap:OtherNonoperatingIncomeExpense"
    both = (("Total nonoperating income", (first,)), ("Other nonoperating income", (later,)))
    for rows, row in ((both, "line 'Other nonoperating income'"), (both[1:], "nonoperating_income")):
        asked = read("Apple other nonoperating income 2023", WIDER, REGISTRY, TODAY, lambda ciks, of=rows: Called(of))
        assert line(*asked) == f"AAPL | 2023 | {row}"


def test_a_row_of_a_change_is_called_by_both_its_words():
    rows = (("Increase (Decrease) in Inventories", ("us-gaap:IncreaseDecreaseInInventories",)),)
    for words, row in (
        ("increase (decrease) in inventories", "line 'Increase (Decrease) in Inventories'"),
        ("increase in inventories", "change(inventory)"),
    ):
        asked = read(f"Apple {words} 2023", WIDER, REGISTRY, TODAY, lambda ciks: Called(rows))
        assert line(*asked) == f"AAPL | 2023 | {row}"


def test_a_change_that_a_label_names_in_brackets_is_its_row_and_no_change_of_the_balance() -> None:
    moved = (
        ("(Increase) decrease in inventories", ("us-gaap:IncreaseDecreaseInInventories",)),
        ("Cash and equivalents increase (decrease)", ("us-gaap:CashPeriodIncreaseDecrease",)),
    )
    asked = {
        "Apple (increase) decrease in inventories 2023": "line '(Increase) decrease in inventories'",
        "Apple cash and equivalents increase (decrease) 2023": "line 'Cash and equivalents increase (decrease)'",
        "Apple decrease in inventories 2023": "change(inventory)",
    }
    for question, row in asked.items():
        found = line(*read(question, WIDER, REGISTRY, TODAY, lambda ciks: Called(moved)))
        assert found == f"AAPL | 2023 | {row}"
