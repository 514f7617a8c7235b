"""The goldens of parts of years, recomputed from SEC's facts by arithmetic of their own."""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal

import pytest

from agent.refusals.codes import Code
from evals.table_harness import Grade, interim_graded
from evals.truths.derived_truth import SAMPLE, Facts
from evals.truths.interim_truth import InterimDue, InterimGolden, disagreements, read

GOLDENS = read()
FACTS = Facts(SAMPLE)
ANSWERED = [one for one in GOLDENS if one.expect == "answered"]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.id)
def test_every_golden_holds(golden: InterimGolden) -> None:
    assert list(disagreements(golden, FACTS)) == []


def test_there_are_enough_of_each_kind_and_half() -> None:
    kinds = Counter(one.kind for one in GOLDENS)
    assert len(ANSWERED) >= 100
    assert kinds["refused"] >= 25
    assert min(kinds[kind] for kind in ("quarter", "fourth_quarter", "cash_flow", "year_to_date", "trailing")) >= 15
    assert {"quarters", "ended", "growth", "margin"} <= kinds.keys()
    assert len({ticker for one in GOLDENS for ticker in one.companies}) >= 15
    assert min(Counter(one.half for one in ANSWERED).values()) >= 40


def test_ids_and_questions_occur_once_and_codes_are_codes() -> None:
    assert [one.id for one in GOLDENS] == [f"q{number:03d}" for number in range(1, len(GOLDENS) + 1)]
    assert len({one.question.casefold() for one in GOLDENS}) == len(GOLDENS)
    assert {code for one in GOLDENS for code in (one.code, *one.also) if code} <= {str(code) for code in Code}


def _with_first(golden: InterimGolden, **told: object) -> InterimGolden:
    first, *others = golden.truth
    return golden.model_copy(update={"truth": (first.model_copy(update=told), *others)})


def _another_value(golden: InterimGolden) -> InterimGolden:
    return _with_first(golden, value=golden.truth[0].value * Decimal("1.0001"))


def _another_filing(golden: InterimGolden) -> InterimGolden:
    name, at = next(iter(golden.truth[0].operands.items()))
    moved = at.model_copy(update={"accession": "0000000000-00-000000"})
    return _with_first(golden, operands={**golden.truth[0].operands, name: moved})


def _no_truth(golden: InterimGolden) -> InterimGolden:
    return golden.model_copy(update={"truth": ()})


@pytest.mark.parametrize(
    "spoil", [_another_value, _another_filing, _no_truth], ids=lambda one: one.__name__.strip("_")
)
def test_a_spoilt_golden_is_caught(spoil: Callable[[InterimGolden], InterimGolden]) -> None:
    assert [one.id for one in ANSWERED if not list(disagreements(spoil(one), FACTS))] == []


def test_a_stretch_of_another_length_is_caught() -> None:
    fourth = next(one for one in ANSWERED if one.kind == "fourth_quarter")
    (due,) = fourth.truth
    year = due.operands["fy"]
    twice = due.model_copy(update={"operands": {"fy": year, "m9": year}, "value": Decimal(0)})
    assert any("nine months" in fault for fault in disagreements(fourth.model_copy(update={"truth": (twice,)}), FACTS))


def test_no_table_is_right_where_one_is_due() -> None:
    golden = ANSWERED[0]
    assert isinstance(golden.truth[0], InterimDue)
    from agent.query.words.refused_question import Misread

    assert interim_graded(golden, Misread(code=Code.INTERIM_PERIOD), None) is Grade.REFUSED
    refused = next(one for one in GOLDENS if one.expect == "refused" and one.code == "interim_period")
    assert interim_graded(refused, Misread(code=Code.INTERIM_PERIOD), None) is Grade.RIGHT
    assert interim_graded(refused, Misread(code=Code.ADVICE), None) is Grade.CODE
