"""The statement's own sums, before a number is believed."""

import pytest

from agent.refusals.codes import Code
from agent.state import Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.validate import in_words
from filings.models import Company
from tests.support.ledger import book, company

pytestmark = pytest.mark.django_db


@pytest.fixture
def northwind(db: None) -> Company:
    return company("Northwind Instruments, Inc.", cik=9_990_001, symbol="NWI")


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current())


def test_a_sum_that_does_not_hold_blocks_the_figure_and_is_said_in_words(northwind: Company) -> None:
    book(
        {"Assets": "1001", "LiabilitiesAndStockholdersEquity": "1203"}, ["Assets", "LiabilitiesAndStockholdersEquity"]
    )
    block = ask("NWI total assets FY2024").blocks[0]
    assert block.refusal is not None
    assert (block.refusal.code, block.refusal.stage) == (Code.CONFLICT, "validate")
    assert "Total assets" in block.refusal.detail
    assert "total_assets" not in block.refusal.detail


def test_a_sum_that_holds_is_shown_beside_the_figure(northwind: Company) -> None:
    book(
        {"Assets": "1001", "LiabilitiesAndStockholdersEquity": "1001"}, ["Assets", "LiabilitiesAndStockholdersEquity"]
    )
    block = ask("NWI total assets FY2024").blocks[0]
    assert block.outcome == "answered"
    assert {check.name: check.ok for check in block.checks}["BS1"]


def test_a_doubtful_value_is_refused_with_its_reason(northwind: Company) -> None:
    book({"IncomeTaxesPaidNet": "-881000000"})
    refusal = ask("NWI cash taxes FY2024").blocks[0].refusal
    assert refusal is not None
    assert refusal.detail == "The value is tagged negative, which is unusual for this measure."


def test_operating_expenses_say_when_they_include_the_cost_of_revenue(northwind: Company) -> None:
    book(
        {
            "Revenues": "1001",
            "CostOfRevenue": "601",
            "GrossProfit": "400",
            "OperatingExpenses": "901",
            "OperatingIncomeLoss": "100",
        }
    )
    draft = ask("NWI operating expenses FY2024").blocks[0].drafts[0]
    assert "Operating expenses here include cost of revenue." in draft.found.notes


def test_formulas_are_said_in_labels() -> None:
    from agent.numbers import registry

    text = in_words("total_assets = 5 >= opt(nci)[FY-1] | cash", registry.load())
    assert (
        text == "Total assets = 5 at least (noncontrolling interests) of the year before or cash and cash equivalents"
    )
