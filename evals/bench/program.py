"""A piece of Python in a process of its own, which says what it has found as JSON."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def said_by(code: str, environment: dict[str, str], given: str = "") -> dict[str, Any]:
    """What the code prints last. given: its standard input. Raises RuntimeError where it fails."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment, input=given, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def peak() -> int:
    """The most memory that this process has held, in MB. Of Linux: ru_maxrss begins with what the process held that started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024
