"""Several rounds of one run: which records each has, which targets are open, and whose answer ships."""

from agent.refusals.codes import Code
from agent.state import (
    Again,
    AgentState,
    Claim,
    Evaluation,
    Plan,
    QuestionType,
    Refusal,
)
from agent.steps.blocks import best_round
from tests.support.prose_answers import ACCESSION, target


def claim(text: str) -> Claim:
    return Claim(
        target=1, text=text, quote=text, chunk=1, section=1, sha256="", start=0, end=len(text), cik=1,
        accession=ACCESSION, item="1A",
    )  # fmt: skip


def evaluation(score: int) -> Evaluation:
    return Evaluation(completeness=score, specificity=score, clarity=score, accuracy=score)


def begun() -> AgentState:
    plan = Plan(type=QuestionType.PROSE, targets=(target(1), target(2)))
    return AgentState(question="What supply risks are there?").planned(plan)


AGAIN = Again(target=1)


def refusal() -> Refusal:
    return Refusal(target=1, code=Code.UNVERIFIED, stage="cite_check", text="Nothing stands.")


def test_records_carry_the_round_they_were_made_in() -> None:
    state = begun().add(verified=claim("one")).next_round([AGAIN]).add(verified=[claim("two"), claim("three")])

    assert [(one.text, one.iteration) for one in state.verified] == [("one", 0), ("two", 1), ("three", 1)]
    assert [one.text for one in state.now(state.verified, target(1))] == ["two", "three"]


def test_a_round_is_about_the_targets_it_was_made_for() -> None:
    state = begun().next_round([AGAIN])
    assert [one.id for one in state.open_targets()] == [1]


def test_a_target_refused_in_one_round_is_open_in_the_next_that_is_about_it() -> None:
    state = begun().add(refusals=refusal())
    assert [one.id for one in state.open_targets()] == [2]
    state = state.next_round([AGAIN])
    assert [one.id for one in state.open_targets()] == [1]
    assert not state.add(refusals=refusal()).open_targets()


def test_the_round_that_was_judged_best_ships() -> None:
    state = begun().add(verified=[claim("one"), claim("two")], evaluations=evaluation(60))
    better = state.next_round([AGAIN]).add(verified=claim("three"), evaluations=evaluation(80))
    worse = state.next_round([AGAIN]).add(verified=[claim("a"), claim("b"), claim("c")], evaluations=evaluation(50))

    assert best_round(better, target(1)) == 1
    assert best_round(worse, target(1)) == 0


def test_without_a_judgement_most_verified_claims_win_and_of_equals_the_earlier() -> None:
    state = begun().add(verified=claim("one"))
    assert best_round(state.next_round([AGAIN]).add(verified=claim("two")), target(1)) == 0
    assert best_round(state.next_round([AGAIN]).add(verified=[claim("two"), claim("three")]), target(1)) == 1


def test_a_judged_round_is_better_than_one_that_could_not_be_judged() -> None:
    state = begun().add(verified=claim("one"), evaluations=evaluation(40))
    assert best_round(state.next_round([AGAIN]).add(verified=[claim("two"), claim("three")]), target(1)) == 0


def test_a_round_that_was_refused_does_not_ship_and_hides_no_earlier_one() -> None:
    state = begun().add(verified=claim("one"), evaluations=evaluation(40))
    state = state.next_round([AGAIN]).add(verified=[claim("two")], refusals=refusal())
    assert best_round(state, target(1)) == 0
    assert best_round(begun().add(verified=claim("one"), refusals=refusal()), target(1)) is None
