"""The site under load: what must hold however slow the machine is. Its times are the bench's, `python -m evals.bench load`."""

import pytest

from evals.bench import load


@pytest.mark.soak
def test_under_load_nothing_fails_and_a_full_queue_drains() -> None:
    found = load.taken()
    assert found.load["answers"]["poll 200"] > load.POLLERS
    assert found.load["answers"]["ask 302"] > 0
    assert found.errors == {}
    for left in (found.left, found.drained):
        assert (left["failed"], left["open"], left["again"]) == (0, 0, 0)
