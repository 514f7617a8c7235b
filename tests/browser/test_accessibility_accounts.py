"""axe-core over the pages of signing up and in, of the account, and of its second factor."""

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import get_resolver, reverse
from playwright.sync_api import BrowserContext, Page, expect

from accounts import urls
from accounts.models import User
from tests.browser.axe import check, names, seen
from tests.browser.test_passkeys import add_passkey, authenticator
from tests.support.people import PASSWORD, link_in_mail, reauthenticate, sign_in, with_app

pytestmark = pytest.mark.browser

FOR_VISITORS = (
    "account_login",
    "account_signup",
    "account_inactive",
    "account_email_verification_sent",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
)
FOR_OWNERS = (
    "account",
    "account_logout",
    "account_email",
    "account_change_password",
    "account_reauthenticate",
    "account_export",
    "account_delete",
    "mfa_index",
    "mfa_activate_totp",
)
WITH_A_SECOND_FACTOR = (
    "mfa_index",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
    "mfa_reauthenticate",
    "mfa_reauthenticate_webauthn",
    "account_reauthenticate",
)
OF_A_PASSKEY = ("mfa_edit_webauthn", "mfa_remove_webauthn")
OF_A_LETTER = ("account_confirm_email", "account_reset_password_from_key")
BY_A_FORM = ("token_create", "mfa_authenticate")
# What answers scripts or is a file, and what is switched off.
NO_PAGES = ("token_revoke", "mfa_download_recovery_codes", "mfa_login_webauthn", "account_confirm_login_code")
# Only accounts that OpenID Connect made have it: test_accessibility_openid.
ELSEWHERE = ("account_set_password",)


@pytest.fixture
def alice(alice: User) -> User:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return alice


@pytest.fixture
def typed(context: BrowserContext, alice: User, base_url: str) -> User:
    """Alice, who has typed her password a moment ago."""
    client = Client()
    sign_in(client)
    reauthenticate(client)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": base_url}])
    return alice


def addresses(*pages: str, of: tuple[object, ...] = ()) -> dict[str, str]:
    return {name: reverse(name, args=of) for name in pages}


def test_every_address_of_accounts_has_its_place_here() -> None:
    below = [one for one in get_resolver().url_patterns if str(one.pattern) == "accounts/"]
    found = {name for name in names([*below, *urls.urlpatterns]) if name and not name.startswith("socialaccount_")}
    known = (*FOR_VISITORS, *OF_A_LETTER, *FOR_OWNERS, *WITH_A_SECOND_FACTOR, *OF_A_PASSKEY, *BY_A_FORM)
    assert found == {*known, *NO_PAGES, *ELSEWHERE}


def test_pages_of_visitors(page: Page) -> None:
    check(page, addresses(*FOR_VISITORS))


def test_pages_that_letters_lead_to(page: Page, alice: User) -> None:
    Client().post(reverse("account_reset_password"), {"email": alice.email})
    page.goto(link_in_mail())
    expect(page.get_by_role("heading", name="Set a new password")).to_be_visible()
    assert not seen(page, "new password")
    unverified = EmailAddress.objects.create(user=alice, email="new@example.com")
    check(
        page,
        {
            "new password, link used": reverse("account_reset_password_from_key", args=["x", "wrong"]),
            "confirm": reverse("account_confirm_email", args=[EmailConfirmationHMAC(unverified).key]),
            "confirm, link used": reverse("account_confirm_email", args=["wrong"]),
        },
    )


def test_a_form_that_is_wrong(page: Page, alice: User) -> None:
    found = []
    for name in ("account_login", "account_signup"):
        page.goto(reverse(name))
        page.get_by_label("E-mail").fill(alice.email)
        for field in page.locator("input[type=password]").all():
            field.fill("password")
        page.locator("main form button").first.click()
        expect(page.locator(".error, .notice--stop").first).to_be_visible()
        found += seen(page, name)
    assert not found, "\n".join(found)


def test_pages_of_an_account(page: Page, typed: User) -> None:
    check(page, addresses(*FOR_OWNERS))


def test_a_token_that_is_shown_once(page: Page, typed: User) -> None:
    page.goto(reverse("account"))
    page.get_by_label("Name").fill("Notebook")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator("#made")).to_be_visible()
    found = seen(page, "token_create")
    page.goto(reverse("account"))
    expect(page.get_by_role("list", name="Your tokens")).to_be_visible()
    assert not (found + seen(page, "account, with a token"))


def test_pages_of_a_second_factor(page: Page, context: BrowserContext, alice: User) -> None:
    authenticator(context, page)
    add_passkey(page)
    with_app(alice)
    key = Authenticator.objects.get(user=alice, type=Authenticator.Type.WEBAUTHN)
    check(page, {**addresses(*WITH_A_SECOND_FACTOR), **addresses(*OF_A_PASSKEY, of=(key.pk,))})
    context.clear_cookies()
    page.goto(reverse("account_login"))
    page.get_by_label("E-mail").fill(alice.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_label("Code")).to_be_visible()
    assert not seen(page, "mfa_authenticate")
