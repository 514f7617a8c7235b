"""One rate limit for all processes."""

import itertools
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine

from filings.edgar.limiter import Limiter

ROOT = Path(__file__).resolve().parents[2]
RESERVE = "import sys; from pathlib import Path; from filings.edgar.limiter import Limiter; limiter = Limiter(Path(sys.argv[1]), 100.0)\nfor _ in range(25): print(repr(limiter.reserve()))"


def test_it_spaces_the_requests_of_several_processes(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", RESERVE, str(tmp_path / "limit")], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    moments = sorted(float(line) for process in processes for line in process.communicate()[0].split())
    assert len(moments) == 75
    assert all(later - earlier > 0.0099 for earlier, later in itertools.pairwise(moments))


def test_it_sleeps_until_the_moment_it_owns(tmp_path: Path) -> None:
    slept: list[float] = []
    limiter = Limiter(tmp_path / "limit", 2.0, sleep=slept.append)
    limiter.wait()
    limiter.wait()
    assert slept[0] == 0
    assert 0.4 < slept[1] <= 0.5


def test_it_survives_a_torn_file(tmp_path: Path) -> None:
    (tmp_path / "limit").write_text("17.3.2")
    assert Limiter(tmp_path / "limit", 1.0).reserve() > 1_700_000_000


NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(("back", "longest"), [(10 * 24 * 3600, 1), (1800, 1), (101, 1), (30, 31)])
def test_it_does_not_wait_for_a_clock_that_was_set_back(tmp_path: Path, back: int, longest: float) -> None:
    slept: list[float] = []
    limiter = Limiter(tmp_path / "limit", 1.0, sleep=slept.append)
    with time_machine.travel(NOON, tick=False) as clock:
        limiter.wait()
        clock.shift(-back)
        limiter.wait()
        limiter.wait()
    assert slept == [0, longest, longest + 1]


def test_a_clock_set_back_between_reservation_and_sleep_is_not_slept_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    limiter = Limiter(tmp_path / "limit", 8.0, sleep=slept.append)
    monkeypatch.setattr(limiter, "reserve", lambda: time.time() + 1800)
    limiter.wait()
    assert slept == [60]


def test_many_may_wait_for_a_slow_rate(tmp_path: Path) -> None:
    limiter = Limiter(tmp_path / "limit", 0.1)
    moments = [limiter.reserve() for _ in range(90)]
    assert all(later - earlier == pytest.approx(10) for earlier, later in itertools.pairwise(moments))
