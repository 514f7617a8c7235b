"""The table of a run: answered where any asked cell is, and otherwise refused in the words of its first gap."""

from datetime import date

import pytest

from agent.refusals.codes import Code
from agent.state import Answer, Block, Cell, Refusal
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.models import Company
from tests.support.company_filings import END, company, fact, filing, filing_figures

pytestmark = pytest.mark.django_db

BEFORE = date(2023, 12, 31)


@pytest.fixture
def fjordline(db: None) -> Company:
    return company("Fjordline Optics, Inc.", cik=9_990_001, symbol="FJLO")


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(today=date(2026, 11, 21)))


def block(question: str) -> Block:
    (found,) = ask(question).blocks
    return found


def cells(question: str) -> list[Cell]:
    table = block(question).table
    assert table is not None
    return [one for one in table.cells if one.asked]


def refused(question: str) -> Refusal:
    refusal = block(question).refusal
    assert refusal is not None
    return refusal


# --- checks ---


def test_a_sum_that_does_not_hold_blocks_the_figure_and_is_said_in_words(fjordline: Company) -> None:
    filing_figures(
        {"Assets": "1001", "LiabilitiesAndStockholdersEquity": "1203"}, ["Assets", "LiabilitiesAndStockholdersEquity"]
    )
    refusal = refused("FJLO total assets FY2024")
    assert (refusal.code, refusal.stage) == (Code.CONFLICT, "retrieve")
    assert refusal.text == "The reported total assets fails a check."
    assert "Total assets (1,001) equals total liabilities and equity (1,203)" in refusal.detail
    assert [one.value for one in refusal.candidates] == [1001]


def test_a_sum_that_holds_is_named_beside_the_figure(fjordline: Company) -> None:
    filing_figures(
        {"Assets": "1001", "LiabilitiesAndStockholdersEquity": "1001"}, ["Assets", "LiabilitiesAndStockholdersEquity"]
    )
    (cell,) = cells("FJLO total assets FY2024")
    assert "BS1" in cell.passed_checks


def test_a_doubtful_value_is_refused_with_its_reason(fjordline: Company) -> None:
    filing_figures({"IncomeTaxesPaidNet": "-881000000"})
    refusal = refused("FJLO cash taxes FY2024")
    assert refusal.detail == "The value is tagged negative, which is unusual for this measure."
    assert [one.value for one in refusal.candidates] == [-881000000]


def test_a_value_that_a_later_filing_belies_is_refused_and_shown_as_that(fjordline: Company) -> None:
    of = filing_figures({"Revenues": "1001000"}, of=filing(BEFORE))
    later = filing_figures({"Revenues": "1200000000"}, of=filing(END, of.company))
    fact(later, "Revenues", "1001000000", end=BEFORE)
    refusal = refused("FJLO revenue FY2023")
    assert (refusal.code, [one.value for one in refusal.candidates]) == (Code.CONFLICT, [1001000])


def test_operating_expenses_say_when_they_include_the_cost_of_revenue(fjordline: Company) -> None:
    filing_figures(
        {
            "Revenues": "1001",
            "CostOfRevenue": "601",
            "GrossProfit": "400",
            "OperatingExpenses": "901",
            "OperatingIncomeLoss": "100",
        }
    )
    (cell,) = cells("FJLO operating expenses FY2024")
    assert "Operating expenses here include cost of revenue." in cell.notes


# --- gaps ---


def test_a_table_in_which_one_year_is_not_held_is_answered_with_a_gap(fjordline: Company) -> None:
    filing_figures({"Revenues": "1001"})
    found = cells("FJLO revenue in fiscal 2022 and fiscal 2024")
    assert [(one.fiscal_year, one.value) for one in found] == [(2022, None), (2024, 1001)]
    assert found[0].gap is not None
    assert found[0].gap.code is Code.YEAR_NOT_INGESTED
    assert found[0].gap.text == "Fjordline Optics' fiscal 2022 10-K is not in our data."


@pytest.mark.parametrize(
    ("question", "code", "text", "other"),
    [
        (
            "FJLO revenue in fiscal 2014 and fiscal 2022",
            Code.YEAR_BEFORE_2015,
            "Our data begins with fiscal 2015; you asked about 2014.",
            ("Fjordline Optics, Total revenue, fiscal 2022", "fiscal 2022 10-K is not in our data."),
        ),
        (
            "FJLO goodwill and accounts payable in fiscal 2024",
            Code.CONCEPT_NOT_REPORTED,
            "goodwill for fiscal 2024 is not in our data",
            ("Fjordline Optics, Accounts payable, fiscal 2024", "accounts payable for fiscal 2024 is not in our data"),
        ),
        (
            "FJLO and Coca-Cola goodwill in fiscal 2024",
            Code.CONCEPT_NOT_REPORTED,
            "goodwill for fiscal 2024 is not in our data",
            ("Coca-Cola, Goodwill", "No 10-K of Coca-Cola is loaded from the SEC."),
        ),
        (
            "FJLO average revenue from fiscal 2022 to fiscal 2024",
            Code.YEAR_NOT_INGESTED,
            "Fjordline Optics' fiscal 2022 10-K is not in our data.",
            ("Fjordline Optics, Total revenue, fiscal 2023", "fiscal 2023 10-K is not in our data."),
        ),
    ],
)
def test_a_table_without_any_value_is_refused_by_its_first_gap_and_tells_the_others(
    fjordline: Company, question: str, code: Code, text: str, other: tuple[str, str]
) -> None:
    filing_figures({"Revenues": "1001"})
    refusal = refused(question)
    assert refusal.code is code
    assert text in refusal.text
    rows = dict(refusal.looked_for)
    assert other[1] in rows[other[0]]
    # The first is said above, not among the others.
    assert refusal.text not in rows.values()


def test_growth_from_a_loss_over_years_is_answered_with_its_figures(fjordline: Company) -> None:
    filing_figures({"NetIncomeLoss": "-100"}, of=filing(BEFORE))
    filing_figures({"NetIncomeLoss": "50"})
    made = block("FJLO CAGR of net income from fiscal 2023 to fiscal 2024").table
    assert made is not None
    (result,) = made.results
    assert result.gap is not None
    assert result.gap.code is Code.NOT_MEANINGFUL
    assert [one.value for one in made.asserted] == [-100, 50]
