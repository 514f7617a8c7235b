"""Parts of a year in a question: how they are written, and the years and days beside them."""

import pytest

from agent.query.dates.year_parts import part_of
from agent.refusals.codes import Code
from agent.state import PeriodForm
from agent.state.query import Last, Query, Years
from agent.state.references import RelativePeriod
from filings.xbrl.periods import FiscalPeriod
from tests.agent.query.conftest import Line, Read, line_of, query_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("words", "periods"),
    [
        ("Q3 2024", "Q3 2024"),
        ("q3 fy24", "Q3 FY2024"),
        ("3Q24", "Q3 2024"),
        ("2024 Q3", "Q3 2024"),
        ("2024Q3", "Q3 2024"),
        ("Q3FY24", "Q3 FY2024"),
        ("3QFY24", "Q3 FY2024"),
        ("first and second quarter 2024", "Q2 2024, Q1 2024"),
        ("in the first, second and third quarters of 2024", "Q3 2024, Q1 2024, Q2 2024"),
        ("first to third quarter 2024", "Q1 2024..Q3 2024"),
        ("in the third quarter of fiscal 2024", "Q3 FY2024"),
        ("fiscal 2024 third quarter", "Q3 FY2024"),
        ("final quarter of 2023", "Q4 2023"),
        ("first half of 2024", "H1 2024"),
        ("H2 2023", "H2 2023"),
        ("2H23", "H2 2023"),
        ("nine months 2024", "nine_months 2024"),
        ("first nine months of fiscal 2024", "nine_months FY2024"),
        ("six months ended March 30, 2024", "half 2024-03-30"),
        ("three months ended June 29, 2024", "quarter 2024-06-29"),
        ("quarter ended June 29, 2024", "quarter 2024-06-29"),
        ("for the 13 weeks ended June 29, 2024", "quarter 2024-06-29"),
        ("quarter ending June 2024", "quarter 2024-06-30"),
        ("last quarter of 2023", "Q4 2023"),
        ("each quarter of fiscal 2023", "Q1 FY2023, Q2 FY2023, Q3 FY2023, Q4 FY2023"),
        ("last quarter", "quarter latest"),
        ("most recent quarter", "quarter latest"),
        ("ttm", "trailing latest"),
        ("LTM", "trailing latest"),
        ("trailing twelve months", "trailing latest"),
        ("over the last 12 months", "trailing latest"),
        ("ttm to June 2024", "trailing 2024-06-30"),
        ("ttm through Q2 2024", "TTM Q2 2024"),
        ("year to date", "to_date latest"),
        ("ytd through Q3 2024", "9M 2024"),
        ("twelve months ended June 29, 2024", "trailing 2024-06-29"),
        ("quarterly", "last 8 quarters"),
        ("by quarter 2023", "Q1 2023, Q2 2023, Q3 2023, Q4 2023"),
        ("last 6 quarters", "last 6 quarters"),
        ("over the past four quarters", "last 4 quarters"),
        ("quarterly from 2022 to 2023", "Q1 2022..Q4 2023"),
        ("from Q1 2023 to Q2 2024", "Q1 2023..Q2 2024"),
        ("Q1 and Q2 2024", "Q2 2024, Q1 2024"),
        ("Q3 2024 vs Q3 2023", "Q3 2024, Q3 2023"),
        ("Q3 2024 vs 2023", "Q3 2024, Q3 2023"),
        ("Q3 2024 vs previous quarter", "Q3 2024, Q2 2024"),
        ("first quarter of fiscal 2024 against the prior quarter", "Q1 FY2024, Q4 FY2023"),
        ("Q3 2024 vs the same quarter last year", "Q3 2024, Q3 2023"),
        ("in the second quarter of fiscal 2024 compared with the year-ago quarter", "Q2 FY2024, Q2 FY2023"),
        ("Q2 2024 from a year earlier", "Q2 2024, Q2 2023"),
        ("H1 2024 against the same period of the prior year", "H1 2024, H1 2023"),
        ("2024 vs a year earlier", "2024, 2023"),
        ("9M 2024", "nine_months 2024"),
        ("quarterly for the last 4 quarters", "last 4 quarters"),
        ("third quarter 2022 to 2024", "Q3 2022, Q3 2023, Q3 2024"),
        ("Q3 last year", "Q3 previous"),
        ("first quarter of 2023 and second quarter of 2024", "Q1 2023, Q2 2024"),
        ("fiscal 2023 Q4 to fiscal 2024 Q2", "Q4 FY2023..Q2 FY2024"),
        ("2023 Q4 to 2024 Q2", "Q4 2023..Q2 2024"),
        ("fiscal 2024 Q1 and Q2", "Q1 FY2024, Q2 FY2024"),
        ("third quarter 2024 and 2023", "Q3 2024, Q3 2023"),
        ("Q1-Q3 2024", "Q1 2024..Q3 2024"),
        ("Q1 through Q3 of 2024", "Q1 2024..Q3 2024"),
        ("between Q1 2024 and Q3 2024", "Q1 2024..Q3 2024"),
        ("ttm over the last 6 quarters", "last 6 quarters to trailing latest"),
    ],
)
def test_parts_of_a_year_are_read(told: Line, words: str, periods: str) -> None:
    assert told(f"Apple revenue {words}") == f"AAPL | {periods} | revenue"


@pytest.mark.parametrize(
    "words",
    [
        "next quarter",
        "this quarter",
        "in June 2024",
        "monthly",
        "through Q3 2024",
        "Q3 and Q2 2024 vs previous quarter",
        "H1 2024 vs previous quarter",
        "each week",
        "Q3 full year 2024",
        "the quarter 2023",
        "Q1 to date 2023 and Q3 2021 and 2019",
        "Q3 2024 and fiscal 2023",
        "third quarter 2024 and fiscal 2023",
        "for the year ended September 28, 2024 and the quarter ended June 29, 2024",
        "from the quarter ended June 29, 2024 to the quarter ended June 28, 2025",
        "how many quarters",
        "2024 and Q1 2025",
        "FY2024 and Q1",
        "Q1 2024 as a percentage of 2024 revenue",
        "annual and Q3 2024",
        "last quarter of last year",
        "same quarter last year",
        "a year ago",
        "from H1 2023 to H2 2024",
        "Q1 and Q2 2024 vs the same quarters a year ago",
        "quarter ended June 29, 2024 vs a year ago",
        "last quarter and last year",
        "ytd last year",
        "ttm and fiscal 2023",
        "Q3 2024 and YTD 2024",
        "YTD Q3 2024 vs Q3 2023",
        "Q1 2023, H1 2024 and nine months",
        "nine months ended June 29, 2024 and fiscal 2023",
    ],
)
def test_what_is_no_such_part_is_refused(told: Line, words: str) -> None:
    assert told(f"Apple revenue {words}").startswith(("interim_period", "not_understood"))


@pytest.mark.parametrize(
    "question",
    [
        "Apple 2024 Q3 and Microsoft 2024 Q4 revenue",
        "Apple Q4 FY2024 vs Microsoft Q4 FY2025 revenue",
        "Apple FY2024 revenue vs Microsoft Q4 2024 revenue",
        "Apple revenue 2024 vs Microsoft Q3 2025",
    ],
)
def test_a_part_for_each_company_is_refused(told: Line, question: str) -> None:
    assert told(question).startswith("interim_period")


def test_an_ampersand_in_a_name_lists_nothing(told: Line) -> None:
    assert told("LTM revenue of P&G as of Q2 FY2024").endswith("| TTM Q2 FY2024 | revenue")


def test_companies_may_be_named_with_the_same_part_each(told: Line) -> None:
    one = told("Apple Q3 2024 revenue vs Microsoft Q3 2024 revenue")
    assert one.startswith("AAPL, MSFT | Q3 2024 | revenue")


def test_a_quarter_beside_its_last_day_is_one(query: Read) -> None:
    found = query("Starbucks 2nd quarter fiscal 2025 revenue (three months to March 30, 2025)")
    assert isinstance(found.periods, Years)
    (one,) = found.periods.periods
    assert (one.form, one.year, one.part, str(one.end)) == (PeriodForm.ENDED, 2025, FiscalPeriod.Q2, "2025-03-30")


def test_a_balance_of_a_day_need_not_be_of_a_year_end(query: Read) -> None:
    found = query("Apple total assets as of June 29, 2024")
    assert isinstance(found.periods, Years)
    assert found.periods.periods[0].part is RelativePeriod.DAY
    flow = query("Apple revenue for the year ended June 29, 2024")
    assert isinstance(flow.periods, Years)
    assert flow.periods.periods[0].part is None


FOUR = "Q1 2024, Q2 2024, Q3 2024, Q4 2024"


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("average quarterly revenue of Apple in 2024", f"{FOUR} | revenue > average"),
        ("highest quarterly revenue of Apple since 2020", "Q1 2020.. | revenue > highest"),
        ("sum of Apple's revenue of the last 4 quarters", "last 4 quarters | revenue > sum"),
        ("What was Apple's best quarter of 2024 by revenue?", f"{FOUR} | revenue > highest"),
        ("Which quarter of 2024 had Apple's lowest revenue?", f"{FOUR} | revenue > lowest"),
        ("Which quarter was Apple's revenue highest, Q1 or Q2 2024?", "Q2 2024, Q1 2024 | revenue > highest"),
        ("Apple's quarter of 2024 with the biggest drop in revenue", f"{FOUR} | change(revenue) > lowest"),
        ("Apple's top 2 quarters of 2024 by revenue", f"{FOUR} | revenue > highest 2"),
        ("rank Apple's quarters of 2024 by revenue", f"{FOUR} | revenue > highest first"),
        ("Apple revenue difference between Q1 and Q2 2024", "Q1 2024..Q2 2024 | revenue > difference"),
    ],
)
def test_quarters_are_averaged_added_up_and_ranked(told: Line, question: str, line: str) -> None:
    assert told(question) == f"AAPL | {line}"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("growth from Q1 to Q3 2024", "Q1 2024..Q3 2024 | revenue > growth"),
        ("growth in Q1 2024 vs Q4 2023", "Q1 2024, Q4 2023 | revenue > growth"),
        ("growth between Q1 2023 and Q1 2024", "Q1 2024 | growth(revenue)"),
        ("growth in Q3 2024 over the previous quarter", "Q3 2024, Q2 2024 | revenue > growth"),
        ("growth in Q3 2024 compared with the second quarter of 2024", "Q3 2024, Q2 2024 | revenue > growth"),
        ("yoy growth Q3 2024 vs Q2 2024", "Q3 2024, Q2 2024 | growth(revenue)"),
        ("growth in H1 2024 over H2 2023", "H1 2024, H2 2023 | revenue > growth"),
        ("growth between the first and second half of 2024", "H2 2024, H1 2024 | revenue > growth"),
        ("in the first and second halves of fiscal 2024", "H2 FY2024, H1 FY2024 | revenue"),
        ("growth Q3 2022 vs Q3 2024", "Q3 2022, Q3 2024 | revenue > growth"),
        # A list: each over the year before.
        ("growth in Q1 and Q2 2024", "Q2 2024, Q1 2024 | growth(revenue)"),
        ("and its growth in Q1 and Q2 2024", "Q2 2024, Q1 2024 | revenue + growth(revenue)"),
    ],
)
def test_growth_is_from_one_quarter_to_another_where_they_are_set_against_each_other(
    told: Line, words: str, line: str
) -> None:
    assert told(f"Apple revenue {words}") == f"AAPL | {line}"


@pytest.mark.parametrize(
    "question",
    [
        "Apple revenue CAGR of the last 8 quarters",
        "Apple average revenue of Q1 2024 and H1 2024",
        "Apple highest TTM revenue of Q1 2024 and Q2 2024",
        "sum of Apple's TTM revenue of the last 4 quarters",
        # Of which of them, or of each quarter, is not told.
        "Apple and Microsoft best quarter of 2024 by revenue",
        "In which quarter did Apple's revenue exceed $100 billion?",
        "Apple revenue change from Q1 2024 to Q4 2023",
    ],
)
def test_nothing_is_computed_over_parts_of_unlike_length(told: Line, question: str) -> None:
    assert told(question).startswith("interim_period")


def test_the_year_of_the_biggest_drop_is_one_of_all(told: Line) -> None:
    for question in (
        "Which year from 2016 to 2024 saw Apple's revenue decline the most?",
        "Apple's biggest revenue drop from 2016 to 2024",
    ):
        assert told(question) == "AAPL | 2016..2024 | change(revenue) > lowest"


def test_the_top_years_are_some_of_them_all(told: Line) -> None:
    assert told("Apple's top 3 years by revenue") == "AAPL | last 10 | revenue > highest 3"
    assert told("Apple's best 3 years by revenue from 2015 to 2023") == "AAPL | 2015..2023 | revenue > highest 3"
    assert told("top 3 years by revenue for Apple and Microsoft").startswith("not_understood")
    two = "top 2 of Apple, Microsoft and Amazon by revenue CAGR over {} years"
    assert told(two.format(2)).replace("3", "2") == told(two.format(3)).replace("4", "2").replace("3", "2")


@pytest.mark.parametrize(
    "question",
    [
        "average annual revenue growth of Apple 2020 to 2024",
        "How many years has Apple's revenue grown since 2015?",
        "average yoy revenue growth of Apple over the last 4 quarters",
        "Apple's smallest decline in revenue by quarter in 2023",
        "Which year had Apple's lowest Q1 revenue?",
        "Apple and Microsoft top 3 quarters by revenue",
    ],
)
def test_an_operation_that_is_none_of_its_cells_is_refused(told: Line, question: str) -> None:
    assert told(question).startswith("not_understood")


def test_growth_of_a_quarter_is_over_the_same_one_a_year_before(told: Line) -> None:
    assert told("Apple revenue growth Q3 2024") == "AAPL | Q3 2024 | growth(revenue)"


def test_a_part_asked_behind_a_year_is_of_that_year() -> None:
    before = query_of("Apple revenue 2023")
    assert isinstance(before, Query)
    assert line_of("and in Q3?", before) == "AAPL | Q3 2023 | revenue"
    assert line_of("quarterly?", before) == "AAPL | Q1 2023, Q2 2023, Q3 2023, Q4 2023 | revenue"
    quarter = query_of("Apple revenue Q3 2023")
    assert isinstance(quarter, Query)
    assert line_of("and gross profit?", quarter) == "AAPL | Q3 2023 | gross_profit"
    assert line_of("and the year before?", quarter) == "AAPL | Q3 2022 | revenue"
    assert line_of("last quarter?", quarter).startswith("interim_period")
    assert line_of("and the previous quarter?", quarter).startswith("interim_period")
    assert line_of("and the full year?", quarter) == "AAPL | 2023 | revenue"
    newest = query_of("Apple revenue last 8 quarters")
    assert isinstance(newest, Query)
    assert line_of("annual?", newest) == "AAPL | last 2 | revenue"
    day = query_of("Apple revenue quarter ended June 29, 2024")
    assert isinstance(day, Query)
    assert line_of("and Q2?", day).startswith("interim_period")


def test_text_of_a_quarter_stays_refused(told: Line) -> None:
    assert told("What happened at Apple in Q3 2023?").startswith(str(Code.INTERIM_PERIOD))


@pytest.mark.parametrize("words", ["q7", "three weeks", "this quarter", "the next quarter of 2024"])
def test_other_words_are_no_part_of_a_year(words: str) -> None:
    assert part_of(words) is None


def test_many_quarters_are_at_most_as_many_columns_as_a_table_has(query: Read) -> None:
    found = query("Apple revenue last 40 quarters")
    assert found.periods == Last(count=20, quarters=True)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Apple revenue growth quarter over quarter Q2 2024", "AAPL | Q2 2024 | sequential growth(revenue)"),
        (
            "Apple sequential revenue growth in the second quarter of 2024",
            "AAPL | Q2 2024 | sequential growth(revenue)",
        ),
        (
            "QoQ growth of Apple's net income, last 8 quarters",
            "AAPL | last 8 quarters | sequential growth(net_income)",
        ),
        ("Apple gross margin quarter-on-quarter change Q2 2024", "AAPL | Q2 2024 | sequential change(gross_margin)"),
        ("Apple sequential revenue growth 2024", "interim_period"),
        ("Apple revenue ttm sequentially", "interim_period"),
    ],
)
def test_growth_over_the_quarter_before_is_of_quarters(told: Line, question: str, line: str) -> None:
    assert told(question).startswith(line)


def test_what_was_sold_in_a_part_of_a_year_is_revenue(told: Line) -> None:
    """Text is of a year: of a quarter only figures are asked."""
    assert told("What did Apple sell in Q2 2024?") == "AAPL | Q2 2024 | revenue"
    assert "text:" in told("What did Apple sell in 2024?")


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Apple revenue yoy and qoq Q3 2024", "not_understood"),
        ("Apple revenue last 4 quarters vs previous 4 quarters", "interim_period"),
        ("Apple income statement by segment 2024", "dimensional_only"),
        ("Apple international income statement 2024", "dimensional_only"),
        ("Apple income statement June 2024", "interim_period"),
        ("Apple financial revenue 2024", "not_understood"),
    ],
)
def test_what_would_be_dropped_is_refused(told: Line, question: str, code: str) -> None:
    assert told(question).startswith(code)


def test_a_balance_sheet_of_a_month_is_that_of_its_end(told: Line) -> None:
    assert "2024-03" in told("Apple balance sheet March 2024")


def test_the_report_of_a_quarter_may_be_named_beside_it_and_not_alone(told: Line) -> None:
    assert told("Apple revenue from the Q2 2024 10-Q") == "AAPL | Q2 2024 | revenue"
    assert told("Apple revenue 2024 from the 10-Q").startswith("interim_period")
    for question in ("What risks does Apple's Q2 2024 10-Q tell of?", "What risks does Apple's latest 10-Q tell of?"):
        assert told(question).startswith("interim_period")


def test_the_newest_10_q_is_a_period_of_figures(query: Read) -> None:
    for question in ("Apple revenue in the latest 10-Q", "What does Apple's most recent 10-Q report as revenue?"):
        found = query(question)
        assert isinstance(found.periods, Years)
        assert [one.part for one in found.periods.periods] == [RelativePeriod.TEN_Q]


@pytest.mark.parametrize(
    ("words", "period"),
    [
        ("last quarter vs the year-ago quarter", "quarter latest"),
        ("in the latest quarter compared with a year ago", "quarter latest"),
        ("ttm vs a year ago", "trailing latest"),
        ("Q2 2024 versus prior year", "Q2 2024"),
        ("in Q2 2024 compared with the prior year", "Q2 2024"),
    ],
)
def test_a_part_against_the_year_before_is_its_growth(told: Line, words: str, period: str) -> None:
    assert told(f"Apple revenue {words}") == f"AAPL | {period} | revenue + growth(revenue)"


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Apple revenue in the first three months of fiscal 2024", "Apple revenue Q1 fiscal 2024"),
        ("Apple revenue by quarter: Q1, Q2 and Q3 of fiscal 2024", "Apple revenue Q1, Q2 and Q3 of fiscal 2024"),
    ],
)
def test_quarters_said_in_other_words_are_the_same(told: Line, question: str, same: str):
    assert told(question) == told(same)
    assert "refused" not in told(same)
