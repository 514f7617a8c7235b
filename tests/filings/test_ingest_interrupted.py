"""An ingestion that is interrupted is finished by another worker, and nothing is lost, doubled, half-written or untrue.

By kill -9 at any step, and by a disk that is full until there is room again.
"""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.reports import report_on_ingestion

# One worker makes the report (pytest -n 2 --dist loadgroup).
pytestmark = pytest.mark.xdist_group("interrupted")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> dict[str, Any]:
    """Of a few points of each kind."""
    folder = tmp_path_factory.mktemp("interrupted")
    shutil.copy(migrated, folder / "template.sqlite3")
    return report_on_ingestion(folder, step=11, limits=3, timeout=300)


def check_killed(report: dict[str, Any]) -> None:
    counts = report["counts"]
    assert counts["facts"] == 2 * (3 + 13)
    assert counts["sections"] >= 2 * 23
    assert counts["chunks"] > 20
    assert counts["vectors"] >= counts["chunks"]
    # Two annual reports and a release.
    assert counts["index"] == 3
    assert {event.split()[0] for event in report["events"]} >= {"GET", "INSERT", "UPDATE", "KEEP", "INDEX", "INDEXED"}
    assert "INSERT INTO filings_section" in report["events"]
    assert "INSERT INTO filings_chunk" in report["events"]
    for point in report["killed"]:
        assert point["died"] == -9, point
        assert point["resumed"] == 0, point
        assert point["different"] == [], point


def test_a_killed_ingestion_is_finished_by_the_next_worker(report: dict[str, Any]) -> None:
    assert len(report["killed"]) >= 5
    check_killed(report)


@pytest.mark.soak
def test_an_ingestion_killed_at_every_step_is_finished_by_the_next_worker(tmp_path: Path) -> None:
    report = report_on_ingestion(tmp_path, step=1, limits=0, timeout=1800)
    assert len(report["killed"]) == len(report["events"])
    check_killed(report)


def check_on_a_full_disk(report: dict[str, Any]) -> None:
    for point in report["full_disk"]:
        assert point["told"] is not None, point
        # It may have gone through: what was too large was a cache. It is never done and not there.
        assert point["told"]["status"] in {"queued", "running", "partial", "failed", "done"}, point
        assert (point["again"], point["different"]) == (0, []), point
    assert {point["told"]["status"] for point in report["full_disk"]} != {"done"}


def test_an_ingestion_on_a_full_disk_is_whole_once_there_is_room(report: dict[str, Any]) -> None:
    assert len(report["full_disk"]) == 3
    check_on_a_full_disk(report)


@pytest.mark.soak
def test_an_ingestion_on_a_disk_full_at_any_size_is_whole_once_there_is_room(tmp_path: Path) -> None:
    check_on_a_full_disk(report_on_ingestion(tmp_path, step=0, limits=40, timeout=1800))
