"""The Elasticsearch of one test run: a node of its own, gone afterwards, or the one at ELASTICSEARCH_URL."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.services.servers import Missing, free_port
from tests.support.processes import ROOT

# A real Elasticsearch server, put together out of Maven Central; its README says how.
NODE = ROOT.parent / "shared" / "elasticsearch" / "node.sh"
# The jars, fetched once; CI may keep them under ES_DIST_DIR, or Maven's own folder.
JARS = ROOT / ".pytest_cache" / "elasticsearch"
START_SECONDS = 300.0


class Elasticsearch:
    """A node of its own, which a test may kill, hang and start again."""

    def __init__(self, home: Path, port: int) -> None:
        self.home, self.port = home, port
        self.url = f"http://127.0.0.1:{port}"

    def run(self, command: str) -> None:
        """One of node.sh's commands. Raises Missing with its last words where it fails."""
        variables = {
            "ES_HOME_DIR": str(self.home),
            "ES_PORT": str(self.port),
            "ES_HEAP": os.environ.get("ES_HEAP", "512m"),
            "ES_DIST_DIR": os.environ.get("ES_DIST_DIR", str(JARS)),
        }
        log = self.home / "node.sh.log"
        # A file, not a pipe: the node inherits it, and a pipe would be waited for until the node ends.
        with log.open("ab") as output:
            done = subprocess.run(
                ["bash", str(NODE), command],
                env={**os.environ, **variables},
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                timeout=START_SECONDS,
                check=False,
            )
        if done.returncode:
            raise Missing(f"{NODE.name} {command} failed:\n{log.read_text(errors='replace')[-1500:]}")


@contextmanager
def elasticsearch() -> Iterator[dict[str, str]]:
    """Where a real Elasticsearch is: ELASTICSEARCH_URL, or a node started here; said loudly where there is none."""
    if url := os.environ.get("ELASTICSEARCH_URL"):
        yield {"TEST_ELASTICSEARCH_URL": url}
        return
    home = Path(tempfile.mkdtemp(prefix="diligence-elasticsearch-"))
    node = Elasticsearch(home, free_port())
    try:
        try:
            if not NODE.is_file():
                raise Missing(f"{NODE} is not there, and ELASTICSEARCH_URL is not set.")
            for needed in ("mvn", "java"):
                if not shutil.which(needed):
                    raise Missing(
                        f"{needed} is not installed (on Debian: apt-get install maven default-jdk-headless)."
                    )
            JARS.parent.mkdir(exist_ok=True)
            node.run("start")
        except (Missing, subprocess.TimeoutExpired) as missing:
            banner = "*" * 100
            print(  # noqa: T201 - a command's own message
                f"{banner}\nNO ELASTICSEARCH: its tests are skipped.\n{missing}\n{banner}", file=sys.stderr, flush=True
            )
            yield {}
            return
        yield {"TEST_ELASTICSEARCH_URL": node.url, "TEST_ELASTICSEARCH_HOME": str(home)}
    finally:
        # Resumed first: a node that a test has left hanging would not hear that it shall end.
        for command in ("resume", "stop"):
            with suppress(Missing, subprocess.TimeoutExpired):
                node.run(command)
        shutil.rmtree(home, ignore_errors=True)
