"""How a question says what a column of several companies means."""

import pytest

from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.state.query import Alignment, Query
from agent.state.question_words import Role
from tests.agent.query.conftest import query_of

FISCAL, CALENDAR = Alignment.FISCAL, Alignment.CALENDAR


@pytest.mark.parametrize(
    ("question", "align"),
    [
        ("Apple and Microsoft revenue 2024, by each company's own fiscal calendar", FISCAL),
        ("compare the revenue of Apple and Microsoft in 2024 in their own fiscal years", FISCAL),
        ("Which had higher revenue in fiscal 2024, Apple or Microsoft, by each company's fiscal year?", FISCAL),
        ("Apple and Microsoft revenue in the last 4 quarters, aligned by calendar", CALENDAR),
        ("Apple and Microsoft revenue 2024, calendarized", CALENDAR),
        ("Apple and Microsoft revenue by calendar year", CALENDAR),
        ("Apple and Microsoft revenue by fiscal year", None),
        ("Apple and Microsoft revenue in calendar 2024", None),
    ],
)
def test_words_choose_an_alignment(question: str, align: Alignment | None) -> None:
    found = query_of(question)
    assert isinstance(found, Query)
    assert found.align is align
    said = [word for word in found.words if word.meaning in set(Alignment)]
    assert [word.role for word in said] == [Role.PERIOD] * (align is not None)


def test_a_follow_up_keeps_the_alignment() -> None:
    first = query_of("Apple and Microsoft revenue 2024, by each company's fiscal year")
    assert isinstance(first, Query)
    after = query_of("and the net income?", first)
    assert isinstance(after, Query)
    assert after.align is FISCAL


def test_calendar_years_of_one_company_are_not_read_as_its_fiscal_ones() -> None:
    found = query_of("Apple revenue by calendar year")
    assert isinstance(found, Misread)
    assert (found.code, found.words) == (Code.NOT_UNDERSTOOD, ("by calendar year",))
