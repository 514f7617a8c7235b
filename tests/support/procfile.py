"""The processes of the Procfile, started as they are there."""

import http.client
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.processes import ROOT, environment

PATIENCE = 60.0
NAME = "Jane Roe jane@example.com"
COMMANDS = dict(line.split(": exec ", 1) for line in (ROOT / "Procfile").read_text(encoding="utf-8").splitlines())


def until(met: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait for a condition, while a process lives."""
    deadline = time.monotonic() + PATIENCE
    while not met():
        assert process.poll() is None, "the process has ended"
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.1)


@contextmanager
def started(name: str, folder: Path, **variables: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A process of the Procfile and the file of its log; ended with the block."""
    path = f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}"
    given = {"DEBUG": "1", "EDGAR_IDENTITY": NAME, "DATA_DIR": str(folder), "PATH": path, **variables}
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            COMMANDS[name].split(),
            cwd=ROOT,
            env=environment(**given),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process, log
        finally:
            process.terminate()
            process.wait(PATIENCE)


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(port: int, method: str = "GET") -> bool:
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        asked.request(method, "/healthz")
        return asked.getresponse().status == 200
    except OSError:
        return False
    finally:
        asked.close()
