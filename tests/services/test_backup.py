"""PostgreSQL by its own programs: dump, destroy, restore, and every permalink holds."""

import json
import subprocess
import tarfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from diligence.backups import program
from tests.services.servers import give_tables
from tests.support.processes import manage, run
from tests.support.sample import BESIDE, copy, kept_in, key
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


CALLS = """
import json, sys
import django
django.setup()
from django.core.management import call_command
for command in json.loads(sys.argv[1]):
    call_command(*command)
"""


def manages(variables: dict[str, str], *commands: list[str]) -> None:
    """Commands of manage.py one after the other, in one process: each of their own would take seconds to start."""
    done = run("-c", CALLS, json.dumps(commands), timeout=300, **variables)
    assert done.returncode == 0, done.stderr


def groups(database: dict[str, str]) -> list[str]:
    with psycopg.connect(database["DATABASE_URL"]) as held:
        return [name for (name,) in held.execute("SELECT name FROM auth_group ORDER BY name")]


def add(database: dict[str, str], group: str) -> None:
    with psycopg.connect(database["DATABASE_URL"]) as held:
        held.execute("INSERT INTO auth_group (name) VALUES (%s)", [group])


def test_every_permalink_holds_after_dump_destroy_and_restore(
    database: dict[str, str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    variables = of(database, data_dir) | {"VECTORS_DIR": str(settings.VECTORS_DIR)}
    # The sample as it is kept for the tests' own database.
    folder, kept = kept_in(Path(request.config.cache.mkdir("sample")))
    manages(variables, ["restore", str(kept), "--yes"])
    copy(folder / f"{key()}-{BESIDE[0]}", data_dir / BESIDE[0])
    before = pages(variables, [])
    assert {status for status, *_ in before.values()} == {200}
    assert {page.split("/")[1] for page in before} >= {"runs", "s", "filings", "facts"}

    file = tmp_path / "kept.backup"
    made = manage("backup", str(file), **variables)
    assert made.returncode == 0, made.stderr
    # The sample has imported files, so that the dump stands in an archive with them.
    with tarfile.open(file) as archive:
        assert archive.extractfile("database").read(5) == b"PGDMP"
        assert len(archive.getnames()) > 1

    with psycopg.connect(f"{database['SERVER']}/postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {database['NAME']} WITH (FORCE)")
    create(database["SERVER"], database["NAME"])
    for left in data_dir.glob("search.sqlite3*"):
        left.unlink()
    manages(variables, ["restore", str(file), "--yes"], ["search_index", "verify"])
    assert pages(variables, list(before)) == before


def test_a_backup_of_an_earlier_release_is_restored_over_a_later_one(database: dict[str, str], tmp_path: Path) -> None:
    variables = of(database, tmp_path)
    give_tables(database["DATABASE_URL"])
    add(database, "kept")
    migrate = ["migrate", "--verbosity", "0"]
    manages(variables, [*migrate, "agent", "0007"], ["backup", str(tmp_path / "earlier")], migrate)
    add(database, "of later")
    # What the later release has added is there, made by its migrations and not left.
    manages(variables, ["restore", str(tmp_path / "earlier"), "--yes"], ["migrate", "--check"])
    assert groups(database) == ["kept"]
    with psycopg.connect(database["DATABASE_URL"]) as held:
        assert held.execute("SELECT count(*) FROM agent_runcompany").fetchone() == (0,)
        extensions = held.execute("SELECT extname FROM pg_extension").fetchall()
    assert ("pg_stat_statements",) in extensions


# Restores file by file: what is said of each, and which groups are there after it.
RESTORE = """
import json, sys
import django
django.setup()
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
found = []
for file in sys.argv[1:]:
    try:
        call_command("restore", file, "--yes")
    except CommandError as error:
        said = str(error)
    else:
        said = ""
    found.append((said, [group.name for group in Group.objects.order_by("name")]))
print(json.dumps(found))
"""


def test_a_restore_that_fails_loses_nothing(database: dict[str, str], tmp_path: Path) -> None:
    variables = of(database, tmp_path)
    give_tables(database["DATABASE_URL"])
    whole = tmp_path / "whole"
    manages(variables, ["backup", str(whole)])
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
    files = {
        "cut": "pg_restore: error:",
        "begun": "pg_restore: error:",
        "halved": "pg_restore: error:",
        "foreign": "psql:",
    }
    tried = run("-c", RESTORE, *(str(tmp_path / name) for name in files), **variables)
    assert tried.returncode == 0, tried.stderr
    for (name, reason), (said, held) in zip(files.items(), json.loads(tried.stdout), strict=True):
        assert said.startswith(f"Nothing was restored: {reason}"), name
        assert held == ["since"], name


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
