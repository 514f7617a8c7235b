"""Attempts at an ingestion: cancelled, taken over, given up, and broken by a bug or by a disk that is full."""

import errno
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from filings.ingest import queue
from filings.ingest.ingestion import NO_ROOM, ingest
from filings.models import STALE_AFTER, Company, Document, Fact
from tests.support.edgar import Filer, LocalEdgar
from tests.support.ingestion import QuickEdgar, run

DONE, FAILED, CANCELLED = Company.Status.DONE, Company.Status.FAILED, Company.Status.CANCELLED


def test_a_cancelled_ingestion_stops_at_the_next_filing(widgets: Filer) -> None:
    def cancel(line: str) -> None:
        if "Filing 2 of 3" in line:
            Company.objects.cancel(Company.objects.get(cik=widgets.cik).pk)

    company, outcome = run(widgets, say=cancel)
    assert outcome.status == company.status == CANCELLED
    assert company.filings_done == 1
    assert set(Fact.objects.filter(company=company).values_list("filing__fiscal_year", flat=True)) == {2024}
    assert run(widgets)[1].status == DONE


def test_only_one_worker_gets_a_company(widgets: Filer) -> None:
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    assert Company.objects.claim(company.pk) is None
    assert Company.objects.enqueue(company.pk)
    assert not Company.objects.enqueue(company.pk)
    assert Company.objects.claim(company.pk) == 1
    assert Company.objects.claim(company.pk) is None
    assert queue.work(company.pk) is None


def test_a_worker_that_was_taken_for_dead_writes_nothing_more(widgets: Filer) -> None:
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    Company.objects.enqueue(company.pk, (2015, None))
    attempt = Company.objects.claim(company.pk)
    assert attempt == 1

    def overtaken(line: str) -> None:
        if "Filing 2 of 3" in line:
            Company.objects.filter(pk=company.pk).update(heartbeat=now() - STALE_AFTER - timedelta(seconds=1))
            assert Company.objects.claim(company.pk) == 2

    outcome = ingest(company.pk, attempt, QuickEdgar(), overtaken)
    company.refresh_from_db()
    assert outcome.status == CANCELLED
    assert (company.status, company.attempt, company.filings_done) == (Company.Status.RUNNING, 2, 1)
    assert set(Fact.objects.filter(company=company).values_list("filing__fiscal_year", flat=True)) == {2024}
    assert ingest(company.pk, 2, QuickEdgar()).status == DONE


def test_a_sick_ingestion_is_given_up_after_some_workers(widgets: Filer) -> None:
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    Company.objects.enqueue(company.pk)
    for _ in range(queue.MAX_ATTEMPTS):
        Company.objects.filter(pk=company.pk).update(heartbeat=now() - STALE_AFTER - timedelta(seconds=1))
        assert Company.objects.claim(company.pk)
    Company.objects.filter(pk=company.pk).update(heartbeat=now() - STALE_AFTER - timedelta(seconds=1))
    assert queue.sweep() == 0
    company.refresh_from_db()
    assert company.status == FAILED
    assert "crashed 5 times" in company.problem


def test_a_bug_is_recorded_on_the_row_and_raised(edgar: LocalEdgar, widgets: Filer, caplog: Any) -> None:
    def broken(line: str) -> None:
        if "Filing" in line:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(widgets, say=broken)
    company = Company.objects.get(cik=widgets.cik)
    assert (company.status, company.problem) == (FAILED, "Unexpected: ZeroDivisionError.")
    assert "Ingestion of Tiny Widgets Inc. failed" in caplog.text


def test_of_a_filing_that_fails_on_the_way_nothing_is_stored(widgets: Filer, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise ZeroDivisionError

    # The last of its parts that is stored.
    monkeypatch.setattr("filings.ingest.ingestion.store_text", broken)
    with pytest.raises(ZeroDivisionError):
        run(widgets)
    assert Company.objects.get(cik=widgets.cik).filings.exists()
    assert not Fact.objects.filter(company__cik=widgets.cik).exists()
    assert not Document.objects.filter(filing__company__cik=widgets.cik).exists()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_said_in_words(widgets: Filer, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def full(*given: object) -> None:
        raise OSError(number, "The worker's disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("filings.edgar.raw_files.write_whole", full)
        with pytest.raises(OSError, match="The worker's disk is full"):
            run(widgets)
    company = Company.objects.get(cik=widgets.cik)
    assert (company.status, company.problem) == (FAILED, NO_ROOM)
    assert run(widgets)[1].status == DONE
