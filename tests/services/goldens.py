"""A tenth of the goldens on PostgreSQL, Redis and Elasticsearch, with the product's own settings and commands."""

import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from tests.support.processes import ROOT, environment

# Where `make evaluate` keeps its own: what one of the two runs has embedded, the other finds.
VECTORS = Path(os.environ.get("VECTORS_DIR") or ROOT / ".data")


def evaluate(database: str, broker: str, search: str, *, whole: bool = False) -> int:
    """Load the sample and run `evaluate` on these servers; its exit code. whole: every golden, and the report written."""
    alias = f"goldens{uuid.uuid4().hex[:12]}"
    with tempfile.TemporaryDirectory(prefix="diligence-goldens-") as folder:
        variables = environment(
            DEBUG="1",
            LOG_LEVEL="WARNING",
            DATA_DIR=folder,
            VECTORS_DIR=str(VECTORS),
            DATABASE_URL=database,
            REDIS_URL=broker,
            ELASTICSEARCH_URL=search,
            ELASTICSEARCH_OPTIONS=f"index={alias}",
            DJANGO_SETTINGS_MODULE="tests.services.patient",
        )
        try:
            asked = ["--report"] if whole else ["--one-in", "10"]
            for command in (["migrate", "--verbosity", "0"], ["load_sample"], ["evaluate", *asked]):
                manage = [sys.executable, "manage.py", *command, "--skip-checks"]
                done = subprocess.run(manage, cwd=ROOT, env=variables, check=False)
                if done.returncode:
                    return done.returncode
            return 0
        finally:
            subprocess.run([sys.executable, "-c", FORGET, search, alias], cwd=ROOT, check=False)


# A server that outlives the run keeps nothing of it.
FORGET = """
import sys
from elasticsearch import Elasticsearch
address, alias = sys.argv[1:]
with Elasticsearch(address, request_timeout=30) as found:
    for name in found.indices.get(index=f"{alias}*").body:
        found.indices.delete(index=name)
"""
