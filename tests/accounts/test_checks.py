"""System checks of the settings of accounts."""

import pytest
from django.core.checks import run_checks
from pytest_django.fixtures import Settings

from accounts import checks

WHOLE = {"OIDC_SERVER_URL": "https://login.example.com", "OIDC_CLIENT_ID": "us", "OIDC_CLIENT_SECRET": "s"}


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, []),
        (dict.fromkeys(WHOLE, ""), []),
        ({"OIDC_SERVER_URL": ""}, ["accounts.E002"]),
        ({"OIDC_CLIENT_ID": ""}, ["accounts.E002"]),
        ({"OIDC_CLIENT_SECRET": ""}, ["accounts.E002"]),
        ({"OIDC_SERVER_URL": "login.example.com"}, ["accounts.E003"]),
        ({"OIDC_SERVER_URL": "http://login.example.com"}, ["accounts.E003"]),
        ({"OIDC_SERVER_URL": "http://127.0.0.1:9000"}, []),
    ],
)
def test_openid_connect_is_configured_wholly_or_not_at_all(
    settings: Settings, changes: dict[str, str], found: list[str]
) -> None:
    for name, value in {**WHOLE, **changes}.items():
        setattr(settings, name, value)
    problems = checks.openid_connect()
    assert [problem.id for problem in problems] == found
    assert all(problem.hint for problem in problems)


def test_proxies_are_counted_from_none(settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = -1
    assert [problem.id for problem in checks.proxies()] == ["accounts.E001"]
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    assert checks.proxies() == []


@pytest.mark.parametrize(("https", "count", "found"), [(True, 0, ["accounts.W009"]), (True, 1, []), (False, 0, [])])
def test_a_deployment_behind_a_proxy_that_it_does_not_count_is_warned(
    settings: Settings, https: bool, count: int, found: list[str]
) -> None:
    settings.HTTPS, settings.ALLAUTH_TRUSTED_PROXY_COUNT = https, count
    told = [problem for problem in run_checks(include_deployment_checks=True) if problem.id == "accounts.W009"]
    assert [problem.id for problem in told] == found
    assert all("TRUSTED_PROXY_COUNT" in problem.hint for problem in told)


def test_a_deployment_without_mail_or_second_factor_is_warned(settings: Settings) -> None:
    settings.STAFF_MFA, settings.EMAIL_BACKEND = False, checks.PRINTED
    assert [problem.id for problem in (*checks.mail(), *checks.staff_mfa())] == ["accounts.W004", "accounts.W005"]
    settings.STAFF_MFA, settings.EMAIL_BACKEND = True, "django.core.mail.backends.smtp.EmailBackend"
    assert (*checks.mail(), *checks.staff_mfa()) == ()
