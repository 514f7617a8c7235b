"""kill -9 of the worker at every node of a run, and before everything it writes: nothing lost, doubled or shown wrongly."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.reports import report


def killed(tmp_path: Path, times: int, timeout: float) -> dict[str, Any]:
    return report("killed_run", tmp_path, tmp_path, times, 20, timeout=timeout, LOG_LEVEL="ERROR")


def check(found: dict[str, Any]) -> None:
    nodes = [event.removeprefix("NODE ") for event in found["events"] if event.startswith("NODE ")]
    assert nodes == ["plan", "fetch", "locate", "retrieve", "validate", "cite_check"]
    assert {"UPDATE agent_run SET", "INSERT INTO agent_step", "UPDATE accounts_meter SET"} <= set(found["events"])
    for point in found["points"]:
        # A worker that has nothing left to do is not killed by its last events.
        assert point["died"][0] == -9, point
        assert set(point["died"]) <= {-9, 0}, point
        assert point["resumed"] == 0, point
        assert not point["different"], point
        assert 1 <= point["attempt"] <= len(point["died"]) + 1, point
        for shown in point["pages"]:
            # While it is open the page says so and asks again; once it is closed it shows the answer.
            assert shown["status"] == 200
            assert shown["polls"] is shown["open"], point
            assert shown["answer"] is not shown["open"], point
        assert not point["pages"][-1]["open"]


def test_a_run_killed_anywhere_is_answered_once_by_the_next_worker(tmp_path: Path) -> None:
    found = killed(tmp_path, 0, timeout=300)
    assert len(found["points"]) == 6 + 5
    check(found)


@pytest.mark.soak
def test_a_run_killed_twenty_times_at_every_point_is_answered_once(tmp_path: Path) -> None:
    found = killed(tmp_path, 20, timeout=3600)
    assert len(found["points"]) == 20 * len(found["events"])
    check(found)
