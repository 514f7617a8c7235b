"""The project's commands as processes of their own, with an environment of their own."""

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What the product reads; a test says what of it is set.
SETTINGS = ("DEBUG", "SECRET_KEY", "DATABASE_URL", "REDIS_URL", "DATA_DIR", "LOG_LEVEL", "HTTPS")
EMBEDDING = ("EMBEDDING_BASE_URL", "EMBEDDING_API_KEY", "EMBEDDING_OPTIONS", "VECTORS_DIR")
# The settings themselves export EDGAR_DATA_URL.
EDGAR = ("EDGAR_BASE_URL", "EDGAR_DATA_URL", "EDGAR_IDENTITY", "EDGAR_REQUESTS_PER_SECOND")
NEWS = ("NEWS_BASE_URL", "NEWS_API_KEY", "NEWS_ALWAYS", "NEWS_DOMAINS")
SEARCH = ("ELASTICSEARCH_URL", "ELASTICSEARCH_API_KEY", "ELASTICSEARCH_OPTIONS", "RERANK", "RERANK_API_KEY")
ACCOUNTS = ("ACCOUNT_EMAIL_VERIFICATION", "STAFF_MFA", "TRUSTED_PROXY_COUNT", "OIDC", "OIDC_CLIENT_SECRET")
MODELS = tuple(
    f"{role}_MODEL{part}" for role in ("PLAN", "DRAFT") for part in ("", "_BASE_URL", "_API_KEY", "_OPTIONS")
)
OPERATION = (
    "SECRET_KEY_FALLBACKS",
    "WORKER_CONCURRENCY",
    "LOG_FORMAT",
    "ALIVE_PATH",
    "METRICS_TOKEN",
    "SENTRY_DSN",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_CAPTURE_CONTENT",
)
READ = SETTINGS + EDGAR + NEWS + EMBEDDING + SEARCH + ACCOUNTS + MODELS + OPERATION


def environment(**variables: str) -> dict[str, str]:
    """The environment of a process that has only these settings, whatever this one has."""
    kept = {name: value for name, value in os.environ.items() if name not in READ}
    # Outweighs a developer's .env, and means "not set".
    empty = dict.fromkeys(READ, "")
    return {**kept, **empty, "DJANGO_SETTINGS_MODULE": "diligence.settings", **variables}


def run(*arguments: str, timeout: float = 60, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run python with arguments in the project's folder."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def manage(*arguments: str, timeout: float = 60, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py with arguments."""
    return run("manage.py", *arguments, timeout=timeout, **variables)


@cache
def forking() -> "subprocess.Popen[str]":
    """The process of tests.support.forking, which ends with this one."""
    variables = environment()
    # A package that reads settings when it is imported fails at once: it would give one child's to all.
    del variables["DJANGO_SETTINGS_MODULE"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.forking"],
        cwd=ROOT,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.communicate)
    return process


def forked(*arguments: str, timeout: int = 60, **variables: str) -> subprocess.CompletedProcess[str]:
    """As `run`, with other people's packages imported already: for what does not depend on when those are imported.

    After the timeout it is ended by a signal, which its status tells.
    """
    process = forking()
    assert process.stdin
    assert process.stdout
    wanted = {"arguments": arguments, "environment": environment(**variables), "timeout": timeout}
    process.stdin.write(json.dumps(wanted) + "\n")
    process.stdin.flush()
    return subprocess.CompletedProcess(arguments, **json.loads(process.stdout.readline()))


def living(*, group: int | None = None, sessions: set[int] | None = None) -> list[str]:
    """Commands of the processes of a group or of some sessions that still live.

    A killed child is its new parent's to bury, so zombies do not count. From /proc: a bare machine has no ps.
    """
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().partition(") ")
        except OSError:
            continue
        state, _, of_group, of_session = rest.split()[:4]
        if state != "Z" and (int(of_group) == group or int(of_session) in (sessions or ())):
            found.append(f"{name}) {state}")
    return found
