"""Settings come from the environment, with safe defaults."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from diligence.celery import app
from diligence.environment import NO_DATABASE, Environment, former
from tests.support.processes import forked

SHOW = "import json; from django.conf import settings as s; print(json.dumps({}))"


def shown(expression: str, tmp_path: Path, **variables: str) -> Any:
    """A value of the settings in a fresh process."""
    result = forked("-c", SHOW.replace("{}", expression), DATA_DIR=str(tmp_path / "data"), **variables)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_debug_is_off_and_there_is_no_secret_key_by_default(tmp_path: Path) -> None:
    assert shown("s.DEBUG", tmp_path) is False
    refused = forked("-c", SHOW.replace("{}", "s.SECRET_KEY"), DATA_DIR=str(tmp_path))
    assert "SECRET_KEY setting must not be empty" in refused.stderr


def test_a_secret_may_come_from_a_file_without_its_last_newline(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from a file\n")
    assert shown("s.SECRET_KEY", tmp_path, SECRET_KEY_FILE=str(tmp_path / "key")) == "from a file"


def test_sqlite_waits_for_its_lock_and_writes_ahead(tmp_path: Path) -> None:
    database = shown("s.DATABASES['default']", tmp_path, SECRET_KEY="x")
    assert database["ENGINE"] == "django.db.backends.sqlite3"
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert database["OPTIONS"]["timeout"] >= 10
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
    assert database["ATOMIC_REQUESTS"] is False


def test_postgres_and_redis_by_url(tmp_path: Path) -> None:
    urls = {"DATABASE_URL": "postgres://me:p%40ss@db:5433/diligence", "REDIS_URL": "redis://cache:6379/2"}
    found = shown("[s.DATABASES['default'], s.CACHES, s.CELERY_BROKER_URL]", tmp_path, SECRET_KEY="x", **urls)
    assert found[0]["ENGINE"] == "django.db.backends.postgresql"
    assert (found[0]["PASSWORD"], found[0]["HOST"], found[0]["PORT"]) == ("p@ss", "db", 5433)
    assert found[0]["ATOMIC_REQUESTS"] is False
    assert found[1]["default"]["LOCATION"] == found[2] == urls["REDIS_URL"]


def test_a_cache_of_files_keeps_what_is_counted_of_one_while_another_tries(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    told = "[s.CACHES['default']['BACKEND'].rpartition('.')[2], __import__('django.core.cache').core.cache.cache._max_entries]"
    assert shown(told, tmp_path, SECRET_KEY="x", REDIS_URL="") == ["FolderCache", 10_000]


def test_a_wrong_database_url_reaches_no_database_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgress://localhost/diligence")
    env = Environment()
    assert env.database("DATABASE_URL", default="sqlite:///somewhere") == NO_DATABASE
    assert [variable for variable, _ in env.problems] == ["DATABASE_URL"]


@pytest.mark.parametrize(
    "url", ["diligence.sqlite3", "sqlite://", "postgres://localhost:port/x", "postgres://", "://"]
)
def test_a_database_url_must_name_a_database(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    env = Environment()
    assert env.database("DATABASE_URL", default="sqlite:////tmp/x") == NO_DATABASE
    assert env.problems


def test_a_value_that_cannot_be_read_keeps_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "banana")
    monkeypatch.setenv("TRUSTED_PROXY_COUNT", "abc")
    env = Environment()
    assert env.bool("DEBUG", default=False) is False
    assert env.int("TRUSTED_PROXY_COUNT", default=1) == 1
    assert [variable for variable, _ in env.problems] == ["DEBUG", "TRUSTED_PROXY_COUNT"]


def test_a_problem_never_repeats_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://me:hush@localhost/x")
    env = Environment()
    env.database("DATABASE_URL", default="sqlite:////tmp/x")
    assert "hush" not in str(env.problems)


def test_an_empty_value_means_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "")
    monkeypatch.setenv("EDGAR_REQUESTS_PER_SECOND", "")
    monkeypatch.setenv("DATABASE_URL", "")
    env = Environment()
    assert env.bool("DEBUG", default=True) is True
    assert env.float("EDGAR_REQUESTS_PER_SECOND", default=8.0) == 8.0
    assert env.database("DATABASE_URL", default="sqlite:////tmp/x")["NAME"] == "/tmp/x"  # noqa: S108 - nothing is opened
    assert env.problems == []


LIMITS = {"runs": 5, "cost": 2.0, "rerank": False, "prefix": "", "name": "One"}


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("", {}),
        ("runs=7", {"runs": 7}),
        (" runs = 0 ,cost=.5, rerank=yes", {"runs": 0, "cost": 0.5, "rerank": True}),
        (
            "name=Company, Inc.,prefix=Query, in a word: ,rerank=0",
            {"name": "Company, Inc.", "prefix": "Query, in a word: "},
        ),
        ("prefix=a=b", {"prefix": "a=b"}),
    ],
)
def test_a_group_has_what_it_names_and_defaults(
    monkeypatch: pytest.MonkeyPatch, text: str, changes: dict[str, Any]
) -> None:
    monkeypatch.setenv("GROUP", text)
    env = Environment()
    assert env.group("GROUP", LIMITS) == LIMITS | changes
    assert env.problems == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7", "GROUP must be name=value,… with these names: runs, cost, rerank, prefix, name."),
        ("runs=7,hush=1", "GROUP must be name=value,… with these names: runs, cost, rerank, prefix, name."),
        ("runs=hush", "runs in GROUP must be a whole number, 0 or more."),
        ("runs=7,cost", "runs in GROUP must be a whole number, 0 or more."),
        ("runs=-1", "runs in GROUP must be a whole number, 0 or more."),
        ("cost=inf", "cost in GROUP must be a number, 0 or more."),
        ("cost=nan", "cost in GROUP must be a number, 0 or more."),
        ("rerank=hush", "rerank in GROUP must be a yes or no (1, 0, true, false)."),
    ],
)
def test_a_group_that_cannot_be_read_keeps_its_defaults(monkeypatch: pytest.MonkeyPatch, text: str, said: str) -> None:
    monkeypatch.setenv("GROUP", text)
    env = Environment()
    assert env.group("GROUP", LIMITS) == LIMITS
    assert env.problems == [("GROUP", said)]


def test_a_variable_of_an_earlier_release_counts_where_its_group_does_not_name_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    default = {"timeout": 60.0, "max_tokens": 16_000, "price_in": 0.0, "price_out": 0.0}
    monkeypatch.setenv("DRAFT_MODEL_TIMEOUT", "1500")
    monkeypatch.setenv("DRAFT_MODEL_MAX_TOKENS", "9")
    monkeypatch.setenv("DRAFT_MODEL_OPTIONS", "max_tokens=8000")
    found = Environment().group("DRAFT_MODEL_OPTIONS", default)
    assert found == default | {"timeout": 1500.0, "max_tokens": 8000}
    assert former({})["DRAFT_MODEL_TIMEOUT"] == "Write DRAFT_MODEL_OPTIONS=timeout=value instead."


@pytest.mark.parametrize(
    ("base", "data"),
    [
        ("", "https://data.sec.gov"),
        ("https://www.sec.gov/", "https://data.sec.gov"),
        ("http://127.0.0.1:8765/", "http://127.0.0.1:8765"),
    ],
)
def test_a_mirror_has_what_sec_has_at_two_addresses(tmp_path: Path, base: str, data: str) -> None:
    assert shown("s.EDGAR_DATA_URL", tmp_path, SECRET_KEY="x", EDGAR_BASE_URL=base) == data


def test_a_group_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "oidc").write_text("server_url=https://login.example.com/,client_id=us\n")
    found = shown(
        "[s.OIDC_SERVER_URL, s.OIDC_CLIENT_ID, s.OIDC_NAME]",
        tmp_path,
        SECRET_KEY="x",
        OIDC_FILE=str(tmp_path / "oidc"),
    )
    assert found == ["https://login.example.com", "us", "OpenID Connect"]


def test_the_browser_gets_a_strict_policy(client: Any, db: None) -> None:
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


ROOT = Path(__file__).parents[1]
# env.bool("DEBUG", ...) and the like; what is read by processes of the Procfile is not a setting.
VARIABLE = re.compile(r"\benv\.\w+\(\s*\"([A-Z_]+)\"")


def test_every_setting_is_in_the_example() -> None:
    read = set(VARIABLE.findall((ROOT / "diligence" / "settings.py").read_text()))
    assert len(read) > 30
    assert read - set(re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M)) == set()


def test_the_example_names_no_setting_that_is_not_read() -> None:
    read = set(VARIABLE.findall((ROOT / "diligence" / "settings.py").read_text()))
    told = re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M)
    assert sorted(set(told) - read) == []
    assert len(told) == len(set(told))


def test_who_may_use_how_much_where_nothing_is_set(tmp_path: Path) -> None:
    read = VARIABLE.findall((ROOT / "diligence" / "settings.py").read_text())
    unset = {name: "" for name in read if name.startswith(("ANON_", "USER_"))}
    plans, tickers = shown("[s.PLANS, s.ANON_TICKERS]", tmp_path, SECRET_KEY="x", **unset)
    assert plans["anon"] == {
        "requests_per_minute": 5,
        "tokens_per_minute": 5_000,
        "input_tokens": 1_000,
        "unfinished_runs": 5,
        "questions_in_all": 50,
    }
    assert plans["user"] == {
        "requests_per_minute": 60,
        "tokens_per_minute": 50_000,
        "input_tokens": 2_000,
        "unfinished_runs": 30,
        "answers_per_month": 1_000,
        "cost_per_month": 20.0,
    }
    assert plans["staff"] == {}
    # The companies of the sample.
    assert tickers == []


SCHEDULE = {
    "agent.tasks.sweep": "ask",
    "agent.tasks.mail_watchlists": "ask",
    "agent.tasks.keep_figures": "ingest",
    "agent.tasks.compare_answers": "ingest",
    "agent.tasks.mail_digests": "ask",
    "filings.tasks.sweep": "ingest",
    "filings.tasks.sweep_searches": "ask",
    "filings.tasks.sweep_imports": "ingest",
    "filings.tasks.index_waiting": "ingest",
    "filings.tasks.check_index": "ask",
    "filings.tasks.watch": "ingest",
    "accounts.tasks.clear_sessions": "ask",
}


def test_what_the_clock_sends_is_a_task_of_ours_and_goes_where_it_is_done() -> None:
    app.loader.import_default_modules()
    sent = [entry["task"] for entry in app.conf.beat_schedule.values()]
    assert sorted(sent) == sorted(SCHEDULE)
    assert {name for name in sent if name not in app.tasks} == set()
    assert {name: app.amqp.router.route({}, name)["queue"].name for name in sent} == SCHEDULE


EDGARTOOLS = """
import django, importlib, os
django.setup()
from diligence import settings
from edgar import config
print(config.SEC_BASE_URL)
os.environ["EDGAR_BASE_URL"] = "http://127.0.0.1:9/"
importlib.reload(settings)
# Read once more: to import all of it again takes seconds.
print(importlib.reload(config).SEC_BASE_URL)
"""


def test_edgartools_asks_the_address_of_the_settings(tmp_path: Path) -> None:
    done = forked("-c", EDGARTOOLS, DEBUG="1", DATA_DIR=str(tmp_path))
    assert (done.stdout, done.stderr) == ("https://www.sec.gov\nhttp://127.0.0.1:9\n", "")
