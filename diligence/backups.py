"""Backs up the database, and the files that people imported, into one file, and restores them.

Everything else can be fetched or computed again. Without imported files it is the database's own dump; with them a tar
archive of that dump and of each file as it is kept (filings.importing.original_files).
"""

import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.db import Error, connection

from filings.importing import original_files

# The first bytes of each kind of file.
SQLITE, POSTGRES = b"SQLite format 3\0", b"PGDMP"
# The member of an archive that is the database's dump.
DUMP = "database"
TABLES = "SELECT count(*) FROM sqlite_master WHERE name = 'django_migrations'"
# The schema in use, and its tables. Those of extensions belong to the server.
HELD = """
SELECT current_schema(), string_agg(format('%I.%I', current_schema(), relname), ', ')
FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
"""


class BackupError(Exception):
    """Backup or restore failed; the message is a sentence for the operator."""


def backup(file: Path) -> None:
    """Write database and imported files to a new file, readable by its owner only, while everything keeps running.

    It appears by rename, so that it is complete or absent. Raises BackupError.
    """
    if file.exists():
        raise BackupError(f"{file} exists already: name another file.")
    if not file.parent.is_dir():
        raise BackupError(f"{file.parent} is not a folder.")
    try:
        folder = tempfile.TemporaryDirectory(prefix=".backup-", dir=file.parent)
    except OSError as error:
        raise BackupError(f"{file.parent} cannot be written to ({error.strerror}).") from error
    with folder:
        partial = Path(folder.name) / "partial"
        partial.touch(mode=0o600)
        (dump_sqlite if connection.vendor == "sqlite" else dump_postgres)(partial)
        # After the database: whatever it names was written before its row.
        if kept := original_files.stored():
            partial = archive(partial, kept)
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(file)


def archive(dump: Path, kept: list[Path]) -> Path:
    """A tar archive beside the dump, with it and the imported files. Raises BackupError."""
    whole = dump.with_name("whole")
    whole.touch(mode=0o600)
    try:
        with tarfile.open(whole, "w") as into:
            into.add(dump, DUMP)
            for path in kept:
                into.add(path, path.name)
    except OSError as error:
        raise BackupError(f"The imported files could not be copied ({error.strerror}).") from error
    return whole


def restore(file: Path) -> None:
    """Replace the database by a file's content, and add the imported files. Raises BackupError, and then changes nothing."""
    try:
        with file.open("rb") as found:
            begins = found.read(max(len(SQLITE), len(POSTGRES)))
        if begins.startswith((SQLITE, POSTGRES)) or not tarfile.is_tarfile(file):
            load(file, begins, file)
            return
    except OSError as error:
        raise BackupError(f"{file} cannot be read ({error.strerror}).") from error
    try:
        with (
            tempfile.TemporaryDirectory(prefix=".restore-", dir=settings.DATA_DIR) as folder,
            tarfile.open(file) as held,
        ):
            unpack(held, file, Path(folder) / DUMP)
    except OSError as error:
        raise BackupError(f"{settings.DATA_DIR} cannot be written to ({error.strerror}).") from error
    except tarfile.TarError as error:
        raise BackupError(f"{file} is damaged ({error}).") from error


def unpack(held: tarfile.TarFile, file: Path, dump: Path) -> None:
    """Restore an archive: its imported files, then its database. Files that were added go where that fails."""
    members = held.getmembers()  # read to its end: one that was cut off raises TarError
    added: list[str] = []
    try:
        for member in members:
            content = held.extractfile(member)
            if content is None or member.name == DUMP:
                continue
            with content:
                sha256 = original_files.put_back(member.name, content.read())
            if sha256 is None:
                raise BackupError(f"{file} is damaged: {member.name} is no imported file.")
            added += [sha256] if sha256 else []
        database = held.extractfile(DUMP) if DUMP in held.getnames() else None
        if database is None:
            raise BackupError(f"{file} is no backup of Diligence.")
        with database, dump.open("wb") as into:
            shutil.copyfileobj(database, into)
        with dump.open("rb") as found:
            begins = found.read(max(len(SQLITE), len(POSTGRES)))
        load(dump, begins, file)
    except BaseException:
        for sha256 in added:
            original_files.delete(sha256)
        raise


def load(dump: Path, begins: bytes, file: Path) -> None:
    """Replace the database by a dump that begins so. file: what it is called. Raises BackupError."""
    wanted = SQLITE if connection.vendor == "sqlite" else POSTGRES
    if not begins.startswith(wanted):
        kind = "SQLite" if wanted == SQLITE else "PostgreSQL"
        raise BackupError(f"{file} is no backup of a {kind} database, which DATABASE_URL names.")
    try:
        (load_sqlite if connection.vendor == "sqlite" else load_postgres)(dump)
    except BackupError as error:
        raise BackupError(str(error).replace(str(dump), str(file))) from error


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
    """Drop the existing tables, of whatever release, and load the file's, in one transaction.

    Dropping the schema would also drop the server's extensions, which an ordinary owner cannot create again.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute(HELD)
            schema, tables = cursor.fetchone()
    except Error as error:
        raise BackupError(f"PostgreSQL does not answer ({type(error).__name__}).") from error
    # Or the restore would wait for its own connection.
    connection.close()
    drop = "SET client_min_messages = warning;" + (f" DROP TABLE {tables} CASCADE;" if tables else "")
    load = [program("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--set=VERBOSITY=terse"]
    load += ["--command=BEGIN", f"--command={drop}", "--file=-"]
    read = [program("pg_restore"), "--no-owner", "--no-acl", f"--schema={schema}", "--file=-", str(file)]
    # The last line of a file that was read to its end: without it nothing is changed.
    commit = f"SELECT FROM {connection.ops.quote_name(schema)}.django_migrations LIMIT 1; COMMIT;\n"
    pipe, quiet, variables = subprocess.PIPE, subprocess.DEVNULL, server()
    with subprocess.Popen(load, env=variables, stdin=pipe, stdout=quiet, stderr=pipe, text=True) as loading:  # noqa: S603 - no shell, and nothing of it is typed by others
        reading = subprocess.run(read, env=variables, stdout=loading.stdin, stderr=pipe, text=True, check=False)  # noqa: S603 - as above
        _, said = loading.communicate("" if reading.returncode else commit)
    if reading.returncode or loading.returncode:
        raise BackupError(f"Nothing was restored: {last_line(said + reading.stderr)}")


def server() -> dict[str, str]:
    """The environment by which PostgreSQL's programs find the server: no password is on a command line."""
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
    """The path of one of PostgreSQL's programs, in the newest installed version. Raises BackupError."""
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
        raise BackupError(f"{Path(command[0]).name} failed: {last_line(done.stderr)}")


def last_line(said: str) -> str:
    return (said.strip() or "it said nothing").splitlines()[-1]
