"""The goldens as a whole: none contradicts itself, none stands twice, and what none asks for does not grow."""

from decimal import Decimal

import pytest

from evals import golden, golden_lint
from evals.golden_lint import contradicting, lacking, repeated

# No real company of the sample reports them.
CONCEPTS_LACKING = {"premiums_earned", "inventory_wip_fg"}
# Judged on the whole runs that ask them, not by goldens of their own.
PROGRAMS_LACKING = {"decompose", "draft_by_axis", "follow_up", "review_refusal", "rerank"}


def test_no_golden_contradicts_its_source() -> None:
    assert contradicting(golden.read()) == []


def test_no_question_is_asked_twice() -> None:
    assert repeated() == []


@pytest.mark.parametrize("again", ["What was  Acme's revenue in 2024", "WHAT WAS ACME'S REVENUE IN 2024?!"])
def test_a_question_that_differs_in_case_and_punctuation_alone_is_found(
    again: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [("n1", "What was Acme's revenue in 2024?"), ("n2", again), ("n3", "What was Acme's revenue in 2023?")]
    monkeypatch.setattr(golden_lint, "questions", lambda: iter(asked))
    assert repeated() == ["n1 and n2 ask the same"]


def test_an_id_that_stands_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden_lint, "questions", lambda: iter([("n1", "One?"), ("n1", "Two?")]))
    assert repeated() == ["n1 stands for 2 questions"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"unit": "shares"}, "its pointer in USD"),
        ({"concept": "revenues_of_old"}, "is no measure"),
        ({"value": Decimal(1)}, "is not 1"),
    ],
)
def test_a_value_that_is_not_its_pointers_is_found(change: dict[str, object], said: str) -> None:
    row = next(one for one in golden.read() if one.values and one.values[0].unit == "USD")
    changed = row.model_copy(update={"values": (row.values[0].model_copy(update=change),)})
    assert [said in one for one in contradicting([changed])] == [True]


def test_a_code_that_is_none_is_found() -> None:
    row = next(one for one in golden.read() if one.outcome == "refused")
    assert contradicting([row.model_copy(update={"also": ("no_such_code",)})]) == [
        f"{row.id}: no_such_code is no code"
    ]


def test_every_code_and_metric_has_a_golden_and_no_more_concepts_and_programs_lack_one() -> None:
    found = lacking()
    assert (found["codes"], found["metrics"]) == ([], [])
    assert set(found["concepts"]) == CONCEPTS_LACKING
    assert set(found["programs"]) == PROGRAMS_LACKING
