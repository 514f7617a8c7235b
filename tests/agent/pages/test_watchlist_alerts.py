"""The feed and the e-mails of a watchlist on its owner's page, and the feed as a reader gets it."""

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.models import User
from agent.models import Watchlist, WatchlistAlert
from filings.models import Company
from tests.agent.test_watchlist_news import arrived, asked, company, watchlist

__all__ = ["company", "watchlist"]
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def feed(watchlist: Watchlist, as_alice: Client) -> str:
    as_alice.post(f"/watchlists/{watchlist.pk}/feed", {"action": "new"})
    return str(WatchlistAlert.objects.get().feed_path)


def verified(user: User) -> None:
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})


def test_the_feed_is_valid_atom(feed: str, client: Client, alice: User, company: Company) -> None:
    asked(alice, company)
    response = client.get(feed)
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    root = ElementTree.fromstring(response.content)  # noqa: S314 - our own
    assert root.tag == f"{ATOM}feed"
    # RFC 4287, 4.1.1: exactly one id, title and updated, an author, and a link to itself.
    for name in ("id", "title", "updated"):
        assert len(root.findall(f"{ATOM}{name}")) == 1
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Diligence"
    links = {one.get("rel"): one.get("href") for one in root.findall(f"{ATOM}link")}
    assert links["self"] == f"http://testserver{feed}"
    entries = root.findall(f"{ATOM}entry")
    assert len(entries) == 3
    for entry in entries:
        for name in ("id", "title", "updated", "summary"):
            assert len(entry.findall(f"{ATOM}{name}")) == 1
        assert entry.find(f"{ATOM}link").get("href").startswith("http://testserver/")
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", entry.findtext(f"{ATOM}id"))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00", entry.findtext(f"{ATOM}updated"))
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == 3
    newest = max(entry.findtext(f"{ATOM}updated") for entry in entries)
    assert root.findtext(f"{ATOM}updated") == newest


def test_what_a_company_is_called_is_no_markup_in_a_reader(
    feed: str, client: Client, alice: User, company: Company
) -> None:
    asked(alice, company)
    Company.objects.filter(pk=company.pk).update(name="<b>Gauges & Works")
    root = ElementTree.fromstring(client.get(feed).content)  # noqa: S314 - our own
    summaries = [one.text or "" for one in root.iter(f"{ATOM}summary")]
    assert any("&lt;b&gt;Gauges &amp; Works" in one for one in summaries)
    assert not any("<" in one for one in summaries)
    assert any(one.text == "<b>Gauges & Works: 10-K for fiscal 2025" for one in root.iter(f"{ATOM}title"))


def test_a_feed_without_news_is_valid_and_stays_as_it_is(
    feed: str, client: Client, company: Company, watchlist: Watchlist
) -> None:
    arrived(company, days=300)
    first = client.get(feed)
    assert b"<entry>" not in first.content
    assert b"<updated>" in first.content
    assert client.get(feed).content == first.content


def test_a_reader_that_has_it_gets_not_modified(feed: str, client: Client) -> None:
    first = client.get(feed)
    assert "no-cache" in first["Cache-Control"]
    for known in ({"If-None-Match": first["ETag"]}, {"If-Modified-Since": first["Last-Modified"]}):
        again = client.get(feed, headers=known)
        assert (again.status_code, again.content) == (304, b"")
    assert client.get(feed, headers={"If-None-Match": '"other"'}).status_code == 200


def test_its_address_is_secret_and_former_ones_are_gone(
    feed: str, client: Client, as_alice: Client, watchlist: Watchlist
) -> None:
    page = as_alice.get("/watchlists").content.decode()
    assert f"http://testserver{feed}" in page
    response = client.get(feed)
    assert "noindex" in response["X-Robots-Tag"]
    as_alice.post(f"/watchlists/{watchlist.pk}/feed", {"action": "new"})
    assert client.get(feed).status_code == 404
    new = WatchlistAlert.objects.get().feed_path
    assert client.get(new).status_code == 200
    as_alice.post(f"/watchlists/{watchlist.pk}/feed", {"action": "off"})
    assert client.get(new).status_code == 404
    assert "Feed address" not in as_alice.get("/watchlists").content.decode()


def test_the_feed_of_a_closed_account_is_gone(feed: str, client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert client.get(feed).status_code == 404


def test_a_visitor_has_a_feed_and_no_mails(client: Client, company: Company) -> None:
    client.post("/watchlists", {"name": "Gauges", "companies": "NWI"})
    mine = Watchlist.objects.get(user=None)
    client.post(f"/watchlists/{mine.pk}/feed", {"action": "new"})
    assert Client().get(mine.alert.feed_path).status_code == 200
    client.post(f"/watchlists/{mine.pk}/mail", {"mail": "1"})
    assert not WatchlistAlert.objects.get().mail
    assert "Sign in</a> to get e-mails" in client.get("/watchlists").content.decode()


def test_the_feed_goes_along_when_a_list_joins_one_of_the_same_name(alice: User, company: Company) -> None:
    visitor = "3f0f6f0a-6f4c-4a57-9a7e-0a0c5f7c8a11"
    theirs = Watchlist.objects.create(visitor=visitor, name="Gauges", key="gauges")
    WatchlistAlert.objects.create(watchlist=theirs, feed="f" * 43)
    held = Watchlist.objects.make(Identity(user=alice), "Gauges")
    Watchlist.objects.hand_over(visitor, alice)
    assert WatchlistAlert.objects.get().watchlist == held


def test_mails_are_switched_on_for_a_verified_address_and_off_again(
    as_alice: Client, alice: User, watchlist: Watchlist
) -> None:
    EmailAddress.objects.filter(user=alice).delete()
    assert "Verify your e-mail address</a> to get e-mails" in as_alice.get("/watchlists").content.decode()
    as_alice.post(f"/watchlists/{watchlist.pk}/mail", {"mail": "1"})
    assert not WatchlistAlert.objects.exists()
    verified(alice)
    page = as_alice.post(f"/watchlists/{watchlist.pk}/mail", {"mail": "1"}, follow=True).content.decode()
    assert f"News about “Gauges” will be sent to {alice.email}." in page
    alert = WatchlistAlert.objects.get()
    assert (alert.mail, alert.site) == (True, "http://testserver/")
    assert now() - alert.since < timedelta(minutes=1)
    assert "Stop e-mails" in page
    as_alice.post(f"/watchlists/{watchlist.pk}/mail", {"mail": "0"})
    assert not WatchlistAlert.objects.get().mail


@pytest.mark.parametrize("address", ["feed", "mail"])
def test_nobody_switches_anything_of_another(as_bob: Client, watchlist: Watchlist, address: str) -> None:
    assert as_bob.post(f"/watchlists/{watchlist.pk}/{address}", {"mail": "1", "action": "new"}).status_code == 404
    assert not WatchlistAlert.objects.exists()
