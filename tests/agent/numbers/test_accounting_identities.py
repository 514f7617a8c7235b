from decimal import Decimal

import pytest

from agent.numbers.facts.accounting_identities import Reported, check
from agent.numbers.registry.registry import load


def filing(**values):
    """A lookup over {key: value or (value, prior value)}; figures are in millions unless small."""

    def lookup(key, offset):
        value = values.get(key)
        if value is None or (offset and not isinstance(value, tuple)):
            return None
        if isinstance(value, tuple):
            value = value[-offset]
        return value if isinstance(value, Reported) else Reported(Decimal(value))

    return lookup


def outcomes(concept=None, **values):
    return {outcome.id: outcome for outcome in check(load(), filing(**values), concept)}


M = 10**6


def test_a_balanced_balance_sheet_passes():
    outcome = outcomes(total_assets=364980 * M, liabilities_and_equity=364980 * M)["BS1"]
    assert (outcome.ok, outcome.hard) == (True, True)


def test_an_unbalanced_one_fails_and_gives_both_sides():
    outcome = outcomes(total_assets=364980 * M, liabilities_and_equity=364900 * M)["BS1"]
    assert not outcome.ok
    assert "total_assets (364,980,000,000) == liabilities_and_equity (364,900,000,000)" in outcome.detail


def test_an_identity_without_all_its_operands_says_nothing():
    assert outcomes(total_assets=364980 * M) == {}


def test_an_operand_that_may_be_missing_counts_as_zero():
    assert outcomes(equity_incl_nci=500 * M, equity=500 * M)["BS3"].ok
    assert outcomes(equity_incl_nci=510 * M, equity=500 * M, nci=10 * M)["BS3"].ok
    assert not outcomes(equity_incl_nci=510 * M, equity=500 * M)["BS3"].ok


@pytest.mark.parametrize(("nci", "ok"), [(11 * M, True), (12 * M, False)])
def test_the_tolerance_is_the_sum_of_half_units(nci, ok):
    # Three operands in millions: 1.5 million in all.
    assert outcomes(equity_incl_nci=510 * M, equity=500 * M, nci=nci)["BS3"].ok is ok


def test_decimals_decide_the_half_unit_where_they_are_known():
    exact = {
        "total_assets": Reported(Decimal(500 * M), 0),
        "liabilities_and_equity": Reported(Decimal(500 * M + 2), 0),
    }
    assert not outcomes(**exact)["BS1"].ok
    rounded = {key: Reported(value.value, -6) for key, value in exact.items()}
    assert outcomes(**rounded)["BS1"].ok


def test_a_derived_operand_brings_the_slack_of_its_parts():
    tight = {"total_assets": Reported(Decimal(500 * M), -6), "liabilities_and_equity": Reported(Decimal(502 * M), -6)}
    assert not outcomes(**tight)["BS1"].ok
    loose = tight | {"total_assets": Reported(Decimal(500 * M), None, tagged=False, slack=Decimal(2 * M))}
    assert outcomes(**loose)["BS1"].ok


def test_an_inequality_holds_at_equality():
    assert outcomes(current_assets=500 * M, total_assets=500 * M)["BS4"].ok
    assert not outcomes(current_assets=502 * M, total_assets=500 * M)["BS4"].ok


def test_gross_profit_is_checked_only_where_it_is_tagged():
    parts = {"revenue": 100 * M, "cost_of_revenue": 60 * M}
    assert not outcomes(gross_profit=50 * M, **parts)["IS1"].ok
    derived = Reported(Decimal(50 * M), tagged=False)
    assert "IS1" not in outcomes(gross_profit=derived, **parts)


def test_operating_expenses_that_include_cost_of_revenue_are_explained():
    numbers = {"gross_profit": 40 * M, "revenue": 100 * M, "operating_income": 20 * M}
    outcome = outcomes(opex=20 * M, **numbers)["IS2"]
    assert (outcome.ok, outcome.note) == (True, "")
    outcome = outcomes(opex=80 * M, **numbers)["IS2"]
    assert (outcome.ok, outcome.note) == (True, "Operating expenses here include cost of revenue.")
    assert not outcomes(opex=50 * M, **numbers)["IS2"].ok


def test_fewer_diluted_than_basic_shares_are_odd_only_in_a_profitable_year():
    shares = {"shares_diluted_wa": 90 * M, "shares_basic_wa": 100 * M}
    assert not outcomes(net_income=5 * M, **shares)["IS7"].ok
    assert "IS7" not in outcomes(net_income=-5 * M, **shares)


def test_eps_times_shares_gives_net_income():
    # 11,195 / 946 = 11.83
    outcome = outcomes(net_income=11195 * M, eps_diluted="11.83", shares_diluted_wa=946 * M)["IS6"]
    assert (outcome.ok, outcome.hard) == (True, False)
    assert not outcomes(net_income=11195 * M, eps_diluted="12.83", shares_diluted_wa=946 * M)["IS6"].ok


def test_income_available_to_common_stockholders_comes_first_in_eps():
    numbers = {"net_income": 1000 * M, "eps_diluted": "8.00", "shares_diluted_wa": 100 * M}
    assert not outcomes(**numbers)["IS6"].ok
    assert outcomes(net_income_common=800 * M, **numbers)["IS6"].ok


def test_a_share_count_in_millions_blocks_the_share_count_and_nothing_else():
    numbers = {"net_income": 8223 * M, "eps_diluted": "11.39", "shares_diluted_wa": "721.9"}
    for concept, hard in [("shares_diluted_wa", True), ("net_income", False), ("eps_diluted", False)]:
        outcome = outcomes(concept, **numbers)["IS8"]
        assert (outcome.ok, outcome.hard) == (False, hard)


def test_a_quarterly_dividend_tagged_for_the_year_is_blocked():
    numbers = {"dividends_paid": 213 * M, "eps_basic": "1.13", "net_income": 614 * M}
    assert outcomes("dividends_per_share", dividends_per_share="0.395", **numbers)["DV1"].ok
    outcome = outcomes("dividends_per_share", dividends_per_share="0.115", **numbers)["DV1"]
    assert (outcome.ok, outcome.hard) == (False, True)
    assert not outcomes("dividends_paid", dividends_per_share="0.115", **numbers)["DV1"].hard


@pytest.mark.parametrize(
    ("now", "before", "ok"), [(100, 100, True), (29900, 100, True), (30000, 100, False), (100, 30000, False)]
)
def test_a_level_that_jumps_three_hundredfold_fails(now, before, ok):
    outcome = outcomes("revenue", revenue=(now * M, before * M))["XY2 revenue"]
    assert (outcome.ok, outcome.hard) == (ok, True)
    assert "revenue[FY-1]" in outcome.detail


def test_a_jump_from_zero_says_nothing():
    assert outcomes("revenue", revenue=(100 * M, 0)) == {}


def test_only_the_identities_of_the_asked_concept_are_checked():
    numbers = {"total_assets": 5 * M, "liabilities_and_equity": 5 * M, "equity": M, "equity_incl_nci": M}
    assert set(outcomes(**numbers)) == {"BS1", "BS3"}
    assert set(outcomes("equity", **numbers)) == {"BS3"}
    assert outcomes("goodwill", **numbers) == {}


def test_cash_of_two_balance_dates_explains_the_change_of_the_year():
    cash = (30_000 * M, 25_000 * M)
    assert outcomes(cash_incl_restricted=cash, net_change_in_cash=5_000 * M)["CF2"].ok
    assert not outcomes(cash_incl_restricted=cash, net_change_in_cash=4_000 * M)["CF2"].ok
