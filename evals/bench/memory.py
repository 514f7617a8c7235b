"""Memory of the web process: a process that has loaded the site and answered its pages."""

import os

from evals.bench.program import Program, peak

GOAL_MB = 150
PATHS = ("/", "/companies", "/history", "/method", "/accounts/login/")


def measure() -> str:
    """Peak resident memory in MB, as the operating system counts it."""
    return f"memory of the web process: {Program(os.environ, 'memory')('answered')} MB at its peak (goal {GOAL_MB})"


def answered() -> int:
    from django.test import Client

    client = Client()
    for path in PATHS:
        if client.get(path, headers={"host": "localhost"}).status_code != 200:
            raise RuntimeError(f"{path} is not answered.")
    return peak()
