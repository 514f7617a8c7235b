"""Memory of the web process: a process that has loaded the site and answered its pages."""

import subprocess
import sys

GOAL_MB = 150
PROGRAM = """
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
import django
django.setup()
from django.test import Client
client = Client()
for path in ("/", "/companies", "/history", "/method", "/accounts/login/"):
    assert client.get(path, headers={"host": "localhost"}).status_code == 200, path
from evals.bench.program import peak
print(peak())
"""


def measure() -> str:
    """Peak resident memory in MB, as the operating system counts it."""
    result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)  # noqa: S603
    if result.returncode:
        return f"memory of the web process: not measured, {result.stderr.strip().splitlines()[-1]}"
    peak = int(result.stdout.split()[-1])
    return f"memory of the web process: {peak} MB at its peak (goal {GOAL_MB})"
