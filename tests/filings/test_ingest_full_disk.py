"""A disk that is full during an ingestion: nothing half-written, nothing said that is not so, and all there once there is room."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.annual_report import prose
from tests.support.edgar import LocalEdgar, filer
from tests.support.processes import run


def on_a_full_disk(tmp_path: Path, points: int, timeout: float) -> dict[str, Any]:
    made = filer(2023, 2024)
    for report in made.reports:
        report.prose = prose()
    with LocalEdgar() as edgar:
        made.publish(edgar)
        done = run(
            "-m",
            "tests.support.full_disk",
            str(made.cik),
            str(tmp_path),
            str(points),
            timeout=timeout,
            DATABASE_URL=f"sqlite:///{tmp_path / 'template.sqlite3'}",
            DATA_DIR=str(tmp_path),
            DEBUG="1",
            LOG_LEVEL="ERROR",
            EDGAR_BASE_URL=edgar.url,
            EDGAR_DATA_URL=edgar.url,
            EDGAR_IDENTITY="Diligence Tests tests@example.com",
            EDGAR_REQUESTS_PER_SECOND="1000",
        )
    assert done.returncode == 0, done.stderr[-3000:]
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


def check(report: dict[str, Any]) -> None:
    for point in report["points"]:
        assert point["told"] is not None, point
        # It may have gone through: what was too large was a cache. It is never done and not there.
        assert point["told"]["status"] in {"queued", "running", "partial", "failed", "done"}, point
        assert (point["again"], point["different"]) == (0, []), point
    assert {point["told"]["status"] for point in report["points"]} != {"done"}


def test_an_ingestion_on_a_full_disk_is_whole_once_there_is_room(tmp_path: Path) -> None:
    check(on_a_full_disk(tmp_path, 3, timeout=300))


@pytest.mark.soak
def test_an_ingestion_on_a_disk_full_at_any_size_is_whole_once_there_is_room(tmp_path: Path) -> None:
    check(on_a_full_disk(tmp_path, 40, timeout=1800))
