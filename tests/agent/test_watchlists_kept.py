"""Watchlists as they are kept: names, limits, whose they are, and what becomes of them when an account begins or ends."""

import io
import json
import zipfile
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts import account_deletion, tokens
from accounts.identity import Identity
from accounts.models import User
from agent.models import MOST_LISTS, MOST_WATCHED, Run, WatchedCompany, Watchlist
from agent.runs import lifecycle
from agent.runs.claim import claim
from agent.runs.stored_answer import read
from tests.support.people import confirm, sign_up
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

APPLE, MICROSOFT, NVIDIA = 320193, 789019, 1045810


def kept(owner: User | UUID, name: str, *ciks: int) -> Watchlist:
    identity = Identity(user=owner) if isinstance(owner, User) else Identity(visitor=owner)
    made = Watchlist.objects.make(identity, name)
    made.add(list(ciks))
    return made


def answered(question: str, user: User | None = None, visitor: UUID | None = None) -> Run:
    run = Run.objects.create(question=question, user=user, visitor=visitor)
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    return run


def companies(run: Run) -> list[int]:
    answer = read(run.answer)
    assert answer is not None
    return [one.cik for one in answer.plan.companies]


@pytest.mark.parametrize("name", ["Chips", "chips", " CHIPS  "])
def test_two_lists_of_one_owner_have_no_name_in_common(alice: User, bob: User, name: str) -> None:
    kept(alice, "Chips")
    with pytest.raises(ValidationError, match="already"):
        kept(alice, name)
    assert kept(bob, name).name == name.strip()


@pytest.mark.parametrize("name", ["", "   ", "!?", "x" * 61])
def test_a_name_has_a_letter_and_up_to_60_characters(alice: User, name: str) -> None:
    with pytest.raises(ValidationError, match="1 to 60 characters"):
        kept(alice, name)
    assert kept(alice, "x" * 60).pk


def test_there_are_no_more_lists_than_twenty(alice: User, bob: User) -> None:
    for number in range(MOST_LISTS):
        kept(alice, f"List {number}")
    with pytest.raises(ValidationError, match="You have 20 watchlists"):
        kept(alice, "One more")
    kept(bob, "Mine")


def test_a_list_holds_no_more_companies_than_a_hundred(alice: User) -> None:
    full = kept(alice, "Full", *range(1, MOST_WATCHED))
    with pytest.raises(ValidationError, match="up to 100 companies"):
        full.add([1000, 1001])
    assert full.add([1, 1000]) == 1
    assert full.companies.count() == MOST_WATCHED


def test_a_visitor_without_a_session_and_others_see_none(alice: User, bob: User) -> None:
    kept(alice, "Mine")
    for identity in (Identity(), Identity(visitor=uuid4()), Identity(user=bob)):
        assert not Watchlist.objects.visible_to(identity).exists()


def test_a_visitors_lists_move_along_at_sign_up(client: Client, sample: Sample) -> None:
    client.post("/watchlists", {"name": "Chips", "companies": "NVDA"})
    sign_up(client)
    assert Watchlist.objects.get().user is None
    confirm(client)
    assert Watchlist.objects.get().user == User.objects.get()
    assert "Chips" in client.get("/watchlists").content.decode()


def test_lists_of_one_name_become_one(alice: User) -> None:
    visitor = uuid4()
    mine = kept(alice, "Chips", NVIDIA)
    kept(visitor, "CHIPS", NVIDIA, APPLE)
    kept(visitor, "Other", MICROSOFT)
    Watchlist.objects.hand_over(visitor, alice)
    found = Watchlist.objects.visible_to(Identity(user=alice))
    assert [(one.name, one.ciks) for one in found] == [("Chips", (NVIDIA, APPLE)), ("Other", (MICROSOFT,))]
    assert found.first() == mine
    assert not Watchlist.objects.visible_to(Identity(visitor=visitor)).exists()


def test_they_go_with_the_account(alice: User, bob: User) -> None:
    kept(alice, "Mine", APPLE)
    others = kept(bob, "Bob's", APPLE)
    account_deletion.delete(alice)
    assert list(Watchlist.objects.all()) == [others]
    assert list(WatchedCompany.objects.values_list("watchlist", flat=True)) == [others.pk]


def test_they_are_among_the_data_that_is_taken_along(alice: User, bob: User) -> None:
    kept(alice, "Mine", APPLE, NVIDIA)
    kept(bob, "Bob's", APPLE)
    file = io.BytesIO()
    account_deletion.export(alice, file)
    (found,) = json.loads(zipfile.ZipFile(file).read("watchlists.json"))
    assert (found["name"], [one["cik"] for one in found["companies"]]) == ("Mine", [APPLE, NVIDIA])


def test_each_asks_about_the_companies_of_their_own(sample: Sample, alice: User, bob: User) -> None:
    visitor, question = uuid4(), "Rank my companies by revenue in fiscal 2023"
    kept(alice, "Chips", NVIDIA, APPLE)
    kept(bob, "Software", MICROSOFT, APPLE)
    kept(visitor, "Both", MICROSOFT, NVIDIA)
    assert companies(answered(question, alice)) == [NVIDIA, APPLE]
    assert companies(answered(question, bob)) == [MICROSOFT, APPLE]
    assert companies(answered(question, visitor=visitor)) == [MICROSOFT, NVIDIA]


def test_what_others_keep_is_nothing_to_who_keeps_none(sample: Sample, alice: User, bob: User) -> None:
    kept(alice, "Chips", NVIDIA, APPLE)
    for run in (answered("revenue of my companies", bob), answered("revenue of my companies")):
        assert (run.outcome, run.refusal_code) == ("refused", "no_company")
        assert "no companies on a watchlist yet" in run.answer["blocks"][0]["refusal"]["text"]


def test_a_token_reads_the_lists_of_its_user(alice: User, bob: User, client: Client) -> None:
    kept(alice, "Chips", NVIDIA, APPLE)
    kept(bob, "Bob's", MICROSOFT)
    _, secret = tokens.issue(alice, "Notebook", ("read",))
    response = client.get("/api/v1/watchlists", headers={"Authorization": f"Bearer {secret}"})
    assert response.json() == {"items": [{"name": "Chips", "companies": [NVIDIA, APPLE]}]}


def test_a_token_asks_about_the_companies_of_its_user(sample: Sample, alice: User, client: Client) -> None:
    kept(alice, "Chips", NVIDIA, APPLE)
    _, secret = tokens.issue(alice, "Notebook", ("ask", "read"))
    client.post(
        "/api/v1/ask",
        {"question": "revenue of my chips in fiscal 2023"},
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    run = Run.objects.get()
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    assert companies(run) == [NVIDIA, APPLE]
