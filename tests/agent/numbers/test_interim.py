"""Quarters, parts of a year and trailing twelve months: what gives them, what they are made of, and when they are refused."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal

import pytest

from agent.numbers.table_notes import OVER_A_YEAR
from agent.numbers.verify import verify
from agent.refusals.codes import Code
from agent.state import Period, PeriodForm
from agent.state.query import Alignment, Breakdown, Change, Concept, Last, Line, Metric, Rank, Span, Statement, Years
from agent.state.references import RelativePeriod
from agent.state.tables import Cell, Table
from filings.models import Company, Filing
from filings.xbrl.periods import FiscalPeriod
from tests.support.company_filings import company, face, fact, filing
from tests.support.sample import Sample
from tests.support.tables import asked, only, table

pytestmark = pytest.mark.django_db

Q1, Q2, Q3, Q4, H1, H2, M9 = (FiscalPeriod(one) for one in ("Q1", "Q2", "Q3", "Q4", "H1", "H2", "9M"))
TTM_Q3 = FiscalPeriod.TTM_Q3
ENDS = {1: (3, 31), 2: (6, 30), 3: (9, 30)}


def of(part: FiscalPeriod | RelativePeriod, year: int | None = 2024, form: PeriodForm = PeriodForm.FISCAL) -> Years:
    return Years(periods=(Period(form=form, year=year, part=part),))


def annual(year: int, values: Mapping[str, str], prior: Mapping[str, str] | None = None) -> Filing:
    """A 10-K with an income statement of these tags, and comparatives."""
    made = filing(date(year, 12, 31), company())
    for tag, value in values.items():
        fact(made, tag, value)
    for tag, value in (prior or {}).items():
        fact(made, tag, value, end=date(year - 1, 12, 31))
    face(made, "income", *((tag, LABELS[tag]) for tag in values))
    return made


LABELS = {
    "Revenues": "Total revenue",
    "SalesRevenueNet": "Total revenue",
    "NetIncomeLoss": "Net income",
    "ResearchAndDevelopmentExpense": "Research and development",
}


def quarterly(
    year: int,
    quarter: int,
    values: Mapping[str, str],
    to_date: Mapping[str, str] | None = None,
    prior: Mapping[str, str] | None = None,
    **fields: object,
) -> Filing:
    """A 10-Q: values of the quarter and of the year to date, and what it gives for the year to date of the year before."""
    end = date(year, *ENDS[quarter])
    owner = company()
    made = filing(
        end,
        owner,
        accession=f"{owner.cik:010d}-{year - 2000}-00010{quarter}{fields.pop('mark', '')}",
        form="10-Q",
        source="10-Q",
        filed=end + timedelta(days=30),
        fiscal_year=year,
        fiscal_quarter=quarter,
        is_primary=False,
        **fields,
    )
    for tag, value in values.items():
        fact(made, tag, value, start=date(year, 3 * quarter - 2, 1))
    for tag, value in (to_date or {}).items():
        fact(made, tag, value)
    for tag, value in (prior or {}).items():
        fact(made, tag, value, end=end.replace(year=year - 1))
    return made


def year_of_quarters(year: int = 2024) -> None:
    """Revenue of 10, 20, 30 and 40 million."""
    quarterly(year, 1, {"Revenues": "10000000"})
    quarterly(year, 2, {"Revenues": "20000000"}, {"Revenues": "30000000"})
    quarterly(year, 3, {"Revenues": "30000000"}, {"Revenues": "60000000"})
    annual(year, {"Revenues": "100000000"})


def revenue(periods: Years | Span | Last, measure: object = None) -> Table:
    made = table(company(), periods, measure or Concept(key="revenue"))  # type: ignore[arg-type]
    assert verify(made) == ()
    return made


def value(part: FiscalPeriod, year: int = 2024) -> Decimal | None:
    return only(revenue(of(part, year))).value


def gap(made: Table) -> Code:
    cell = only(made)
    assert cell.gap is not None
    return cell.gap.code


# --- what filings give, and what is made of it ---


def test_every_part_of_a_year_is_given_or_made() -> None:
    year_of_quarters()
    found = {str(part): value(part) for part in (Q1, Q2, Q3, Q4, H1, H2, M9)}
    millions = {"Q1": 10, "Q2": 20, "Q3": 30, "Q4": 40, "H1": 30, "H2": 70, "9M": 60}
    assert found == {part: Decimal(amount * 1_000_000) for part, amount in millions.items()}


def test_a_fourth_quarter_is_the_year_less_nine_months_and_says_so() -> None:
    year_of_quarters()
    cell = only(revenue(of(Q4)))
    assert (cell.formula, cell.fact, cell.accession[-6:]) == ("revenue:fy - revenue:m9", None, "000001")
    assert [(one.name, one.fiscal_period, one.fact.form) for one in cell.operands] == [
        ("revenue:fy", "FY", "10-K"),
        ("revenue:m9", "9M", "10-Q"),
    ]
    assert cell.notes == ("Computed as fiscal 2024 less the first nine months of fiscal 2024.",)


def test_a_quarter_of_a_cash_flow_is_the_difference_of_two() -> None:
    annual(2024, {"Revenues": "1"})
    quarterly(2024, 1, {}, {"Revenues": "11"})
    quarterly(2024, 2, {}, {"Revenues": "31"})
    quarterly(2024, 3, {}, {"Revenues": "61"})
    cell = only(revenue(of(Q3)))
    assert (cell.value, cell.formula) == (Decimal(30), "revenue:m9 - revenue:h1")
    assert cell.notes[0] == "Computed from year-to-date figures."


def test_trailing_twelve_months_are_the_year_plus_this_less_last_year_to_date() -> None:
    year_of_quarters(2023)
    quarterly(2024, 1, {"Revenues": "15000000"})
    cell = only(revenue(of(FiscalPeriod.TTM_Q1)))
    assert cell.value == Decimal(105_000_000)
    assert cell.formula == "revenue:fy_fy2023[FY-1] + revenue:q1 - revenue:q1_fy2023[FY-1]"
    newest = only(revenue(of(RelativePeriod.TRAILING, None, PeriodForm.LATEST)))
    assert (newest.value, newest.fiscal_period) == (cell.value, FiscalPeriod.TTM_Q1)


def test_the_newest_quarter_may_be_the_last_of_a_year() -> None:
    year_of_quarters()
    cell = only(revenue(of(RelativePeriod.QUARTER, None, PeriodForm.LATEST)))
    assert (cell.value, cell.fiscal_period, cell.period_end) == (Decimal(40_000_000), Q4, date(2024, 12, 31))


def test_a_single_quarter_stands_among_those_before_it() -> None:
    year_of_quarters(2023)
    year_of_quarters(2024)
    made = revenue(of(Q2))
    row = [cell for cell in made.cells if cell.measure == "revenue"]
    assert [(cell.place.short, cell.asked) for cell in row] == [
        *((f"Q{one} FY2023", False) for one in (1, 2, 3, 4)),
        ("Q1 FY2024", False),
        ("Q2 FY2024", True),
    ]


def test_quarters_are_counted_back_over_the_end_of_a_year() -> None:
    year_of_quarters(2023)
    year_of_quarters(2024)
    cells = asked(revenue(Last(count=5, quarters=True)))
    assert [cell.place.short for cell in cells] == ["Q4 FY2023", "Q1 FY2024", "Q2 FY2024", "Q3 FY2024", "Q4 FY2024"]
    span = Span(first=of(Q3, 2023).periods[0], last=of(Q2, 2024).periods[0])
    assert [cell.place.short for cell in asked(revenue(span))] == ["Q3 FY2023", "Q4 FY2023", "Q1 FY2024", "Q2 FY2024"]


def test_growth_is_over_the_quarter_a_year_before() -> None:
    year_of_quarters(2023)
    annual(2024, {"Revenues": "200000000"})
    quarterly(2024, 2, {"Revenues": "25000000"}, {"Revenues": "40000000"})
    growth = table(company(), of(Q2), Change(of=Concept(key="revenue"), percent=True))
    assert only(growth).value == Decimal(25)
    assert OVER_A_YEAR in growth.notes


def test_the_first_filed_of_two_reports_of_a_quarter_answers() -> None:
    annual(2024, {"Revenues": "100"})
    quarterly(2024, 1, {"Revenues": "10"})
    later = quarterly(2024, 1, {"Revenues": "12"}, mark="9")
    Filing.objects.filter(pk=later.pk).update(filed=date(2024, 6, 1))
    assert value(Q1) == Decimal(10)


# --- what is refused ---


def test_what_is_not_held_is_a_gap() -> None:
    annual(2024, {"Revenues": "100"})
    quarterly(2024, 1, {"Revenues": "10"})
    assert gap(revenue(of(Q2))) is Code.INTERIM_PERIOD
    assert gap(revenue(of(Q4))) is Code.INTERIM_PERIOD
    assert gap(revenue(of(Q1, 2031))) is Code.INTERIM_PERIOD


def test_without_any_quarter_nothing_is_guessed() -> None:
    annual(2024, {"Revenues": "100"})
    for part in (RelativePeriod.TO_DATE, RelativePeriod.TRAILING, RelativePeriod.QUARTER):
        assert gap(revenue(of(part, None, PeriodForm.LATEST))) is Code.INTERIM_PERIOD


def test_years_and_parts_on_two_bases_make_no_fourth_quarter() -> None:
    """The 10-K restates the year before, and the 10-Q of its nine months did not."""
    year_of_quarters(2023)
    quarterly(2024, 3, {"Revenues": "30000000"}, {"Revenues": "60000000"}, {"Revenues": "60000000"})
    annual(2024, {"Revenues": "100000000"}, {"Revenues": "91000000"})
    made = revenue(of(Q4))
    assert gap(made) is Code.CONFLICT
    assert (
        only(made).gap.detail == "The fiscal 2024 10-K restates the year before, and the Q3 fiscal 2024 10-Q does not."
    )  # type: ignore[union-attr]


def test_a_restatement_in_the_next_year_is_seen_too() -> None:
    year_of_quarters(2024)
    quarterly(2025, 3, {"Revenues": "40000000"}, {"Revenues": "80000000"}, {"Revenues": "50000000"})
    annual(2025, {"Revenues": "120000000"}, {"Revenues": "100000000"})
    assert gap(revenue(of(Q4, 2024))) is Code.CONFLICT
    assert value(Q3, 2024) == Decimal(30_000_000)


def test_twelve_months_over_a_restatement_are_refused() -> None:
    year_of_quarters(2023)
    quarterly(2024, 1, {"Revenues": "15000000"}, prior={"Revenues": "8000000"})
    assert gap(revenue(of(FiscalPeriod.TTM_Q1))) is Code.CONFLICT


def test_quarters_that_do_not_add_up_make_no_twelve_months() -> None:
    year_of_quarters(2023)
    quarterly(2024, 1, {"Revenues": "15000000"})
    quarterly(2024, 2, {"Revenues": "20000000"}, {"Revenues": "38000000"})
    assert gap(revenue(of(FiscalPeriod.TTM_Q2))) is Code.CONFLICT


def test_a_fourth_quarter_that_the_annual_report_gives_otherwise_is_refused() -> None:
    year_of_quarters()
    (ten_k,) = Filing.objects.filter(company=company(), form="10-K")
    own = fact(ten_k, "Revenues", "40000000", start=date(2024, 10, 1))
    assert value(Q4) == Decimal(40_000_000)
    own.value, own.raw = Decimal(45_000_000), "45000000"
    own.save()
    assert gap(revenue(of(Q4))) is Code.CONFLICT


def test_two_elements_that_annual_reports_use_must_agree() -> None:
    annual(2023, {"Revenues": "90000000"})
    later = filing(date(2024, 12, 31), company())
    fact(later, "RevenueFromContractWithCustomerExcludingAssessedTax", "100000000")
    face(later, "income", ("RevenueFromContractWithCustomerExcludingAssessedTax", "Total revenue"))
    quarterly(2024, 1, {"Revenues": "10000000", "RevenueFromContractWithCustomerExcludingAssessedTax": "10000000"})
    quarterly(2024, 2, {"Revenues": "20000000", "RevenueFromContractWithCustomerExcludingAssessedTax": "19000000"})
    assert value(Q1) == Decimal(10_000_000)
    assert gap(revenue(of(Q2))) is Code.CONFLICT


def test_an_element_of_a_note_is_not_the_line_of_the_statement() -> None:
    """The 10-K's line stands under one element, and the 10-Q has a part of it under another alone."""
    annual(2024, {"Revenues": "100", "ResearchAndDevelopmentExpense": "20"})
    made = quarterly(2024, 1, {"Revenues": "10"})
    fact(made, "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost", "3", start=date(2024, 1, 1))
    fact(made, "ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost", "1", start=date(2024, 1, 1))
    assert only(revenue(of(Q1), Concept(key="rnd"))).value is None


def test_quarters_of_unlike_kinds_are_not_put_in_an_order() -> None:
    year_of_quarters()
    made = revenue(of(Q1))
    assert made.results == ()


def test_a_line_or_a_part_of_the_company_needs_the_report_itself() -> None:
    year_of_quarters()
    for measure in (
        Line(label="Total revenue", names=("us-gaap:Revenues",)),
        Breakdown(of=Concept(key="revenue"), axis="segment", extreme="highest"),
    ):
        cells = asked(table(company(), of(Q4), measure))
        assert {cell.gap.code for cell in cells if cell.gap} == {Code.INTERIM_PERIOD}


def test_a_report_that_is_held_with_its_statements_has_lines() -> None:
    annual(2024, {"Revenues": "100"})
    made = quarterly(2024, 2, {"Revenues": "20"}, {"Revenues": "30"})
    face(made, "income", ("Revenues", "Sales of instruments"))
    cells = asked(table(company(), of(Q2), Statement(statement="income")))
    assert [(cell.label, cell.value, cell.fiscal_period) for cell in cells] == [
        ("Sales of instruments", Decimal(20), Q2)
    ]
    (half,) = asked(table(company(), of(H1), Line(label="Sales of instruments")))
    assert half.value == Decimal(30)


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
            four = [only(table(of_company, of(part, year), Concept(key="revenue"))).value for part in (Q1, Q2, Q3, Q4)]
            whole = only(
                table(of_company, Years(periods=(Period(form=PeriodForm.FISCAL, year=year),)), Concept(key="revenue"))
            ).value
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


def test_a_sum_of_which_a_quarter_has_no_part_is_a_gap_though_the_year_has_one() -> None:
    fact(annual(2024, {"Revenues": "100"}), "PaymentsOfDividends", "5")
    quarterly(2024, 3, {"Revenues": "30"}, {"Revenues": "60"})
    assert gap(revenue(of(Q4), Metric(key="shareholder_distributions"))) is Code.CONCEPT_NOT_REPORTED
