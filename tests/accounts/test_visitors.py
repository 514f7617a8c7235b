"""Visitors: known by a UUID inside the session, until they have an account."""

from django.test import Client

from accounts.identity_middleware import SESSION_KEY
from accounts.models import User
from agent.models import Run
from filings.models import SearchRequest
from tests.support.people import PHRASE, confirm, sign_in, sign_up

QUESTION = "Northwind revenue in fiscal 2024"


def test_what_a_visitor_asked_moves_along_at_sign_up(client: Client, db: None) -> None:
    client.post("/ask", {"question": QUESTION})
    sign_up(client)
    assert Run.objects.get().user is None
    confirm(client)
    run = Run.objects.get()
    assert run.user == User.objects.get()
    assert client.get(run.get_absolute_url()).status_code == 200
    assert QUESTION in client.get("/history").content.decode()


def test_what_a_visitor_searched_for_moves_along_too(client: Client, db: None) -> None:
    other = Client()
    for browser, words in ((client, "supply of wafers"), (other, "of another browser")):
        browser.post("/search", {"q": words})
    address = f"/search/{SearchRequest.objects.get(text='supply of wafers').pk}"
    sign_up(client)
    confirm(client)
    assert client.get(address).status_code == 200
    assert list(SearchRequest.objects.filter(user=User.objects.get()).values_list("text", flat=True)) == [
        "supply of wafers"
    ]


def test_other_visitors_keep_their_own(client: Client, db: None) -> None:
    other = Client()
    other.post("/ask", {"question": "Of another browser"})
    client.post("/ask", {"question": QUESTION})
    sign_up(client)
    confirm(client)
    assert Run.objects.get(question="Of another browser").user is None
    assert "Of another browser" in other.get("/history").content.decode()


def test_nobody_inherits_a_visitor_twice(client: Client, db: None) -> None:
    client.post("/ask", {"question": QUESTION})
    sign_up(client)
    confirm(client)
    assert SESSION_KEY not in client.session
    client.post("/accounts/logout/")
    assert QUESTION not in client.get("/history").content.decode()
    sign_up(client, email="second@example.com")
    confirm(client)
    assert Run.objects.get().user == User.objects.get(email="dana@example.com")


def test_signing_in_does_not_take_over_what_this_browser_asked(client: Client, alice: User) -> None:
    client.post("/ask", {"question": QUESTION})
    client.post("/accounts/login/", {"login": alice.email, "password": "wonderland-42"})
    assert Run.objects.get().user is None


def test_reading_pages_makes_no_visitor(client: Client, db: None) -> None:
    for address in ("/", "/history", "/method", "/companies"):
        client.get(address)
    assert SESSION_KEY not in client.session


def test_whoever_confirms_elsewhere_takes_them_along_at_the_first_sign_in(client: Client, db: None) -> None:
    client.post("/ask", {"question": QUESTION})
    sign_up(client)
    confirm(Client())
    sign_in(client, "dana@example.com", PHRASE)
    assert Run.objects.get().user == User.objects.get()


def test_the_owner_of_an_address_does_not_get_what_somebody_else_asked(client: Client, db: None) -> None:
    """Signing up with an address that is not one's own hands nothing over to whoever confirms it."""
    client.post("/ask", {"question": QUESTION})
    sign_up(client)
    owner = Client()
    confirm(owner)
    sign_in(owner, "dana@example.com", PHRASE)
    assert Run.objects.get().user is None
