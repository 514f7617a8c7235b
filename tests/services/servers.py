"""PostgreSQL, Redis and Elasticsearch of one test run: on free ports in folders of their own, and gone afterwards."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PATIENCE = 30.0  # seconds a server may take to answer


class Missing(Exception):
    """A server is not installed."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def program(name: str) -> str:
    """A program's path. Debian keeps PostgreSQL's own off PATH, one folder a version. Raises Missing."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    found = shutil.which(name) or (str(versions[-1]) if versions else None)
    if not found:
        raise Missing(f"{name} is not installed (on Debian: apt-get install postgresql redis-server).")
    return found


def ordinary_user() -> dict[str, Any]:
    """Arguments of subprocess that drop root, as which PostgreSQL refuses to run."""
    if os.geteuid() != 0:
        return {}
    known = {user.pw_name for user in pwd.getpwall()}
    name = "postgres" if "postgres" in known else "nobody"
    return {"user": name, "group": pwd.getpwnam(name).pw_gid, "extra_groups": []}


@contextmanager
def started(command: list[str], log: Path, answers: Callable[[], bool], stop: int, **how: Any) -> Iterator[None]:
    """A server from the moment it answers; stopped by a signal, killed if it does not listen."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, **how)
    try:
        deadline = time.monotonic() + PATIENCE
        while not answers():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{command[0]} did not start:\n{log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)
        yield
    finally:
        process.send_signal(stop)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that the ordinary user may use."""
    folder = Path(tempfile.mkdtemp(prefix="diligence-services-"))
    try:
        if user := ordinary_user():
            shutil.chown(folder, user["user"], user["group"])
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres() -> Iterator[str]:
    """A cluster of its own; the URL of an empty database."""
    import psycopg

    port, user = free_port(), ordinary_user()
    url = f"postgres://diligence@127.0.0.1:{port}/postgres"

    def answers() -> bool:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    with scratch() as folder:
        data = folder / "data"
        initialise = [program("initdb"), "-D", str(data), "-U", "diligence", "-A", "trust", "-E", "UTF8"]
        initialise += ["--locale", "C.UTF-8", "--no-sync"]
        subprocess.run(initialise, check=True, capture_output=True, cwd=folder, **user)
        serve = [program("postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(folder)]
        # Nothing of it outlives the run: a crash of the machine may lose it.
        serve += ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
        with started(serve, folder.with_suffix(".postgres.log"), answers, signal.SIGINT, cwd=folder, **user):
            yield url
        folder.with_suffix(".postgres.log").unlink(missing_ok=True)


@contextmanager
def redis() -> Iterator[str]:
    """A server of its own that keeps nothing on disk; its URL."""
    port = free_port()

    def answers() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=2) as client:
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    with scratch() as folder:
        serve = [
            program("redis-server"),
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        serve += ["--dir", str(folder)]
        with started(serve, folder.with_suffix(".redis.log"), answers, signal.SIGTERM, cwd=folder):
            yield f"redis://127.0.0.1:{port}/0"
        folder.with_suffix(".redis.log").unlink(missing_ok=True)


ROOT = Path(__file__).resolve().parents[2]
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
