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
    settings.ENVIRONMENT_PROBLEMS = [("DEBUG", "DEBUG must be a yes or no."), ("CONN_MAX_AGE", "It must be a number.")]
    found = checks.readable()
    assert ids(found) == ["diligence.E002", "diligence.E002"]
    assert "DEBUG" in str(found[0].hint)


@pytest.mark.parametrize(("seconds", "found"), [(-1, ["diligence.E020"]), (0, []), (31_536_000, [])])
def test_it_refuses_less_than_no_time_of_https(settings: Any, seconds: int, found: list[str]) -> None:
    settings.SECURE_HSTS_SECONDS = seconds
    assert ids(checks.strict_transport()) == found


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
def test_it_looks_at_the_addresses_of_edgar(settings: Any, url: str, found: list[str]) -> None:
    settings.EDGAR_BASE_URL, settings.EDGAR_DATA_URL = url, "https://data.sec.gov"
    assert ids(checks.edgar_urls()) == found


@pytest.mark.parametrize(("rate", "found"), [(0, 1), (-1, 1), (10.5, 1), (10, 0), (0.5, 0), (float("nan"), 1)])
def test_it_keeps_within_what_sec_allows(settings: Any, rate: float, found: int) -> None:
    settings.EDGAR_BASE_URL, settings.EDGAR_DATA_URL = "https://www.sec.gov", "https://data.sec.gov"
    settings.EDGAR_REQUESTS_PER_SECOND = rate
    assert ids(checks.edgar_rate()) == ["diligence.E008"] * found


MIRROR = "http://127.0.0.1:8765"


@pytest.mark.parametrize(("rate", "found"), [(0, 1), (-1, 1), (10.5, 0), (1000, 0), (float("nan"), 1)])
def test_a_mirror_may_be_asked_as_often_as_it_bears(settings: Any, rate: float, found: int) -> None:
    settings.EDGAR_BASE_URL = settings.EDGAR_DATA_URL = MIRROR
    settings.EDGAR_REQUESTS_PER_SECOND = rate
    assert ids(checks.edgar_rate()) == ["diligence.E008"] * found


@pytest.mark.parametrize(
    ("base", "data", "named"),
    [
        ("https://www.sec.gov", MIRROR, "while EDGAR_BASE_URL points to SEC"),
        (MIRROR, "https://data.sec.gov", "while EDGAR_DATA_URL points to SEC"),
        (MIRROR, "https://DATA.SEC.GOV.:443", "while EDGAR_DATA_URL points to SEC"),
        ("https://sec.gov", "https://efts.sec.gov", "while EDGAR_BASE_URL and EDGAR_DATA_URL point to SEC"),
    ],
)
def test_it_names_the_address_of_sec_that_would_be_asked_too_often(
    settings: Any, base: str, data: str, named: str
) -> None:
    settings.EDGAR_BASE_URL, settings.EDGAR_DATA_URL, settings.EDGAR_REQUESTS_PER_SECOND = base, data, 50
    (error,) = checks.edgar_rate()
    assert named in error.msg
    assert "blocks" in str(error.hint)


def test_a_name_that_only_ends_like_sec_is_a_mirror(settings: Any) -> None:
    settings.EDGAR_BASE_URL = settings.EDGAR_DATA_URL = "https://notsec.gov"
    settings.EDGAR_REQUESTS_PER_SECOND = 50
    assert checks.edgar_rate() == []


def test_it_refuses_every_host_outside_debug(settings: Any) -> None:
    settings.DEBUG, settings.ALLOWED_HOSTS = False, ["*"]
    assert ids(checks.allowed_hosts()) == ["diligence.E009"]
    settings.DEBUG = True
    assert checks.allowed_hosts() == []


@pytest.mark.parametrize(("length", "found"), [(0, 1), (-5, 1), (19, 1), (20, 0), (1000, 0), (20_001, 1)])
def test_it_bounds_the_length_of_a_question(settings: Any, length: int, found: int) -> None:
    settings.QUESTION_MAX_LENGTH = length
    assert ids(checks.question_length()) == ["diligence.E010"] * found


@pytest.mark.parametrize(("seconds", "found"), [(-1.0, 1), (0.0, 0), (300.0, 0)])
def test_the_reading_of_a_filing_may_be_without_a_limit(settings: Any, seconds: float, found: int) -> None:
    settings.INGEST_FILING_DEADLINE = seconds
    assert ids(checks.time_limits()) == ["diligence.E012"] * found


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


@pytest.mark.parametrize("name", ["EDGAR_TIMEOUT", "EDGAR_FILE_DEADLINE"])
def test_it_refuses_a_time_limit_of_nothing(settings: Any, name: str) -> None:
    setattr(settings, name, 0)
    assert ids(checks.time_limits()) == ["diligence.E012"]


def test_wrong_values_of_all_settings_are_messages_and_not_a_traceback(tmp_path: Path) -> None:
    result = forked(
        "manage.py",
        "check",
        DATA_DIR=str(tmp_path),
        DEBUG="banana",
        QUESTION_MAX_LENGTH="abc",
        EDGAR_REQUESTS_PER_SECOND="fast",
        DATABASE_URL="mysql://localhost/diligence",
        REDIS_URL="http://localhost",
        LOG_LEVEL="loud",
        EMAIL_URL="pigeon://example.com",
        ACCOUNT_EMAIL_VERIFICATION="perhaps",
        SECRET_KEY_FILE=str(tmp_path / "missing"),
        TRUSTED_PROXY_COUNT="one",
        ELASTICSEARCH_URL="search",
        ELASTICSEARCH_TIMEOUT="soon",
        SEARCH_FALLBACK="perhaps",
        SEARCH_WEIGHTS="a:b",
        RERANK_URL="rerank",
        # Half of what is set together.
        OIDC_SERVER_URL="https://login.example.com",
        PLAN_MODEL="some-model",
    )
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    for variable in (
        "DEBUG",
        "QUESTION_MAX_LENGTH",
        "EDGAR_REQUESTS_PER_SECOND",
        "DATABASE_URL",
        "LOG_LEVEL",
        "EMAIL_URL",
        "ACCOUNT_EMAIL_VERIFICATION",
        "SECRET_KEY",
        "TRUSTED_PROXY_COUNT",
        "ELASTICSEARCH_TIMEOUT",
        "SEARCH_FALLBACK",
    ):
        assert f"Correct {variable} in the environment" in result.stderr
    for found in (
        *("diligence.E001", "diligence.E004", "filings.E001", "filings.E005", "filings.E006"),
        *("accounts.E002", "agent.E002"),
    ):
        assert f"({found})" in result.stderr
    assert "OIDC_CLIENT_ID and OIDC_CLIENT_SECRET" in result.stderr
    assert "PLAN_MODEL is set without PLAN_MODEL_BASE_URL" in result.stderr


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
        ({"EMBEDDING_DIMENSIONS": -1}, ["diligence.E014"]),
        ({"EMBEDDING_BASE_URL": ""}, ["diligence.E014"]),
        ({"EMBEDDING_BASE_URL": "", "EMBEDDING_MODEL": ""}, []),
        ({"EMBEDDING_THREADS": -1}, ["diligence.E015"]),
    ],
)
def test_it_wants_the_settings_of_an_embedding_endpoint_together(
    settings: Any, changes: dict[str, Any], found: list[str]
) -> None:
    for name, value in (ENDPOINT | changes).items():
        setattr(settings, name, value)
    assert ids(checks.embedding_endpoint()) == found


@pytest.mark.parametrize("name", ["EMBEDDING_TIMEOUT", "EMBEDDING_QUERY_TIMEOUT"])
def test_it_refuses_a_time_limit_of_nothing_for_embeddings(settings: Any, name: str) -> None:
    setattr(settings, name, 0.0)
    assert ids(checks.time_limits()) == ["diligence.E012"]
