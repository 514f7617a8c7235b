"""A question behind a table may change it: companies, measures and years more or fewer, another form."""

import pytest

from agent.query.words.refused_question import Misread
from agent.state.query import Query
from agent.state.question_words import Display, Role
from tests.agent.query.conftest import before, line_of, query_of

ONE = "Apple revenue from 2020 to 2024"
TWO = "Apple and Microsoft revenue, last 5 years"
ROWS = "Apple revenue and R&D 2022-2024"
SINGLE = "Apple revenue in fiscal 2024"
QUARTERS = "Apple revenue last 8 quarters"


def behind(*questions: str) -> str:
    """What the last of several questions is read as, each behind the one before."""
    first, *following, last = questions
    table = before(first)
    for one in following:
        found = query_of(one, table)
        table = found if isinstance(found, Query) else found.query
    return line_of(last, table)


@pytest.mark.parametrize(
    ("first", "said", "read"),
    [
        # companies
        (ONE, "add Microsoft", "AAPL, MSFT | 2020..2024 | revenue"),
        (ONE, "please add Microsoft and Amazon to the table", "AAPL, MSFT, AMZN | 2020..2024 | revenue"),
        (ONE, "and Microsoft too", "AAPL, MSFT | 2020..2024 | revenue"),
        (ONE, "Microsoft as well", "AAPL, MSFT | 2020..2024 | revenue"),
        (ONE, "and Microsoft", "AAPL, MSFT | 2020..2024 | revenue"),
        (ONE, "compare with Microsoft and Amazon", "AAPL, MSFT, AMZN | 2020..2024 | revenue > highest first"),
        (ONE, "add Apple", "AAPL | 2020..2024 | revenue"),
        (ONE, "put Microsoft next to it", "AAPL, MSFT | 2020..2024 | revenue"),
        (ONE, "let's add Microsoft as well", "AAPL, MSFT | 2020..2024 | revenue"),
        (ONE, "plus Microsoft", "AAPL, MSFT | 2020..2024 | revenue"),
        (TWO, "take Microsoft out", "AAPL | last 5 | revenue"),
        (TWO, "without Apple", "MSFT | last 5 | revenue"),
        (TWO, "drop Microsoft please", "AAPL | last 5 | revenue"),
        (TWO, "only Microsoft", "MSFT | last 5 | revenue"),
        ("Apple vs Microsoft revenue 2023", "remove Microsoft", "AAPL | 2023 | revenue"),
        ("AMD FY2024 vs NVDA FY2025 revenue", "without AMD", "NVDA | FY2024 (1045810: FY2025) | revenue"),
        (ONE, "replace Apple with Microsoft", "MSFT | 2020..2024 | revenue"),
        (ONE, "switch to Microsoft", "MSFT | 2020..2024 | revenue"),
        ("Apple revenue CAGR 2019-2024", "add AMD", "AAPL, AMD | 2019..2024 | revenue > cagr"),
        # measures
        (ROWS, "gross margin instead", "AAPL | 2022..2024 | gross_margin"),
        ("Apple revenue and gross margin 2024", "remove the margin", "AAPL | 2024 | revenue"),
        (ONE, "add gross margin", "AAPL | 2020..2024 | revenue + gross_margin"),
        (ONE, "and operating income", "AAPL | 2020..2024 | revenue + operating_income"),
        (ONE, "add Microsoft and gross margin", "AAPL, MSFT | 2020..2024 | revenue + gross_margin"),
        (ROWS, "without R&D", "AAPL | 2022..2024 | revenue"),
        (ROWS, "remove revenue", "AAPL | 2022..2024 | rnd"),
        (ROWS, "just R&D", "AAPL | 2022..2024 | rnd"),
        # years
        (ONE, "only 2024", "AAPL | 2024 | revenue"),
        (ONE, "without 2020", "AAPL | 2021, 2022, 2023, 2024 | revenue"),
        (ONE, "up to 2022", "AAPL | 2020..2022 | revenue"),
        (ONE, "extend to 2018", "AAPL | 2018..2024 | revenue"),
        (ONE, "from 2016 to 2019", "AAPL | 2016..2019 | revenue"),
        (TWO, "2018 too", "AAPL, MSFT | 2018.. | revenue"),
        ("Apple revenue", "add 2022", "AAPL | 2022, latest | revenue"),
        (ONE, "back to 2018", "AAPL | 2018..2024 | revenue"),
        (ONE, "two more years", "AAPL | 2018..2024 | revenue"),
        (TWO, "another year", "AAPL, MSFT | last 6 | revenue"),
        (SINGLE, "three more years", "AAPL | FY2021..FY2024 | revenue"),
        (SINGLE, "add 2022", "AAPL | 2022, FY2024 | revenue"),
        (ONE, "add Microsoft since 2021", "AAPL, MSFT | 2021.. | revenue"),
        # quarters
        (ONE, "quarterly", "AAPL | Q1 2020..Q4 2024 | revenue"),
        (TWO, "by quarter", "AAPL, MSFT | last 20 quarters | revenue"),
        ("Apple revenue CAGR 2019-2022", "what about quarterly?", "AAPL | Q1 2019..Q4 2022 | revenue"),
        (SINGLE, "show it by quarter", "AAPL | Q1 FY2024, Q2 FY2024, Q3 FY2024, Q4 FY2024 | revenue"),
        ("Apple revenue from 2016 to 2024", "quarterly", "AAPL | last 8 quarters | revenue"),
        (QUARTERS, "annual", "AAPL | last 2 | revenue"),
        (QUARTERS, "since 2023", "AAPL | Q1 2023.. | revenue"),
        (QUARTERS, "only 2023", "AAPL | Q1 2023, Q2 2023, Q3 2023, Q4 2023 | revenue"),
        # forms
        (ONE, "year over year", "AAPL | 2020..2024 | growth(revenue)"),
        (ROWS, "as growth", "AAPL | 2022..2024 | growth(revenue) + growth(rnd)"),
        (ROWS, "as a percentage of revenue", "AAPL | 2022..2024 | rnd % of revenue"),
        ("Apple gross margin 2022-2024", "in percent", "AAPL | 2022..2024 | gross_margin"),
        # parts
        (ONE, "by segment", "AAPL | 2020..2024 | revenue by segment"),
        (SINGLE, "split it by region", "AAPL | FY2024 | revenue by region"),
    ],
)
def test_it_changes_the_table_before_it(first: str, said: str, read: str) -> None:
    assert line_of(said, before(first)) == read


@pytest.mark.parametrize(
    ("questions", "read"),
    [
        ((ONE, "add Microsoft", "quarterly", "without Apple"), "MSFT | Q1 2020..Q4 2024 | revenue"),
        ((ONE, "year over year", "add R&D"), "AAPL | 2020..2024 | growth(revenue) + growth(rnd)"),
        ((ONE, "year over year", "in dollars"), "AAPL | 2020..2024 | revenue"),
        ((ROWS, "as a share of revenue", "add capex"), "AAPL | 2022..2024 | rnd % of revenue + capex % of revenue"),
        ((ONE, "by segment", "by region"), "AAPL | 2020..2024 | revenue by region"),
        ((ONE, "add Microsoft", "and take out Apple"), "MSFT | 2020..2024 | revenue"),
        ((ONE, "add Microsoft", "and leave Apple out"), "MSFT | 2020..2024 | revenue"),
        ((ONE, "by segment", "growth"), "AAPL | 2020..2024 | growth(revenue) by segment"),
        ((ONE, "by segment", "growth", "in dollars"), "AAPL | 2020..2024 | revenue by segment"),
        (("Apple balance sheet 2022-2024", "as common size"), "AAPL | 2022..2024 | statement balance common_size"),
        (
            ("Apple income statement 2022-2024", "growth", "in percent"),
            "AAPL | 2022..2024 | statement income common_size",
        ),
        (("Apple revenue since 2019", "without 2020"), "AAPL | 2019, 2021, 2022, 2023, 2024, 2025, latest | revenue"),
        ((ONE, "by segment", "in percent"), "AAPL | 2020..2024 | each % of total revenue by segment"),
        ((ONE, "quarterly", "annually"), "AAPL | 2020..2024 | revenue"),
        # a change that is refused leaves the table as it was
        ((ONE, "drop Microsoft", "add Amazon"), "AAPL, AMZN | 2020..2024 | revenue"),
        ((ONE, "in percent", "as a chart"), "AAPL | 2020..2024 | revenue"),
    ],
)
def test_changes_follow_one_another(questions: tuple[str, ...], read: str) -> None:
    assert behind(*questions) == read


@pytest.mark.parametrize(
    ("first", "said", "code", "words"),
    [
        (TWO, "drop Amazon", "not_in_table", "Amazon"),
        (TWO, "without Amazon", "not_in_table", "Amazon"),
        (ONE, "remove R&D", "not_in_table", "R&D"),
        (ONE, "without R&D", "not_in_table", "R&D"),
        (ONE, "without Apple", "last_in_table", "Apple"),
        (ONE, "remove revenue", "last_in_table", "revenue"),
        (TWO, "remove Apple and Microsoft", "last_in_table", "Apple and Microsoft"),
        (ONE, "in percent", "percentage_of", "in percent"),
        (ONE, "as a percentage of revenue", "percentage_of", "as a percentage of revenue"),
        (ONE, "add Frobnicorp", "unknown_company", "Frobnicorp"),
        (ONE, "add the margin", "ambiguous_concept", "margin"),
        (ONE, "up to 2018", "not_understood", "up to 2018"),
    ],
)
def test_a_change_that_cannot_be_made_says_why(first: str, said: str, code: str, words: str) -> None:
    table = before(first)
    found = query_of(said, table)
    assert isinstance(found, Misread)
    assert (found.code, found.words) == (code, (words,))
    assert found.query.rows == table.rows


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("and gross margin?", "AAPL | 2020..2024 | gross_margin"),
        ("what about Microsoft?", "MSFT | 2020..2024 | revenue"),
        ("and Microsoft's", "MSFT | 2020..2024 | revenue"),
        ("Microsoft net income FY2022", "MSFT | FY2022 | net_income + ~net_income_incl_nci + ~net_income_common"),
        ("add the risks", "AAPL | 2020, 2024 |  text: 'add the risks'"),
    ],
)
def test_a_question_of_its_own_is_no_change(said: str, read: str) -> None:
    assert line_of(said, before(ONE)) == read


@pytest.mark.parametrize(
    "said", ["drop in revenue?", "with tariffs", "not sure", "to whom does it sell?", "only if sure"]
)
def test_words_that_begin_as_a_change_take_nothing_out_of_the_table(said: str) -> None:
    found = query_of(said, before(ROWS))
    assert not (isinstance(found, Query) and found.rows and len(found.rows) < 2 and not found.operations)


@pytest.mark.parametrize(
    "said", ["as a chart", "chart it", "show me that as a bar chart please", "plot", "graph this"]
)
def test_a_chart_is_of_the_same_table(said: str) -> None:
    table = before(ONE)
    found = query_of(said, table)
    assert isinstance(found, Query)
    assert found.display is Display.CHART
    assert (found.companies, found.periods, found.rows) == (table.companies, table.periods, table.rows)


@pytest.mark.parametrize("said", ["as a grid", "as a table", "put it in a spreadsheet"])
def test_a_grid_is_of_the_same_table(said: str) -> None:
    found = query_of(said, before(ONE))
    assert isinstance(found, Query)
    assert found.display is Display.GRID


def test_the_table_behind_a_chart_is_shown_as_a_table_again() -> None:
    chart = query_of("as a chart", before(ONE))
    assert isinstance(chart, Query)
    found = query_of("add Microsoft", chart)
    assert isinstance(found, Query)
    assert found.display is Display.TABLE


@pytest.mark.parametrize(
    ("first", "said", "read"),
    [
        (ONE, "why did it fall?", "AAPL | 2024 |  text: 'why did revenue fall?'"),
        (ONE, "why?", "AAPL | 2024 |  text: 'why did revenue change?'"),
        (ONE, "how come?", "AAPL | 2024 |  text: 'why did revenue change?'"),
        (ONE, "what caused the drop?", "AAPL | 2024 |  text: 'what caused the drop in revenue'"),
        (ONE, "what drove that?", "AAPL | 2024 |  text: 'what drove revenue?'"),
        (ONE, "why did it fall in 2022?", "AAPL | 2022 |  text: 'why did revenue fall?'"),
        ("Apple revenue last 5 years", "why?", "AAPL | latest |  text: 'why did revenue change?'"),
        ("Apple revenue 2023 and 2024", "why?", "AAPL | 2024 |  text: 'why did revenue change?'"),
    ],
)  # fmt: skip
def test_a_reason_is_asked_of_the_newest_column(first: str, said: str, read: str) -> None:
    assert line_of(said, before(first)) == read


def test_a_reason_is_asked_of_what_a_changed_table_shows() -> None:
    assert behind(ONE, "add Microsoft", "why?") == "AAPL, MSFT | 2024 |  text: 'why did total revenue change?'"


def test_the_reason_of_a_quarter_is_not_looked_for_in_the_report_of_a_year() -> None:
    assert line_of("why?", before(QUARTERS)).startswith("interim_period")


@pytest.mark.parametrize("said", ["add Microsoft", "without R&D", "as a chart", "please add Microsoft to the table"])
def test_every_word_of_a_change_has_a_use(said: str) -> None:
    found = query_of(said, before(ROWS))
    assert isinstance(found, Query)
    assert "".join(word.text for word in found.words).replace(" ", "") == said.replace(" ", "")
    assert {word.role for word in found.words} <= {Role.OPERATION, Role.COMPANY, Role.MEASURE, Role.FRAME}
