"""Dump, destroy, restore: every permalink holds, and nothing is half-done."""

import errno
import json
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings

from diligence.backups import BackupError, backup
from tests.support.processes import manage
from tests.support.processes import run as python
from tests.support.sample import Sample, key

ASK = """
import django, json, re, sys
django.setup()
from django.conf import settings
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.ALLOWED_HOSTS = ["testserver"]
from django.test import Client
from accounts.models import User
from agent import tasks
from agent.models import Run, Share
kept = json.loads(sys.argv[1])
client = Client()
if not kept:
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
        links = re.findall(r'href="(/(?:runs|filings|facts|companies)/[^"#?]*)', response.content.decode())
        pages += [link for link in links if not link.endswith(("json", "csv"))]
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


def pages(variables: dict[str, str], kept: list[str]) -> dict[str, list[int]]:
    """The pages of three runs and all that they link to, made where none is `kept`: status, length, words counted."""
    result = python("-c", ASK, json.dumps(kept), timeout=240, **variables)
    assert result.returncode == 0, result.stderr
    found: dict[str, list[int]] = json.loads(result.stdout.splitlines()[-1])
    return found


def variables(folder: Path) -> dict[str, str]:
    shared = {"MODELS_DIR": str(settings.MODELS_DIR), "VECTORS_DIR": str(folder.parent / "vectors")}
    return {"DATA_DIR": str(folder), "SECRET_KEY": "x", **shared}


def test_every_permalink_holds_after_dump_destroy_and_restore(data_dir: Path, tmp_path: Path) -> None:
    before = pages(variables(data_dir), [])
    kinds = {page.split("/")[1] for page in before}
    assert kinds >= {"runs", "s", "filings", "facts"}
    assert {status for status, *_ in before.values()} == {200}

    file = tmp_path / "kept.backup"
    made = manage("backup", str(file), **variables(data_dir))
    assert made.returncode == 0, made.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.glob(".backup-*")) == []

    shutil.rmtree(data_dir)
    restored = manage("restore", str(file), "--yes", **variables(data_dir))
    assert restored.returncode == 0, restored.stderr
    with closing(sqlite3.connect(data_dir / "diligence.sqlite3")) as database:
        count = "SELECT count(*) FROM filings_filing WHERE chunks_stored > 0"
        held = database.execute(count).fetchone()[0]
        waiting = database.execute(f"{count} AND indexed = ''").fetchone()[0]
        assert held == waiting > 0
        told = "SELECT state, detail FROM filings_health WHERE subject = 'index'"
        assert database.execute(told).fetchall() == [("down", f"{waiting} restored filings are still to be indexed.")]
    # What the workers do of themselves, at once.
    indexed = manage("search_index", "verify", timeout=240, **variables(data_dir))
    assert indexed.returncode == 0, indexed.stderr
    assert pages(variables(data_dir), list(before)) == before


def test_restoring_asks_first(tmp_path: Path) -> None:
    folder = small(tmp_path / "data")
    file = tmp_path / "kept.backup"
    assert manage("backup", str(file), **variables(folder)).returncode == 0
    refused = manage("restore", str(file), **variables(folder))
    assert refused.returncode == 1
    assert "Nobody is there to be asked: say --yes." in refused.stderr
    assert "Traceback" not in refused.stderr


def test_what_was_added_since_the_backup_is_gone_after_it(data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.backup"
    assert manage("backup", str(file), **variables(data_dir)).returncode == 0
    with closing(sqlite3.connect(data_dir / "diligence.sqlite3")) as database:
        before = database.execute("SELECT count(*) FROM filings_company").fetchone()[0]
        database.execute("DELETE FROM filings_ticker")
        database.commit()
    assert manage("restore", str(file), "--yes", **variables(data_dir)).returncode == 0
    with closing(sqlite3.connect(data_dir / "diligence.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM filings_company").fetchone()[0] == before
        assert database.execute("SELECT count(*) FROM filings_ticker").fetchone()[0] > 0


def small(folder: Path) -> Path:
    """An installation without the sample."""
    folder.mkdir()
    assert manage("migrate", "--verbosity", "0", **variables(folder)).returncode == 0
    return folder


def test_what_is_no_backup_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    folder = small(tmp_path / "data")
    before = (folder / "diligence.sqlite3").read_bytes()
    (tmp_path / "text").write_text("SQLite, but not really")
    (tmp_path / "postgres").write_bytes(b"PGDMP\x01\x0e")
    with closing(sqlite3.connect(tmp_path / "other")) as database:
        database.execute("CREATE TABLE note (text)")
    whole = tmp_path / "whole"
    assert manage("backup", str(whole), **variables(folder)).returncode == 0
    content = whole.read_bytes()
    (tmp_path / "cut").write_bytes(content[: len(content) // 2])
    # Which tables there are can still be read.
    (tmp_path / "torn").write_bytes(content[:-8192] + b"\xff" * 8192)
    for name, reason in {
        "text": "no backup of a SQLite database",
        "postgres": "no backup of a SQLite database",
        "other": "no database of Diligence",
        "cut": "damaged",
        "torn": "damaged",
        "missing": "cannot be read",
    }.items():
        refused = manage("restore", str(tmp_path / name), "--yes", **variables(folder))
        assert refused.returncode == 1, name
        assert reason in refused.stderr, name
        assert "Traceback" not in refused.stderr
    again = manage("backup", str(whole), **variables(folder))
    assert again.returncode == 1
    assert "exists already" in again.stderr
    assert whole.read_bytes() == content
    assert (folder / "diligence.sqlite3").read_bytes() == before
    nowhere = manage("backup", str(tmp_path / "no" / "such"), **variables(folder))
    assert "is not a folder" in nowhere.stderr


def test_a_folder_that_may_not_be_written_to_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*args: object, **kwargs: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("tempfile.mkdtemp", refuses)
    with pytest.raises(BackupError, match=r"cannot be written to \(Permission denied\)"):
        backup(tmp_path / "file")
