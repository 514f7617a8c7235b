"""kill -9 of the worker at any step of an ingestion leaves nothing lost or doubled once another has finished it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.annual_report import prose
from tests.support.edgar import LocalEdgar, filer
from tests.support.processes import run


def killed_at(tmp_path: Path, step: int, timeout: float) -> dict[str, Any]:
    """The report of killing the ingestion of a small filer at every `step`-th request or write."""
    made = filer(2023, 2024)
    for report in made.reports:
        report.prose = prose()
    with LocalEdgar() as edgar:
        made.publish(edgar)
        done = run(
            "-m",
            "tests.support.killed",
            str(made.cik),
            str(tmp_path),
            str(step),
            timeout=timeout,
            DATABASE_URL=f"sqlite:///{tmp_path / 'template.sqlite3'}",
            DATA_DIR=str(tmp_path),
            DEBUG="1",
            EDGAR_BASE_URL=edgar.url,
            EDGAR_DATA_URL=edgar.url,
            EDGAR_IDENTITY="Diligence Tests tests@example.com",
            EDGAR_REQUESTS_PER_SECOND="1000",
        )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


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
