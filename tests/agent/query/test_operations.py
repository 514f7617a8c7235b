"""What is made of the measures."""

import pytest

from tests.agent.query.conftest import Line, asks_figures


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Apple revenue growth 2023", "AAPL | 2023 | growth(revenue)"),
        (
            "By how much did Apple's sales grow in 2023, in percentage terms, compared with the year before?",
            "AAPL | 2023 | growth(revenue)",
        ),
        ("Apple revenue growth 2023 vs 2022", "AAPL | 2023 | growth(revenue)"),
        ("Apple revenue growth 2019 to 2024", "AAPL | 2019..2024 | revenue > growth"),
        ("Apple yoy revenue growth 2020-2024", "AAPL | 2020..2024 | growth(revenue)"),
        ("Apple gross margin change 2023", "AAPL | 2023 | change(gross_margin)"),
        (
            "By how many percentage points did Apple's gross margin move between 2019 and 2024?",
            "AAPL | 2019..2024 | gross_margin > change",
        ),
        ("How has Apple's gross margin changed since 2020?", "AAPL | 2020.. | gross_margin"),
        ("Apple gross margin every year from 2020", "AAPL | 2020.. | gross_margin"),
        ("Change in Lowe's inventory from FY2022 to FY2023", "LOW | FY2023 | change(inventory)"),
        ("Apple revenue with growth 2020-2024", "AAPL | 2020..2024 | revenue + growth(revenue)"),
        ("Apple revenue w/ yoy growth last 3 years", "AAPL | last 3 | revenue + growth(revenue)"),
        ("Apple revenue 2020-2024, high and low?", "AAPL | 2020..2024 | revenue > highest > lowest"),
        ("Apple revenue up how many percent in 2023?", "AAPL | 2023 | growth(revenue)"),
        ("Apple revenue 2024 and yoy growth", "AAPL | 2024 | revenue + growth(revenue)"),
        ("Apple revenue growth and operating margin 2023", "AAPL | 2023 | growth(revenue) + operating_margin"),
        ("growth in revenue and net income Apple 2023", "AAPL | 2023 | growth(revenue) + growth(net_income)"),
        ("Apple 5yr revenue CAGR 2019-2024", "AAPL | 2019..2024 | revenue > cagr"),
        ("Apple 3-year revenue CAGR to 2024", "AAPL | last 4 to 2024 | revenue > cagr"),
        ("Apple revenue CAGR over the last 3 years", "AAPL | last 4 | revenue > cagr"),
        ("Apple revenue for the last 3 years and the CAGR", "AAPL | last 3 | revenue > cagr"),
        ("How has Apple's revenue moved since 2020, and what was the average?", "AAPL | 2020.. | revenue > average"),
        ("3-year average of Apple's free cash flow (2022, 2023, 2024)", "AAPL | 2022, 2023, 2024 | fcf > average"),
        ("Apple cumulative dividends paid 2019-2023", "AAPL | 2019..2023 | dividends_paid > sum"),
        (
            "In which year between 2020 and 2024 was Apple's operating income highest?",
            "AAPL | 2020..2024 | operating_income > highest",
        ),
        ("Apple buybacks since 2017: which was the biggest year?", "AAPL | 2017.. | share_repurchases > highest"),
        ("What was Apple's worst year for free cash flow since 2019?", "AAPL | 2019.. | fcf > lowest"),
        ("NVDA vs AMD gross margin 2024", "NVDA, AMD | 2024 | gross_margin > highest first"),
        (
            "Which has the lower effective tax rate in 2023, Apple or Microsoft?",
            "AAPL, MSFT | 2023 | effective_tax_rate > lowest 1",
        ),
        ("Who spent most on R&D in 2023: Apple, Microsoft or Amazon?", "AAPL, MSFT, AMZN | 2023 | rnd > highest 1"),
        (
            "rank Apple, Microsoft and Amazon by net income in 2023",
            "AAPL, MSFT, AMZN | 2023 | net_income > highest first",
        ),
        ("top 2 by revenue 2023: Apple, Microsoft, Amazon", "AAPL, MSFT, AMZN | 2023 | revenue > highest 2"),
        ("Which had less inventory in 2023, Apple or Nike?", "AAPL, NKE | 2023 | inventory > lowest 1"),
        (
            "did Nike or Starbucks grow revenue faster in fiscal 2023?",
            "NKE, SBUX | FY2023 | growth(revenue) > highest 1",
        ),
        # Growth is compared with growth, in percent.
        (
            "Did Apple's R&D grow faster than revenue in 2024?",
            "AAPL | 2024 | growth(rnd) + growth(revenue) > highest 1",
        ),
        (
            "Did Apple's R&D rise faster in 2024 than its revenue?",
            "AAPL | 2024 | growth(rnd) + growth(revenue) > highest 1",
        ),
        ("How much more revenue did Apple have than Microsoft in 2023?", "AAPL, MSFT | 2023 | revenue > difference"),
        ("difference in net margin between NVDA FY25 and AMD FY25", "NVDA, AMD | FY2025 | net_margin > difference"),
        ("Apple operating income 2022 and 2023 and difference", "AAPL | 2022, 2023 | operating_income > difference"),
        ("capex as % of revenue, Apple, 2024", "AAPL | 2024 | capex_to_revenue"),
        ("Nike: what % of net income was paid out as dividends in fiscal 2022", "NKE | FY2022 | dividend_payout"),
        ("total liabilities to equity ratio Apple 2024", "AAPL | 2024 | debt_to_equity:liabilities"),
        ("Apple inventory as a percentage of total assets 2023", "AAPL | 2023 | inventory % of total_assets"),
        (
            "Apple 2022: R&D, SG&A and their sum as a percent of sales",
            "AAPL | 2022 | rnd + sga + (rnd + sga) % of revenue",
        ),
        ("sum of Apple's R&D and SG&A 2023", "AAPL | 2023 | (rnd + sga)"),
        ("Apple operating income minus interest expense 2023", "AAPL | 2023 | (operating_income - interest_expense)"),
        ("Did Apple's revenue exceed $300 billion in 2021?", "AAPL | 2021 | revenue > > 300000000000"),
        ("Was Microsoft's gross margin above 60% in 2023?", "MSFT | 2023 | gross_margin > > 60"),
        ("Did Apple's free cash flow cover its dividends in 2023?", "AAPL | 2023 | dividend_cover > >= 1"),
        (
            "Did Apple's net income cover its buybacks in 2023?",
            "AAPL | 2023 | net_income % of share_repurchases > >= 100",
        ),
        (
            "Can Apple cover its buybacks from net income in 2023?",
            "AAPL | 2023 | net_income % of share_repurchases > >= 100",
        ),
        (
            "Were Apple's buybacks covered by net income in 2023?",
            "AAPL | 2023 | share_repurchases % of net_income",
        ),
        ("How many times did Apple's free cash flow cover its dividends in 2023?", "AAPL | 2023 | dividend_cover"),
        ("Is Apple's net income positive in 2023?", "AAPL | 2023 | net_income > > 0"),
        ("Apple and Microsoft revenue and net income 2022 and 2023", "AAPL, MSFT | 2022, 2023 | revenue + net_income"),
        ("Did Apple's revenue top $300 billion in 2021?", "AAPL | 2021 | revenue > > 300000000000"),
        ("Top two by revenue in 2023: Apple, Microsoft, Meta", "AAPL, MSFT, META | 2023 | revenue > highest 2"),
        (
            "Order these two by total assets, largest first: Apple, Microsoft",
            "AAPL, MSFT | latest | total_assets > highest first",
        ),
        ("What portion of Apple's revenue was R&D in 2023?", "AAPL | 2023 | rnd_to_revenue"),
        ("What share of Apple's net income in 2023 was R&D?", "AAPL | 2023 | rnd % of net_income"),
        ("What share of Apple's R&D in net income 2023?", "AAPL | 2023 | rnd % of net_income"),
        ("How much of Apple's revenue went on R&D in 2023?", "AAPL | 2023 | rnd_to_revenue"),
        ("Apple trade working capital 2023", "AAPL | 2023 | working_capital:trade"),
        ("Apple return on average equity 2023", "AAPL | 2023 | roe:average"),
        ("Apple R&D / revenue 2023", "AAPL | 2023 | rnd_to_revenue"),
        ("Return on assets with year-end total assets, Apple 2023", "AAPL | 2023 | roa:ending"),
        ("Use average equity: what was Apple's ROE in 2023?", "AAPL | 2023 | roe:average"),
        ("Apple's ROE on average equity 2023", "AAPL | 2023 | roe:average"),
        ("Apple absolute growth of revenue from 2022 to 2023", "AAPL | 2023 | change(revenue)"),
        (
            "Which of Apple and Microsoft earned the highest net profit in 2023?",
            "AAPL, MSFT | 2023 | net_income > highest 1",
        ),
        ("Apple total assets since 2019 up to and including 2021", "AAPL | 2019..2021 | total_assets"),
    ],
)
def test_it_reads_operations(told: Line, question: str, read: str):
    assert told(question).replace(" + ~net_income_incl_nci + ~net_income_common", "") == read


@pytest.mark.parametrize(
    "question",
    [
        "Apple best year",
        "Apple average inventory 2023",
        "Apple largest revenue 2023",
        "Apple revenue difference 2023",
        "Apple cumulative inventory 2019-2023",
        "Apple revenue CAGR",
        "Apple revenue as % of",
        "Apple revenue/employee 2023",
        "Apple seven revenue 2023",
    ],
)
def test_an_operation_without_its_object_is_refused(told: Line, question: str):
    assert " | " not in told(question)


@pytest.mark.parametrize(
    "question",
    [
        "Apple and Microsoft combined revenue 2023",
        "total of Apple and Microsoft revenue 2023",
        "sum of Apple's and Microsoft's revenue 2023",
        "Apple and Microsoft revenue together 2023",
        "aggregate revenue of Apple and Microsoft 2020-2023",
    ],
)
def test_companies_are_not_added_up(told: Line, question: str):
    assert told(question).startswith("cross_company")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("total revenue of Apple and Microsoft 2023", "AAPL, MSFT | 2023 | revenue"),
        ("cumulative revenue of Apple and Microsoft 2020-2023", "AAPL, MSFT | 2020..2023 | revenue > sum"),
        ("total of R&D and SG&A, Apple 2023", "AAPL | 2023 | (rnd + sga)"),
        ("Apple/Microsoft/Amazon revenue 2023", "AAPL, MSFT, AMZN | 2023 | revenue"),
        ("Apple inventory / fiscal 2023", "AAPL | FY2023 | inventory"),
    ],
)
def test_sums_over_years_and_measures_and_slashes_between_names(told: Line, question: str, read: str):
    assert told(question) == read


@pytest.mark.parametrize(
    "question", ["Apple revenue / Microsoft 2023", "Apple revenue / 2023 net income", "Apple/cloud revenue 2023"]
)
def test_a_slash_that_may_divide_is_refused(told: Line, question: str):
    assert told(question).startswith("not_understood")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("In which years was Apple's revenue more than $300 billion?", "AAPL | last 10 | revenue > > 300000000000"),
        (
            "Which years did Apple's revenue exceed $300 billion since 2019?",
            "AAPL | 2019.. | revenue > > 300000000000",
        ),
        ("Apple's highest revenue year", "AAPL | last 10 | revenue > highest"),
        ("Apple's lowest gross margin years", "AAPL | last 10 | gross_margin > lowest"),
    ],
)
def test_years_are_asked_by_a_bound_or_an_extreme(told: Line, question: str, read: str) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Apple revenue in fiscal 2024 minus revenue in 2023", "AAPL | FY2024, FY2023 | revenue > difference"),
        ("Apple revenue 2024 minus 2023", "AAPL | 2024, 2023 | revenue > difference"),
        ("Apple revenue in 2024 plus revenue in 2023", "AAPL | 2024, 2023 | revenue > sum"),
        ("Apple revenue minus cost of revenue in 2024", "AAPL | 2024 | (revenue - cost_of_revenue)"),
        ("Apple revenue minus revenue in 2024", "not_understood [minus]"),
    ],
)
def test_one_measure_of_two_years_is_put_together_over_them(told: Line, question: str, read: str) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (
            "By how much did Apple raise its dividend in 2023?",
            "AAPL | 2023 | change(dividends_paid) + change(dividends_per_share)",
        ),
        ("By what percent did Apple boost R&D in 2023?", "AAPL | 2023 | growth(rnd)"),
        ("How much did Nike cut its capex in 2023?", "NKE | 2023 | change(capex)"),
        ("How much debt did Apple raise in 2023?", "AAPL | 2023 | debt_issued"),
    ],
)
def test_a_verb_by_which_a_company_moves_a_figure_asks_for_its_change(told: Line, question: str, read: str) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "How much equity did Tesla raise in 2023?",
        "How much revenue did Apple raise in 2023?",
        "How much did Apple raise in dividends in 2023?",
        "By how much did Apple reduce its debt in 2023?",
        "Apple tax cut 2023",
        "How much did Apple cut licensing revenue in 2023?",
    ],
)
def test_what_is_raised_or_cut_otherwise_is_no_change_of_a_figure(question: str) -> None:
    assert not asks_figures(question)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Who lost more in 2023, Apple or Microsoft?", "AAPL, MSFT | 2023 | net_income > lowest 1"),
        ("Which had the smaller net loss in 2023, Apple or Microsoft?", "AAPL, MSFT | 2023 | net_income > highest 1"),
        ("In which year since 2015 did Tesla lose the most?", "TSLA | 2015.. | net_income > lowest"),
        ("Did Tesla lose more than $500 million in 2019?", "TSLA | 2019 | net_income > < -500000000"),
        ("Which companies lost money in 2023?", "everyone | 2023 | net_income > < 0"),
        ("Which companies are profitable?", "everyone | latest | net_income > > 0"),
        ("Which companies earned over $10 billion in 2023?", "everyone | 2023 | net_income > > 10000000000"),
        (
            "Which of Apple and Nike had the highest impairment loss in 2023?",
            "AAPL, NKE | 2023 | asset_impairment > highest 1",
        ),
    ],
)
def test_the_most_that_is_lost_is_the_lowest_income(told: Line, question: str, read: str) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Did Apple's revenue fall by more than 5% in 2023?", "AAPL | 2023 | growth(revenue) > < -5"),
        (
            "Did Apple's revenue decline by at least $9 billion in 2023?",
            "AAPL | 2023 | change(revenue) > <= -9000000000",
        ),
        (
            "Did Apple's gross margin fall by more than 2 points in 2023?",
            "AAPL | 2023 | change(gross_margin) > < -2",
        ),
        ("Did Apple's revenue fall more than 2% from 2021 to 2023?", "AAPL | 2021..2023 | revenue > growth > < -2"),
        ("Did Apple's revenue grow more than 5% in 2023?", "AAPL | 2023 | growth(revenue) > > 5"),
        ("Did Apple's net income drop by less than 20% in 2023?", "AAPL | 2023 | growth(net_income)"),
        ("Did Apple's gross margin fall below 40% in 2023?", "AAPL | 2023 | gross_margin > < 40"),
    ],
)
def test_a_fall_by_more_than_a_bound_is_a_growth_below_its_negative(told: Line, question: str, read: str) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "Did Apple's revenue fall to less than $300 billion in 2023?",
        "Did Apple's revenue rise to more than $300 billion in 2023?",
        "Did Apple's revenue growth decline by more than 5 points in 2023?",
        "In which years did Apple's revenue fall by more than 5%?",
    ],
)
def test_a_bound_that_may_be_of_another_figure_is_refused(question: str) -> None:
    assert not asks_figures(question)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Did Apple's revenue grow compared with the prior year?", "AAPL | latest | growth(revenue) > > 0"),
        ("How much did Apple's revenue grow over the previous year?", "AAPL | latest | growth(revenue)"),
        ("Apple revenue growth Q3 vs Q3 last year", "AAPL | Q3 latest | growth(revenue)"),
        ("Did Apple's revenue grow in the prior year?", "AAPL | previous | growth(revenue) > > 0"),
    ],
)
def test_the_year_that_growth_is_set_against_is_not_the_one_that_grew(told: Line, question: str, read: str) -> None:
    assert told(question) == read


def test_a_bound_in_percent_is_none_of_an_amount(told: Line) -> None:
    assert not asks_figures("Did Apple's revenue plunge more than 40% in 2023?")
    assert told("Was Apple's gross margin more than 40% in 2023?") == "AAPL | 2023 | gross_margin > > 40"
