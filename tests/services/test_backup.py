"""PostgreSQL by its own programs: dump, destroy, restore, and every permalink holds."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from tests.support.processes import manage
from tests.test_backups import pages


@pytest.fixture
def database(db: None) -> Iterator[dict[str, str]]:
    """The variables of an empty database of its own, on the server of the tests."""
    told, name = connection.settings_dict, f"kept{uuid.uuid4().hex[:10]}"
    server = f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        yield {"DATABASE_URL": f"{server}/{name}", "SERVER": server, "NAME": name}
        admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def test_every_permalink_holds_after_dump_destroy_and_restore(database: dict[str, str], tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    variables = {
        "DATA_DIR": str(data_dir),
        "SECRET_KEY": "x",
        "MODELS_DIR": str(settings.MODELS_DIR),
        "VECTORS_DIR": str(settings.VECTORS_DIR),
        "DATABASE_URL": database["DATABASE_URL"],
    }
    for command in (["migrate", "--verbosity", "0"], ["load_sample"]):
        done = manage(*command, timeout=300, **variables)
        assert done.returncode == 0, done.stderr
    before = pages(variables, [])
    assert {status for status, *_ in before.values()} == {200}
    assert {page.split("/")[1] for page in before} >= {"runs", "filings", "facts"}

    file = tmp_path / "kept.backup"
    made = manage("backup", str(file), **variables)
    assert made.returncode == 0, made.stderr
    assert file.read_bytes().startswith(b"PGDMP")

    with psycopg.connect(f"{database['SERVER']}/postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {database['NAME']} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {database['NAME']}")
    for left in data_dir.glob("search.sqlite3*"):
        left.unlink()
    restored = manage("restore", str(file), "--yes", **variables)
    assert restored.returncode == 0, restored.stderr
    assert manage("search_index", "verify", timeout=240, **variables).returncode == 0
    assert pages(variables, list(before)) == before

    # Once more, over what is there.
    again = manage("restore", str(file), "--yes", **variables)
    assert again.returncode == 0, again.stderr
    assert {status for status, *_ in pages(variables, list(before)).values()} == {200}


def test_a_server_that_is_away_is_a_clear_error(tmp_path: Path) -> None:
    variables = {"DATABASE_URL": "postgres://me:hush@127.0.0.1:9/none", "DATA_DIR": str(tmp_path), "SECRET_KEY": "x"}
    refused = manage("backup", str(tmp_path / "file"), **variables)
    assert refused.returncode == 1
    assert "pg_dump failed" in refused.stderr
    assert "hush" not in refused.stderr
    assert not (tmp_path / "file").exists()
