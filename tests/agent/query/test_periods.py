"""Years as people write them."""

import pytest

from tests.agent.query.conftest import Line, asks_figures


@pytest.mark.parametrize(
    ("words", "periods"),
    [
        ("2024", "2024"),
        ("FY24", "FY2024"),
        ("fiscal 2024", "FY2024"),
        ("'24", "2024"),
        ("in calendar 2024", "CY2024"),
        ("FY21..FY25", "FY2021..FY2025"),
        ("FY21 - FY25", "FY2021..FY2025"),
        ("FY21-25", "FY2021..FY2025"),
        ("2020-2024", "2020..2024"),
        ("2020\u20132024", "2020..2024"),
        ("from 2019 to 2024", "2019..2024"),
        ("between 2020 and 2023", "2020..2023"),
        ("fiscal 2020 through 2025", "FY2020..FY2025"),
        ("from 2020 until 2024", "2020..2024"),
        ("since 2019", "2019.."),
        ("since fiscal 2021", "FY2021.."),
        ("last 5 years", "last 5"),
        ("over the last five fiscal years", "last 5"),
        ("past 3 years", "last 3"),
        ("last four years up to 2025", "last 4 to 2025"),
        ("past 3 years (2023-2025)", "2023..2025"),
        ("2021, 2022 and 2023", "2021, 2022, 2023"),
        ("FY2022 and 2023", "FY2022, FY2023"),
        ("for the year ended September 28, 2024", "2024-09-28"),
        ("fiscal 2022 (year ended feb 3 2023)", "2023-02-03"),
        ("latest", "latest"),
        ("most recent fiscal year", "latest"),
        ("last year", "previous"),
        ("last year, I mean 2024", "2024"),
        ("", "latest"),
        ("each year from 2019 to 2024", "2019..2024"),
        ("over time", "last 5"),
    ],
)
def test_it_reads_years(told: Line, words: str, periods: str):
    assert told(f"Apple revenue {words}") == f"AAPL | {periods} | revenue"


@pytest.mark.parametrize(
    "words", ["June 2024", "next quarter", "this quarter", "monthly", "weekly", "Q3 full year 2024"]
)
def test_months_weeks_and_quarters_to_come_are_refused(told: Line, words: str):
    assert told(f"Apple revenue {words}").partition(":")[0].split()[0] in {"interim_period", "not_understood"}


def test_a_month_is_the_day_of_a_balance(told: Line):
    assert told("Visa total assets sept 2024") == "V | 2024-09-30 | total_assets"
    assert told("Nike net debt May 2024").startswith("NKE | 2024-05-31 | net_debt")


@pytest.mark.parametrize(
    "question",
    [
        "AMD FY2024 vs NVDA FY2025 revenue",
        "revenue: AMD vs NVDA, FY2024 for AMD and FY2025 for Nvidia",
        "AMD revenue FY2024 and NVDA revenue FY2025",
        "revenue of AMD in FY2024 and of Nvidia in FY2025",
    ],
)
def test_a_company_has_its_own_year(told: Line, question: str):
    assert "(2488: FY2024) (1045810: FY2025)" in told(question)


def test_of_several_companies_one_may_have_its_own_year(told: Line):
    assert "2023 (1045810: FY2024)" in told("net margin 2023: META, GOOGL, NVDA(FY24)")


@pytest.mark.parametrize("words", ["after 2019", "growth after 2019", "the two years after 2019", "on or after 2019"])
def test_years_after_one_are_not_told_for_figures(told: Line, words: str):
    assert told(f"Apple revenue {words}").startswith("interim_period")


def test_years_apart_from_the_span_are_refused(told: Line):
    assert told("Apple revenue 2019-2021 and 2024").startswith("not_understood")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Apple revenue 24", "AAPL | 2024 | revenue"),
        ("AMD 24 revenue", "AMD | 2024 | revenue"),
        ("Apple revenue in 24", "AAPL | 2024 | revenue"),
        ("Apple revenue growth 24", "AAPL | 2024 | growth(revenue)"),
        ("Apple revenue 22 vs 23", "AAPL | 2022, 2023 | revenue"),
        ("Apple revenue 22, 23 and 24", "AAPL | 2022, 2023, 2024 | revenue"),
        ("Apple revenue 21-24", "AAPL | 2021..2024 | revenue"),
        ("Apple revenue 23/24/25", "AAPL | 2023..2025 | revenue"),
        ("Apple revenue FY24/FY23", "AAPL | FY2023..FY2024 | revenue"),
        ("Apple revenue 2022/23", "AAPL | 2022..2023 | revenue"),
        ("Apple rev last 5y", "AAPL | last 5 | revenue"),
        ("Apple revenue from 21 to 24", "AAPL | 2021..2024 | revenue"),
        ("Apple revenue since 21", "AAPL | 2021.. | revenue"),
        ("Apple revenue 21 v 22 v 24", "AAPL | 2021, 2022, 2024 | revenue"),
        ("Apple revenue growth 23->24", "AAPL | 2024 | growth(revenue)"),
    ],
)
def test_it_reads_years_of_two_digits(told: Line, question: str, read: str):
    assert told(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "Apple revenue 24%",
        "Apple revenue 24 billion",
        "Apple revenue $24",
        "Apple revenue 24 stores",
        "Apple revenue from 24 licences",
        "Apple revenue up 24",
        "Apple revenue Vision 16",
        "Apple revenue 2023 24",
        "Apple revenue note 18",
        "Apple revenue 42",
        "Apple revenue 24 or 5",
        "Apple revenue 20 to 25 billion",
    ],
)
def test_a_number_that_may_be_anything_else_is_no_year(question: str):
    assert not asks_figures(question)
