"""How a question says which report gives each year."""

import pytest

from agent.query.wording.answer_form import with_choice
from agent.query.words.refused_question import Misread
from agent.state.query import Basis, Query
from agent.state.question_words import Role
from agent.state.references import PeriodForm
from tests.agent.query.conftest import query_of

FIRST, LAST = Basis.FIRST, Basis.LAST


@pytest.mark.parametrize(
    ("question", "basis"),
    [
        ("Apple revenue 2020 to 2024 as first reported", FIRST),
        ("Apple revenue 2020 to 2024, as originally reported", FIRST),
        ("What was Apple's originally reported revenue for 2022?", FIRST),
        ("Apple revenue 2020 to 2024 before restatements", FIRST),
        ("Apple revenue 2020 to 2024 as last reported", LAST),
        ("Apple diluted EPS 2020 to 2024, split adjusted", LAST),
        ("Apple revenue 2020 to 2024 as restated", LAST),
        ("Apple revenue and net income 2022 as most recently reported", LAST),
        ("Apple income statement 2020 to 2024 as first reported", FIRST),
        ("Apple revenue 2020 to 2024 as reported", None),
        ("Apple revenue 2020 to 2024", None),
    ],
)
def test_words_choose_the_report_that_gives_each_year(question: str, basis: Basis | None) -> None:
    found = query_of(question)
    assert isinstance(found, Query)
    assert found.basis is basis
    said = [word for word in found.words if word.meaning in set(Basis)]
    assert [word.role for word in said] == [Role.PERIOD] * (basis is not None)


def test_both_at_once_are_not_understood() -> None:
    assert isinstance(query_of("Apple revenue 2020 as first reported and as restated"), Misread)


def test_all_companies_are_ranked_by_first_reported_figures_only() -> None:
    assert isinstance(query_of("Rank all companies by revenue in 2023 as restated"), Misread)
    found = query_of("Rank all companies by revenue in 2023 as first reported")
    assert isinstance(found, Query)
    assert (found.everyone, found.basis) == (True, FIRST)
    assert isinstance(query_of("Rank all companies by revenue in 2023 as known on 1 June 2024"), Misread)


def test_last_reported_year_is_still_the_newest_one() -> None:
    found = query_of("Apple revenue in the last reported year")
    assert isinstance(found, Query)
    assert (found.basis, found.periods.periods[0].form) == (None, PeriodForm.LATEST)  # type: ignore[union-attr]


def test_a_follow_up_keeps_the_basis_and_one_alone_changes_it() -> None:
    first = query_of("Apple revenue 2020 to 2024 as first reported")
    assert isinstance(first, Query)
    after = query_of("and the net income?", first)
    assert isinstance(after, Query)
    assert after.basis is FIRST
    changed = query_of("as last reported", first)
    assert isinstance(changed, Query)
    assert (changed.basis, changed.rows, changed.periods) == (LAST, first.rows, first.periods)


@pytest.mark.parametrize(
    ("question", "choice", "other"),
    [
        ("Apple revenue 2020 to 2024", FIRST, "Apple revenue 2020 to 2024, as first reported"),
        ("Apple revenue 2020 to 2024, as first reported?", LAST, "Apple revenue 2020 to 2024, as last reported?"),
    ],
)
def test_a_link_asks_for_the_other_basis_in_words_that_are_read(question: str, choice: Basis, other: str) -> None:
    found = query_of(question)
    assert isinstance(found, Query)
    assert with_choice(question, found, choice) == other
    after = query_of(other)
    assert isinstance(after, Query)
    assert (after.basis, after.rows, after.periods) == (choice, found.rows, found.periods)
