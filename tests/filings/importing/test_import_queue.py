"""Files on their way: a worker reads each once, whatever is lost, killed or sent twice."""

from datetime import timedelta

import pytest
from django.utils.timezone import now
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from filings.importing import import_queue, importing, original_files
from filings.importing.document_fields import ImportRefused
from filings.models import Company, Import
from filings.tasks import import_file, sweep_imports
from tests.support.brought import CALL, PLAIN, WHOLE, brought, given, imported

Status = Import.Status


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys that the task is sent from now on."""
    found: list[str] = []
    monkeypatch.setattr(import_file, "apply_async", lambda args, **options: found.extend(args))
    return found


def started(content: bytes = CALL, *, confirmed: bool = False, **written: str) -> Import:
    return import_queue.start(content, "call.txt", given(**written), confirmed=confirmed)


def ran(row: Import) -> Import:
    import_queue.run(row.pk)
    row.refresh_from_db()
    return row


def test_a_file_is_stored_and_handed_to_a_worker(
    halden: Company, charlie: User, sent: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        row = import_queue.start(CALL, "../call.txt", given(), charlie)
    assert sent == [str(row.pk)]
    assert (row.filename, row.size, row.user, row.status, row.is_open) == (
        "call.txt",
        len(CALL),
        charlie,
        Status.QUEUED,
        True,
    )
    assert original_files.read(row.sha256) == CALL


def test_a_wrong_file_is_not_even_queued(halden: Company) -> None:
    with pytest.raises(ImportRefused):
        started(b"")
    assert not Import.objects.exists()


def test_a_worker_reads_what_a_file_says_and_stores_nothing_before_it_is_confirmed(halden: Company) -> None:
    row = ran(started())
    assert row.status == Status.ASKED
    assert (row.company, row.kind, row.fiscal_year, row.fiscal_quarter) == (halden, "call", 2024, 3)
    assert str(row.day) == "2024-11-06"
    assert not imported().exists()
    assert import_queue.confirm(row, import_queue.fields_held(row))
    row = ran(row)
    assert (row.status, row.held_before) == (Status.DONE, False)
    assert row.filing == imported().get()


def test_what_the_person_said_stands_beside_what_the_document_says(halden: Company) -> None:
    row = ran(started(period="2023Q1", title="Spring call"))
    assert (row.company, row.fiscal_year, row.fiscal_quarter, row.title) == (halden, 2023, 1, "Spring call")


def test_a_confirmed_file_is_stored_at_once(halden: Company, charlie: User) -> None:
    row = ran(import_queue.start(CALL, "call.txt", given(), charlie, confirmed=True))
    assert row.status == Status.DONE
    assert row.filing is not None
    assert row.filing.added_by == charlie


def test_a_refusal_names_its_field_and_can_be_answered(halden: Company) -> None:
    row = ran(started(PLAIN, confirmed=True, **{**WHOLE, "period": ""}))
    assert (row.status, row.field) == (Status.FAILED, "period")
    assert "fiscal year" in row.problem
    assert import_queue.confirm(row, given(**WHOLE))
    assert ran(row).status == Status.DONE


def test_the_same_file_is_said_to_be_held(halden: Company) -> None:
    filing = brought().filing
    row = ran(started(confirmed=True))
    assert (row.status, row.held_before, row.filing) == (Status.DONE, True, filing)


def test_a_message_that_comes_twice_is_one_import(halden: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    row = ran(started(confirmed=True))
    finished = row.finished
    import_file(str(row.pk))
    row.refresh_from_db()
    assert (row.attempt, row.finished) == (1, finished)


def test_a_file_that_another_worker_reads_is_left_to_it(halden: Company) -> None:
    row = started()
    assert Import.objects.claim(row.pk) == 1
    assert Import.objects.claim(row.pk) is None
    assert ran(row).status == Status.READING


def test_a_worker_that_was_taken_for_dead_writes_nothing_more(
    halden: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = started(confirmed=True)
    monkeypatch.setattr(import_queue, "BEAT_SECONDS", 0.0)
    ordinary = importing.read_within

    def taken_over(*args: object, **options: bool) -> object:
        Import.objects.filter(pk=row.pk).update(attempt=7)
        return ordinary(*args, **options)

    monkeypatch.setattr(importing, "read_within", taken_over)
    row = ran(row)
    assert (row.status, row.attempt) == (Status.READING, 7)
    assert not imported().exists()


def test_a_lost_file_is_sent_again_and_a_new_one_is_not(halden: Company, sent: list[str]) -> None:
    lost, dead, fresh = started(), started(), started()
    Import.objects.claim(dead.pk)
    Import.objects.exclude(pk=fresh.pk).update(
        created=now() - timedelta(minutes=5), heartbeat=now() - timedelta(minutes=5)
    )
    sent.clear()
    sweep_imports()
    assert sorted(sent) == sorted([str(lost.pk), str(dead.pk)])


def test_a_file_that_kills_its_workers_is_given_up(halden: Company, sent: list[str]) -> None:
    row = started()
    for _ in range(import_queue.MAX_ATTEMPTS):
        Import.objects.claim(row.pk)
        Import.objects.update(heartbeat=now() - timedelta(minutes=5))
    sweep_imports()
    row.refresh_from_db()
    assert row.status == Status.FAILED
    assert "crashed 3 times" in row.problem


def test_what_nobody_confirms_is_forgotten_with_its_bytes_and_what_is_held_stays(halden: Company) -> None:
    waits, held = ran(started(PLAIN)), ran(started(CALL, confirmed=True))
    Import.objects.update(created=now() - timedelta(days=91))
    sweep_imports()
    assert not Import.objects.exists()
    assert original_files.read(waits.sha256) is None
    assert original_files.read(held.sha256) == CALL


def test_an_error_of_ours_is_said_and_raised(halden: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    row = started(confirmed=True)

    def breaks(*args: object) -> None:
        raise OSError("broken")

    monkeypatch.setattr(importing, "store", breaks)
    with pytest.raises(OSError, match="broken"):
        import_queue.run(row.pk)
    row.refresh_from_db()
    assert (row.status, row.problem) == (Status.FAILED, "The import failed; the log says why.")
