"""A disk that is full during an ingestion: nothing half-written, nothing said that is not so, and all there once there is room."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.reports import report_on_ingestion


def on_a_full_disk(tmp_path: Path, points: int, timeout: float) -> dict[str, Any]:
    return report_on_ingestion("full_disk", tmp_path, points, timeout=timeout, LOG_LEVEL="ERROR")


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
