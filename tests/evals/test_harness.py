"""The harness: what counts as exact, what is tripped, and the bounds of a share."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from diligence.statistics import Share
from evals import gates, golden
from evals.golden import Golden
from evals.harness import GATES, NumberTally, Verdict, judge, run
from evals.truths.witness import SecFile
from tests.support.answers import cell, fact_ref
from tests.support.sample import Sample

NUMERIC = next(row for row in golden.read() if row.id == "n005")
REFUSAL = next(row for row in golden.read() if row.outcome == "refused")


def test_every_golden_agrees_with_its_source() -> None:
    sec = SecFile()
    assert [said for row in golden.read() if (said := sec.disagreement(row))] == []


def test_a_golden_whose_literal_is_off_by_one_is_found() -> None:
    value = NUMERIC.values[0]
    literal = value.literal.model_copy(update={"figure": "16,218"})
    changed = NUMERIC.model_copy(update={"values": (value.model_copy(update={"literal": literal}),)})
    assert "16,218" in SecFile().disagreement(changed)


def test_there_are_enough_goldens_of_every_code() -> None:
    rows = golden.read()
    assert sum(row.outcome == "answered" for row in rows) >= 120
    assert sum(row.outcome == "refused" for row in rows) >= 80
    assert {row.half for row in rows} == {"tune", "check"}


def test_no_company_stands_in_both_halves() -> None:
    halves = {half: {v.pointer.cik for row in golden.read(half) for v in row.values} for half in ("tune", "check")}
    assert not halves["tune"] & halves["check"]


@pytest.mark.parametrize(
    ("row", "outcome", "values", "verdict"),
    [
        (NUMERIC, "answered", ["16217000000"], Verdict.EXACT),
        (NUMERIC, "answered", ["16217000001"], Verdict.WRONG),
        (NUMERIC, "answered", ["16217000000", "1"], Verdict.WRONG),
        (NUMERIC, "refused", [], Verdict.WRONG_REFUSAL),
        (REFUSAL, "refused", [], Verdict.RIGHT_REFUSAL),
        (REFUSAL, "answered", ["1"], Verdict.ANSWERED_UNDUE),
        (REFUSAL, "meta", [], Verdict.WRONG_REFUSAL),
    ],
)
def test_a_result_is_exact_only_with_every_number_due_and_no_other(
    row: Golden, outcome: str, values: list[str], verdict: Verdict
) -> None:
    numbers = tuple(cell(value=Decimal(value), unit="USD") for value in values)
    assert judge(row, outcome, numbers) is verdict


def test_the_tripwire_catches_a_number_that_secs_file_does_not_hold(sample: Sample) -> None:
    result = next(iter(run([NUMERIC])))
    assert NumberTally("tune", (result,), SecFile()).not_held.part == 0
    fact = result.found[0].fact
    assert fact is not None
    off = fact_ref(**{**fact.model_dump(), "value": fact.value + 1})
    wrong = replace(result, found=(result.found[0].model_copy(update={"fact": off}),))
    assert NumberTally("tune", (wrong,), SecFile()).not_held.part == 1


def test_a_gate_fails_on_one_wrong_number(sample: Sample) -> None:
    result = next(iter(run([NUMERIC])))
    assert gates.failures("Made up", NumberTally("check", (result,), SecFile()), GATES, whole=False) == []
    wrong = NumberTally("check", (replace(result, verdict=Verdict.WRONG),), SecFile())
    assert gates.failures("Made up", wrong, GATES, whole=False) == ["Made up: wrong numbers"]


def test_bounds_are_those_of_wilson() -> None:
    low, high = Share(97, 100).bounds
    assert (round(low, 4), round(high, 4)) == (0.9155, 0.9897)
    assert Share(0, 0).bounds == (0.0, 1.0)
    assert Share(10, 10).bounds[1] == pytest.approx(1.0)


def test_the_goldens_carry_the_day_they_were_written() -> None:
    assert date(2026, 11, 21) == golden.TODAY
