"""Who asks, and what for, is passed over before the request: never what could narrow the figure."""

import pytest

from agent.query.words.refused_question import Misread
from agent.state.query import Query
from agent.state.question_words import Role
from tests.agent.query.conftest import Read


@pytest.mark.parametrize(
    "lead",
    [
        "I'm preparing a credit deck and need",
        "Someone in procurement needs",
        "Our pension committee is asking about",
        "As a new trainee I have to look up",
        "The trainee just phoned and he wants",
        "My boss's assistant wants to know",
        "A trader wonders what was",
        "Any chance you could show me",
        "Be so kind as to tell me",
        "Excuse me, what was",
        "I'd love to know",
        "Do you mind telling me",
        "The boss needs",
    ],
)
def test_who_asks_changes_nothing(query: Read, lead: str):
    found, plain = query(f"{lead} Apple's inventory for 2023"), query("Apple's inventory for 2023")
    assert isinstance(found, Query)
    assert isinstance(plain, Query)
    assert (found.companies, found.periods, [row.measure for row in found.rows], found.operations) == (
        plain.companies,
        plain.periods,
        [row.measure for row in plain.rows],
        plain.operations,
    )


def test_what_is_passed_over_is_listed(query: Read):
    found = query("Someone in procurement needs Apple's inventory for 2023")
    assert [word.text for word in found.words if word.role is Role.UNUSED] == ["procurement"]


@pytest.mark.parametrize(
    "lead",
    [
        "In China need",
        "For the cloud unit show",
        "From licences I need",
        "As for licences I need",
        "I'm modelling the cloud unit and need",
        "I'm interested in the cloud and need",
        "I'm asking for a cloud and need",
        "I study licences and need",
        "licences I need",
        "The cloud show",
        "Someone asked for cloud and needs",
        "I only study licences but need",
        "I without licences need",
        "The cloud needs of",
        "I'm preparing a Windows deck and need",
        "I'm preparing a 3 page deck and need",
        "We adjusted something and need",
        "Any chance cloud",
    ],
)
def test_what_could_narrow_is_not_passed_over(query: Read, lead: str):
    assert isinstance(query(f"{lead} Microsoft's revenue for 2023"), Misread)
