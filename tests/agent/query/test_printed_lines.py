"""Rows printed on a company's statements are asked for by their own labels."""

import pytest

from agent.query.explain import line
from agent.query.faces import printed
from agent.query.lexicon import Called
from agent.query.parts import read
from agent.state.query import Line, Query
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


def test_a_label_is_the_word_of_its_company_only():
    assert told("Apple and Microsoft vehicle cost of sales 2023").startswith("not_understood")


def test_a_word_more_narrows_a_printed_line_too():
    assert told("Apple luxury vehicle cost of sales 2023").startswith("not_understood")


def test_rows_are_called_as_printed_and_as_the_taxonomy_calls_their_element(sample: Sample):
    held = dict(printed([NORTHWIND], "as stored").rows)
    assert held["Accounts receivable, net"] == ("us-gaap:AccountsReceivableNetCurrent",)
    assert held["Share-based Payment Arrangement, Noncash Expense"] == ("us-gaap:ShareBasedCompensation",)
    assert printed([320193], "as stored") == Called()  # no statement of it is held
