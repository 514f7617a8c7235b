"""Whether a day of the question is the one by which reports were filed, as far as words tell."""

from datetime import date

import pytest

from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.state.query import Query, Span, Years
from agent.state.question_words import Role
from agent.state.references import PeriodForm
from tests.agent.query.conftest import query_of


def read(question: str, previous: Query | None = None) -> Query:
    found = query_of(question, previous)
    assert isinstance(found, Query), found
    return found


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("Apple revenue 2022 as known on 1 June 2023", date(2023, 6, 1)),
        ("Apple revenue 2022 as known in March 2024", date(2024, 3, 31)),
        ("Apple revenue 2022, known by 2023-06-01", date(2023, 6, 1)),
        ("Apple revenue 2022 as filed by June 1, 2023", date(2023, 6, 1)),
        ("Apple revenue 2022 as reported by June 1, 2023", date(2023, 6, 1)),
    ],
)
def test_known_or_filed_by_a_day_is_nothing_else(question: str, day: date) -> None:
    found = read(question)
    assert (found.as_of, found.as_of_words, found.dated) == (day, "", None)
    assert isinstance(found.periods, Years)
    assert [one.year for one in found.periods.periods] == [2022]
    assert not any(word.role is Role.UNUSED for word in found.words)


def test_as_of_behind_another_period_is_read_in_both_ways() -> None:
    found = read("Apple cash 2023 as of September 30, 2023")
    assert (found.as_of, found.as_of_words) == (date(2023, 9, 30), "as of September 30, 2023")
    assert isinstance(found.periods, Years)
    assert isinstance(found.dated, Years)
    assert [one.year for one in found.periods.periods] == [2023]
    assert [one.end for one in found.dated.periods] == [date(2023, 9, 30)]
    assert isinstance(read("Apple revenue 2020 to 2023 as of March 2024").periods, Span)


@pytest.mark.parametrize(
    "question",
    [
        "Apple total assets as of December 31, 2023",
        "Apple latest cash as of September 30, 2023",
        "Apple cash as of year end 2024",
        "Apple revenue 2022 as of today",
    ],
)
def test_a_day_alone_is_the_day_of_the_figures(question: str) -> None:
    assert read(question).as_of is None


def test_text_is_of_no_day_on_which_it_was_known() -> None:
    found = query_of("What were Apple's risk factors as known on 1 June 2023?")
    assert isinstance(found, Misread)
    assert (found.code, found.words) == (Code.NOT_UNDERSTOOD, ("as known on 1 June 2023",))


def test_a_follow_up_keeps_the_day_and_may_name_one() -> None:
    first = read("Apple revenue 2022 as known on 1 June 2023")
    assert read("and the net income?", first).as_of == date(2023, 6, 1)
    later = read("as known on 1 June 2024", first)
    assert (later.as_of, later.periods, later.rows) == (date(2024, 6, 1), first.periods, first.rows)
    newest = read("Apple revenue as known on 1 June 2023").periods
    assert isinstance(newest, Years)
    assert newest.periods[0].form is PeriodForm.LATEST
