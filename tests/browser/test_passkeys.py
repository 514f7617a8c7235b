"""Passkeys, with an authenticator that Chromium plays: set up, and signed in with in place of the password."""

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from tests.support.people import PASSWORD, factors

pytestmark = pytest.mark.browser


def authenticator(context: BrowserContext, page: Page, *, verifies: bool = True) -> None:
    """A device in this browser that asks for a finger, and is given one or not."""
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": verifies,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


@pytest.fixture
def alice(alice: User) -> User:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return alice


def add_passkey(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("E-mail").fill("alice@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("/")
    page.goto("/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Name").fill("Laptop")
    # Enter does what the button does: without the passkey there is nothing to send.
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()


def test_a_passkey_is_added_and_signs_in_alone(page: Page, context: BrowserContext, alice: User) -> None:
    authenticator(context, page)
    add_passkey(page)
    assert factors(alice) == ["recovery_codes", "webauthn"]
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_role("heading", name="Laptop")).to_be_visible()

    context.clear_cookies()
    page.goto("/accounts/login/?next=/account")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Account", exact=True)).to_be_visible()


def test_a_passkey_is_the_second_step_after_the_password(page: Page, context: BrowserContext, alice: User) -> None:
    authenticator(context, page)
    add_passkey(page)
    context.clear_cookies()
    page.goto("/accounts/login/?next=/account")
    page.get_by_label("E-mail").fill("alice@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Use a passkey or security key").click()
    expect(page.get_by_role("heading", name="Account", exact=True)).to_be_visible()


def test_a_passkey_that_is_not_used_is_told(page: Page, context: BrowserContext, alice: User) -> None:
    authenticator(context, page, verifies=False)
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("status").filter(has_text="No passkey was used.")).to_be_visible()


def test_a_new_token_can_be_copied_and_is_gone_from_the_next_page(
    page: Page, context: BrowserContext, alice: User
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    authenticator(context, page)
    add_passkey(page)
    page.goto("/account")
    page.get_by_label("Name").fill("Notebook")
    page.get_by_role("button", name="Create token").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("dlg_")
    page.goto("/account")
    assert text not in page.content()
