"""Quarters and trailing twelve months of the companies of the sample."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state import Period, PeriodForm
from agent.state.query import Alignment, Concept, Metric, Rank, Years
from agent.state.references import RelativePeriod
from agent.state.tables import Cell
from filings.models import Company
from filings.xbrl.periods import FiscalPeriod
from tests.agent.numbers.quarterly_filings import (
    H1,
    H2,
    M9,
    Q1,
    Q2,
    Q3,
    Q4,
    TTM_Q3,
    annual,
    gap,
    of,
    quarterly,
    revenue,
    year_of_quarters,
)
from tests.support.sample import Sample
from tests.support.tables import asked, only, table

pytestmark = pytest.mark.django_db


# --- real companies ---

CASES = [
    ("AAPL", "revenue", Q3, 2024, "85777000000"),
    ("AAPL", "revenue", Q4, 2024, "94930000000"),
    ("AAPL", "revenue", H1, 2024, "210328000000"),
    ("AAPL", "net_income", M9, 2024, "79000000000"),
    ("AAPL", "eps_diluted", Q3, 2024, "1.40"),
    ("AAPL", "total_assets", Q2, 2024, "337411000000"),
    ("AAPL", "cfo", Q2, 2025, "23952000000"),
    ("NVDA", "revenue", Q2, 2026, "46743000000"),
    ("NVDA", "revenue", TTM_Q3, 2026, "187142000000"),
    ("META", "net_income", Q3, 2024, "15688000000"),
    ("GOOGL", "revenue", Q4, 2024, "96469000000"),
    ("V", "net_income", Q4, 2024, "5318000000"),
    ("SBUX", "revenue", Q2, 2025, "8761600000"),
    ("NKE", "revenue", Q4, 2024, "12606000000"),
    ("AMZN", "net_income", Q4, 2024, "20004000000"),
]


@pytest.mark.parametrize(
    ("symbol", "key", "part", "year", "amount"), CASES, ids=[" ".join(map(str, one[:4])) for one in CASES]
)
def test_figures_of_real_companies(
    sample: Sample, symbol: str, key: str, part: FiscalPeriod, year: int, amount: str
) -> None:
    made = table(sample[symbol], of(part, year), Concept(key=key))
    assert verify(made) == ()
    assert only(made).value == Decimal(amount)


def test_a_bare_year_that_ends_early_has_two_readings(sample: Sample) -> None:
    cells = asked(table(sample["NVDA"], of(Q3, 2024, PeriodForm.BARE), Concept(key="revenue")))
    assert [(cell.fiscal_year, cell.period_end, bool(cell.period_reading)) for cell in cells] == [
        (2024, date(2023, 10, 29), True),
        (2025, date(2024, 10, 27), True),
    ]


def test_a_day_is_the_end_of_a_quarter_or_of_none(sample: Sample) -> None:
    def on(day: date, part: RelativePeriod) -> Cell:
        period = Period(form=PeriodForm.ENDED, end=day, part=part, text=f"{day:%B} {day.day}, {day.year}")
        return only(table(sample["AAPL"], Years(periods=(period,)), Concept(key="total_assets")))

    assert on(date(2024, 6, 29), RelativePeriod.DAY).fiscal_period is Q3
    assert on(date(2024, 6, 30), RelativePeriod.DAY).fiscal_period is Q3
    assert on(date(2024, 9, 28), RelativePeriod.DAY).fiscal_period is FiscalPeriod.YEAR
    assert on(date(2024, 5, 15), RelativePeriod.DAY).value is None
    assert on(date(2024, 6, 29), RelativePeriod.HALF).value is None


def test_a_flow_is_set_against_a_balance_over_a_whole_year_only(sample: Sample) -> None:
    made = table(sample["AAPL"], of(Q3), Metric(key="roe"))
    assert gap(made) is Code.NOT_MEANINGFUL
    assert all(cell.value for cell in asked(table(sample["AAPL"], of(TTM_Q3), Metric(key="roe"))))
    assert only(table(sample["AAPL"], of(Q3), Metric(key="gross_margin"))).value is not None
    assert only(table(sample["AAPL"], of(Q3), Metric(key="current_ratio"))).value is not None


@pytest.mark.parametrize("key", ["eps_diluted", "eps_basic", "shares_diluted_wa"])
@pytest.mark.parametrize("part", [Q4, H2, TTM_Q3])
def test_amounts_per_share_do_not_add_up(sample: Sample, key: str, part: FiscalPeriod) -> None:
    assert gap(table(sample["AAPL"], of(part), Concept(key=key))) is Code.NOT_MEANINGFUL


def test_quarters_of_one_name_that_end_apart_are_compared_by_calendar_quarter(sample: Sample) -> None:
    two, revenue_of = [sample["AAPL"], sample["META"]], Concept(key="revenue")
    made = table(two, of(Q3), revenue_of, operations=(Rank(top=1),))
    assert [one.place.short for one in asked(made)] == ["Q4 FY2024", "Q3 FY2024"]
    (rank,) = made.results
    assert [one.short for one in rank.places] == ["Q3 CY2024"]
    assert [place.cik for place in rank.order] == [sample["AAPL"].cik]


def test_companies_are_compared_in_their_own_quarters_where_these_are_asked(sample: Sample) -> None:
    two, revenue_of = [sample["AAPL"], sample["META"]], Concept(key="revenue")
    made = table(two, of(Q3), revenue_of, operations=(Rank(top=1),), align=Alignment.FISCAL)
    (rank,) = made.results
    assert [one.short for one in rank.places] == ["Q3 FY2024"]
    assert any("end on different days" in note for note in made.notes)


def test_the_four_quarters_of_every_company_add_up_to_its_year(sample: Sample) -> None:
    """Wherever all four are given or made: the fourth follows from the others, so that a wrong one would show."""
    found = 0
    for of_company in Company.objects.filter(filings__source="10-Q").distinct():
        for year in (2022, 2023, 2024):
            quarters = tuple(period for part in (Q1, Q2, Q3, Q4) for period in of(part, year).periods)
            periods = Years(periods=(*quarters, Period(form=PeriodForm.FISCAL, year=year)))
            cells = asked(table(of_company, periods, Concept(key="revenue")))
            values = {one.fiscal_period: one.value for one in cells}
            whole, four = values[FiscalPeriod.YEAR], [values[part] for part in (Q1, Q2, Q3, Q4)]
            if whole is not None and None not in four:
                found += 1
                assert abs(sum(one for one in four if one is not None) - whole) <= 2_000_000
    assert found >= 30


def test_the_newest_10_q_is_of_a_quarter_before_the_newest_10_k() -> None:
    year_of_quarters(2023)
    year_of_quarters(2024)
    latest = of(RelativePeriod.QUARTER, None, PeriodForm.LATEST), of(RelativePeriod.TEN_Q, None, PeriodForm.LATEST)
    assert [only(revenue(one)).place.code for one in latest] == ["2024q4", "2024q3"]
    assert only(revenue(of(RelativePeriod.TEN_Q))).place.code == "2024q3"


def test_the_newest_quarter_says_where_newer_reports_are_missing() -> None:
    year_of_quarters(2023)
    latest = of(RelativePeriod.TRAILING, None, PeriodForm.LATEST)
    assert revenue(latest).notes == ("Latest report in our data: year ended 31 Dec 2023.",)
    quarterly(2025, 2, {"Revenues": "1"}, {"Revenues": "2"})
    assert revenue(latest).notes == (
        "Northwind Instruments' newest report, to 30 Jun 2025, is not used here: an earlier one is missing.",
        "Latest report in our data: quarter ended 30 Jun 2025.",
    )
    assert revenue(of(Q1, 2023)).notes == ()


def test_a_quarterly_report_without_a_10_k_near_it_says_what_is_missing() -> None:
    quarterly(2024, 1, {"Revenues": "10"})
    annual(2021, {"Revenues": "10"})
    found = only(revenue(of(Q1))).gap
    assert found
    assert found.detail.startswith("No 10-K of a nearby fiscal year is loaded")
