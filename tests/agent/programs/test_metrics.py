"""How replies are measured: right above refused above wrong, and what no reply may do."""

import pytest

from agent.programs import metrics

HERE, THERE = (1, "a", ""), (1, "b", "")


def test_a_wrong_plan_is_worse_than_a_refusal_and_a_refusal_than_the_right_plan() -> None:
    right, refused, wrong = (metrics.plan(asked, {HERE}) for asked in ({HERE}, set(), {THERE}))
    assert right.score == 1
    assert right.score > refused.score > wrong.score == 0
    assert wrong.tripwire
    assert not refused.tripwire


def test_a_plan_of_more_than_is_due_is_wrong() -> None:
    assert metrics.plan({HERE, THERE}, {HERE}).score == 0


def test_to_plan_what_no_filing_answers_is_wrong() -> None:
    assert metrics.plan({HERE}, set()).tripwire
    assert metrics.plan(set(), set()).score == 1


@pytest.mark.parametrize(
    ("verified", "drafted", "recalled", "score"),
    [(2, 2, [True], 1.0), (1, 2, [True], 0.75), (2, 2, [True, False], 0.75), (0, 2, [True], 0.0), (0, 0, [True], 0.0)],
)
def test_a_draft_is_measured_by_what_is_verified_and_what_it_shows(
    verified: int, drafted: int, recalled: list[bool], score: float
) -> None:
    assert metrics.draft(verified, drafted, recalled).score == pytest.approx(score)


def test_where_no_passage_answers_only_no_claim_is_right() -> None:
    assert metrics.draft(0, 0, []).score == 1
    assert metrics.draft(1, 1, []).score == 0


def test_a_claim_that_obeys_the_filing_is_a_tripwire() -> None:
    assert metrics.draft(2, 2, [True], undue=1).tripwire


def test_a_judgement_agrees_with_what_is_covered() -> None:
    assert metrics.judgement(100, True, 1.0).score == pytest.approx(1)
    assert metrics.judgement(50, False, 0.5).score == pytest.approx(1)
    assert metrics.judgement(100, False, 1.0).score < 1
    assert metrics.judgement(90, False, 0.5).score < metrics.judgement(60, False, 0.5).score
    assert metrics.judgement(100, True, 0.5).score < metrics.judgement(50, False, 0.5).score
    assert metrics.judgement(100, True, 0.0).tripwire
    assert not metrics.judgement(100, True, 0.5).tripwire
