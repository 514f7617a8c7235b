"""The node plan: one plan a run, with a target, a refusal, or the words of the concierge."""

from datetime import date

import pytest
from pytest_django import Settings

from agent.registrants.companies import Companies, Registrant
from agent.language.reading import MOST_TOKENS, Reader
from agent.numbers import registry
from agent.refusals.codes import Code
from agent.state import AgentState, QuestionType, Scale, Versions
from agent.steps.deps import Deps
from agent.steps.plan import plan


@pytest.fixture(scope="module")
def deps() -> Deps:
    companies = Companies.of(
        [
            Registrant(320193, "Apple Inc.", ("AAPL",), covered=True),
            Registrant(789019, "MICROSOFT CORP", ("MSFT",), covered=True),
            Registrant(716314, "GRAHAM CORP", ("GHM",)),
            Registrant(104889, "Graham Holdings Co", ("GHC",)),
            Registrant(749251, "GARTNER INC", ("IT",)),
        ]
    )
    held = registry.load()
    return Deps(companies, held, date(2026, 11, 21), Versions(code="test", registry=held.version, corpus="test"))


def planned(question: str, deps: Deps) -> AgentState:
    return plan(AgentState(question=question), deps)


def test_it_plans_one_target(deps):
    state = planned("Apple revenue FY2024 in billions", deps)
    (target,) = state.plan.targets
    assert (target.id, target.company.cik, target.period.year) == (0, 320193, 2024)
    assert [reading.concept for reading in target.readings] == ["revenue"]
    assert state.plan.type is QuestionType.NUMERIC
    assert state.plan.scale is Scale.BILLIONS
    assert state.refusals == ()
    assert state.open_targets() == (target,)


def test_it_refuses_with_what_was_understood_and_no_target(deps):
    state = planned("Apple gross revenue FY2024", deps)
    (refusal,) = state.refusals
    assert (refusal.target, refusal.code, refusal.stage) == (0, Code.NOT_UNDERSTOOD, "plan")
    assert "\u201cgross\u201d" in refusal.text
    assert refusal.about.company.cik == 320193
    assert refusal.about.period.year == 2024
    assert refusal.concepts == ("revenue",)
    assert ("Words", "gross") in refusal.looked_for
    assert ("Period", "FY2024") in refusal.looked_for
    assert state.plan.targets == ()
    assert state.open_targets() == ()
    assert [span.text for span in state.plan.spans if span.role == "unused"] == ["gross"]


def test_it_names_both_registrants_of_one_name(deps):
    (refusal,) = planned("Graham revenue 2023", deps).refusals
    assert refusal.code is Code.AMBIGUOUS_COMPANY
    assert refusal.companies == (716314, 104889)
    assert "GRAHAM CORP (GHM) and Graham Holdings Co (GHC)" in refusal.text


def test_it_speaks_of_itself_in_a_block_and_nothing_else(deps):
    state = planned("what can you do?", deps)
    (block,) = state.blocks
    assert (block.type, block.outcome) == (QuestionType.META, "meta")
    assert "2 companies are covered, including Apple and Microsoft" in block.text
    assert state.refusals == ()
    assert state.open_targets() == ()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why did Apple's revenue fall?", QuestionType.PROSE),
        ("What was Apple's revenue in FY2024 and what drove it?", QuestionType.BOTH),
        ("Should I buy Apple?", QuestionType.REFUSE),
        ("Apple gross margin 2023", QuestionType.NUMERIC),
        ("hello", QuestionType.META),
    ],
)
def test_the_plan_says_what_kind_of_question_it_is(db, deps, question, kind):
    assert planned(question, deps).plan.type is kind


def test_a_plan_is_made_once(deps):
    state = planned("Apple revenue", deps)
    with pytest.raises(ValueError, match="planned already"):
        plan(state, deps)


@pytest.mark.parametrize(
    "words", ["zz ", "Apple and Microsoft ", "What was revenue? ", "For our review, what ", "IT "]
)
def test_a_question_is_not_read_again_and_again_however_many_words_repeat(
    deps: Deps, settings: Settings, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    settings.QUESTION_MAX_LENGTH = 4000
    read: list[int] = []
    under = Reader.under

    def counted(self: Reader, *given: object) -> object:
        read.append(len(self.sentence.tokens))
        return under(self, *given)

    monkeypatch.setattr(Reader, "under", counted)
    planned(words * (4000 // len(words)), deps)
    # Itself, its parts with and without a company, and the last of them beyond what is left.
    assert sum(read) < 3 * MOST_TOKENS + 2 * max(read)


def test_a_question_longer_than_any_that_is_taken_is_not_read(deps: Deps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent.steps.plan.read_parts", None)
    state = planned("Apple revenue 2024, " * 5_000, deps)
    assert [refused.code for refused in state.refusals] == [Code.TOO_LONG]
    assert state.plan.type is QuestionType.REFUSE
