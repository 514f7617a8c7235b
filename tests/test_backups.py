"""Dump, destroy, restore: every permalink holds, and nothing is half-done."""

import errno
import json
import lzma
import shutil
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

from diligence.backups import SQLITE, BackupError, backup
from filings.edgar.raw_files import PRESET
from filings.importing import original_files
from filings.models import Company, Filing, Health, Ticker
from tests.support.processes import forked
from tests.support.sample import Sample, key, restored

ASK = """
import django, json, re, sys
django.setup()
from django.conf import settings
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.ALLOWED_HOSTS = ["testserver"]
from django.core.management import call_command
from django.test import Client
from accounts.models import User
from agent.models import Run, Share
kept, first, then = map(json.loads, sys.argv[1:])
for command in first:
    call_command(*command)
client = Client()
if not kept:
    from agent import tasks
    user = User.objects.create_user("alice@example.com", "wonderland-42")
    for question in ("What was Apple's revenue in FY2024?", "What supply risks did Northwind disclose in fiscal 2025?",
                     "Will Apple's revenue grow?"):
        run = Run.objects.create(question=question, user=user)
        tasks.answer(str(run.pk))
        Share.objects.create(run=run)
user = User.objects.get(email="alice@example.com")
assert user.check_password("wonderland-42")
client.force_login(user)
pages = kept or [one.get_absolute_url() for of in (Run, Share) for one in of.objects.all()]
found = {}
while pages:
    page = pages.pop()
    if page in found:
        continue
    response = (Client() if page.startswith("/s/") else client).get(page)
    text = re.sub(r"\\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))
    found[page] = [response.status_code, len(text), text.count("2024"), text.count("Northwind")]
    if not kept and page.startswith("/runs/"):
        links = re.findall(r'href="(/(?:runs|filings|facts|companies)/[^"#?]*)(?<!\\.xlsx)["#?]', response.content.decode())
        pages += [link for link in links if not link.endswith(("json", "csv"))]
for command in then:
    call_command(*command)
print(json.dumps(found))
"""


@pytest.fixture
def data_dir(tmp_path: Path, sample: Sample, request: pytest.FixtureRequest) -> Path:
    """The DATA_DIR of an installation that holds the sample."""
    folder = tmp_path / "data"
    folder.mkdir()
    held = Path(request.config.cache.mkdir("sample"))
    if not (held / f"{key()}.sqlite3").exists():
        pytest.skip("the sample is kept by tests on SQLite")
    shutil.copy(held / f"{key()}.sqlite3", folder / "diligence.sqlite3")
    shutil.copy(held / f"{key()}-search.sqlite3", folder / "search.sqlite3")
    (tmp_path / "vectors").mkdir()
    shutil.copy(held / f"{key()}-vectors.sqlite3", tmp_path / "vectors" / "vectors.sqlite3")
    return folder


Commands = Sequence[Sequence[str]]


def pages(
    variables: dict[str, str], kept: list[str], first: Commands = (), then: Commands = ()
) -> dict[str, list[int]]:
    """The pages of three runs and all that they link to, made where none is `kept`: status, length, words counted.

    Commands of manage.py run `first` and `then`, in the same process: each of their own would take seconds to start.
    """
    result = forked("-c", ASK, *map(json.dumps, (kept, first, then)), timeout=240, **variables)
    assert result.returncode == 0, result.stderr
    found: dict[str, list[int]] = json.loads(result.stdout.splitlines()[-1])
    return found


def variables(folder: Path) -> dict[str, str]:
    return {"DATA_DIR": str(folder), "SECRET_KEY": "x", "VECTORS_DIR": str(settings.VECTORS_DIR)}


@pytest.mark.soak  # tests/services has it on PostgreSQL
def test_every_permalink_holds_after_dump_destroy_and_restore(data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.backup"
    before = pages(variables(data_dir), [], then=[["backup", str(file)]])
    kinds = {page.split("/")[1] for page in before}
    assert kinds >= {"runs", "s", "filings", "facts"}
    assert {status for status, *_ in before.values()} == {200}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.glob(".backup-*")) == []

    shutil.rmtree(data_dir)
    # The second is what the workers do of themselves, at once.
    restore = [["restore", str(file), "--yes"], ["search_index", "verify"]]
    assert pages(variables(data_dir), list(before), first=restore) == before


def test_restoring_asks_first(tmp_path: Path) -> None:
    file = tmp_path / "kept.backup"
    file.write_text("Whether it is a backup is looked at when somebody has agreed.")
    refused = forked("manage.py", "restore", str(file), **variables(tmp_path / "data"))
    assert refused.returncode == 1
    assert "Nobody is there to be asked: say --yes." in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.fixture
def database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The sample outside of any transaction, since nothing can be restored in one; it is put back."""
    if connection.vendor != "sqlite":
        pytest.skip("tests/services restores into PostgreSQL")
    with django_db_blocker.unblock(), restored():
        yield


def test_what_was_added_since_the_backup_is_gone_after_it(database: None, tmp_path: Path) -> None:
    file = tmp_path / "kept.backup"
    call_command("backup", str(file))
    before = {model: model.objects.count() for model in (Company, Ticker)}
    Ticker.objects.all().delete()
    Company.objects.create(cik=9_000_000_001, name="Added Since")
    call_command("restore", str(file), "--yes")
    assert {model: model.objects.count() for model in (Company, Ticker)} == before
    assert before[Ticker] > 0


def test_what_is_restored_is_said_to_wait_for_its_index(database: None, tmp_path: Path) -> None:
    file = tmp_path / "kept.backup"
    call_command("backup", str(file))
    call_command("restore", str(file), "--yes")
    held = Filing.objects.filter(chunks_stored__gt=0)
    waiting = held.filter(indexed="").count()
    assert held.count() == waiting > 0
    told = [("down", f"{waiting} restored filings are still to be indexed.")]
    assert list(Health.objects.filter(subject="index").values_list("state", "detail")) == told


def test_what_is_no_backup_is_refused_and_nothing_is_changed(database: None, tmp_path: Path) -> None:
    before = connection.connection.serialize()
    (tmp_path / "text").write_text("SQLite, but not really")
    (tmp_path / "postgres").write_bytes(b"PGDMP\x01\x0e")
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE note (text)")
    whole = tmp_path / "whole"
    call_command("backup", str(whole))
    content = whole.read_bytes()
    (tmp_path / "cut").write_bytes(content[: len(content) // 2])
    # Which tables there are can still be read. Not any page: damage to a free one is none.
    with connection.cursor() as cursor:
        cursor.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'filings_company'")
        page = (cursor.fetchone()[0] - 1) * 4096
    (tmp_path / "torn").write_bytes(content[:page] + b"\xff" * 4096 + content[page + 4096 :])
    for name, reason in {
        "text": "no backup of a SQLite database",
        "postgres": "no backup of a SQLite database",
        "other": "no database of Diligence",
        "cut": "damaged",
        "torn": "damaged",
        "missing": "cannot be read",
    }.items():
        # The command line tells this error in one line, and ends with 1.
        with pytest.raises(CommandError, match=reason):
            call_command("restore", str(tmp_path / name), "--yes")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(whole))
    assert whole.read_bytes() == content
    with pytest.raises(CommandError, match="is not a folder"):
        call_command("backup", str(tmp_path / "no" / "such"))
    assert connection.connection.serialize() == before


@pytest.fixture
def imported(settings: Settings, tmp_path: Path) -> str:
    """The SHA-256 of a file that somebody imported, in a DATA_DIR of this test."""
    settings.DATA_DIR = tmp_path / "installation"
    settings.DATA_DIR.mkdir()
    return original_files.write(b"A call that nobody can fetch again.")


def test_imported_files_are_in_the_backup_and_come_back(database: None, imported: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.backup"
    call_command("backup", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = Company.objects.count()
    original_files.delete(imported)
    later = original_files.write(b"Brought since.")
    Company.objects.create(cik=9_000_000_001, name="Added Since")
    call_command("restore", str(file), "--yes")
    assert original_files.read(imported) == b"A call that nobody can fetch again."
    assert original_files.read(later) == b"Brought since."
    assert Company.objects.count() == before


def test_a_damaged_archive_changes_nothing(database: None, imported: str, tmp_path: Path) -> None:
    call_command("backup", str(tmp_path / "whole"))
    original_files.delete(imported)
    content = (tmp_path / "whole").read_bytes()
    kept = content.rindex(lzma.compress(b"A call that nobody can fetch again.", preset=PRESET))
    page = content.index(SQLITE) + 4096
    (tmp_path / "cut").write_bytes(content[: len(content) // 2])
    (tmp_path / "another").write_bytes(content[: kept + 12] + b"\xff" * 8 + content[kept + 20 :])
    (tmp_path / "torn").write_bytes(content[:page] + b"\xff" * 8192 + content[page + 8192 :])
    before = connection.connection.serialize()
    for name in ("cut", "another", "torn"):
        with pytest.raises(CommandError, match=f"{name} is damaged"):
            call_command("restore", str(tmp_path / name), "--yes")
        assert original_files.read(imported) is None
    assert connection.connection.serialize() == before


def test_a_folder_that_may_not_be_written_to_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*args: object, **kwargs: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("tempfile.mkdtemp", refuses)
    with pytest.raises(BackupError, match=r"cannot be written to \(Permission denied\)"):
        backup(tmp_path / "file")
