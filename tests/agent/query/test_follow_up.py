"""A question after another takes from it what it leaves out."""

import pytest

from agent.query.explain import line
from agent.state.query import Query
from tests.agent.query.conftest import query_of


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("and in 2022?", "AAPL | 2022 | revenue"),
        ("what about Microsoft?", "MSFT | 2023 | revenue"),
        ("and gross margin?", "AAPL | 2023 | gross_margin"),
        ("the last 5 years", "AAPL | last 5 | revenue"),
        ("and Microsoft's in 2020", "MSFT | 2020 | revenue"),
        ("same for 2019", "AAPL | 2019 | revenue"),
        ("and the growth?", "AAPL | 2023 | revenue + growth(revenue)"),
        ("compare with Microsoft", "AAPL, MSFT | 2023 | revenue > highest first"),
    ],
)
def test_it_fills_what_is_left_out(question: str, read: str):
    before = query_of("Apple revenue 2023")
    assert isinstance(before, Query)
    assert line(query_of(question, before)) == read


def test_a_word_nobody_knows_takes_no_measure_from_before():
    before = query_of("Apple revenue 2023")
    assert isinstance(before, Query)
    found = query_of("and the risks?", before)
    assert isinstance(found, Query)
    assert found.topics
    assert not found.rows
