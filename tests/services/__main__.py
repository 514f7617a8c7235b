"""`python -m tests.services [pytest arguments]`: pytest with a PostgreSQL, a Redis and an Elasticsearch of its own.

Without arguments the service tests, and then a tenth of the goldens on these three; with `goldens` all of them alone,
which writes their column of the report; with `million` a million chunks are searched on a node of their own. What takes
longer is run by itself: `python -m tests.services -m "services and soak" tests/services`.
"""

import os
import subprocess
import sys
import time

from tests.services.goldens import evaluate
from tests.services.search_node import elasticsearch
from tests.services.servers import Missing, postgres, redis

SIDE_BY_SIDE = ["-n", "2", "--dist", "loadgroup", "-m", "services and not soak", "tests/services"]


def main() -> int:
    arguments = sys.argv[1:]
    if arguments == ["million"]:
        return million()
    try:
        with postgres() as database, redis() as broker, elasticsearch() as search:
            urls = {"TEST_DATABASE_URL": database.url, "TEST_REDIS_URL": broker.url, **search}
            if arguments == ["goldens"]:
                return evaluate(database.url, broker.url, search["TEST_ELASTICSEARCH_URL"], whole=True)
            command = [sys.executable, "-m", "pytest", *(arguments or SIDE_BY_SIDE)]
            begun = time.monotonic()
            failed = subprocess.run(command, env={**os.environ, **urls}, check=False).returncode
            say(f"service tests: {time.monotonic() - begun:.0f} s")
            if arguments:
                return failed
            if not (address := search.get("TEST_ELASTICSEARCH_URL")):
                say("NO ELASTICSEARCH: the goldens were not asked of it.")
                return failed
            begun = time.monotonic()
            gates = evaluate(database.url, broker.url, address)
            say(f"goldens on PostgreSQL, Redis and Elasticsearch: {time.monotonic() - begun:.0f} s")
            return failed or gates
    except Missing as missing:
        say(str(missing))
        return 1


def million() -> int:
    """The report of a million chunks in Elasticsearch, on the standard output; its exit status."""
    os.environ.setdefault("ES_HEAP", "2g")
    with elasticsearch() as search:
        if not (address := search.get("TEST_ELASTICSEARCH_URL")):
            return 0
        told = {"ELASTICSEARCH_URL": address, "DJANGO_SETTINGS_MODULE": "tests.services.patient", "DEBUG": "1"}
        command = [sys.executable, "-m", "evals.bench", "million"]
        return subprocess.run(command, env=os.environ | told, check=False).returncode


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - a command's own message


sys.exit(main())
