"""Functions of a benchmark in processes of their own, on a database of their own.

`python -m evals.bench.program BENCH FUNCTION [ARGUMENTS]` runs one, with a JSON list of arguments, and prints what it
returns as JSON.
"""

import asyncio
import inspect
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ("-m", "evals.bench.program")
# Of a process that is no developer's.
DEPLOYED = {"DEBUG": "0", "SECRET_KEY": "bench"}


@dataclass(frozen=True, slots=True)
class Program:
    """The functions of a benchmark, each of which runs in a process of its own with an environment."""

    environment: Mapping[str, str]
    bench: str

    def __call__(self, function: str, *given: Any, **variables: str) -> Any:
        """What a function returns. variables: more of its environment. Raises RuntimeError with what it said, where it fails."""
        command = [sys.executable, *PROGRAM, self.bench, function, json.dumps(given)]
        environment = {**self.environment, **variables}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])


@contextmanager
def own_database(bench: str, database: str = "", **variables: str) -> Iterator[Program]:
    """The functions of a benchmark on a folder and an empty database.

    database: its address; SQLite in the folder where it is empty. variables: of the environment.
    """
    with tempfile.TemporaryDirectory(prefix=f"diligence-{bench}-") as folder:
        environment = {
            **os.environ,
            "DATA_DIR": folder,
            "DATABASE_URL": database or f"sqlite:///{folder}/{bench}.sqlite3",
            "REDIS_URL": "",
            "DEBUG": "1",
            "LOG_LEVEL": "ERROR",
            "DJANGO_SETTINGS_MODULE": "diligence.settings",
        }
        yield Program(environment | variables, bench)


def peak() -> int:
    """The most memory that this process has held, in MB. Of Linux: ru_maxrss begins with what the process held that started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024


def main(bench: str, function: str, given: str = "[]") -> None:
    import django

    django.setup()
    found = getattr(import_module(f"evals.bench.{bench}"), function)(*json.loads(given))
    print(json.dumps(asyncio.run(found) if inspect.iscoroutine(found) else found))


if __name__ == "__main__":
    main(*sys.argv[1:])
