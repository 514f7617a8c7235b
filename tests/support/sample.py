"""The bundled sample in the test database: loaded once for all, then copied.

Loading takes about twenty seconds. The loaded database, its search index and its vectors are kept in pytest's cache
under a key of all they are made of; each session and each xdist worker copies them, on SQLite in a tenth of a second.
Every test that uses the database sees the sample; a test of its own companies uses CIKs from 9,000,000,000, which SEC
does not give out.
"""

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from diligence.backups import backup, restore
from filings.models import Company, Filing
from filings.sample.bundled import version
from tests.support.constraints import check_what_is_written
from tests.support.processes import forked

ROOT = Path(__file__).resolve().parents[2]
# What the rows are made by: the reading code of this app, and the tables of all; not what only shows them.
SHOWS = {"filings/urls.py", "filings/admin.py", "filings/tasks.py", "filings/xbrl/facts.py"}
MADE_BY = ("filings/**/*.py", "filings/**/*.csv", "*/migrations/*.py")
APART = ("filings/management/", "filings/importing/", "filings/templatetags/", "filings/web/")
# What an ingestion leaves in DATA_DIR beside the database: the embedded search index and the vectors it holds.
BESIDE = ("search.sqlite3", "vectors.sqlite3")
MIGRATED = pytest.StashKey[Path]()


class Sample:
    """The sample's companies and filings by the names people use."""

    def __getitem__(self, ticker: str) -> Company:
        return Company.objects.get(tickers__symbol=ticker)

    def filing(self, ticker: str, fiscal_year: int) -> Filing:
        """The primary 10-K of a fiscal year."""
        return Filing.objects.get(company=self[ticker], fiscal_year=fiscal_year, is_primary=True)


@cache
def key() -> str:
    """Changes with anything that the loaded database depends on; as it was when the session began."""
    # `evals.breaks` tries broken code on what whole code has made.
    if whole := os.environ.get("SAMPLE_KEY"):
        return whole
    digest = hashlib.sha256(version().encode())
    for pattern in MADE_BY:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            if name not in SHOWS and not name.startswith(APART):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def put_sample(folder: Path) -> None:
    """Make the empty test database hold the sample."""
    from filings.sample.load import load

    if connection.vendor != "sqlite" and connection.in_atomic_block:
        # A restore would wait for the transaction that waits for it.
        load()
        return
    folder, kept = kept_in(folder)
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            load()
            for old in (*folder.glob("*.sqlite3"), *folder.glob("*.backup"), *folder.glob("*.partial")):
                old.unlink()
            for name in BESIDE:
                copy(settings.DATA_DIR / name, folder / f"{key()}-{name}")
            partial = kept.with_suffix(".partial")
            if connection.vendor == "sqlite":
                copy(connection.connection, partial)
            else:
                backup(partial)
            # Last: it says that all is there.
            partial.replace(kept)
            return
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        copy(kept, connection.connection)
    else:
        restore(kept)
    for name in BESIDE:
        copy(folder / f"{key()}-{name}", settings.DATA_DIR / name)


def kept_in(folder: Path) -> tuple[Path, Path]:
    """The folder of what is kept for this kind of database, in that of the sample, and the file of the database."""
    if connection.vendor == "sqlite":
        return folder, folder / f"{key()}.sqlite3"
    (found := folder / connection.vendor).mkdir(exist_ok=True)
    return found, found / f"{key()}.backup"


def copy(source: sqlite3.Connection | Path, target: sqlite3.Connection | Path) -> None:
    """Copy a whole SQLite database."""
    origin = sqlite3.connect(source) if isinstance(source, Path) else source
    copied = sqlite3.connect(target) if isinstance(target, Path) else target
    try:
        origin.backup(copied)
    finally:
        for given, opened in ((source, origin), (target, copied)):
            if isinstance(given, Path):
                opened.close()


def copied_into(folder: Path) -> None:
    """The test database as that of a DATA_DIR, with all that it holds, where it is SQLite."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        copy(connection.connection, folder / "diligence.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The test database with the sample in it; a copy of it as migrated is kept before that, where it is a file."""
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            connection.ensure_connection()
            # pytest-django makes no test database where no test that runs is marked to use one.
            if not connection.introspection.table_names():
                call_command("migrate", verbosity=0)
            request.config.stash[MIGRATED] = tmp_path_factory.mktemp("migrated") / "diligence.sqlite3"
            copy(connection.connection, request.config.stash[MIGRATED])
        put_sample(Path(request.config.cache.mkdir("sample")))
        if connection.vendor == "sqlite":
            check_what_is_written(connection)


@pytest.fixture(scope="session")
def migrated(django_db_setup: None, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables and no sample, for a process to begin with a copy: it would migrate for seconds."""
    if kept := request.config.stash.get(MIGRATED, None):
        return kept
    folder = tmp_path_factory.mktemp("migrated")
    done = forked("manage.py", "migrate", "--verbosity", "0", DEBUG="1", DATA_DIR=str(folder))
    assert done.returncode == 0, done.stderr
    return folder / "diligence.sqlite3"


@pytest.fixture
def sample(db: None, request: pytest.FixtureRequest) -> Sample:
    """The sample, put back where a transactional test before this one has emptied the database."""
    if not Company.objects.filter(in_sample=True).exists():
        put_sample(Path(request.config.cache.mkdir("sample")))
    return Sample()


@contextmanager
def restored() -> Iterator[None]:
    """Take back all that is changed inside, for fixtures that live longer than a test's transaction."""
    connection.ensure_connection()
    with closing(sqlite3.connect(":memory:")) as before:
        copy(connection.connection, before)
        try:
            yield
        finally:
            copy(before, connection.connection)
