"""E-mails of watchlists: to a verified address, once, at most one a day, and none where nothing is new."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from agent import tasks
from agent.models import AlertItem, AlertMail, Watchlist, WatchlistAlert
from agent.runs import watchlist_mail
from filings.models import Company, Filing
from tests.agent.test_watchlist_news import arrived, asked, company, watchlist
from tests.support.mail_servers import Killed

__all__ = ["company", "watchlist"]
BACKENDS = "tests.support.mail_servers"


@pytest.fixture
def alert(watchlist: Watchlist, alice: User) -> WatchlistAlert:
    EmailAddress.objects.update_or_create(user=alice, email=alice.email, defaults={"verified": True, "primary": True})
    watchlist.companies.update(added=now() - timedelta(days=2))
    return WatchlistAlert.objects.create(
        watchlist=watchlist, mail=True, since=now() - timedelta(days=1), site="https://diligence.example/"
    )


def another_report(company: Company) -> None:
    """Fiscal 2024 is loaded now, filed yesterday."""
    Filing.objects.filter(company=company, fiscal_year=2024).update(
        filed=now().date() - timedelta(days=1), held_since=now()
    )


def test_a_mail_tells_what_is_new_in_plain_words(alert: WatchlistAlert, alice: User, company: Company) -> None:
    asked(alice, company)
    tasks.mail_watchlists()
    (sent,) = mail.outbox
    assert sent.to == [alice.email]
    assert sent.subject == "Diligence: 3 new items for “Gauges”"
    assert "Northwind Instruments: 10-K for fiscal 2025\nFiled " in sent.body
    assert "1 of your answers about Northwind Instruments is older" in sent.body
    assert "$86.214 million, restated to $85.702 million" in sent.body
    assert "https://diligence.example/filings/" in sent.body
    stop = f"https://diligence.example/watchlists/stop/{alert.unsubscribe}"
    assert f"Stop these e-mails: {stop}" in sent.body
    headers = sent.message()
    assert headers["List-Unsubscribe"] == f"<{stop}>"
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert AlertMail.objects.get().sent is not None


def test_one_new_filing_is_the_subject(alert: WatchlistAlert) -> None:
    assert watchlist_mail.send_due() == 1
    assert mail.outbox[0].subject == "Diligence: Northwind Instruments: 10-K for fiscal 2025"


def test_nothing_is_sent_twice(alert: WatchlistAlert) -> None:
    for _ in range(3):
        watchlist_mail.send_due()
    with time_machine.travel(now() + timedelta(days=2)):
        watchlist_mail.send_due()
    assert len(mail.outbox) == AlertItem.objects.count() == 1


def test_answers_are_not_compared_again_with_a_filing_that_was_told(
    alert: WatchlistAlert, alice: User, company: Company, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    asked(alice, company)
    watchlist_mail.send_due()
    with time_machine.travel(now() + timedelta(days=2)), django_assert_num_queries(7):
        # Mails that were not sent, which are due, this one, its address, its companies, what was told, new filings.
        assert watchlist_mail.send_due() == 0


def test_what_comes_within_a_day_waits_for_the_next_mail(alert: WatchlistAlert, company: Company) -> None:
    watchlist_mail.send_due()
    another_report(company)
    watchlist_mail.send_due()
    assert len(mail.outbox) == 1
    with time_machine.travel(now() + timedelta(hours=23)):
        watchlist_mail.send_due()
    assert len(mail.outbox) == 2
    assert "fiscal 2024" in mail.outbox[1].body
    assert "fiscal 2025" not in mail.outbox[1].body


def test_two_workers_at_once_send_one(alert: WatchlistAlert) -> None:
    slow = WatchlistAlert.objects.get(pk=alert.pk)
    watchlist_mail.send(alert)
    assert slow.begin_mail(["filing:1:1"]) is None
    assert not watchlist_mail.send(slow)
    assert len(mail.outbox) == 1


def killed(settings: Settings, backend: str) -> None:
    usual = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = f"{BACKENDS}.{backend}"
    with pytest.raises(Killed):
        watchlist_mail.send_due()
    settings.EMAIL_BACKEND = usual


@pytest.mark.parametrize(("backend", "taken"), [("KilledAfter", 1), ("KilledBefore", 0)])
def test_a_mail_whose_worker_is_killed_is_sent_again_under_its_own_number(
    alert: WatchlistAlert, settings: Settings, backend: str, taken: int
) -> None:
    killed(settings, backend)
    # Perhaps it is still being sent.
    assert watchlist_mail.send_due() == 0
    with time_machine.travel(now() + timedelta(minutes=11)):
        assert watchlist_mail.send_due() == 1
    with time_machine.travel(now() + timedelta(days=2)):
        assert watchlist_mail.send_due() == 0
    assert len(mail.outbox) == taken + 1
    # Mail programs show two mails of one number once.
    assert len({one.message()["Message-ID"] for one in mail.outbox}) == 1
    assert AlertMail.objects.get().sent is not None
    assert AlertItem.objects.count() == 1


def test_a_mail_whose_workers_are_always_killed_is_sent_ever_more_seldom(
    alert: WatchlistAlert, settings: Settings
) -> None:
    killed(settings, "KilledAfter")
    for minutes in (11, 23, 47):
        with time_machine.travel(now() + timedelta(minutes=minutes - 3)):
            assert watchlist_mail.send_due() == 0
        with time_machine.travel(now() + timedelta(minutes=minutes)):
            killed(settings, "KilledAfter")
    assert len(mail.outbox) == 4


def test_two_workers_send_a_mail_of_a_killed_one_once(alert: WatchlistAlert, settings: Settings) -> None:
    killed(settings, "KilledBefore")
    with time_machine.travel(now() + timedelta(minutes=11)):
        first, second = (WatchlistAlert.objects.get() for _ in range(2))
        assert watchlist_mail.send(first)
        assert not watchlist_mail.send(second)
    assert len(mail.outbox) == 1


def test_a_mail_of_a_killed_worker_is_not_sent_once_it_is_stopped(alert: WatchlistAlert, settings: Settings) -> None:
    killed(settings, "KilledBefore")
    WatchlistAlert.objects.update(mail=False)
    with time_machine.travel(now() + timedelta(days=2)):
        assert watchlist_mail.send_due() == 0
    assert mail.outbox == []


def test_what_comes_after_a_killed_worker_stands_in_the_same_mail(
    alert: WatchlistAlert, company: Company, settings: Settings
) -> None:
    killed(settings, "KilledBefore")
    another_report(company)
    with time_machine.travel(now() + timedelta(minutes=11)):
        watchlist_mail.send_due()
        watchlist_mail.send_due()
    (sent,) = mail.outbox
    assert all(f"fiscal {year}" in sent.body for year in (2024, 2025))


def test_a_mail_that_the_server_refuses_is_sent_an_hour_later(alert: WatchlistAlert, settings: Settings) -> None:
    usual = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = f"{BACKENDS}.Refusing"
    assert watchlist_mail.send_due() == 0
    settings.EMAIL_BACKEND = usual
    assert watchlist_mail.send_due() == 0
    with time_machine.travel(now() + timedelta(minutes=61)):
        assert watchlist_mail.send_due() == 1
    assert len(mail.outbox) == 1


def test_a_server_that_refuses_one_mail_does_not_stop_the_others(
    alert: WatchlistAlert, bob: User, company: Company, settings: Settings
) -> None:
    EmailAddress.objects.update_or_create(user=bob, email=bob.email, defaults={"verified": True, "primary": True})
    other = Watchlist.objects.create(user=bob, name="Own", key="own")
    other.add([company.cik])
    other.companies.update(added=now() - timedelta(days=2))
    WatchlistAlert.objects.create(watchlist=other, mail=True, since=now() - timedelta(days=1))
    settings.EMAIL_BACKEND = f"{BACKENDS}.Refusing"
    watchlist_mail.send_due()
    assert WatchlistAlert.objects.filter(mailed=None).count() == 0


def test_nothing_goes_to_an_address_that_is_not_verified(alert: WatchlistAlert, alice: User) -> None:
    EmailAddress.objects.filter(user=alice).update(verified=False)
    watchlist_mail.send_due()
    assert mail.outbox == []


def test_nothing_goes_to_a_closed_account(alert: WatchlistAlert, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    watchlist_mail.send_due()
    assert mail.outbox == []


def test_nothing_is_sent_where_nothing_is_new(alert: WatchlistAlert, company: Company) -> None:
    arrived(company, hours=30)  # before the mails were switched on
    watchlist_mail.send_due()
    assert mail.outbox == []
    assert AlertMail.objects.count() == 0


def test_what_came_before_its_company_was_added_is_not_sent(alert: WatchlistAlert) -> None:
    alert.watchlist.companies.update(added=now())
    watchlist_mail.send_due()
    assert mail.outbox == []


def test_nothing_is_sent_once_it_is_stopped(alert: WatchlistAlert, client: Client) -> None:
    address = f"/watchlists/stop/{alert.unsubscribe}"
    page = client.get(address)
    assert "Stop e-mails about “Gauges”?" in page.content.decode()
    assert WatchlistAlert.objects.get().mail
    # As a mail program posts it: without a cookie and a token of ours.
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(address, {"List-Unsubscribe": "One-Click"}).status_code == 200
    watchlist_mail.send_due()
    assert mail.outbox == []
    assert client.get("/watchlists/stop/" + "x" * 43).status_code == 404
