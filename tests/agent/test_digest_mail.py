"""The weekly digest: asked for on the account page, sent where answers changed, and nothing told twice."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts.models import User
from agent import tasks
from agent.models import Digest, Run, Standing
from agent.runs import digest_mail
from filings.models import Company
from tests.agent.kept.test_standings import asked, company, revenue
from tests.support.mail_servers import Killed

__all__ = ["company"]


@pytest.fixture
def verified(alice: User) -> User:
    EmailAddress.objects.update_or_create(user=alice, email=alice.email, defaults={"verified": True, "primary": True})
    return alice


@pytest.fixture
def digest(verified: User) -> Digest:
    return Digest.objects.create(
        user=verified, mail=True, told=now() - timedelta(hours=1), site="https://diligence.example/"
    )


@pytest.fixture
def run(company: Company, alice: User) -> Run:
    """An answer that was found to be superseded."""
    found = asked(alice, revenue(company, 2024))
    tasks.compare_answers()
    return found


def changed_again(run: Run) -> None:
    Standing.objects.filter(run=run).update(since=now())


def test_it_tells_the_answer_with_both_values_and_how_to_stop(digest: Digest, run: Run) -> None:
    tasks.mail_digests()
    (sent,) = mail.outbox
    assert sent.to == [digest.user.email]
    assert sent.subject == "Diligence: 1 of your answers has changed"
    assert f"Superseded: {run.question}\n" in sent.body
    assert "$86.214 million, restated to $85.702 million in the 10-K for fiscal 2025." in sent.body
    assert f"https://diligence.example{run.get_absolute_url()}" in sent.body
    stop = f"https://diligence.example/digest/stop/{digest.unsubscribe}"
    assert f"Stop these e-mails: {stop}" in sent.body
    assert sent.message()["List-Unsubscribe"] == f"<{stop}>"


def test_nothing_is_told_twice_and_what_comes_later_waits_for_a_week(digest: Digest, run: Run) -> None:
    assert [digest_mail.send_due() for _ in range(3)] == [1, 0, 0]
    changed_again(run)
    assert digest_mail.send_due() == 0
    with time_machine.travel(now() + timedelta(days=7)):
        assert [digest_mail.send_due() for _ in range(2)] == [1, 0]


def test_without_a_change_there_is_no_mail(digest: Digest) -> None:
    assert digest_mail.send_due() == 0
    assert Digest.objects.get().begun is None


@pytest.mark.parametrize("change", [{"mail": False}, {"told": now() + timedelta(days=1)}])
def test_nobody_gets_what_is_off_or_older(digest: Digest, run: Run, change: dict[str, object]) -> None:
    Digest.objects.update(**change)
    assert digest_mail.send_due() == 0


def test_nothing_goes_to_an_address_that_is_not_verified(digest: Digest, run: Run) -> None:
    EmailAddress.objects.update(verified=False)
    assert digest_mail.send_due() == 0


def test_a_mail_tells_only_its_owners_answers(digest: Digest, run: Run, bob: User) -> None:
    Run.objects.update(user=bob)
    assert digest_mail.send_due() == 0


@pytest.mark.parametrize(("backend", "taken"), [("KilledAfter", 1), ("KilledBefore", 0)])
def test_a_mail_whose_worker_is_killed_is_sent_again_under_its_own_number(
    digest: Digest, run: Run, settings: Settings, backend: str, taken: int
) -> None:
    usual = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = f"tests.support.mail_servers.{backend}"
    with pytest.raises(Killed):
        digest_mail.send_due()
    settings.EMAIL_BACKEND = usual
    assert digest_mail.send_due() == 0
    with time_machine.travel(now() + timedelta(minutes=11)):
        assert [digest_mail.send_due() for _ in range(2)] == [1, 0]
    assert len(mail.outbox) == taken + 1
    assert len({one.message()["Message-ID"] for one in mail.outbox}) == 1


def test_a_mail_that_the_server_refuses_is_sent_an_hour_later(digest: Digest, run: Run, settings: Settings) -> None:
    usual = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "tests.support.mail_servers.Refusing"
    assert digest_mail.send_due() == 0
    settings.EMAIL_BACKEND = usual
    assert digest_mail.send_due() == 0
    with time_machine.travel(now() + timedelta(minutes=61)):
        assert digest_mail.send_due() == 1


def test_two_workers_at_once_send_one(digest: Digest, run: Run) -> None:
    slow = Digest.objects.select_related("user").get()
    assert digest_mail.send(digest)
    assert not digest_mail.send(slow)
    assert len(mail.outbox) == 1


def test_it_is_switched_on_and_off_in_the_account(as_alice: Client, verified: User) -> None:
    assert "E-mail me weekly" in as_alice.get("/account").content.decode()
    page = as_alice.post("/account/digest", {"mail": "1"}, follow=True).content.decode()
    assert "Stop the weekly e-mail" in page
    assert Digest.objects.get(user=verified).mail
    as_alice.post("/account/digest", {"mail": "0"})
    assert not Digest.objects.get(user=verified).mail


def test_it_needs_a_verified_address_and_an_account(client: Client, as_bob: Client, db: None) -> None:
    EmailAddress.objects.update(verified=False)
    page = as_bob.post("/account/digest", {"mail": "1"}, follow=True).content.decode()
    assert "Verify your e-mail address first." in page
    assert client.post("/account/digest", {"mail": "1"}).headers["Location"].startswith("/accounts/login")
    assert not Digest.objects.filter(mail=True).exists()


def test_whoever_has_the_address_stops_it(client: Client, digest: Digest) -> None:
    address = f"/digest/stop/{digest.unsubscribe}"
    assert "Stop e-mails about your changed answers?" in client.get(address).content.decode()
    assert Digest.objects.get().mail
    assert "No more e-mails" in client.post(address).content.decode()
    assert not Digest.objects.get().mail
    assert client.get("/digest/stop/" + "x" * 43).status_code == 404
