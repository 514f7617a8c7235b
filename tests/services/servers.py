"""PostgreSQL and Redis of one test run: started on free ports in a folder of their own, and gone afterwards."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
