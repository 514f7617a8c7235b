"""The settings of a deployment: `check --deploy` has nothing to say, browsers get the headers, and a key can be changed."""

import json
import subprocess
from pathlib import Path

import pytest
from django.core import signing
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from tests.support.processes import forked

# As docs/installing.md has it, besides DATABASE_URL and the like.
PRODUCTION = {
    "SECRET_KEY": "a-long-random-text-of-more-than-fifty-characters-0123456789",
    "ALLOWED_HOSTS": "diligence.example.com",
    "CSRF_TRUSTED_ORIGINS": "https://diligence.example.com",
    "HTTPS": "1",
    "TRUSTED_PROXY_COUNT": "1",
    "EDGAR_IDENTITY": "Jane Roe jane@example.com",
    "EMAIL_URL": "smtp+tls://user:password@mail.example.com:587",
    "STAFF_MFA": "1",
    "METRICS_TOKEN": "0123456789abcdef0123456789abcdef",
    "LOG_FORMAT": "json",
}


PROGRAM = """
import json, django
django.setup()
from django.core.management import call_command
call_command("check", "--deploy", "--fail-level", "INFO")
from django.test import Client
told = {"HTTP_HOST": "diligence.example.com", "HTTP_X_FORWARDED_PROTO": "https"}
page = Client(**told).get("/healthz")
plain = Client(HTTP_HOST="diligence.example.com").get("/method")
inside = Client(HTTP_HOST="localhost:8000").get("/healthz")
from django.conf import settings as s
print(json.dumps({"headers": dict(page.headers), "plain": [plain.status_code, plain.headers.get("Location")],
  "inside": inside.status_code,
  "cookies": [s.SESSION_COOKIE_SECURE, s.SESSION_COOKIE_HTTPONLY, s.SESSION_COOKIE_SAMESITE, s.CSRF_COOKIE_SECURE,
  s.CSRF_COOKIE_SAMESITE]}))
"""


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """What a process of a deployment says: of its check, and of three requests."""
    return forked("-c", PROGRAM, DATA_DIR=str(tmp_path_factory.mktemp("deployed")), **PRODUCTION)


def test_the_check_of_a_deployment_finds_nothing(deployed: subprocess.CompletedProcess[str]) -> None:
    assert deployed.returncode == 0, deployed.stderr + deployed.stdout
    assert "no issues" in deployed.stdout


def test_it_would_find_what_is_missing(settings: Settings) -> None:
    # The settings of the tests are of HTTPS=0 and a short key.
    assert settings.HTTPS is False
    found = {one.id for one in run_checks(include_deployment_checks=True)}
    assert {"security.W008", "security.W009", "security.W012", "security.W016"} <= found


def test_browsers_are_told_to_be_careful(deployed: subprocess.CompletedProcess[str]) -> None:
    assert deployed.returncode == 0, deployed.stderr
    told = json.loads(deployed.stdout.splitlines()[-1])
    # A year. Other hosts of the domain are not for one application to bind.
    assert told["headers"]["Strict-Transport-Security"] == "max-age=31536000"
    assert told["headers"]["X-Content-Type-Options"] == "nosniff"
    assert told["headers"]["Referrer-Policy"] == "same-origin"
    assert told["headers"]["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in told["headers"]["Content-Security-Policy"]
    # The health check of the container, which speaks neither https nor the site's name.
    assert told["inside"] == 200
    assert told["plain"] == [301, "https://diligence.example.com/method"]
    assert told["cookies"] == [True, True, "Lax", True, "Lax"]


def test_what_an_old_key_signed_is_good_while_it_is_a_fallback(
    settings: Settings, client: Client, alice: User
) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the old key", []
    signed = signing.dumps("mine")
    client.force_login(alice)
    account = reverse("account_email")
    assert client.get(account).status_code == 200

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the new key", ["the old key"]
    assert signing.loads(signed) == "mine"
    assert client.get(account).status_code == 200

    other = Client()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the old key", []
    other.force_login(alice)
    settings.SECRET_KEY = "a key of nobody"
    assert other.get(account).status_code == 302
    with pytest.raises(signing.BadSignature):
        signing.loads(signed)


def test_the_old_keys_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("one,two\n")
    code = "from django.conf import settings as s; print(s.SECRET_KEY_FALLBACKS)"
    result = forked(
        "-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x", SECRET_KEY_FALLBACKS_FILE=str(tmp_path / "old")
    )
    assert result.stdout.strip() == "['one', 'two']"


@pytest.mark.parametrize(
    ("setting", "value", "found"),
    [
        ("ANSWER_CONCURRENCY", 0, "diligence.E016"),
        ("INGEST_CONCURRENCY", -1, "diligence.E016"),
        ("IMPORT_MOST_BYTES", 0, "diligence.E016"),
        ("OTEL_ENDPOINT", "collector:4318", "diligence.E017"),
        ("SENTRY_DSN", "https://sentry.example.com/1", "diligence.E018"),
        ("METRICS_TOKEN", "short", "diligence.W016"),
    ],
)
def test_a_setting_that_cannot_work_is_told_with_a_hint(
    settings: Settings, setting: str, value: object, found: str
) -> None:
    assert found not in {one.id for one in run_checks()}
    setattr(settings, setting, value)
    (told,) = (one for one in run_checks() if one.id == found)
    assert told.hint
    assert str(value) not in told.msg or isinstance(value, int)
