"""PostgreSQL and Redis of one test run, or of one test: on free ports in folders of their own, and gone afterwards."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

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


class Server:
    """A server on one port, which a test may stop and start again."""

    def __init__(self, url: str, command: list[str], folder: Path, answers: Callable[[], bool], stop: int) -> None:
        self.url, self.command, self.folder, self.answers, self.signal = url, command, folder, answers, stop
        self.running = ExitStack()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        how = {"cwd": self.folder, **ordinary_user()}
        self.running.enter_context(started(self.command, self.folder / "log", self.answers, self.signal, **how))

    def stop(self) -> None:
        """Stop it as its operator does."""
        self.running.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


@contextmanager
def postgres() -> Iterator[Server]:
    """A cluster of its own; its URL is that of an empty database."""
    import psycopg

    port = free_port()
    url = f"postgres://diligence@127.0.0.1:{port}/postgres"

    def answers() -> bool:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    with scratch() as folder:
        data = str(folder / "data")
        initialise = [program("initdb"), "-D", data, "-U", "diligence", "-A", "trust", "-E", "UTF8"]
        initialise += ["--locale", "C.UTF-8", "--no-sync"]
        subprocess.run(initialise, check=True, capture_output=True, cwd=folder, **ordinary_user())
        serve = [program("postgres"), "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", str(folder)]
        # Nothing of it outlives the run: a crash of the machine may lose it.
        serve += ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
        with Server(url, serve, folder, answers, signal.SIGINT) as server:
            yield server


def give_tables(url: str) -> None:
    """The tables of the tests' own database for an empty one, as `migrate` leaves them, in a tenth of its time."""
    from django.db import connection

    told = connection.settings_dict
    of_tests = f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}/{told['NAME']}"
    dump = [program("pg_dump"), "--no-owner", of_tests]
    dump += [f"--exclude-table-data={rows}" for rows in ("accounts_*", "agent_*", "filings_*")]
    load = [program("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", url]
    made = subprocess.run(dump, check=True, capture_output=True)
    subprocess.run(load, check=True, capture_output=True, input=made.stdout)


@contextmanager
def redis(password: str = "") -> Iterator[Server]:
    """A server of its own that keeps nothing: started again, it is empty."""
    port = free_port()

    def answers() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=2) as client:
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False

    with scratch() as folder:
        serve = [program("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--requirepass", password]
        serve += ["--save", "", "--appendonly", "no", "--dir", str(folder)]
        address = f"redis://{f':{password}@' if password else ''}127.0.0.1:{port}/0"
        with Server(address, serve, folder, answers, signal.SIGTERM) as server:
            yield server
