"""PostgreSQL by its own programs: dump, destroy, restore, and every permalink holds."""

import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from diligence.backups import program
from tests.support.processes import manage
from tests.test_backups import pages


@pytest.fixture
def database(db: None) -> Iterator[dict[str, str]]:
    """The variables of an empty database of an owner who may do nothing else, on the server of the tests."""
    told, name = connection.settings_dict, f"kept{uuid.uuid4().hex[:10]}"
    address = f"{told['HOST']}:{told['PORT']}"
    server = f"postgres://{told['USER']}@{address}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {name} LOGIN")
        create(server, name)
        yield {"DATABASE_URL": f"postgres://{name}@{address}/{name}", "SERVER": server, "NAME": name}
        admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        admin.execute(f"DROP ROLE {name}")


def create(server: str, name: str) -> None:
    """A database of the role of its name, with an extension that is not."""
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} OWNER {name}")
    with psycopg.connect(f"{server}/{name}", autocommit=True) as admin:
        admin.execute("CREATE EXTENSION pg_stat_statements")


def of(database: dict[str, str], data_dir: Path) -> dict[str, str]:
    return {"DATABASE_URL": database["DATABASE_URL"], "DATA_DIR": str(data_dir), "SECRET_KEY": "x"}


def manages(variables: dict[str, str], *command: str) -> None:
    done = manage(*command, timeout=300, **variables)
    assert done.returncode == 0, done.stderr


def groups(database: dict[str, str]) -> list[str]:
    with psycopg.connect(database["DATABASE_URL"]) as held:
        return [name for (name,) in held.execute("SELECT name FROM auth_group ORDER BY name")]


def add(database: dict[str, str], group: str) -> None:
    with psycopg.connect(database["DATABASE_URL"]) as held:
        held.execute("INSERT INTO auth_group (name) VALUES (%s)", [group])


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
    assert {page.split("/")[1] for page in before} >= {"runs", "s", "filings", "facts"}

    file = tmp_path / "kept.backup"
    made = manage("backup", str(file), **variables)
    assert made.returncode == 0, made.stderr
    assert file.read_bytes().startswith(b"PGDMP")

    with psycopg.connect(f"{database['SERVER']}/postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {database['NAME']} WITH (FORCE)")
    create(database["SERVER"], database["NAME"])
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


def test_a_backup_of_an_earlier_release_is_restored_over_a_later_one(database: dict[str, str], tmp_path: Path) -> None:
    variables = of(database, tmp_path)
    manages(variables, "migrate", "--verbosity", "0")
    manages(variables, "migrate", "--verbosity", "0", "agent", "0007")
    add(database, "kept")
    manages(variables, "backup", str(tmp_path / "earlier"))
    manages(variables, "migrate", "--verbosity", "0")
    add(database, "of later")
    manages(variables, "restore", str(tmp_path / "earlier"), "--yes")
    assert groups(database) == ["kept"]
    # What the later release has added is there, made by its migrations and not left.
    manages(variables, "migrate", "--check")
    with psycopg.connect(database["DATABASE_URL"]) as held:
        assert held.execute("SELECT count(*) FROM agent_runcompany").fetchone() == (0,)
        extensions = held.execute("SELECT extname FROM pg_extension").fetchall()
    assert ("pg_stat_statements",) in extensions


def test_a_restore_that_fails_loses_nothing(database: dict[str, str], tmp_path: Path) -> None:
    variables = of(database, tmp_path)
    manages(variables, "migrate", "--verbosity", "0")
    whole = tmp_path / "whole"
    manages(variables, "backup", str(whole))
    content = whole.read_bytes()
    (tmp_path / "cut").write_bytes(content[: len(content) * 9 // 10])
    (tmp_path / "begun").write_bytes(content[:100])
    # Ends between two statements: nothing in what can be read of it says that there were more.
    statements = [program("pg_dump"), "--format=custom", "--inserts", "--compress=0", f"--file={tmp_path / 'halved'}"]
    subprocess.run([*statements, database["DATABASE_URL"]], check=True)
    content = (tmp_path / "halved").read_bytes()
    (tmp_path / "halved").write_bytes(content[: content.index(b"INSERT INTO public.django_migrations")])
    with psycopg.connect(database["DATABASE_URL"]) as held:
        held.execute("CREATE SCHEMA other CREATE TABLE note (text text)")
    only = [program("pg_dump"), "--format=custom", "--schema=other", f"--file={tmp_path / 'foreign'}"]
    subprocess.run([*only, database["DATABASE_URL"]], check=True)
    add(database, "since")
    for name, reason in {
        "cut": "pg_restore: error:",
        "begun": "pg_restore: error:",
        "halved": "pg_restore: error:",
        "foreign": "psql:",
    }.items():
        refused = manage("restore", str(tmp_path / name), "--yes", **variables)
        assert refused.returncode == 1, name
        assert f"Nothing was restored: {reason}" in refused.stderr
        assert groups(database) == ["since"]


def test_a_server_that_is_away_is_a_clear_error(tmp_path: Path) -> None:
    variables = {"DATABASE_URL": "postgres://me:hush@127.0.0.1:9/none", "DATA_DIR": str(tmp_path), "SECRET_KEY": "x"}
    refused = manage("backup", str(tmp_path / "file"), **variables)
    assert refused.returncode == 1
    assert "pg_dump failed" in refused.stderr
    assert "hush" not in refused.stderr
    assert not (tmp_path / "file").exists()
    (tmp_path / "file").write_bytes(b"PGDMP")
    refused = manage("restore", str(tmp_path / "file"), "--yes", **variables)
    assert refused.returncode == 1
    assert "CommandError: PostgreSQL does not answer" in refused.stderr
    assert "Traceback" not in refused.stderr
