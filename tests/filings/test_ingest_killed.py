"""kill -9 of the worker at any step of an ingestion leaves nothing lost or doubled once another has finished it."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.reports import report_on_ingestion


def killed_at(tmp_path: Path, step: int, timeout: float) -> dict[str, Any]:
    """The report of killing the ingestion of a small filer at every `step`-th request or write."""
    return report_on_ingestion("killed", tmp_path, step, timeout=timeout)


def check(report: dict[str, Any]) -> None:
    counts = report["counts"]
    assert counts["facts"] == 2 * (3 + 12)
    assert counts["sections"] >= 2 * 23
    assert counts["chunks"] > 20
    assert counts["vectors"] >= counts["chunks"]
    assert counts["index"] == 2
    assert {event.split()[0] for event in report["events"]} >= {"GET", "INSERT", "UPDATE", "KEEP", "INDEX", "INDEXED"}
    assert "INSERT INTO filings_section" in report["events"]
    assert "INSERT INTO filings_chunk" in report["events"]
    for point in report["points"]:
        assert point["died"] == -9, point
        assert point["resumed"] == 0, point
        assert point["different"] == [], point


def test_a_killed_ingestion_is_finished_by_the_next_worker(tmp_path: Path) -> None:
    report = killed_at(tmp_path, step=7, timeout=240)
    assert len(report["points"]) >= 5
    check(report)


@pytest.mark.soak
def test_an_ingestion_killed_at_every_step_is_finished_by_the_next_worker(tmp_path: Path) -> None:
    report = killed_at(tmp_path, step=1, timeout=1800)
    assert len(report["points"]) == len(report["events"])
    check(report)
