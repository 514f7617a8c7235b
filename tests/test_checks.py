"""Every wrong setting is a message with an id and a hint."""

import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import CheckMessage

from diligence import checks
from tests.support.processes import forked


def ids(messages: list[CheckMessage]) -> list[str]:
    assert all(message.hint for message in messages)
    return [str(message.id) for message in messages]


def test_it_asks_for_a_secret_key_when_there_is_none(settings: Any) -> None:
    settings.SECRET_KEY = ""
    assert ids(checks.secret_key()) == ["diligence.E001"]


def test_it_accepts_any_secret_key_that_is_set(settings: Any) -> None:
    settings.SECRET_KEY = "a long random text"
    assert checks.secret_key() == []


def test_it_reports_each_variable_that_could_not_be_read(settings: Any) -> None:
    settings.ENVIRONMENT_PROBLEMS = [("DEBUG", "DEBUG must be a yes or no."), ("LOG_LEVEL", "It must be a word.")]
    found = checks.readable()
    assert ids(found) == ["diligence.E002", "diligence.E002"]
    assert "DEBUG" in str(found[0].hint)


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", "postgres://localhost/1"])
def test_it_refuses_an_address_that_is_not_redis(settings: Any, url: str) -> None:
    settings.REDIS_URL = url
    assert ids(checks.redis_url()) == ["diligence.E004"]


@pytest.mark.parametrize("url", ["", "redis://localhost:6379/0", "rediss://example.com:6380/1", "unix:///run/redis"])
def test_it_accepts_redis_and_none(settings: Any, url: str) -> None:
    settings.REDIS_URL = url
    assert checks.redis_url() == []


def test_it_refuses_a_data_dir_that_is_a_file(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "file"
    settings.DATA_DIR.write_text("")
    assert ids(checks.data_dir()) == ["diligence.E005"]


def test_it_refuses_a_data_dir_that_is_not_there(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "missing"
    assert ids(checks.data_dir()) == ["diligence.E005"]


def test_it_accepts_a_writable_data_dir(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    assert checks.data_dir() == []


def test_it_warns_when_sec_would_be_asked_without_an_identity(settings: Any) -> None:
    settings.EDGAR_IDENTITY, settings.EDGAR_BASE_URL = "", "https://www.sec.gov"
    assert ids(checks.edgar_identity()) == ["diligence.W006"]


def test_a_local_edgar_needs_no_identity(settings: Any) -> None:
    settings.EDGAR_IDENTITY, settings.EDGAR_BASE_URL = "", "http://127.0.0.1:8765"
    assert checks.edgar_identity() == []


@pytest.mark.parametrize(
    "identity",
    ["Jane Doe", "jane@example.com", "Jane jane@localhost", "   jane@example.com", "Jane jane@roe@example.com"],
)
def test_it_refuses_an_identity_without_a_name_and_an_address(settings: Any, identity: str) -> None:
    settings.EDGAR_IDENTITY = identity
    assert ids(checks.edgar_identity()) == ["diligence.E006"]


def test_it_accepts_an_identity_as_sec_asks_for(settings: Any) -> None:
    settings.EDGAR_IDENTITY = "Sample Company Name AdminContact@sample.example"
    assert checks.edgar_identity() == []


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://www.sec.gov", []),
        ("http://127.0.0.1:8765", []),
        ("http://[::1]:8765", []),
        ("ftp://www.sec.gov", ["diligence.E007"]),
        ("www.sec.gov", ["diligence.E007"]),
        ("http://[", ["diligence.E007"]),
        ("http://127.0.0.1:port", ["diligence.E007"]),
        ("https://edgar.example.com", ["diligence.W007"]),
    ],
)
def test_it_looks_at_the_address_of_edgar(settings: Any, url: str, found: list[str]) -> None:
    settings.EDGAR_BASE_URL = url
    assert ids(checks.edgar_url()) == found


@pytest.mark.parametrize(("rate", "found"), [(0, 1), (-1, 1), (10.5, 1), (10, 0), (0.5, 0), (float("nan"), 1)])
def test_it_keeps_within_what_sec_allows(settings: Any, rate: float, found: int) -> None:
    settings.EDGAR_BASE_URL, settings.EDGAR_REQUESTS_PER_SECOND = "https://www.sec.gov", rate
    assert ids(checks.edgar_rate()) == ["diligence.E008"] * found


MIRROR = "http://127.0.0.1:8765"


@pytest.mark.parametrize(("rate", "found"), [(0, 1), (-1, 1), (10.5, 0), (1000, 0), (float("nan"), 1)])
def test_a_mirror_may_be_asked_as_often_as_it_bears(settings: Any, rate: float, found: int) -> None:
    settings.EDGAR_BASE_URL = MIRROR
    settings.EDGAR_REQUESTS_PER_SECOND = rate
    assert ids(checks.edgar_rate()) == ["diligence.E008"] * found


def test_a_name_that_only_ends_like_sec_is_a_mirror(settings: Any) -> None:
    settings.EDGAR_BASE_URL = "https://notsec.gov"
    settings.EDGAR_REQUESTS_PER_SECOND = 50
    assert checks.edgar_rate() == []


def test_it_refuses_every_host_outside_debug(settings: Any) -> None:
    settings.DEBUG, settings.ALLOWED_HOSTS = False, ["*"]
    assert ids(checks.allowed_hosts()) == ["diligence.E009"]
    settings.DEBUG = True
    assert checks.allowed_hosts() == []


@pytest.mark.parametrize(
    ("forms", "said"),
    [
        (["10-k", "DEF14A", "20-F"], []),
        (["10-K", "6-K"], ["INGEST_FORMS: “6-K” is no kind of document."]),
        (["10-K", "news"], ["INGEST_FORMS: “news” is not filed with the SEC."]),
        ([], ["INGEST_FORMS: no kind of document is named."]),
    ],
)
def test_it_names_a_form_that_is_not_loaded(settings: Any, forms: list[str], said: list[str]) -> None:
    settings.INGEST_FORMS = forms
    found = checks.ingest_forms()
    assert [one.msg.split(" Known:")[0] for one in found] == said
    assert ids(found) == ["diligence.E024"] * len(said)


def test_wrong_values_of_all_settings_are_messages_and_not_a_traceback(tmp_path: Path) -> None:
    result = forked(
        "manage.py",
        "check",
        DATA_DIR=str(tmp_path),
        DEBUG="banana",
        USER_LIMITS="input_tokens=abc",
        EDGAR_REQUESTS_PER_SECOND="fast",
        DATABASE_URL="mysql://localhost/diligence",
        REDIS_URL="http://localhost",
        LOG_LEVEL="loud",
        EMAIL_URL="pigeon://example.com",
        ACCOUNT_EMAIL_VERIFICATION="perhaps",
        SECRET_KEY_FILE=str(tmp_path / "missing"),
        TRUSTED_PROXY_COUNT="one",
        ELASTICSEARCH_URL="search",
        ELASTICSEARCH_OPTIONS="fallback=perhaps",
        RERANK="url=rerank",
        # Half of what is set together.
        OIDC="server_url=https://login.example.com",
        # Of an earlier release.
        CONN_MAX_AGE="0",
        EDGAR_DATA_URL="http://127.0.0.1:9",
        ANON_INPUT_TOKENS="3",
        PLAN_MODEL="some-model",
    )
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    for variable in (
        "DEBUG",
        "USER_LIMITS",
        "EDGAR_REQUESTS_PER_SECOND",
        "DATABASE_URL",
        "LOG_LEVEL",
        "EMAIL_URL",
        "ACCOUNT_EMAIL_VERIFICATION",
        "SECRET_KEY",
        "TRUSTED_PROXY_COUNT",
        "ELASTICSEARCH_OPTIONS",
    ):
        assert f"Correct {variable} in the environment" in result.stderr
    for found in (
        *("diligence.E001", "diligence.E004", "filings.E001", "filings.E006"),
        *("accounts.E002", "agent.E002"),
    ):
        assert f"({found})" in result.stderr
    assert "client_id in OIDC and OIDC_CLIENT_SECRET missing" in result.stderr
    assert "PLAN_MODEL is set without PLAN_MODEL_BASE_URL" in result.stderr
    for name in ("CONN_MAX_AGE", "EDGAR_DATA_URL"):
        assert f"{name} is a setting of an earlier release.\n\tHINT: Remove it: its value is fixed." in result.stderr
    assert (
        "ANON_INPUT_TOKENS is a setting of an earlier release.\n\tHINT: Write ANON_LIMITS=input_tokens=value instead."
        in result.stderr
    )


def test_the_defaults_with_a_secret_key_have_no_error_and_make_folders_for_their_owner_only(tmp_path: Path) -> None:
    result = forked("manage.py", "check", DATA_DIR=str(tmp_path / "data"), SECRET_KEY="a long random text")
    assert result.returncode == 0, result.stderr
    assert "diligence.E" not in result.stderr
    for folder in ("data", "data/broker/queue", "data/broker/control"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) & 0o077 == 0, folder


def test_a_data_dir_that_cannot_be_made_is_a_message_and_not_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = forked("manage.py", "check", DATA_DIR=str(tmp_path / "file" / "below"), SECRET_KEY="a long random text")
    assert result.returncode != 0
    assert "diligence.E005" in result.stderr
    assert "Traceback" not in result.stderr


ENDPOINT = {
    "EMBEDDING_BASE_URL": "https://embeddings.example.com/v1",
    "EMBEDDING_MODEL": "some-model",
    "EMBEDDING_DIMENSIONS": 1024,
    "EMBEDDING_API_KEY": "secret",
}


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, []),
        ({"EMBEDDING_BASE_URL": "http://127.0.0.1:8080/v1"}, []),
        ({"EMBEDDING_BASE_URL": "http://embeddings.example.com/v1"}, ["diligence.W013"]),
        ({"EMBEDDING_BASE_URL": "embeddings.example.com"}, ["diligence.E013"]),
        ({"EMBEDDING_MODEL": ""}, ["diligence.E014"]),
        ({"EMBEDDING_DIMENSIONS": 0}, ["diligence.E014"]),
        ({"EMBEDDING_BASE_URL": ""}, ["diligence.E014"]),
        ({"EMBEDDING_BASE_URL": "", "EMBEDDING_MODEL": ""}, []),
    ],
)
def test_it_wants_the_settings_of_an_embedding_endpoint_together(
    settings: Any, changes: dict[str, Any], found: list[str]
) -> None:
    for name, value in (ENDPOINT | changes).items():
        setattr(settings, name, value)
    assert ids(checks.embedding_endpoint()) == found
