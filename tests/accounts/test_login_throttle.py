"""Guessing passwords and codes: whoever guesses wrong is stopped, and the owner of the account is not."""

import pytest
from django.core import signing
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings

from accounts.login_throttle import COOKIE, SALT, known_as
from accounts.models import User
from tests.support.people import PASSWORD, PHRASE, code, link_in_mail, reauthenticate, sign_in, with_app

pytestmark = pytest.mark.django_db

OWNER, GUESSER = "192.0.2.1", "198.51.100.1"
TOO_MANY = "Too many failed login attempts"


def at(address: str, browser: Client | None = None) -> Client:
    """A browser at an address, with the cookies of another if one is given."""
    found = Client(REMOTE_ADDR=address)
    if browser is not None and COOKIE in browser.cookies:
        found.cookies[COOKIE] = browser.cookies[COOKIE].value
    return found


def stopped(response: HttpResponse) -> bool:
    return TOO_MANY in response.content.decode()


def guess(client: Client, times: int, email: str = "alice@example.com") -> list[bool]:
    """Whether each of so many wrong passwords was not even looked at."""
    return [stopped(sign_in(client, email, "not-the-password")) for _ in range(times)]


@pytest.fixture
def few(settings: Settings) -> None:
    """No more than ten guesses at one account in an hour."""
    fewer = {"password_of_account": "10/h/key", "code_of_account": "10/h/key"}
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, **fewer}


def guess_from_everywhere(email: str = "alice@example.com", browser: Client | None = None) -> list[bool]:
    return [guess(at(f"198.51.100.{number}", browser), 1, email)[0] for number in range(1, 15)]


def known_browser() -> Client:
    """A browser that has signed in, and out again."""
    found = at(OWNER)
    sign_in(found)
    found.post("/accounts/logout/")
    return found


# --- passwords ---


def test_who_guesses_is_locked_and_not_the_owner(alice: User) -> None:
    guesser = at(GUESSER)
    assert guess(guesser, 7) == [False] * 5 + [True] * 2
    # Not even by the right one.
    assert stopped(sign_in(guesser))
    assert sign_in(at(OWNER)).status_code == 302


def test_who_guesses_at_one_account_is_not_locked_at_another(alice: User, bob: User) -> None:
    guesser = at(GUESSER)
    guess(guesser, 6)
    assert guess(guesser, 1, bob.email) == [False]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("email", ["alice@example.com", "nobody@example.com"])
def test_guesses_from_many_addresses_count_together(alice: User, email: str) -> None:
    assert guess_from_everywhere(email) == [False] * 10 + [True] * 4


@pytest.mark.usefixtures("few")
def test_one_address_alone_does_not_use_up_what_strangers_have(alice: User) -> None:
    guess(at(GUESSER), 20)
    assert sign_in(at(OWNER)).status_code == 302


@pytest.mark.usefixtures("few")
def test_a_browser_that_has_signed_in_before_is_let_in_all_the_same(alice: User) -> None:
    owner = known_browser()
    guess_from_everywhere()
    assert stopped(sign_in(at(OWNER)))
    assert sign_in(owner).status_code == 302
    # From wherever.
    assert sign_in(at("203.0.113.9", owner)).status_code == 302


@pytest.mark.usefixtures("few")
def test_with_the_cookie_of_a_known_browser_no_more_can_be_guessed(alice: User) -> None:
    assert guess_from_everywhere(browser=known_browser()) == [False] * 10 + [True] * 4
    assert sign_in(at(OWNER)).status_code == 302


@pytest.mark.usefixtures("few")
def test_a_new_password_by_mail_lets_the_owner_in_at_a_new_browser(alice: User) -> None:
    guess_from_everywhere()
    owner = at(OWNER)
    assert stopped(sign_in(owner))
    owner.post("/accounts/password/reset/", {"email": alice.email})
    page = owner.get(link_in_mail(), follow=True)
    owner.post(page.request["PATH_INFO"], {"password1": PHRASE, "password2": PHRASE})
    assert sign_in(owner, password=PHRASE).status_code == 302


@pytest.mark.usefixtures("few")
def test_a_cookie_of_another_account_and_a_forged_one_are_a_strangers(alice: User, charlie: User) -> None:
    other = at(OWNER)
    sign_in(other, charlie.email, "chocolate-42")
    guess_from_everywhere()
    assert stopped(sign_in(at(OWNER, other)))
    forged = at(OWNER)
    forged.cookies[COOKIE] = other.cookies[COOKIE].value.replace(":", "x:", 1)
    assert stopped(sign_in(forged))


def test_with_a_code_too_a_cookie_of_another_account_is_a_strangers(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.COOKIES[COOKIE] = signing.dumps(["browser", 1], salt=SALT)
    assert [known_as(request, user) for user in (1, 2)] == ["browser", ""]


@pytest.mark.usefixtures("few")
def test_a_browser_is_known_by_several_accounts(alice: User, charlie: User) -> None:
    browser = known_browser()
    sign_in(browser, charlie.email, "chocolate-42")
    browser.post("/accounts/logout/")
    guess_from_everywhere()
    assert sign_in(browser).status_code == 302


@pytest.mark.usefixtures("few")
def test_the_right_password_counts_as_no_guess(alice: User) -> None:
    assert {sign_in(at(OWNER)).status_code for _ in range(12)} == {302}


def test_the_cookie_gives_no_right_and_no_script_reads_it(alice: User, settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    cookie = known_browser().cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
    alone = Client()
    alone.cookies[COOKIE] = cookie.value
    assert alone.get("/account").status_code == 302
    assert COOKIE not in at(OWNER).get("/accounts/login/").cookies


# --- once more, and at a change ---


def test_who_has_stolen_a_session_locks_nobody_out_of_theirs(alice: User) -> None:
    thief, owner = at(GUESSER), at(OWNER)
    for browser in (thief, owner):
        browser.force_login(alice)
    answers = [reauthenticate(thief, "not-the-password") for _ in range(6)]
    assert [stopped(one) for one in answers] == [False] * 5 + [True]
    assert reauthenticate(owner).status_code == 302


def test_the_old_password_is_guessed_no_more_often_where_it_is_changed(alice: User) -> None:
    thief, owner = at(GUESSER), at(OWNER)
    for browser in (thief, owner):
        browser.force_login(alice)
    new = {"password1": PHRASE, "password2": PHRASE}
    answers = [thief.post("/accounts/password/change/", {"oldpassword": "wrong", **new}) for _ in range(6)]
    assert [stopped(one) for one in answers] == [False] * 5 + [True]
    assert owner.post("/accounts/password/change/", {"oldpassword": PASSWORD, **new}).status_code == 302


# --- codes of a second factor ---


def second_step(client: Client, typed: str) -> HttpResponse:
    return client.post("/accounts/2fa/authenticate/", {"code": typed})


def test_who_guesses_codes_is_locked_and_not_the_owner(alice: User) -> None:
    secret = with_app(alice)
    guesser, owner = at(GUESSER), at(OWNER)
    for client in (guesser, owner):
        sign_in(client)
    assert [stopped(second_step(guesser, f"00000{number}")) for number in range(6)] == [False] * 5 + [True]
    assert second_step(owner, code(secret)).status_code == 302


@pytest.mark.usefixtures("few")
def test_codes_from_many_addresses_count_together_and_not_for_a_known_browser(alice: User) -> None:
    owner = known_browser()
    secret = with_app(alice)
    guessers = [at(f"198.51.100.{number}") for number in range(1, 13)]
    for client in guessers:
        sign_in(client)
    assert [stopped(second_step(client, "000000")) for client in guessers] == [False] * 10 + [True] * 2
    sign_in(owner)
    assert second_step(owner, code(secret)).status_code == 302


def test_codes_once_more_are_counted_by_address_too(alice: User) -> None:
    secret = with_app(alice)
    thief, owner = at(GUESSER), at(OWNER)
    for browser in (thief, owner):
        browser.force_login(alice)
    again = "/accounts/2fa/reauthenticate/"
    assert [stopped(thief.post(again, {"code": "000000"})) for _ in range(6)] == [False] * 5 + [True]
    assert owner.post(again, {"code": code(secret)}).status_code == 302
