"""The goldens as a whole: none contradicts itself, none stands twice, and each thing that can be asked for has one."""

from collections import Counter
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command

from evals import golden, golden_lint, prose_golden
from evals.golden_lint import contradicting, repeated
from tests.support.sample import Sample


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


def test_words_of_a_real_filing_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(one for one in prose_golden.read(prose_golden.SAMPLE) if one.truths and one.truths[0].text)
    monkeypatch.setattr(prose_golden, "read", lambda path: [row.model_copy(update={"cik": 320193})])
    assert set(golden_lint.unfit()) == {f"{row.id}: holds text of CIK 320193"}


def test_the_command_finds_no_fault_and_nothing_without_a_golden(sample: Sample) -> None:
    out = StringIO()
    call_command("evals_lint", stdout=out)
    assert out.getvalue().endswith("goldens, no fault.\n")


def test_what_has_no_golden_is_named() -> None:
    covered = {kind: Counter(names[1:]) for kind, names in golden_lint.due().items()}
    first = golden_lint.due()["operations"][0]
    assert f"operations: no golden asks for {first}" in golden_lint.lacking(covered)
