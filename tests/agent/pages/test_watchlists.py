"""Pages of watchlists, all of them plain forms: made, filled, named anew, ordered, deleted; and by nobody else."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils.html import strip_tags
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.identity_middleware import SESSION_KEY
from accounts.models import User
from agent.models import MOST_LISTS, Run, Watchlist
from agent.runs.claim import claim
from filings.models import Filing
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

APPLE, MICROSOFT, NVIDIA = 320193, 789019, 1045810


def text(response: object) -> str:
    return re.sub(r"\s+", " ", unescape(strip_tags(response.content.decode())))  # type: ignore[attr-defined]


@pytest.fixture
def chips(alice: User, sample: Sample) -> Watchlist:
    made = Watchlist.objects.make(Identity(user=alice), "Chips")
    made.add([NVIDIA, APPLE])
    return made


def ciks(watchlist: Watchlist) -> list[int]:
    return list(watchlist.companies.values_list("cik", flat=True))


def test_a_list_is_made_of_names_tickers_and_ciks(as_alice: Client, alice: User, sample: Sample) -> None:
    response = as_alice.post("/watchlists", {"name": " My  chips ", "companies": "nvda, Apple Inc. and 789019"})
    made = Watchlist.objects.get(user=alice)
    assert response.url == f"/watchlists#list-{made.pk}"
    assert (made.name, ciks(made)) == ("My chips", [NVIDIA, APPLE, MICROSOFT])


def test_it_says_what_is_held_of_each_and_what_can_be_asked(as_alice: Client, chips: Watchlist) -> None:
    page = as_alice.get("/watchlists")
    newest = Filing.objects.primary().filter(company__cik=NVIDIA, facts_stored__gt=0).order_by("-filed").first()
    assert newest
    assert f"{newest.filed:%-d %b %Y}" in text(page)
    assert b'href="/grid?companies=NVDA%2CAAPL"' in page.content
    assert b'<option value="Rank my Chips by operating margin">' in page.content


def test_every_ranking_of_a_list_is_answered(as_alice: Client, alice: User, chips: Watchlist) -> None:
    from agent.runs import lifecycle

    page = as_alice.get("/watchlists").content.decode()
    questions = [unescape(one) for one in re.findall(r'<option value="(Rank [^"]+)"', page)]
    assert len(questions) > 3
    for question in questions:
        run = Run.objects.create(question=question, user=alice)
        lifecycle.answer(run.pk, claim(run.pk) or 0)
        run.refresh_from_db()
        assert (run.outcome, question) == ("answered", question)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": "", "companies": "NVDA"}, "Type a name for the watchlist first."),
        ({"name": "x" * 61}, "A name has up to 60 characters."),
        ({"name": "--"}, "Give the watchlist a name of 1 to 60 characters"),
        ({"name": "CHIPS"}, "You have a watchlist called “CHIPS” already."),
        (
            {"name": "New", "companies": "NVDA, Microsft"},
            "“Microsft” is not on the SEC's list. Did you mean Micro",
        ),
        ({"name": "New", "companies": "Graham"}, "“Graham” fits several companies: "),
    ],
)
def test_what_is_wrong_is_said_beside_what_was_typed(
    as_alice: Client, chips: Watchlist, sent: dict[str, str], said: str
) -> None:
    response = as_alice.post("/watchlists", sent)
    assert response.status_code == 422
    assert said in text(response)
    assert sent["name"] in text(response) or f'value="{sent["name"]}"' in response.content.decode()
    assert Watchlist.objects.count() == 1


def test_the_most_lists_are_told_and_no_form_for_another_is_shown(as_alice: Client, alice: User) -> None:
    for number in range(MOST_LISTS):
        Watchlist.objects.make(Identity(user=alice), f"List {number}")
    assert "You have 20 watchlists" in text(as_alice.get("/watchlists"))
    assert as_alice.post("/watchlists", {"name": "Another"}).status_code == 422
    assert Watchlist.objects.count() == MOST_LISTS


def test_companies_are_added_and_removed(as_alice: Client, chips: Watchlist) -> None:
    as_alice.post(f"/watchlists/{chips.pk}/add", {"companies": "MSFT, NVDA"})
    assert ciks(chips) == [NVIDIA, APPLE, MICROSOFT]
    as_alice.post(f"/watchlists/{chips.pk}/remove/{APPLE}")
    assert ciks(chips) == [NVIDIA, MICROSOFT]
    refused = as_alice.post(f"/watchlists/{chips.pk}/add", {"companies": "nobody at all"})
    assert refused.status_code == 422
    assert "is not on the SEC's list" in text(refused)
    assert ciks(chips) == [NVIDIA, MICROSOFT]


def test_a_list_is_renamed_moved_and_deleted(as_alice: Client, alice: User, chips: Watchlist) -> None:
    other = Watchlist.objects.make(Identity(user=alice), "Banks")
    as_alice.post(f"/watchlists/{chips.pk}/rename", {"name": "Semiconductors"})
    as_alice.post(f"/watchlists/{other.pk}/up")
    as_alice.post(f"/watchlists/{other.pk}/up")
    assert list(Watchlist.objects.values_list("name", flat=True)) == ["Banks", "Semiconductors"]
    assert as_alice.post(f"/watchlists/{chips.pk}/rename", {"name": "banks"}).status_code == 422
    as_alice.post(f"/watchlists/{chips.pk}/delete")
    assert list(Watchlist.objects.values_list("name", flat=True)) == ["Banks"]


@pytest.mark.parametrize("stranger", ["as_bob", "as_charlie", "client"])
def test_to_anybody_else_a_list_does_not_exist(
    request: pytest.FixtureRequest, stranger: str, chips: Watchlist
) -> None:
    browser: Client = request.getfixturevalue(stranger)
    browser.get("/watchlists")
    assert "Chips" not in text(browser.get("/watchlists"))
    for address, sent in (
        ("add", {"companies": "MSFT"}),
        (f"remove/{APPLE}", {}),
        ("rename", {"name": "Mine"}),
        ("up", {}),
        ("delete", {}),
    ):
        assert browser.post(f"/watchlists/{chips.pk}/{address}", sent).status_code == 404
    assert browser.post(f"/companies/{MICROSOFT}/watch", {"list": chips.pk}).status_code == 404
    chips.refresh_from_db()
    assert (chips.name, ciks(chips)) == ("Chips", [NVIDIA, APPLE])


def test_only_posting_changes_anything(as_alice: Client, chips: Watchlist) -> None:
    for address in ("add", f"remove/{APPLE}", "rename", "up", "delete"):
        assert as_alice.get(f"/watchlists/{chips.pk}/{address}").status_code == 405


def test_a_visitor_keeps_lists_too_and_one_that_made_none_is_nobody(client: Client, sample: Sample) -> None:
    assert client.post("/watchlists", {"name": ""}).status_code == 422
    assert SESSION_KEY not in client.session
    client.post("/watchlists", {"name": "Mine", "companies": "NVDA"})
    assert "Mine" in text(client.get("/watchlists"))
    assert "Create an account to keep them" in text(client.get("/watchlists"))
    assert "Mine" not in text(Client().get("/watchlists"))


def test_a_company_is_put_on_a_list_from_its_page(as_alice: Client, alice: User, sample: Sample) -> None:
    address = f"/companies/{APPLE}"
    assert "Add to a watchlist" in text(as_alice.get(address))
    # Without a list there is a button alone; what comes of it has a name.
    assert as_alice.post(f"{address}/watch").url == address
    assert "Apple is on your watchlist “Watchlist”." in text(as_alice.get(address))
    as_alice.post(f"{address}/watch", {"name": "Phones"})
    as_alice.post(f"/companies/{NVIDIA}/watch", {"list": Watchlist.objects.get(name="Phones").pk})
    as_alice.post(
        f"/companies/{MICROSOFT}/watch", {"list": Watchlist.objects.get(name="Watchlist").pk, "name": "PHONES"}
    )
    found = {one.name: list(one.ciks) for one in Watchlist.objects.filter(user=alice)}
    assert found == {"Watchlist": [APPLE], "Phones": [APPLE, NVIDIA, MICROSOFT]}
    assert "On your watchlists Watchlist, Phones" in text(as_alice.get(address))


def test_home_lists_the_latest_filings_of_watched_companies(
    as_alice: Client, as_bob: Client, chips: Watchlist
) -> None:
    home = as_alice.get("/")
    latest = Filing.objects.primary().filter(company__cik__in=ciks(chips), facts_stored__gt=0).order_by("-filed")[:5]
    shown = home.content.decode().partition("filings of your companies")[2].partition("</section>")[0]
    assert re.findall(r'href="/filings/([\d-]+)"', shown) == [one.accession for one in latest]
    assert "filings of your companies" not in text(as_bob.get("/"))


def test_of_new_filings_home_lists_these_alone(as_alice: Client, chips: Watchlist) -> None:
    Filing.objects.filter(company__cik__in=ciks(chips)).update(filed=now().date() - timedelta(days=121))
    assert "Latest filings of your companies" in text(as_alice.get("/"))
    newest = Filing.objects.primary().filter(company__cik=NVIDIA, facts_stored__gt=0).first()
    Filing.objects.filter(pk=newest.pk).update(filed=now().date() - timedelta(days=119))
    page = as_alice.get("/").content.decode()
    shown = page.partition("New filings of your companies")[2].partition("</section>")[0]
    assert re.findall(r'href="/filings/([\d-]+)"', shown) == [newest.accession]


def test_a_refusal_without_a_list_leads_to_where_one_is_made(as_alice: Client, alice: User, sample: Sample) -> None:
    from agent.runs import lifecycle

    run = Run.objects.create(question="Rank my companies by revenue", user=alice)
    lifecycle.answer(run.pk, claim(run.pk) or 0)
    page = as_alice.get(run.get_absolute_url())
    assert "You have no companies on a watchlist yet" in text(page)
    assert b'href="/watchlists"' in page.content
