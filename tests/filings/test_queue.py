"""Which waiting company a worker ingests: decided by the rows, whatever messages there are. And what a sweep sends."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from diligence import messages
from diligence.celery import app
from filings import tasks
from filings.ingest import queue
from filings.models import STALE_AFTER, Company, Priority

COMPANIES = "/admin/filings/company/"
LONG = timedelta(hours=1)


@pytest.fixture
def ingested(db: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the companies that workers ingest, in their order."""
    Company.objects.update(status=Company.Status.DONE)
    names: list[str] = []

    def ingest(pk: int, attempt: int, *given: object) -> None:
        names.append(Company.objects.get(pk=pk).name)
        Company.objects.of_attempt(pk, attempt).update(status=Company.Status.DONE)

    monkeypatch.setattr("filings.ingest.ingestion.ingest", ingest)
    return names


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Keys of the messages to those who ingest."""
    keys: list[int] = []
    monkeypatch.setattr(tasks.ingest_company, "apply_async", lambda args, **options: keys.extend(args))
    return keys


def waiting(*names: str, **fields: Any) -> list[Company]:
    """Companies queued one after the other, an hour ago."""
    cik, at = 9_000_000_100 + Company.objects.count(), now() - LONG
    fields = {"status": Company.Status.QUEUED, **fields}
    return [
        Company.objects.create(cik=cik + place, name=name, **{"heartbeat": at + timedelta(seconds=place), **fields})
        for place, name in enumerate(names)
    ]


def work_through(companies: list[Company]) -> None:
    """The messages, in the order in which they were sent."""
    for company in companies:
        tasks.ingest_company(company.pk)


# --- which is first ---


@pytest.mark.parametrize(
    ("action", "chosen", "order"),
    [
        ("take_last", "A", ["B", "C", "A"]),
        ("take_first", "C", ["C", "A", "B"]),
        ("take_in_turn", "A", ["A", "B", "C"]),
    ],
)
def test_a_priority_changed_by_an_action_is_what_the_next_worker_goes_by(
    as_charlie: Client, ingested: list[str], sent: list[int], action: str, chosen: str, order: list[str]
) -> None:
    companies = waiting("A", "B", "C")
    key = next(one.pk for one in companies if one.name == chosen)
    assert as_charlie.post(COMPANIES, {"action": action, "_selected_action": [key]}).status_code == 302
    work_through(companies)
    assert ingested == order
    assert sent == []


def test_a_priority_changed_on_the_company_s_own_form_is_too(as_charlie: Client, ingested: list[str]) -> None:
    first, second = waiting("A", "B")
    form = {"active": "on", "priority": Priority.LAST, "aliases": "", "label_offset": ""}
    assert as_charlie.post(f"{COMPANIES}{first.pk}/change/", form | inline()).status_code == 302
    work_through([first, second])
    assert ingested == ["B", "A"]


def inline() -> dict[str, str]:
    return {f"tickers-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}


def test_a_message_too_many_finds_nothing_to_do(ingested: list[str]) -> None:
    work_through(waiting("A", "B") * 2)
    assert ingested == ["A", "B"]


def test_what_another_worker_is_quicker_to_claim_is_left_to_it(
    ingested: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = waiting("A", "B")
    claim = Company.objects.claim

    def beaten(pk: int) -> int | None:
        if pk == first.pk:
            assert claim(pk) == 1
        return claim(pk)

    monkeypatch.setattr(Company.objects, "claim", beaten)
    tasks.ingest_company(first.pk)
    assert ingested == ["B"]
    first.refresh_from_db()
    assert (first.status, first.attempt) == (Company.Status.RUNNING, 1)
    assert second.name == "B"


def test_what_a_killed_worker_left_is_taken_up_and_what_killed_many_is_not(ingested: list[str]) -> None:
    running = {"status": Company.Status.RUNNING}
    waiting("A", attempt=queue.MAX_ATTEMPTS, **running)
    companies = waiting("B", attempt=1, **running)
    waiting("C", heartbeat=now(), **running)
    work_through(companies * 2)
    assert ingested == ["B"]
    assert list(Company.objects.filter(status=Company.Status.FAILED).values_list("name", flat=True)) == ["A"]


def test_an_ingestion_in_this_process_is_never_seen_to_wait(
    ingested: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (company,) = waiting("A", status=Company.Status.KNOWN)

    def killed(pk: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Company.objects, "claim", killed)
        with pytest.raises(KeyboardInterrupt):
            queue.work_at_once(company.pk)
    company.refresh_from_db()
    assert company.status == Company.Status.KNOWN
    queue.work_at_once(company.pk, (2019, 2021))
    company.refresh_from_db()
    assert ingested == ["A"]
    assert (company.years_from, company.years_to) == (2019, 2021)


# --- the clock ---


@pytest.mark.parametrize(("ahead", "free"), [(LONG, True), (STALE_AFTER / 2, False)])
def test_a_beat_to_come_is_from_before_a_clock_was_set_back(
    ingested: list[str], sent: list[int], ahead: timedelta, free: bool
) -> None:
    waiting("A", status=Company.Status.RUNNING, attempt=1, heartbeat=now() + ahead)
    assert queue.sweep() == len(sent) == free
    tasks.ingest_company(0)
    assert ingested == ["A"] * free


def test_what_was_queued_before_a_clock_was_set_back_is_swept(ingested: list[str], sent: list[int]) -> None:
    (company,) = waiting("A", heartbeat=now() + LONG)
    assert queue.sweep() == 1
    assert sent == [company.pk]


# --- what is sent again ---


def test_a_sweep_sends_what_is_missing_and_no_more(ingested: list[str], sent: list[int]) -> None:
    companies = waiting("A", "B", "C")
    waiting("D", heartbeat=now())
    # One for each that waits; the last may be on its way.
    for count, again in ((4, 0), (5, 0), (3, 1), (1, 3), (0, 3)):
        sent.clear()
        assert queue.sweep(count) == again
        assert sent == [company.pk for company in companies[:again]]


def emptied() -> None:
    """The queue of those who ingest without what other tests have left in it."""
    with app.connection_for_write() as broker:
        broker.default_channel.queue_purge("ingest")  # type: ignore[attr-defined]


def test_sweeps_of_a_long_queue_do_not_fill_the_broker(ingested: list[str]) -> None:
    emptied()
    assert messages.messages(tasks.ingest_company) == 0
    waiting(*"ABCDEFGHIJKLMNOPQRST")
    # Those that may be others' are sent once.
    for found in (20, 20 + messages.OF_BEAT, 20 + messages.OF_BEAT):
        tasks.sweep()
        assert messages.messages(tasks.ingest_company) == found
    emptied()


def test_a_message_has_the_same_urgency_for_every_company(
    db: None, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    """So that what beat sends, which has none, is taken before."""
    options: list[dict[str, Any]] = []
    monkeypatch.setattr(tasks.ingest_company, "apply_async", lambda args, **given: options.append(given))
    (company,) = waiting("A", status=Company.Status.DONE, priority=Priority.FIRST)
    with django_capture_on_commit_callbacks(execute=True):
        assert queue.enqueue(company)
    Company.objects.filter(pk=company.pk).update(heartbeat=now() - LONG)
    queue.sweep()
    assert options == [{"priority": Priority.NORMAL}] * 2
