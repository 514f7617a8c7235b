"""Taking one's data along, and leaving."""

import io
import json
import zipfile
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from accounts import account_deletion, quotas, tasks, tokens
from accounts.identity import Identity
from accounts.models import Meter, Override, PastUsage, Reservation, Session, Token, User
from accounts.session_engine import SessionStore
from accounts.signals import account_deleted
from agent.models import Feedback, IdempotencyKey, Run, Share, Step
from agent.runs.receivers import exported
from filings.models import SearchRequest
from tests.support import answers
from tests.support.people import reauthenticate, sign_in, with_app

pytestmark = pytest.mark.django_db
QUESTION = "Northwind revenue in fiscal 2024"


@pytest.fixture
def at_home(client: Client, alice: User) -> Client:
    sign_in(client)
    reauthenticate(client)
    return client


def taken(client: Client) -> dict[str, Any]:
    response = client.get("/account/export?file")
    assert response["Content-Disposition"].startswith('attachment; filename="diligence-account-')
    with zipfile.ZipFile(io.BytesIO(response.getvalue())) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def asked(user: User, question: str = QUESTION, day: str = "2026-11-01") -> Run:
    """A run of a user that has used something on a day."""
    at = f"{day}T12:00:00Z"
    run = Run.objects.create(user=user, question=question, status="done", outcome="answered", created=at, finished=at)
    Step.objects.create(
        run=run,
        attempt=1,
        sequence=1,
        at=at,
        node="plan",
        ms=1,
        requests=2,
        tokens_in=300,
        tokens_out=40,
        cost="0.005",
    )
    return run


def test_everything_held_is_in_the_file(at_home: Client, alice: User, bob: User) -> None:
    text = tokens.issue(alice, "Notebook", ["read"])[1]
    secret = with_app(alice)
    asked(alice)
    asked(bob, "Of somebody else")
    for user, text_sought in ((alice, "supply of wafers"), (bob, "of somebody else")):
        SearchRequest.objects.create(user=user, text=text_sought)
    quotas.request(Identity(user=alice), uuid4())
    files = taken(at_home)
    assert files["account.json"]["email"] == "alice@example.com"
    assert files["account.json"]["addresses"] == [{"email": "alice@example.com", "verified": True, "primary": True}]
    assert [factor["type"] for factor in files["account.json"]["second_factors"]] == ["totp"]
    assert files["tokens.json"][0]["name"] == "Notebook"
    assert [run["question"] for run in files["runs.json"]] == [QUESTION]
    assert [search["text"] for search in files["searches.json"]] == ["supply of wafers"]
    used = {limit["name"]: limit["used"] for limit in files["limits.json"]}
    assert (used["requests_per_minute"], used["answers_per_month"]) == (1, 0)
    # Secrets, and what opens something, stay where they are.
    everything = json.dumps(files)
    for hidden in (text, Token.objects.get().hash, secret, alice.password):
        assert hidden not in everything


def test_an_answer_is_in_it_as_text_and_as_it_is_kept(at_home: Client, alice: User) -> None:
    run = answers.run_with(answers.number_answer(), user=alice)
    (row,) = taken(at_home)["runs.json"]
    assert row["id"] == str(run.pk)
    assert "9,412" in row["text"]
    assert row["answer"] == run.answer
    assert "visitor" not in row


def test_what_was_made_of_an_answer_is_in_it(at_home: Client, alice: User, bob: User) -> None:
    notebook = tokens.issue(alice, "Notebook", ["ask"])[0]
    run = answers.run_with(answers.number_answer(), alice, note="For Monday", starred=True, token=notebook)
    share = Share.objects.create(run=run)
    Feedback.objects.create(run=run, verdict="wrong", comment="Of the year before", reviewer_note="Of a reviewer")
    IdempotencyKey.objects.create(owner=f"user:{alice.pk}", key="one", run=run)
    Share.objects.create(run=answers.run_with(answers.number_answer(), bob))
    plain = asked(alice)
    found = {row["id"]: row for row in taken(at_home)["runs.json"]}
    row, other = found.pop(str(run.pk)), found.pop(str(plain.pk))
    assert found == {}
    assert (row["note"], row["starred"], row["token"]) == ("For Monday", True, notebook.prefix)
    assert (row["feedback"]["verdict"], row["feedback"]["comment"]) == ("wrong", "Of the year before")
    assert row["shared"]["address"] == f"/s/{share.token}"
    assert row["idempotency_key"]["key"] == "one"
    assert [step["node"] for step in row["steps"]] == [step.node for step in run.steps.all()]
    assert (other["steps"][0]["requests"], other["steps"][0]["tokens_in"]) == (2, 300)
    assert {other[name] for name in ("feedback", "shared", "token", "idempotency_key")} == {None}
    assert "Of a reviewer" not in json.dumps(row)


def test_a_long_history_is_read_in_few_queries(alice: User, django_assert_max_num_queries: Any) -> None:
    for _ in range(20):
        Share.objects.create(run=answers.run_with(answers.number_answer(), alice))
    with django_assert_max_num_queries(2):
        assert len(list(exported(alice))) == 20


def test_an_account_without_anything_can_be_taken_along(at_home: Client) -> None:
    files = taken(at_home)
    assert (files["tokens.json"], files["runs.json"]) == ([], [])


def test_the_file_takes_the_password_once_more(client: Client, alice: User) -> None:
    sign_in(client)
    assert client.get("/account/export?file").url.startswith("/accounts/reauthenticate/")


def test_leaving_deletes_everything_but_sums_that_name_nobody(at_home: Client, alice: User, bob: User) -> None:
    text = tokens.issue(alice, "Notebook", ["read"])[1]
    for day in ("2026-11-01", "2026-11-01", "2026-11-02"):
        asked(alice, day=day)
    kept = asked(bob)
    for user in (alice, bob):
        ref = uuid4()
        quotas.request(Identity(user=user), ref)
        Reservation.objects.filter(ref=ref).update(state=Reservation.State.OPEN)
        quotas.settle(ref, tokens=5, cost=Decimal(0), answered=True)
    response = at_home.post("/account/delete", {"email": "alice@example.com"})
    assert response.url == "/"
    assert "have been deleted" in at_home.get("/").content.decode()
    assert at_home.get("/account").status_code == 302
    assert not User.objects.filter(pk=alice.pk).exists()
    assert not Token.objects.exists()
    assert list(Run.objects.all()) == [kept]
    for model in (Meter, Reservation):
        assert list(model.objects.values_list("key", flat=True)) == [f"user:{bob.pk}"]
    assert Client().get("/api/v1/runs", headers={"Authorization": f"Bearer {text}"}).status_code == 401
    sums = PastUsage.objects.order_by("day").values_list(
        "day", "answers", "requests", "tokens_in", "tokens_out", "cost"
    )
    assert list(sums) == [
        (date(2026, 11, 1), 2, 4, 600, 80, Decimal("0.010")),
        (date(2026, 11, 2), 1, 2, 300, 40, Decimal("0.005")),
    ]


def test_the_sums_of_several_who_left_add_up(alice: User, bob: User) -> None:
    for user in (alice, bob):
        asked(user)
        account_deletion.delete(user)
    row = PastUsage.objects.get()
    assert (row.answers, row.requests, row.tokens_in, row.cost) == (2, 4, 600, Decimal("0.010"))


def test_what_was_used_by_questions_that_are_deleted_one_by_one_is_kept_once(alice: User, bob: User) -> None:
    asked(alice).delete()
    Run.objects.filter(pk__in=[asked(alice).pk, asked(bob).pk]).delete()
    asked(alice)
    account_deletion.delete(alice)
    asked(bob)
    User.objects.filter(pk=bob.pk).delete()
    row = PastUsage.objects.get()
    assert (row.answers, row.requests, row.tokens_in, row.cost) == (5, 10, 1500, Decimal("0.025"))


def test_many_are_deleted_in_as_many_queries_as_two(alice: User) -> None:
    def queries(many: int) -> int:
        chosen = [asked(alice, day=f"2026-11-{1 + number % 2:02}").pk for number in range(many)]
        with CaptureQueriesContext(connection) as found:
            Run.objects.filter(pk__in=chosen).delete()
        return len(found)

    queries(2)  # The days are there from now on.
    assert queries(2) == queries(60)
    assert [row.answers for row in PastUsage.objects.all()] == [32, 32]


def test_days_are_counted_in_their_order_so_that_no_two_deletions_wait_for_each_other(alice: User) -> None:
    chosen = sorted((asked(alice, day=f"2026-11-{day:02}") for day in (7, 3, 9, 1, 5)), key=lambda run: run.pk)
    with CaptureQueriesContext(connection) as queries:
        Run.objects.filter(pk__in=[run.pk for run in chosen]).delete()
    written = [query["sql"] for query in queries if query["sql"].startswith('INSERT INTO "accounts_pastusage"')]
    days = [sql.split("VALUES ('")[1][:10] for sql in written]
    assert days == sorted(days)
    assert len(days) == 5


def test_days_are_locked_in_their_order_whatever_the_order_they_come_in(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        account_deletion.keep_usage({date(2026, 11, day): {"answers": 1} for day in (7, 3, 9)})
    written = [query["sql"] for query in queries if query["sql"].startswith('INSERT INTO "accounts_pastusage"')]
    assert [sql.split("VALUES ('")[1][:10] for sql in written] == ["2026-11-03", "2026-11-07", "2026-11-09"]


def test_what_they_used_stays_in_the_sums_of_the_admin(as_charlie: Client, alice: User, bob: User) -> None:
    asked(bob)
    for day in ("2026-11-01", "2026-11-03", "2026-01-01"):
        asked(alice, day=day)
    address = f"{reverse('admin:agent_run_usage')}?first=2026-11-01&last=2026-11-30"
    before = as_charlie.get(address)
    account_deletion.delete(alice)
    after = as_charlie.get(address)
    known = ("day", "asked", "sent", "written", "usd")
    days = [[tuple(row[name] for name in known) for row in page.context["by_day"]] for page in (before, after)]
    assert days[0] == days[1]
    assert days[1][0] == (date(2026, 11, 3), 2, 300, 40, Decimal("0.005"))
    assert [row["runs"] for row in after.context["by_day"]] == [0, 1]
    assert (after.context["asked"], after.context["cost"]) == (6, Decimal("0.015"))
    programs = {row[0]: (row[3].calls, row[3].tokens_in, row[3].cost) for row in after.context["by_program"]}
    assert programs["Deleted questions"] == (4, 600, Decimal("0.010"))
    assert "deleted" not in before.content.decode()
    assert "the questions themselves are not counted" in after.content.decode()


# --- in the admin ---


@pytest.mark.parametrize("selected", [False, True])
def test_an_account_deleted_in_the_admin_leaves_no_more_behind(
    as_charlie: Client, charlie: User, alice: User, bob: User, selected: bool
) -> None:
    for user in (alice, bob):
        quotas.request(Identity(user=user), uuid4())
        quotas.locked(Identity(user=user).keys)
        asked(user)
    told: list[User] = []

    def hears(user: User, **kwargs: Any) -> None:
        told.append(user)

    account_deleted.connect(hears)
    try:
        if selected:
            sent = {"action": "delete_selected", "_selected_action": [alice.pk], "post": "yes"}
            as_charlie.post(reverse("admin:accounts_user_changelist"), sent)
        else:
            as_charlie.post(reverse("admin:accounts_user_delete", args=[alice.pk]), {"post": "yes"})
    finally:
        account_deleted.disconnect(hears)
    assert [user.email for user in told] == ["alice@example.com"]
    assert set(User.objects.all()) == {bob, charlie}
    for model in (Meter, Reservation):
        assert list(model.objects.values_list("key", flat=True)) == [f"user:{bob.pk}"]
    assert [run.user for run in Run.objects.all()] == [bob]
    (entry,) = LogEntry.objects.all()
    assert (entry.user, entry.object_id, entry.is_deletion()) == (charlie, str(alice.pk), True)
    assert entry.object_repr == "A deleted account"


def test_the_log_of_the_admin_forgets_who_left_and_keeps_what_was_done(alice: User, bob: User, charlie: User) -> None:
    for user in (alice, bob):
        EmailAddress.objects.create(user=user, email=f"second-{user.email}")
    # Of accounts, before and after an address changed, and of what names them.
    objects = [alice, *EmailAddress.objects.all(), Override(user=alice, pk=1), Override(user=bob, pk=2), bob]
    for one in [*objects, User(pk=alice.pk, email="alice-before@example.com")]:
        LogEntry.objects.log_actions(charlie.pk, [one], CHANGE)
    LogEntry.objects.log_actions(alice.pk, [bob], CHANGE)
    account_deletion.delete(alice)
    kept = list(LogEntry.objects.values_list("object_repr", flat=True))
    assert len(kept) == len(objects) + 1
    assert "alice" not in "".join(kept)
    assert {text for text in kept if "bob" in text} == {str(one) for one in objects if "bob" in str(one)}
    account_deletion.delete(charlie)
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("email", ["", "bob@example.com", "alice@example.co"])
def test_the_address_must_be_typed(at_home: Client, alice: User, email: str) -> None:
    response = at_home.post("/account/delete", {"email": email})
    assert response.status_code == 422
    assert User.objects.filter(pk=alice.pk).exists()


def test_leaving_takes_the_password_once_more(client: Client, alice: User) -> None:
    sign_in(client)
    response = client.post("/account/delete", {"email": "alice@example.com"})
    assert response.url.startswith("/accounts/reauthenticate/")
    assert User.objects.filter(pk=alice.pk).exists()


def test_the_last_administrator_stays(client: Client, charlie: User) -> None:
    sign_in(client, charlie.email, "chocolate-42")
    reauthenticate(client, "chocolate-42")
    response = client.post("/account/delete", {"email": charlie.email})
    assert "only administrator" in response.content.decode()
    User.objects.create_superuser("second@example.com", "x")
    assert client.post("/account/delete", {"email": charlie.email}).status_code == 302


def test_what_fails_on_the_way_deletes_nothing(at_home: Client, alice: User) -> None:
    asked(alice)

    def fails(**kwargs: Any) -> None:
        raise RuntimeError("not now")

    account_deleted.connect(fails)
    try:
        with pytest.raises(RuntimeError, match="not now"):
            at_home.post("/account/delete", {"email": "alice@example.com"})
    finally:
        account_deleted.disconnect(fails)
    assert User.objects.filter(pk=alice.pk).exists()
    assert Run.objects.count() == 1
    assert not PastUsage.objects.exists()


def test_no_other_browser_keeps_a_session_of_the_account(at_home: Client, alice: User) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    assert Session.objects.filter(user=alice).count() == 2
    at_home.post("/account/delete", {"email": alice.email})
    assert alice.email not in "".join(str(one.get_decoded()) for one in Session.objects.all())
    assert elsewhere.get("/account").status_code == 302


def test_sessions_that_have_expired_are_cleared(client: Client) -> None:
    client.get("/")
    for age in (-1, 1):
        stored = SessionStore()
        stored["visitor"] = "x"
        stored.save()
        Session.objects.filter(pk=stored.session_key).update(expire_date=now() + timedelta(days=age))
    tasks.clear_sessions()
    assert Session.objects.count() == 1
