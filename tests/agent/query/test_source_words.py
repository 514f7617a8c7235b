"""The documents that a question names, and what is then asked of them."""

import pytest

from agent.query.reading.source_words import sources_named
from agent.query.words.refused_question import Misread
from agent.state.query import Query, Years
from agent.state.question_words import Role
from agent.state.references import PeriodForm
from agent.words.tokens import tokenise
from filings.models.source_kinds import KINDS, kinds_of
from filings.xbrl.periods import FiscalPeriod
from tests.agent.query.conftest import query_of


def named(question: str) -> list[str]:
    return [one.kind.key for one in sources_named(question, tokenise(question))]


def asked_of_documents(question: str) -> Query:
    """What documents are asked: at once, or where any is held."""
    found = query_of(question)
    query = found.sourced if isinstance(found, Misread) else found
    assert query is not None, question
    return query


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("What does Apple's latest 10-Q say about tariffs?", ["10-Q"]),
        ("What did they say about China on the Apple earnings call?", ["call"]),
        ("what did management say on the call about pricing", ["call"]),
        ("What guidance is in Apple's Q3 2024 release?", ["8-K"]),
        ("Who audits Apple, according to its proxy statement and its 10-K?", ["DEF 14A", "10-K"]),
        ("What is in the news about Apple?", ["news"]),
        ("What did Apple release in 2024?", []),
        ("Can Apple call its notes early?", []),
        ("What are Apple's risks?", []),
        ("Apple 3Q24 release - services margin?", ["8-K"]),
        ("why apple services up? First quarter 2025 call", ["call"]),
        ("Reasons in Apple's Q1 2024 deliveries release", ["8-K"]),
    ],
)
def test_documents_are_named_by_their_own_words(question: str, kinds: list[str]) -> None:
    assert named(question) == kinds


def test_the_words_of_the_name_are_looked_for_nowhere() -> None:
    query = asked_of_documents("What does Apple say about tariffs in its latest 10-Q?")
    assert query.sources == ("10-Q",)
    assert query.topics[0].text == "What does the company say about tariffs"
    assert [word.text for word in query.words if word.role is Role.SOURCE] == ["in its latest 10-Q"]


def test_the_quarter_of_a_document_is_its_period_and_no_subject() -> None:
    query = asked_of_documents("What did Apple say about tariffs on its Q2 2025 earnings call?")
    assert isinstance(query.periods, Years)
    assert [(one.year, one.part) for one in query.periods.periods] == [(2025, FiscalPeriod.Q2)]
    assert "Q2" not in query.topics[0].text


def test_the_number_of_a_form_is_no_year() -> None:
    periods = query_of("Apple revenue q2 10-Q").periods
    assert isinstance(periods, Years)
    assert [one.year for one in periods.periods] == [None]


def test_a_quarter_without_a_document_is_asked_of_whatever_is_of_it() -> None:
    found = query_of("What did Apple say about tariffs in Q2 2025?")
    assert isinstance(found, Misread)
    assert found.sourced is not None
    assert found.sourced.sources == ()


def test_a_month_is_that_in_which_a_quarter_ends() -> None:
    query = asked_of_documents("apple 10-Q june 2023 - what happened to the injunction")
    assert isinstance(query.periods, Years)
    assert [one.form for one in query.periods.periods] == [PeriodForm.ENDED]


def test_a_figure_named_beside_a_release_is_asked_as_a_figure() -> None:
    query = query_of("What was Apple's revenue in Q2 2024, according to its earnings release?")
    assert isinstance(query, Query)
    assert query.rows
    assert query.sources == ("8-K",)


@pytest.mark.parametrize(
    "question", ["Apple revenue 2024 from the 10-Q", "What was Apple's revenue for fiscal 2024, per its 8-K?"]
)
def test_a_year_is_in_no_quarterly_report_and_no_release(question: str) -> None:
    assert isinstance(query_of(question), Misread)


def test_kinds_are_listed_by_key_or_form_in_any_spelling() -> None:
    assert [one.key for one in kinds_of(["8-k", "DEF14A", "10-K405"])] == ["10-K", "8-K", "DEF 14A"]
    with pytest.raises(ValueError, match="“S-1” is no kind of document"):
        kinds_of(["S-1"])


def test_no_two_kinds_are_named_by_the_same_word() -> None:
    words = [word for kind in KINDS.values() for word in (*kind.words, *kind.nouns)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("Extra cash retainer of the chair of Apple's board in 2025 (2026 proxy)", (PeriodForm.CALENDAR, 2026, None)),
        ("What was Ada Oakes paid in 2025, per Apple's 2026 proxy?", (PeriodForm.CALENDAR, 2026, None)),
        ("Ada Oakes total pay 2025, apple proxy", (PeriodForm.BARE, 2025, None)),
        ("Apple's new margin target for fiscal 2024 in its Q3 release", (PeriodForm.FISCAL, 2024, FiscalPeriod.Q3)),
    ],
)
def test_the_period_of_the_name_is_that_of_the_document_and_a_year_beside_it_that_of_its_quarter(
    question: str, period: tuple[PeriodForm, int, FiscalPeriod | None]
) -> None:
    periods = asked_of_documents(question).periods
    assert isinstance(periods, Years)
    assert [(one.form, one.year, one.part) for one in periods.periods] == [period]
