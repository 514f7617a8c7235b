"""What is printed on a statement decides which fact answers: notes, parts and totals beside it do not."""

import pytest

from agent.numbers.facts.fact_selection import FROM_NOTE
from agent.numbers.facts.selection_result import NoChoice
from agent.refusals.codes import Code
from tests.support.company_filings import answer, face, filing_figures, refusal, selection

pytestmark = pytest.mark.django_db

REVENUE = ("Revenues", "Revenue")


# --- a note's amount beside a wider line ---


@pytest.mark.parametrize(
    ("key", "noted", "statement", "tag", "label"),
    [
        ("restructuring", "RestructuringCharges", "income", "nwi:Exit", "Impairments, abandonments and restructuring"),
        ("restructuring", "RestructuringCosts", "cashflow", "nwi:Exit", "Restructuring and termination, net of cash"),
        ("restructuring", "RestructuringCharges", "income", "nwi:IntegrationRestructuringAndOther", ""),
        (
            "asset_impairment",
            "AssetImpairmentCharges",
            "income",
            "nwi:Exit",
            "Restructuring, impairment and disposals",
        ),
        ("asset_impairment", "AssetImpairmentCharges", "cashflow", "nwi:Wear", "Depreciation and impairment of fleet"),
        ("goodwill_impairment", "GoodwillImpairmentLoss", "income", "nwi:Loss", "Impairment of goodwill and brands"),
    ],
)
def test_a_note_does_not_answer_beside_a_line_that_holds_the_measure_and_more(
    key: str, noted: str, statement: str, tag: str, label: str
) -> None:
    of = filing_figures({"Revenues": "1000", noted: "30", tag: "80"})
    face(of, "income", REVENUE, *([(tag, label)] if statement == "income" else []))
    if statement == "cashflow":
        face(of, "cashflow", ("NetCashProvidedByUsedInOperatingActivities", "Cash from operations"), (tag, label))
    refused = refusal(of, key)
    assert refused.code is Code.CONFLICT
    assert (label or "integration restructuring and other") in refused.text
    assert [one.value for one in refused.candidates] == [80, 30]


@pytest.mark.parametrize(
    ("key", "noted", "label"),
    [
        ("other_current_assets", "OtherAssetsCurrent", "Contract costs and other current assets"),
        ("deferred_revenue_current", "ContractWithCustomerLiabilityCurrent", "Deferred revenue and deposits"),
    ],
)
def test_the_same_holds_of_balances(key: str, noted: str, label: str) -> None:
    tags = {"Assets": "1000", noted: "30", "nwi:Several": "80"}
    of = filing_figures(tags, instants=tags)
    face(of, "balance", ("Assets", "Total assets"), ("nwi:Several", label))
    assert refusal(of, key).code is Code.CONFLICT


def test_a_wider_line_with_the_figure_of_the_note_contradicts_nothing() -> None:
    of = filing_figures({"Revenues": "1000", "RestructuringCharges": "30", "nwi:Exit": "30"})
    face(of, "income", REVENUE, ("nwi:Exit", "Impairments and restructuring"))
    assert answer(of, "restructuring").notes == (FROM_NOTE.format(statement="income statement"),)


def test_a_wider_line_without_a_figure_of_the_year_contradicts_nothing() -> None:
    of = filing_figures({"Revenues": "1000", "RestructuringCharges": "30", "nwi:Exit": "0"})
    face(of, "income", REVENUE, ("nwi:Exit", "Impairments and restructuring"))
    assert answer(of, "restructuring").value == 30


def test_a_line_of_another_measure_is_not_a_wider_one() -> None:
    of = filing_figures({"Revenues": "1000", "AssetImpairmentCharges": "30", "GoodwillImpairmentLoss": "80"})
    face(of, "income", REVENUE, ("GoodwillImpairmentLoss", "Goodwill impairment"))
    assert answer(of, "asset_impairment").value == 30


# --- several lines that may be it ---


def test_lines_of_restructuring_in_two_places_of_a_statement_are_parts() -> None:
    of = filing_figures(
        {"Revenues": "1000", "RestructuringSettlementAndImpairmentProvisions": "59", "nwi:CostOfExit": "8"}
    )
    face(
        of,
        "income",
        REVENUE,
        ("nwi:CostOfExit", "Restructuring charges"),
        ("RestructuringSettlementAndImpairmentProvisions", "Restructuring and other charges"),
    )
    refused = refusal(of, "restructuring")
    assert refused.code is Code.CONFLICT
    assert {one.value for one in refused.candidates} == {59, 8}


def test_the_line_of_the_income_statement_is_before_one_of_the_cash_flow_statement() -> None:
    of = filing_figures(
        {"Revenues": "1000", "RestructuringCharges": "40", "RestructuringCostsAndAssetImpairmentCharges": "62"}
    )
    face(of, "income", REVENUE, ("RestructuringCostsAndAssetImpairmentCharges", "Restructuring and other charges"))
    face(
        of,
        "cashflow",
        ("NetCashProvidedByUsedInOperatingActivities", "Cash from operations"),
        ("RestructuringCharges", "Restructuring charges"),
    )
    assert answer(of, "restructuring").value == 62


def test_other_income_is_its_own_line_and_not_the_total_of_what_is_nonoperating() -> None:
    of = filing_figures(
        {"Revenues": "1000", "OtherNonoperatingIncomeExpense": "-22", "NonoperatingIncomeExpense": "7"}
    )
    face(
        of,
        "income",
        REVENUE,
        ("OtherNonoperatingIncomeExpense", "Other income (expense), net"),
        ("NonoperatingIncomeExpense", "Total non-operating income (expense)"),
    )
    assert answer(of, "other_income").value == -22
    assert answer(of, "nonoperating_income").value == 7


def test_a_total_that_is_called_other_income_is_it_and_not_what_is_other_in_it() -> None:
    of = filing_figures(
        {"Revenues": "1000", "OtherNonoperatingIncomeExpense": "10", "NonoperatingIncomeExpense": "25"}
    )
    face(
        of,
        "income",
        REVENUE,
        ("OtherNonoperatingIncomeExpense", "Other, net"),
        ("NonoperatingIncomeExpense", "Other income (expense), net"),
    )
    assert answer(of, "other_income").value == 25


def test_two_lines_without_words_leave_other_income_open() -> None:
    of = filing_figures(
        {"Revenues": "1000", "OtherNonoperatingIncomeExpense": "10", "NonoperatingIncomeExpense": "25"}
    )
    face(of, "income", REVENUE, ("OtherNonoperatingIncomeExpense", ""), ("NonoperatingIncomeExpense", ""))
    assert refusal(of, "other_income").code is Code.CONFLICT


# --- printed rows that were refused ---


def test_without_noncontrolling_interests_net_income_includes_them() -> None:
    of = filing_figures({"Revenues": "1000", "NetIncomeLoss": "90"})
    face(of, "income", REVENUE, ("NetIncomeLoss", "Net income"))
    assert answer(of, "net_income_incl_nci").value == 90


@pytest.mark.parametrize(
    ("label", "interests"),
    [("Net income", "5"), ("Net income attributable to Northwind", "0")],
    ids=["tagged", "said"],
)
def test_the_parents_net_income_does_not_include_them(label: str, interests: str) -> None:
    tags = {"Revenues": "1000", "NetIncomeLoss": "90", "NetIncomeLossAttributableToNoncontrollingInterest": interests}
    of = filing_figures(tags)
    face(of, "income", REVENUE, ("NetIncomeLoss", label))
    assert isinstance(selection(of).annual("net_income_incl_nci"), NoChoice)


def test_net_income_printed_as_the_common_stockholders_is_theirs() -> None:
    common = "NetIncomeLossAvailableToCommonStockholdersBasic"
    of = filing_figures({"Revenues": "1000", "NetIncomeLoss": "7091", common: "7088"})
    face(of, "income", REVENUE, ("NetIncomeLoss", "Net income attributable to common stockholders"))
    choice = answer(of, "net_income_common")
    assert (choice.value, choice.notes) == (
        7091,
        ("The printed row is labeled “Net income attributable to common stockholders”.",),
    )


def test_convertible_preferred_stock_printed_as_preferred_stock_is_it() -> None:
    tag = "ConvertiblePreferredStockNonredeemableOrRedeemableIssuerOptionValue"
    tags = {"Assets": "1000", tag: "0"}
    of = filing_figures(tags, instants=tags)
    face(of, "balance", ("Assets", "Total assets"), (tag, "Preferred stock, no shares issued"))
    assert answer(of, "preferred_stock").value == 0


def test_accumulated_depreciation_with_that_of_finance_leases_answers_where_it_is_printed() -> None:
    tag = "PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAccumulatedDepreciationAndAmortization"
    tags = {"Assets": "1000", tag: "300"}
    of = filing_figures(tags, instants=tags)
    assert isinstance(selection(of).annual("accumulated_depreciation"), NoChoice)
    face(of, "balance", ("Assets", "Total assets"), (tag, "Accumulated depreciation"))
    assert answer(of, "accumulated_depreciation").value == 300


# --- a line under the tag of another measure ---


@pytest.mark.parametrize(
    ("key", "tag", "label"),
    [
        ("debt_current", "ShortTermBorrowings", "Short-term debt"),
        ("debt_current", "LongTermDebtAndCapitalLeaseObligationsCurrent", "Short-term debt"),
        ("short_term_borrowings", "DebtCurrent", "Short-term borrowings"),
    ],
)
def test_a_line_printed_under_a_name_of_the_measure_answers_where_its_tag_is_alike(
    key: str, tag: str, label: str
) -> None:
    of = filing_figures({"Assets": "1000", tag: "80"}, instants={"Assets": "1000", tag: "80"})
    face(of, "balance", ("Assets", "Total assets"), (tag, label))
    assert answer(of, key).value == 80
    assert any(label in note for note in answer(of, key).notes)


@pytest.mark.parametrize(
    ("key", "tag", "label"),
    [
        ("inventory", "PrepaidExpenseCurrent", "Inventories"),
        ("debt_current", "AccountsPayableCurrent", "Short-term debt"),
        ("intangibles", "OtherIntangibleAssetsNet", "Other intangible assets"),
    ],
)
def test_no_other_tag_answers_under_such_a_label(key: str, tag: str, label: str) -> None:
    of = filing_figures({"Assets": "1000", tag: "80"}, instants={"Assets": "1000", tag: "80"})
    face(of, "balance", ("Assets", "Total assets"), (tag, label))
    assert refusal(of, key).code is Code.CONFLICT


def test_short_term_debt_beside_the_current_portion_is_no_total() -> None:
    tags = {"Assets": "1000", "ShortTermBorrowings": "80", "LongTermDebtCurrent": "20"}
    of = filing_figures(tags, instants=tags)
    face(
        of,
        "balance",
        ("Assets", "Total assets"),
        ("ShortTermBorrowings", "Short-term debt"),
        ("LongTermDebtCurrent", "Current portion of long-term debt"),
    )
    assert answer(of, "debt_current").value == 100


def test_the_one_net_income_that_a_statement_prints_answers() -> None:
    of = filing_figures(
        {"Revenues": "1000", "ProfitLoss": "80", "MinorityInterest": "5"}, instants={"MinorityInterest": "5"}
    )
    face(of, "income", REVENUE, ("ProfitLoss", "Net income"))
    assert answer(of, "net_income").value == 80


def test_net_income_before_others_share_is_not_the_parents() -> None:
    of = filing_figures(
        {"Revenues": "1000", "ProfitLoss": "80", "MinorityInterest": "5"}, instants={"MinorityInterest": "5"}
    )
    face(
        of,
        "income",
        REVENUE,
        ("ProfitLoss", "Net income"),
        ("NetIncomeLoss", "Net income attributable to the company"),
    )
    assert isinstance(selection(of).annual("net_income"), NoChoice)
