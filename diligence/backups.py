"""The database into one file and back. What it does not hold is fetched or computed again: EDGAR's files, index, vectors."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

from django.db import connection

# How each kind of file begins.
SQLITE, POSTGRES = b"SQLite format 3\0", b"PGDMP"
TABLES = "SELECT count(*) FROM sqlite_master WHERE name = 'django_migrations'"


class BackupError(Exception):
    """It cannot be done; the message is a sentence for the operator."""


def backup(file: Path) -> None:
    """Write the database to a file that does not exist yet, readable by its owner only, while everything runs on.

    It appears by rename, so that it is whole or absent. Raises BackupError.
    """
    if file.exists():
        raise BackupError(f"{file} exists already: name another file.")
    if not file.parent.is_dir():
        raise BackupError(f"{file.parent} is not a folder.")
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=file.parent) as folder:
        partial = Path(folder) / "partial"
        partial.touch(mode=0o600)
        (dump_sqlite if connection.vendor == "sqlite" else dump_postgres)(partial)
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(file)


def restore(file: Path) -> None:
    """Put what a file holds in the place of all that the database holds. Raises BackupError, and nothing is changed then."""
    wanted = SQLITE if connection.vendor == "sqlite" else POSTGRES
    try:
        with file.open("rb") as found:
            begins = found.read(len(wanted))
    except OSError as error:
        raise BackupError(f"{file} cannot be read ({error.strerror}).") from error
    if begins != wanted:
        kind = "SQLite" if wanted == SQLITE else "PostgreSQL"
        raise BackupError(f"{file} is no backup of a {kind} database, which DATABASE_URL names.")
    (load_sqlite if connection.vendor == "sqlite" else load_postgres)(file)


# --- SQLite ---


def dump_sqlite(file: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)
        # One file, without a log beside it.
        copy.execute("PRAGMA journal_mode=DELETE")


def load_sqlite(file: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as held:
        try:
            sound = held.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            ours = sound and held.execute(TABLES).fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise BackupError(f"{file} is damaged ({error}).") from error
        if not ours:
            raise BackupError(f"{file} is {'no database of Diligence' if sound else 'damaged'}.")
        held.backup(connection.connection)


# --- PostgreSQL ---


def dump_postgres(file: Path) -> None:
    run([program("pg_dump"), "--format=custom", "--no-owner", "--no-acl", f"--file={file}"], server())


def load_postgres(file: Path) -> None:
    # Or its own connection, in a transaction or not, would be waited for.
    connection.close()
    variables = server()
    target = [f"--dbname={variables['PGDATABASE']}", "--single-transaction", "--clean", "--if-exists"]
    run([program("pg_restore"), *target, "--no-owner", "--no-acl", str(file)], variables)


def server() -> dict[str, str]:
    """The environment in which PostgreSQL's programs find the server of the settings: a password is in no command line."""
    found = connection.settings_dict
    told = {
        "PGHOST": found["HOST"],
        "PGPORT": str(found["PORT"] or ""),
        "PGUSER": found["USER"],
        "PGPASSWORD": found["PASSWORD"],
        "PGDATABASE": str(found["NAME"]),
        "PGSSLMODE": str(found.get("OPTIONS", {}).get("sslmode", "")),
    }
    return {**os.environ, **{name: value for name, value in told.items() if value}}


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs, of the newest version that is installed. Raises BackupError."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    found = str(versions[-1]) if versions else shutil.which(name)
    if not found:
        raise BackupError(
            f"{name} is not installed: apt-get install postgresql-client, of the server's version or later."
        )
    return found


def run(command: list[str], variables: dict[str, str]) -> None:
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)  # noqa: S603 - no shell, and nothing of it is typed by others
    if done.returncode:
        last = (done.stderr.strip() or "it said nothing").splitlines()[-1]
        raise BackupError(f"{Path(command[0]).name} failed: {last}")
