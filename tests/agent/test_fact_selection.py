"""Which fact answers: each rule on a filing that has just what the rule needs."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.facts import accounting_identities
from agent.numbers.facts.derived_concepts import breakdown
from agent.numbers.facts.fact_selection import NO_FACE, PRINTED_AS
from agent.numbers.facts.selection_result import Choice
from agent.numbers.registry import registry
from agent.refusals.codes import Code
from filings.models import Fact
from tests.support.company_filings import answer, company, face, fact, filing, filing_figures, refusal, selection

pytestmark = pytest.mark.django_db

RND = "ResearchAndDevelopmentExpense"
RND_EXCLUDING = "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost"


@pytest.mark.parametrize("label", ["Research and development expense", ""], ids=["printed", "of a linkbase"])
def test_it_never_takes_a_note_amount_over_the_statement_line(label: str) -> None:
    of = filing_figures({RND: "483000000", RND_EXCLUDING: "15085000000"})
    face(of, "income", (RND_EXCLUDING, label))
    choice = answer(of, "rnd")
    assert choice.value == 15085000000
    assert [loser.value for loser, _ in choice.losers] == [Decimal("483000000")]


def test_it_takes_the_first_tag_of_the_registry_when_two_lines_stand_on_the_face() -> None:
    of = filing_figures({"Revenues": "100", "RevenueFromContractWithCustomerExcludingAssessedTax": "90"})
    face(
        of,
        "income",
        ("RevenueFromContractWithCustomerExcludingAssessedTax", "Contract revenue"),
        ("Revenues", "Total revenues"),
    )
    assert answer(of, "revenue").value == 100


def test_it_refuses_when_two_candidates_disagree_and_no_face_is_held() -> None:
    of = filing_figures({RND: "483000000", RND_EXCLUDING: "15085000000"})
    refused = refusal(of, "rnd")
    assert refused.code is Code.CONFLICT
    assert {one.value for one in refused.candidates} == {Decimal("483000000"), Decimal("15085000000")}


def test_without_a_face_one_candidate_agrees_with_itself_and_the_answer_says_so() -> None:
    choice = answer(filing_figures({RND: "483000000"}), "rnd")
    assert choice.value == 483000000
    assert choice.notes == (NO_FACE,)


def test_candidates_that_differ_by_rounding_agree() -> None:
    of = filing_figures({"Revenues": "1234000000", "SalesRevenueNet": "1233600000"})
    assert answer(of, "revenue").value == 1234000000


def test_it_refuses_a_line_whose_printed_label_contradicts_the_tag() -> None:
    of = filing_figures({"CostOfRevenue": "900", "Revenues": "1000"})
    face(of, "income", ("Revenues", "Revenue"), ("CostOfRevenue", "Total costs and expenses"))
    refused = refusal(of, "cost_of_revenue")
    assert refused.code is Code.CONFLICT
    assert "Total costs and expenses" in refused.text


def test_it_shows_an_unknown_printed_label_beside_the_number() -> None:
    of = filing_figures({RND: "50"})
    face(of, "income", (RND, "Laboratory work"))
    assert "The printed row is labeled “Laboratory work”." in answer(of, "rnd").notes


def test_it_answers_from_a_line_under_the_companys_own_tag() -> None:
    of = filing_figures({"Revenues": "1000", RND: "3"})
    fact(of, "nwi:ProductResearchExpense", "70", source=Fact.Source.DOCUMENT)
    face(of, "income", ("Revenues", "Revenue"), ("nwi:ProductResearchExpense", "Research and development"))
    choice = answer(of, "rnd")
    assert (choice.value, choice.notes) == (70, (PRINTED_AS.format(label="Research and development"),))


def test_a_note_is_not_it_when_the_companys_own_line_has_no_value() -> None:
    of = filing_figures({"Revenues": "1000", RND: "3"})
    face(of, "income", ("Revenues", "Revenue"), ("nwi:ProductResearchExpense", "Research and development"))
    assert refusal(of, "rnd").code is Code.CONCEPT_NOT_REPORTED


def test_it_says_that_a_statement_lacks_the_line() -> None:
    of = filing_figures({"Revenues": "1000"})
    face(of, "income", ("Revenues", "Revenue"))
    refused = refusal(of, "rnd")
    assert (refused.code, refused.face_held) == (Code.CONCEPT_NOT_REPORTED, True)


def test_a_line_without_a_figure_for_this_year_is_known_as_a_line() -> None:
    of = filing_figures({"Revenues": "1000"})
    fact(of, "EarningsPerShareDiluted", "1.25", unit="USD/shares", end=date(2023, 12, 31))
    face(of, "income", ("Revenues", "Revenue"), ("EarningsPerShareDiluted", "Diluted earnings per share"))
    refused = refusal(of, "eps_diluted")
    assert (refused.code, refused.line_held, refused.nearest) == (Code.CONCEPT_NOT_REPORTED, True, "")


def test_a_line_without_any_value_for_the_whole_company_is_dimensional_only() -> None:
    of = filing_figures({"Revenues": "1000"})
    face(of, "income", ("Revenues", "Revenue"), ("EarningsPerShareDiluted", "Diluted earnings per share"))
    assert refusal(of, "eps_diluted").code is Code.DIMENSIONAL_ONLY


def test_net_income_may_be_the_consolidated_one_when_there_are_no_noncontrolling_interests() -> None:
    assert answer(filing_figures({"ProfitLoss": "80"}), "net_income").value == 80


def test_earnings_per_share_decide_between_net_income_with_and_without_noncontrolling_interests() -> None:
    of = filing_figures(
        {"ProfitLoss": "11195000000", "NetIncomeLossAttributableToNoncontrollingInterest": "-12000000"}
    )
    fact(of, "EarningsPerShareDiluted", "11.83", unit="USD/shares")
    fact(of, "WeightedAverageNumberOfDilutedSharesOutstanding", "946000000", unit="shares")
    assert answer(of, "net_income").value == 11195000000


def test_earnings_per_share_that_fit_both_decide_nothing() -> None:
    of = filing_figures({"ProfitLoss": "1000000", "NetIncomeLossAttributableToNoncontrollingInterest": "1"})
    fact(of, "EarningsPerShareDiluted", "1.00", unit="USD/shares")
    fact(of, "WeightedAverageNumberOfDilutedSharesOutstanding", "1000000", unit="shares")
    choice = answer(of, "net_income")
    assert choice.formula == "net_income_incl_nci - nci_income"


def test_gross_profit_is_derived_from_a_single_line_of_cost() -> None:
    of = filing_figures({"Revenues": "1000", "CostOfRevenue": "600"})
    face(of, "income", ("Revenues", "Revenue"), ("CostOfRevenue", "Cost of sales"))
    choice = answer(of, "gross_profit")
    assert (choice.value, choice.formula) == (400, "revenue - cost_of_revenue")
    assert [part.key for part in choice.parts] == ["revenue", "cost_of_revenue"]


@pytest.mark.parametrize("second", ["Medical costs", "Amortization of intangible assets"])
def test_gross_profit_is_not_derived_beside_a_second_line_of_cost(second: str) -> None:
    of = filing_figures({"Revenues": "1000", "CostOfRevenue": "600", "nwi:Other": "100"})
    face(of, "income", ("Revenues", "Revenue"), ("CostOfRevenue", "Cost of sales"), ("nwi:Other", second))
    assert refusal(of, "gross_profit").code is Code.CONCEPT_NOT_REPORTED


def test_gross_profit_is_not_derived_without_a_face() -> None:
    assert refusal(filing_figures({"Revenues": "1000", "CostOfRevenue": "600"}), "gross_profit").code is (
        Code.CONCEPT_NOT_REPORTED
    )


def test_tagged_gross_profit_that_the_sum_contradicts_is_blocked() -> None:
    of = filing_figures({"Revenues": "1001", "CostOfRevenue": "601", "GrossProfit": "400"})
    assert answer(of, "gross_profit").value == 400
    other = filing_figures(
        {"Revenues": "1001", "CostOfRevenue": "601", "GrossProfit": "251"}, of=filing(date(2023, 12, 31))
    )
    outcomes = accounting_identities.check(registry.load(), selection(other).reported, "gross_profit")
    assert [one.id for one in outcomes if one.hard and not one.ok] == ["IS1"]


def test_gross_profit_off_a_face_that_is_held_is_a_segments() -> None:
    of = filing_figures({"Revenues": "1001", "GrossProfit": "400"})
    face(of, "income", ("Revenues", "Revenue"), ("nwi:Expenses", "Total expenses"))
    assert refusal(of, "gross_profit").code is Code.CONCEPT_NOT_REPORTED


def test_an_operand_in_conflict_is_not_read_as_zero() -> None:
    tags = {"LongTermDebtCurrent": "10", "ShortTermBorrowings": "5", "OtherShortTermBorrowings": "7"}
    assert refusal(filing_figures(tags, instants=tags), "debt_current").code is Code.CONCEPT_NOT_REPORTED


def test_a_missing_optional_operand_is_said_to_be_taken_as_zero() -> None:
    choice = answer(filing_figures({"LongTermDebtCurrent": "10"}, instants=["LongTermDebtCurrent"]), "debt_current")
    assert choice.value == 10
    assert "No short-term borrowings reported; taken as zero." in choice.notes


def test_total_debt_comes_with_the_parts_that_add_up_to_it() -> None:
    tags = {"LongTermDebt": "96662", "LongTermDebtCurrent": "10912", "LongTermDebtNoncurrent": "85750"}
    chosen = selection(filing_figures(tags, instants=tags))
    choice = chosen.annual("total_debt")
    assert isinstance(choice, Choice)
    assert [part.candidate.value for part in breakdown(choice, chosen)] == [10912, 85750]


def test_parts_that_do_not_add_up_are_not_shown() -> None:
    tags = {"LongTermDebt": "97123", "LongTermDebtCurrent": "10912", "LongTermDebtNoncurrent": "85750"}
    chosen = selection(filing_figures(tags, instants=tags))
    choice = chosen.annual("total_debt")
    assert isinstance(choice, Choice)
    assert breakdown(choice, chosen) == ()


def test_a_quarter_in_a_10_k_is_never_the_year() -> None:
    of = filing()
    fact(of, "Revenues", "250", start=date(2024, 10, 1))
    assert refusal(of, "revenue").code is Code.CONCEPT_NOT_REPORTED


def test_a_comparative_of_the_year_before_is_never_the_year() -> None:
    of = filing()
    fact(of, "Revenues", "900", end=date(2023, 12, 31))
    assert refusal(of, "revenue").code is Code.CONCEPT_NOT_REPORTED


def test_the_year_before_comes_from_the_same_filing() -> None:
    of = filing_figures({"Revenues": "1000"})
    fact(of, "Revenues", "900", end=date(2023, 12, 31))
    choice = selection(of).annual("revenue", -1)
    assert isinstance(choice, Choice)
    assert choice.value == 900


def test_another_unit_is_not_it() -> None:
    of = filing()
    fact(of, "Revenues", "1000", unit="EUR")
    assert refusal(of, "revenue").code is Code.CONCEPT_NOT_REPORTED


def test_a_bank_is_known_by_its_deposits_where_no_industry_code_is_held() -> None:
    of = filing(of=company("Northwind Bank", cik=9990002, symbol="NWB"))
    fact(of, "Deposits", "5", instant=True)
    assert selection(of).filing_figures.industries == {"bank"}


def test_the_industry_code_outweighs_a_telling_tag() -> None:
    of = filing(of=company("Northwind Cars", cik=9990003, symbol="NWC", sic="3711"))
    fact(of, "Deposits", "5", instant=True)
    assert selection(of).filing_figures.industries == frozenset()


def test_a_line_printed_by_class_only_is_dimensional_only() -> None:
    of = filing_figures({"Revenues": "1000"})
    stored = face(of, "income", ("Revenues", "Revenue"))
    stored.lines.append(
        {"order": 1, "tag": "us-gaap:EarningsPerShareDiluted", "label": "Class A", "dimensional": True}
    )
    stored.save()
    assert refusal(of, "eps_diluted").code is Code.DIMENSIONAL_ONLY


def test_another_measure_under_the_same_words_is_named_and_never_given() -> None:
    of = filing_figures({"Revenues": "1000", "CostOfRevenue": "600", "CostsAndExpenses": "900"})
    face(
        of, "income", ("Revenues", "Revenue"), ("CostOfRevenue", "Cost of sales"), ("CostsAndExpenses", "Total costs")
    )
    refused = refusal(of, "opex")
    assert (refused.code, refused.variant) == (Code.CONCEPT_NOT_REPORTED, "including cost of revenue")


def test_a_line_printed_as_operating_expenses_is_it_under_the_wider_tag_too() -> None:
    of = filing_figures({"Revenues": "1000", "CostsAndExpenses": "900"})
    face(of, "income", ("Revenues", "Revenue"), ("CostsAndExpenses", "Total operating expenses"))
    assert answer(of, "opex").value == 900


def test_a_fitting_label_under_another_standard_tag_is_a_contradiction_and_no_note_answers() -> None:
    of = filing_figures({"Revenues": "1000", "InterestExpense": "5", "InterestIncomeExpenseNet": "-4"})
    face(of, "income", ("Revenues", "Revenue"), ("InterestIncomeExpenseNet", "Interest expense"))
    refused = refusal(of, "interest_expense")
    assert refused.code is Code.CONFLICT
    assert refused.text == "The line printed as “Interest expense” is tagged as a different measure."


def test_depreciation_and_amortization_is_not_derived_beside_a_third_line_of_it() -> None:
    tags = {"Depreciation": "1175", "AmortizationOfIntangibleAssets": "0", "nwi:Software": "63"}
    lines = [
        ("NetCashProvidedByUsedInOperatingActivities", "Cash from operations"),
        ("Depreciation", "Depreciation"),
        ("AmortizationOfIntangibleAssets", "Amortization of acquisition-related intangibles"),
    ]
    of = filing_figures(tags)
    face(of, "cashflow", *lines, ("nwi:Software", "Amortization of capitalized software"))
    assert refusal(of, "depreciation_amortization").code is Code.CONCEPT_NOT_REPORTED


def test_two_sources_that_disagree_on_one_fact_are_a_conflict() -> None:
    of = filing_figures({"Revenues": "1001"})
    fact(of, "Revenues", "1503", source=Fact.Source.DOCUMENT)
    face(of, "income", ("Revenues", "Total revenues"))
    assert refusal(of, "revenue").code is Code.CONFLICT


def test_income_available_to_common_shareholders_has_no_say_beside_net_income() -> None:
    of = filing_figures(
        {"NetIncomeLoss": "15934000000", "NetIncomeLossAvailableToCommonStockholdersBasic": "15920000000"}
    )
    assert answer(of, "net_income").value == 15934000000


def test_income_available_to_common_shareholders_stands_in_where_net_income_has_no_tag() -> None:
    assert (
        answer(filing_figures({"NetIncomeLossAvailableToCommonStockholdersBasic": "100"}), "net_income").value == 100
    )
    preferred = {"NetIncomeLossAvailableToCommonStockholdersBasic": "100", "DividendsPreferredStock": "5"}
    assert (
        refusal(filing_figures(preferred, of=filing(date(2023, 12, 31))), "net_income").code
        is Code.CONCEPT_NOT_REPORTED
    )


def test_statements_in_another_currency_are_answered_in_it() -> None:
    of = filing()
    fact(of, "Assets", "5000", unit="EUR", instant=True)
    fact(of, "Revenues", "1001", unit="EUR")
    assert answer(of, "revenue").value == 1001
    assert selection(of).filing_figures.currency == "EUR"


def test_a_convenience_translation_beside_dollars_is_not_it() -> None:
    of = filing_figures({"Assets": "5000", "Revenues": "1001"}, ["Assets"])
    fact(of, "Assets", "4500", unit="EUR", instant=True)
    fact(of, "Revenues", "900", unit="EUR")
    assert answer(of, "revenue").value == 1001
