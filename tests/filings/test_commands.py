"""manage.py ingest and prune, and the tasks of the worker."""

import os
import time
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils.timezone import now
from pytest_django import Settings

from filings import tasks
from filings.edgar.raw_files import RawStore
from filings.ingest import queue
from filings.management.commands.ingest import read_years
from filings.models import STALE_AFTER, Company, Fact, RawFile
from tests.support.edgar import Filer, LocalEdgar, filer
from tests.support.local_server import Fault
from tests.support.sample import Sample


def ingest(*arguments: str) -> str:
    out = StringIO()
    call_command("ingest", *arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2015-", (2015, None)),
        ("2019-2024", (2019, 2024)),
        ("2021", (2021, 2021)),
        ("-2018", (None, 2018)),
        (" 2020- ", (2020, None)),
    ],
)
def test_years_are_read_as_people_write_them(text: str, years: tuple[int | None, int | None]) -> None:
    assert read_years(text) == years


@pytest.mark.parametrize("text", ["", "-", "lately", "15-", "2024-2019", "2019-2024-", "20192024", "2019--2024"])
def test_years_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(CommandError, match="--years"):
        read_years(text)


def test_it_ingests_and_says_how_far_it_is(sample: Sample, widgets: Filer) -> None:
    said = ingest(str(widgets.cik), "--years", "2023-")
    assert "Filing 1 of 2: 10-K filed 2025-02-20" in said
    assert said.splitlines()[-1] == "Tiny Widgets Inc.: 2 10-Ks, 32 facts."
    assert Fact.objects.filter(company__cik=widgets.cik).count() == 32


def test_an_unknown_ticker_is_named_with_close_matches_and_the_others_are_done(sample: Sample, widgets: Filer) -> None:
    out = StringIO()
    with pytest.raises(CommandError, match=r"1 of 2 could not be ingested:\n.*'AAPPL'.*AAPL \(Apple Inc\.\)"):
        call_command("ingest", "AAPPL", str(widgets.cik), stdout=out, stderr=out)
    assert Company.objects.get(cik=widgets.cik).status == Company.Status.DONE


def test_a_ticker_that_is_new_on_the_list_is_found_by_reading_the_list_again(
    sample: Sample, edgar: LocalEdgar, widgets: Filer
) -> None:
    assert "Tiny Widgets Inc.: 3 10-Ks" in ingest("TWIDG")
    assert edgar.asked("company_tickers") == [200]


def test_a_company_that_fails_does_not_keep_the_others_from_being_done(
    sample: Sample, edgar: LocalEdgar, widgets: Filer
) -> None:
    other = filer(2024, cik=9_000_000_002, name="Grand Gadgets Corp", symbols=("GADGX",))
    other.publish(edgar)
    edgar.faults = [Fault("companyfacts/CIK9000000002", times=9, status=404)]
    del edgar.files["submissions/CIK9000000002.json"]
    with pytest.raises(CommandError, match=r"1 of 2 could not be ingested:\n.*no annual report"):
        ingest("9000000002", str(widgets.cik))
    assert Company.objects.get(cik=widgets.cik).status == Company.Status.DONE
    assert Company.objects.get(cik=other.cik).status == Company.Status.FAILED


def test_without_an_identity_nothing_is_asked_and_the_reason_is_plain(
    sample: Sample, edgar: LocalEdgar, widgets: Filer, settings: Settings
) -> None:
    settings.EDGAR_IDENTITY = ""
    with pytest.raises(CommandError, match="EDGAR_IDENTITY"):
        ingest("AAPL")
    assert edgar.requests == []


def test_a_company_that_another_worker_holds_is_left_to_it(sample: Sample, widgets: Filer) -> None:
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    Company.objects.enqueue(company.pk)
    assert Company.objects.claim(company.pk)
    with pytest.raises(CommandError, match="another worker is ingesting it"):
        ingest(str(widgets.cik))


@pytest.mark.parametrize(
    ("text", "said"),
    [("10-K,6-K", "“6-K” is no kind of document"), ("call", "“call” is not filed with the SEC"), (",", "takes kinds")],
)
def test_forms_that_are_not_loaded_are_named(sample: Sample, widgets: Filer, text: str, said: str) -> None:
    with pytest.raises(CommandError, match=f"--forms.*{said}"):
        ingest(str(widgets.cik), "--forms", text)
    assert not Company.objects.filter(cik=widgets.cik).exists()


def test_forms_are_kept_with_the_company(sample: Sample, widgets: Filer) -> None:
    ingest(str(widgets.cik), "--queue", "--forms", "8-k,def14a,10-K")
    company = Company.objects.get(cik=widgets.cik)
    assert company.forms == "10-K,8-K,DEF 14A"
    Company.objects.cancel(company.pk)
    ingest(str(widgets.cik), "--queue")
    company.refresh_from_db()
    assert company.forms == "10-K,8-K,DEF 14A"


def test_it_hands_over_to_the_worker(sample: Sample, edgar: LocalEdgar, widgets: Filer) -> None:
    said = ingest(str(widgets.cik), "--queue", "--years", "2024")
    company = Company.objects.get(cik=widgets.cik)
    assert said.strip() == f"CIK {widgets.cik}: queued."
    assert (company.status, company.years_from, company.years_to) == ("queued", 2024, 2024)
    with pytest.raises(CommandError, match="already"):
        ingest(str(widgets.cik), "--queue")
    tasks.ingest_company.apply(args=[company.pk])
    tasks.ingest_company.apply(args=[company.pk])
    company.refresh_from_db()
    assert (company.status, company.attempt, company.filings_done) == ("done", 1, 1)


def test_the_sweep_finds_what_a_dead_worker_and_a_lost_message_left(
    widgets: Filer, django_capture_on_commit_callbacks
) -> None:
    long_ago = now() - max(STALE_AFTER, queue.LOST_AFTER) - timedelta(seconds=1)
    dead, lost, fresh, running = (
        Company.objects.create(cik=9_000_000_010 + place, name=f"Company {place}") for place in range(4)
    )
    for company in (dead, lost, fresh, running):
        assert queue.enqueue(company)
    for company in (dead, running):
        assert Company.objects.claim(company.pk)
    Company.objects.filter(pk__in=[dead.pk, lost.pk]).update(heartbeat=long_ago)
    assert queue.sweep() == 2
    assert Company.objects.claim(dead.pk) == 2
    assert queue.sweep() == 1
    assert Company.objects.claim(lost.pk)
    assert queue.sweep() == 0


# --- prune ---


@pytest.fixture
def kept(edgar: LocalEdgar, widgets: Filer, data_dir: Path) -> RawStore:
    """Two kept files, one of them not asked for since last year; and one that nothing names."""
    store = RawStore()
    store.write("https://www.sec.gov/new", b"new")
    store.write("https://www.sec.gov/old", b"old")
    RawFile.objects.filter(url__endswith="old").update(fetched=now() - timedelta(days=400))
    loose = store.path("ab" * 32)
    loose.parent.mkdir(parents=True)
    loose.write_bytes(b"left behind")
    os.utime(loose, (time.time() - 7200,) * 2)
    return store


def prune(*arguments: str) -> str:
    out = StringIO()
    call_command("prune", *arguments, stdout=out)
    return out.getvalue()


def files(store: RawStore) -> int:
    return len([path for path in store.folder.glob("*/*") if path.is_file()])


def test_a_dry_run_deletes_nothing(kept: RawStore) -> None:
    assert prune("--days", "90", "--dry-run").startswith("1 old and 1 unreferenced files would be deleted")
    assert (files(kept), RawFile.objects.count()) == (3, 2)


def test_it_deletes_what_nothing_refers_to(kept: RawStore) -> None:
    assert prune().startswith("0 old and 1 unreferenced files deleted, 11 bytes")
    assert (files(kept), RawFile.objects.count()) == (2, 2)


def test_it_deletes_what_was_not_needed_for_long(kept: RawStore) -> None:
    prune("--days", "90")
    assert RawFile.objects.get().url.endswith("new")
    assert files(kept) == 1


def test_bytes_that_another_address_has_too_stay(kept: RawStore) -> None:
    kept.write("https://www.sec.gov/old", b"new")
    RawFile.objects.filter(url__endswith="old").update(fetched=now() - timedelta(days=400))
    prune("--days", "90")
    entry = RawFile.objects.get()
    assert kept.read(entry) == b"new"


def test_a_file_just_being_written_is_left_alone(kept: RawStore) -> None:
    fresh = kept.path("cd" * 32)
    fresh.parent.mkdir(parents=True)
    fresh.write_bytes(b"not indexed yet")
    prune()
    assert fresh.exists()


def test_a_negative_age_is_refused(kept: RawStore) -> None:
    with pytest.raises(CommandError, match="--days"):
        prune("--days", "-1")


def test_ctrl_c_leaves_no_row_that_looks_busy(sample: Sample, widgets: Filer) -> None:
    class InterruptedOut(StringIO):
        def write(self, text: str) -> int:
            if "Filing 2" in text:
                raise KeyboardInterrupt
            return super().write(text)

    with pytest.raises(CommandError, match="stopped"):
        call_command("ingest", str(widgets.cik), stdout=InterruptedOut())
    company = Company.objects.get(cik=widgets.cik)
    assert (company.status, company.filings_done) == ("cancelled", 1)
