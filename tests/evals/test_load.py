"""The site under load, with the figures that it is to keep. `python -m evals.bench load` says what they are."""

import sys

import pytest

from evals.bench import load


@pytest.mark.soak
@pytest.mark.alone
def test_under_load_nothing_fails_and_a_full_queue_drains() -> None:
    found = load.taken()
    sys.stdout.write(f"{found}\n")
    assert found.errors == {}
    for left in (found.left, found.drained):
        assert (left["failed"], left["open"], left["again"]) == (0, 0, 0)
    assert found.asks > 0.95 * load.ASKS
    assert found.p95 <= load.GOAL_P95
    before, after = found.polls
    # What is a fault is a poll that reads the history: a hundred times as much of it is there then.
    assert after < 3 * before
