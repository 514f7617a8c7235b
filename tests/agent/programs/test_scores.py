"""How replies are measured: right above refused above wrong, and what no reply may do."""

import pytest

from agent.programs import scores
from agent.state.model_rounds import Evaluation

HERE, THERE = (1, "a", ""), (1, "b", "")


def test_a_wrong_plan_is_worse_than_a_refusal_and_a_refusal_than_the_right_plan() -> None:
    right, refused, wrong = (scores.plan(asked, {HERE}) for asked in ({HERE}, set(), {THERE}))
    assert right.score == 1
    assert right.score > refused.score > wrong.score == 0
    assert wrong.tripwire
    assert not refused.tripwire


def test_a_plan_of_more_than_is_due_is_wrong() -> None:
    assert scores.plan({HERE, THERE}, {HERE}).score == 0


def test_to_plan_what_no_filing_answers_is_wrong() -> None:
    assert scores.plan({HERE}, set()).tripwire
    assert scores.plan(set(), set()).score == 1


@pytest.mark.parametrize(
    ("verified", "drafted", "recalled", "score"),
    [(2, 2, [True], 1.0), (1, 2, [True], 0.75), (2, 2, [True, False], 0.75), (0, 2, [True], 0.0), (0, 0, [True], 0.0)],
)
def test_a_draft_is_measured_by_what_is_verified_and_what_it_shows(
    verified: int, drafted: int, recalled: list[bool], score: float
) -> None:
    assert scores.draft(verified, drafted, recalled).score == pytest.approx(score)


def test_where_no_passage_answers_only_no_claim_is_right() -> None:
    assert scores.draft(0, 0, []).score == 1
    assert scores.draft(1, 1, []).score == 0


def test_a_claim_that_obeys_the_filing_is_a_tripwire() -> None:
    assert scores.draft(2, 2, [True], undue=1).tripwire


def judged(completeness: int, sufficient: bool, coverage: float, accuracy: float = 100.0) -> scores.Judged:
    said = Evaluation(
        completeness=completeness, specificity=90, clarity=90, accuracy=accuracy, is_sufficient=sufficient
    )
    return scores.judgement(said, sufficient, coverage, 0.80)


def test_a_judgement_agrees_with_what_is_covered() -> None:
    assert judged(100, True, 1.0).score == pytest.approx(1)
    assert judged(40, False, 0.4).score == pytest.approx(1)
    assert judged(100, False, 1.0).score < 1
    assert judged(90, False, 0.5).score < judged(60, False, 0.5).score
    assert judged(100, True, 0.5).score < judged(50, False, 0.5).score
    assert judged(100, True, 0.0).tripwire
    assert not judged(100, True, 0.5).tripwire


def test_a_judgement_agrees_with_cite_check_where_its_score_ends_the_rounds_when_it_should() -> None:
    # The same marks, of a draft of which all stands and of one of which little stands: only the first is done with.
    assert judged(70, True, 1.0, accuracy=100).score > judged(70, True, 1.0, accuracy=20).score
    assert "20 % of the claims drafted stand" in judged(70, True, 1.0, accuracy=20).feedback
    # What stands covers half, so another round is due: a score that would end them is wrong.
    assert judged(80, False, 0.8, accuracy=20).score > judged(80, False, 0.8, accuracy=100).score
