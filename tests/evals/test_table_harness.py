"""Derived goldens, traps and rewordings asked of the reader and the tables: what counts as right, and which gates fail."""

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from agent.steps.deps import Deps
from evals import table_harness
from evals.gates import failures
from evals.table_harness import DERIVED_GATES, Grade, Outcome, TableTally, ask, graded, reply
from evals.truths import derived_truth, interim_truth
from evals.truths.derived_truth import DerivedGolden, read
from tests.support.sample import Sample

GOLDENS = {golden.id: golden for golden in read()}
MARGIN = GOLDENS["d001"]


def grade(golden: DerivedGolden) -> Grade:
    return graded(golden, *ask(golden.question, Deps.current(today=table_harness.TODAY)))


@pytest.mark.parametrize("kind", ["metric", "extreme", "rank", "threshold", "growth", "not_meaningful", "non_gaap"])
def test_each_kind_is_right_somewhere(kind: str, sample: Sample) -> None:
    held = [one for one in GOLDENS.values() if one.kind == kind and one.sample]
    assert Grade.RIGHT in map(grade, held[:4])


def test_a_figure_that_is_off_in_its_twelfth_digit_is_wrong(sample: Sample) -> None:
    due = MARGIN.truth[0]
    other = due.model_copy(update={"value": due.value + Decimal("0.0000000001")})
    assert grade(MARGIN) is Grade.RIGHT
    assert grade(MARGIN.model_copy(update={"truth": (other,)})) is Grade.WRONG


def test_figures_where_none_are_due_are_wrong(sample: Sample) -> None:
    assert grade(MARGIN.model_copy(update={"expect": "refused", "code": "non_gaap"})) is Grade.WRONG


def test_a_refusal_where_figures_are_due_is_no_wrong_figure(sample: Sample) -> None:
    strange = MARGIN.model_copy(update={"question": "What was Apple's Zyntrophic gross margin in fiscal 2023?"})
    assert grade(strange) is Grade.REFUSED
    due = strange.model_copy(update={"expect": "refused", "code": "non_gaap"})
    assert grade(due) is Grade.CODE
    assert grade(due.model_copy(update={"also": ("not_understood",)})) is Grade.RIGHT


def test_the_order_and_the_verdict_count(sample: Sample) -> None:
    rank = next(one for one in GOLDENS.values() if one.order and one.sample and grade(one) is Grade.RIGHT)
    assert grade(rank.model_copy(update={"order": rank.order[::-1]})) is Grade.WRONG
    bound = next(one for one in GOLDENS.values() if one.verdict is not None and grade(one) is Grade.RIGHT)
    assert grade(bound.model_copy(update={"verdict": not bound.verdict})) is Grade.WRONG


def test_a_reply_tells_bounds_apart(sample: Sample) -> None:
    deps = Deps.current(today=table_harness.TODAY)
    over, under = (
        reply(f"Was Apple's revenue {word} $100 billion in fiscal 2023?", deps) for word in ("above", "below")
    )
    assert isinstance(over, list)
    assert over != under


def test_a_wrong_figure_fails_the_gate_and_a_part_of_the_questions_has_no_share_to_fail() -> None:
    def failed(*grades: Grade, whole: bool) -> list[str]:
        tally = TableTally("check", tuple(Outcome(MARGIN, one, "", 1.0) for one in grades))
        return failures("Derived figures", tally, DERIVED_GATES, whole)

    assert failed(*[Grade.RIGHT] * 9, Grade.WRONG, whole=False) == ["Derived figures: wrong figures"]
    assert failed(Grade.REFUSED, whole=False) == []
    assert failed(Grade.REFUSED, whole=True) == ["Derived figures: right"]
    assert failed(Grade.RIGHT, whole=True) == []


def test_it_tells_what_missed_of_the_tuning_half_alone(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    strange = MARGIN.model_copy(update={"question": "What was Apple's Zyntrophic gross margin in fiscal 2023?"})
    unseen = strange.model_copy(update={"id": "d999", "half": "check"})
    monkeypatch.setattr(derived_truth, "read", lambda: [strange.model_copy(update={"half": "tune"}), unseen])
    monkeypatch.setattr(interim_truth, "read", list)
    monkeypatch.setattr(table_harness, "read_traps", list)
    monkeypatch.setattr(table_harness, "read_harmless", list)
    out = StringIO()
    with pytest.raises(CommandError, match="Derived figures: right"):
        call_command("evaluate", part="tables", show=True, stdout=out)
    assert "Zyntrophic" in out.getvalue()
    assert "d999" not in out.getvalue()
