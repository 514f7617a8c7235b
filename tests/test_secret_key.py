"""`make run` writes a secret key on one machine, and commands typed beside it find it."""

import json
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoDbBlocker, Settings

from diligence import checks, secret_key
from tests.services.servers import free_port
from tests.support.processes import forked
from tests.support.sample import copied_into

SHOW = "import json; from django.conf import settings as s; print(json.dumps([s.SECRET_KEY, s.DEBUG]))"
WRITE = "import sys, pathlib; from diligence import secret_key; secret_key.make(pathlib.Path(sys.argv[1]))"
QUESTION = "What was Apple's R&D spend in FY2024?"


def shown(folder: Path, **variables: str) -> Any:
    """SECRET_KEY and DEBUG of a fresh process."""
    result = forked("-c", SHOW, DATA_DIR=str(folder), **variables)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def prepare(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Runs `prepare` as `make run` does, in an empty folder, without the sample; the path of the key."""
    path = tmp_path / "secret_key"
    settings.DEBUG, settings.SECRET_KEY_PATH = True, path
    monkeypatch.setattr("diligence.management.commands.prepare.call_command", lambda *args, **kwargs: None)

    def run() -> Path:
        call_command("prepare", f"--port={free_port()}")
        return path

    return run


def test_the_first_start_writes_a_random_key_that_only_its_owner_may_read(prepare: Callable[[], Path]) -> None:
    path = prepare()
    assert len(secret_key.read(path)) == 2 * secret_key.BYTES
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret_key"]


def test_the_second_start_keeps_the_key(prepare: Callable[[], Path]) -> None:
    first = prepare().read_bytes()
    assert prepare().read_bytes() == first


def test_two_installations_have_different_keys(tmp_path: Path) -> None:
    secret_key.make(tmp_path / "one")
    secret_key.make(tmp_path / "two")
    assert secret_key.read(tmp_path / "one") != secret_key.read(tmp_path / "two")


def test_of_processes_that_start_at_once_all_use_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret_key"
    # Each of them has found no file.
    monkeypatch.setattr(Path, "exists", lambda self, **kwargs: False)

    def started(_: int) -> str:
        secret_key.make(path)
        return secret_key.read(path)

    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(started, range(32)))
    assert len(keys) == 1
    assert keys != {""}
    assert list(tmp_path.iterdir()) == [path]


def test_a_command_finds_the_key_and_runs_without_debug(tmp_path: Path) -> None:
    assert forked("-c", WRITE, str(tmp_path / "secret_key"), DATA_DIR=str(tmp_path)).returncode == 0
    assert shown(tmp_path) == [secret_key.read(tmp_path / "secret_key"), False]


def test_the_site_of_make_run_uses_the_same_key(tmp_path: Path) -> None:
    assert shown(tmp_path, DEBUG="1") == [secret_key.WITHOUT_A_FILE, True]
    secret_key.make(tmp_path / "secret_key")
    assert shown(tmp_path, DEBUG="1") == [secret_key.read(tmp_path / "secret_key"), True]


def test_a_key_of_the_environment_is_used_and_the_file_is_not(tmp_path: Path) -> None:
    secret_key.make(tmp_path / "secret_key")
    assert shown(tmp_path, SECRET_KEY="x") == ["x", False]
    (tmp_path / "other").write_text("from a file\n")
    assert shown(tmp_path, SECRET_KEY_FILE=str(tmp_path / "other")) == ["from a file", False]


def test_a_key_file_that_is_named_and_missing_is_not_replaced_by_another_key(tmp_path: Path) -> None:
    secret_key.make(tmp_path / "secret_key")
    result = forked("manage.py", "check", DATA_DIR=str(tmp_path), SECRET_KEY_FILE=str(tmp_path / "missing"))
    assert result.returncode == 1
    assert f"SECRET_KEY_FILE names {tmp_path / 'missing'}, which cannot be read" in result.stderr.replace("\n\t", " ")
    assert "diligence.E001" in result.stderr


def test_another_database_does_not_use_the_key_beside_the_first(tmp_path: Path) -> None:
    secret_key.make(tmp_path / "secret_key")
    result = forked("manage.py", "check", DATA_DIR=str(tmp_path), DATABASE_URL="postgres://me@127.0.0.1:9/other")
    assert result.returncode == 1
    assert "diligence.E001" in result.stderr


def test_a_production_start_writes_no_key(prepare: Callable[[], Path], settings: Settings) -> None:
    settings.DEBUG = False
    assert not prepare().exists()
    settings.DEBUG, settings.SECRET_KEY_PATH = True, None
    prepare()


def test_without_a_key_and_a_file_a_command_is_refused_as_before(tmp_path: Path) -> None:
    result = forked("manage.py", "ask", QUESTION, DATA_DIR=str(tmp_path))
    assert result.returncode == 1
    assert "SECRET_KEY is not set." in result.stderr
    assert "make run" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.write_text("\n"), "is empty"),
        (lambda path: path.mkdir(), "cannot be read (Is a directory)"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "is not a text file"),
    ],
    ids=["empty", "unreadable", "binary"],
)
@pytest.mark.parametrize("debug", ["0", "1"])
def test_a_file_that_gives_no_key_is_an_error_that_names_it(
    tmp_path: Path, spoil: Callable[[Path], None], said: str, debug: str
) -> None:
    path = tmp_path / "secret_key"
    spoil(path)
    result = forked("manage.py", "prepare", "--port", str(free_port()), DATA_DIR=str(tmp_path), DEBUG=debug)
    assert result.returncode == 1
    assert f"SECRET_KEY is not set, and {path} {said}." in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "diligence.sqlite3").exists()


def test_a_file_of_another_user_is_said_with_a_hint(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_text = Path.read_text

    def refuse(self: Path, **kwargs: Any) -> str:
        if self.name == "secret_key":
            raise PermissionError(13, "Permission denied")
        return read_text(self, **kwargs)

    monkeypatch.setattr(Path, "read_text", refuse)
    settings.SECRET_KEY, settings.SECRET_KEY_PATH = "", tmp_path / "secret_key"
    (found,) = checks.secret_key()
    assert "cannot be read (Permission denied)" in found.msg
    assert "readable for this user" in str(found.hint)
    assert secret_key.read(tmp_path / "secret_key") == ""


def test_a_folder_that_takes_no_file_is_a_clear_error(
    prepare: Callable[[], Path], settings: Settings, tmp_path: Path
) -> None:
    settings.SECRET_KEY_PATH = tmp_path / "nowhere" / "secret_key"
    with pytest.raises(CommandError, match="cannot be written"):
        prepare()


def test_a_question_is_answered_without_a_variable_after_make_run(
    tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock():
        copied_into(tmp_path)
    prepared = forked(
        "manage.py", "prepare", "--port", str(free_port()), DATA_DIR=str(tmp_path), DEBUG="1", timeout=300
    )
    assert prepared.returncode == 0, prepared.stderr
    asked = forked("manage.py", "ask", QUESTION, DATA_DIR=str(tmp_path))
    assert asked.returncode == 0, asked.stderr
    assert "31,370" in asked.stdout
