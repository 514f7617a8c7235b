"""axe-core over the pages of an installation that has OpenID Connect, a process of its own: settings decide on it."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import check, seen
from tests.support.openid import CLIENT, SECRET, Provider
from tests.support.processes import ROOT, environment, manage, run

# One process has the installation, and not each process of the tests.
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("openid")]

BUTTON = "Sign in with Example Login"
# Makes staff of somebody, and says which pages the admin has for the accounts of a provider: address by name.
OF_STAFF = """
import sys, django, json
django.setup()
from allauth.socialaccount.models import SocialAccount
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.urls import reverse
from accounts.models import User
email, = sys.argv[1:]
User.objects.filter(email=email).update(is_staff=True, is_superuser=True)
row = SocialAccount.objects.get(user__email=email)
LogEntry.objects.log_actions(row.user.pk, [row], CHANGE, "Looked after.", single_object=True)
names = [one.name for one in admin.site._registry[SocialAccount].urls if one.name]
whole = [name for name in names if name.endswith(("changelist", "add"))]
print(json.dumps({name: reverse(f"admin:{name}", args=[] if name in whole else [row.pk]) for name in names}))
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider() as found:
        yield found


@pytest.fixture(scope="module")
def variables(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Of an installation whose people may sign in with the provider."""
    return {
        "DATA_DIR": str(tmp_path_factory.mktemp("openid")),
        "DEBUG": "1",
        "LOG_LEVEL": "ERROR",
        "OIDC": f"server_url={provider.url},client_id={CLIENT},name=Example Login",
        "OIDC_CLIENT_SECRET": SECRET,
    }


@pytest.fixture(scope="module")
def site(variables: dict[str, str]) -> Iterator[str]:
    """Its address."""
    made = manage("migrate", "--verbosity", "0", timeout=180, **variables)
    assert made.returncode == 0, made.stderr
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    web = [sys.executable, "-m", "gunicorn", "diligence.wsgi", "--bind", address, "--threads", "4"]
    with subprocess.Popen([*web, "--log-level", "error"], cwd=ROOT, env=environment(**variables)) as process:
        try:
            until = time.monotonic() + 60
            while not alive(f"http://{address}/healthz"):
                assert time.monotonic() < until, "The server did not start."
                time.sleep(0.1)
            yield f"http://{address}"
        finally:
            process.terminate()


def alive(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.TransportError:
        return False


def through(page: Page, site: str, provider: Provider, email: str) -> None:
    """From the button of the sign-in page to the provider and back."""
    provider.claims = {"sub": email, "email": email, "email_verified": True}
    page.goto(f"{site}/accounts/login/")
    page.get_by_role("button", name=BUTTON).click()
    page.wait_for_url(f"{site}/**")


def test_pages_of_signing_in_elsewhere(page: Page, site: str, provider: Provider) -> None:
    check(
        page,
        {
            "sign in": f"{site}/accounts/login/",
            "sign up": f"{site}/accounts/signup/",
            "to the provider": f"{site}/accounts/oidc/oidc/login/",
            "cancelled": f"{site}/accounts/3rdparty/login/cancelled/",
            "not signed in": f"{site}/accounts/3rdparty/login/error/",
        },
    )


def test_an_address_that_is_taken_here(page: Page, site: str, provider: Provider) -> None:
    page.goto(f"{site}/accounts/signup/")
    page.get_by_label("E-mail").fill("grace@example.com")
    page.get_by_label("Password").first.fill("a-long-phrase-7")
    for field in page.locator("input[type=password]").all():
        field.fill("a-long-phrase-7")
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url(f"{site}/")
    page.context.clear_cookies()
    through(page, site, provider, "grace@example.com")
    expect(page.get_by_role("heading", name="Create an account")).to_be_visible()
    assert not seen(page, "sign up from the provider")


def test_connected_accounts(page: Page, site: str, provider: Provider) -> None:
    through(page, site, provider, "dana@example.com")
    check(
        page,
        {
            "account": f"{site}/account",
            "connected": f"{site}/accounts/3rdparty/",
            "password, where there is none": f"{site}/accounts/password/set/",
            "connect": f"{site}/accounts/oidc/oidc/login/?process=connect",
        },
    )


def test_the_admin_of_connected_accounts(page: Page, site: str, provider: Provider, variables: dict[str, str]) -> None:
    through(page, site, provider, "erin@example.com")
    told = run("-c", OF_STAFF, "erin@example.com", **variables)
    assert told.returncode == 0, told.stderr
    addresses = {name: f"{site}{path}" for name, path in json.loads(told.stdout).items()}
    kinds = {name.rpartition("_")[2] for name in addresses}
    assert kinds == {"changelist", "add", "change", "delete", "history"}
    check(page, addresses)
    # Of several at once.
    page.goto(addresses["socialaccount_socialaccount_changelist"])
    page.locator("#action-toggle").check()
    page.locator("select[name=action]").select_option("delete_selected")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.get_by_role("heading", name="Delete multiple objects")).to_be_visible()
    assert not seen(page, "deleted at once")
