"""A filing whose reading hangs, dies or takes all memory is given up, and its company says so; the others are read."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from filings.ingest import isolated_reading
from filings.ingest.ingestion import Stopped
from filings.models import Company, Filing
from tests.support.annual_report import prose
from tests.support.edgar import Filer, LocalEdgar, filer
from tests.support.hostile_reading import BREAKS, GROWS, HANGS, KILLS, SOONER, Template
from tests.support.ingestion import rows, run
from tests.support.processes import run as python

DONE = Company.Status.DONE
# One worker starts the template (pytest -n 2 --dist loadgroup).
pytestmark = pytest.mark.xdist_group("reading")


@pytest.fixture(scope="module")
def template() -> Iterator[Template]:
    made = Template()
    yield made
    made.end()


@pytest.fixture
def hostile(template: Template, db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Filings are read by processes that some documents are too much for, and that are started for this test.

    Tests without a database run after all that have one, when the template would have been ended and started again.
    """
    with monkeypatch.context() as patched:
        patched.setattr(isolated_reading, "Popen", template.popen)
        # The product's own process, which takes seconds to start, is left to the tests of other modules.
        patched.setattr(isolated_reading, "_idle", [])
        yield
        isolated_reading.end_idle()


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What tests of this module have embedded is embedded once."""
    return tmp_path_factory.mktemp("vectors")


@pytest.fixture
def storied(edgar: LocalEdgar, settings: Settings, vectors: Path) -> Filer:
    settings.VECTORS_DIR = vectors
    made = filer(2022, 2023, 2024)
    for report in made.reports:
        report.prose = prose()
    made.publish(edgar)
    return made


def poisoned(edgar: LocalEdgar, made: Filer, word: str) -> None:
    """Publish the report of 2023 with a document that has this word."""
    made.reports[1].prose = prose() + f"<p>This document {word}.</p>"
    edgar.put(made.container_path(made.reports[1]), made.container(made.reports[1]))


def given_up(company: Company) -> Filing:
    """The filing that was given up, of which nothing is half-written; the others are held."""
    filing = company.filings.get(fiscal_year=2023)
    assert (filing.document_status, filing.facts_stored, filing.chunks_stored) == ("unreadable", 3, 0)
    assert not filing.documents.exists()
    assert not filing.sections.exists()
    assert not filing.statements.exists()
    others = company.filings.exclude(pk=filing.pk)
    assert set(others.values_list("document_status", "problem")) == {("held", "")}
    assert all(others.values_list("chunks_stored", flat=True))
    return filing


def test_a_filing_whose_reading_hangs_is_given_up_and_its_company_says_so(
    edgar: LocalEdgar, storied: Filer, settings: Settings, hostile: None, client: Client, as_charlie: Client
) -> None:
    settings.INGEST_FILING_DEADLINE = 5.0
    poisoned(edgar, storied, HANGS)
    company, outcome = run(storied)
    assert outcome.status == company.status == DONE
    assert given_up(company).problem == "Its documents could not be read within 5 seconds."
    filed = storied.reports[1].filed
    assert company.problem == (f"Documents were given up, which the next ingestion tries again: 10-K filed {filed}.")
    assert company.problem in outcome.message
    page = client.get(company.get_absolute_url()).content.decode()
    assert company.problem in page
    assert "could not be read within 5 seconds" in page
    assert company.problem in as_charlie.get(f"/admin/filings/company/{company.pk}/change/").content.decode()
    # It is no ingestion that a sweep would begin again.
    assert not Company.objects.claimable().filter(pk=company.pk).exists()


def test_the_next_ingestion_tries_it_again_and_either_says_the_same_or_reads_it(
    edgar: LocalEdgar, storied: Filer, settings: Settings, hostile: None
) -> None:
    poisoned(edgar, storied, KILLS)
    company, _ = run(storied)
    first = rows(company)
    company, outcome = run(storied)
    assert outcome.status == DONE
    assert rows(company) == first
    # What its reader died of is mended.
    settings.INGEST_FILING_DEADLINE = 0
    company, _ = run(storied)
    assert (company.problem, set(company.filings.values_list("document_status", "problem"))) == ("", {("held", "")})


@pytest.mark.parametrize(("word", "why"), [(KILLS, "stopped unexpectedly"), (GROWS, "takes more than 4 GB of memory")])
def test_a_filing_that_its_reader_dies_of_takes_no_worker_with_it(
    edgar: LocalEdgar, storied: Filer, hostile: None, word: str, why: str
) -> None:
    poisoned(edgar, storied, word)
    company, outcome = run(storied)
    assert outcome.status == DONE
    assert why in given_up(company).problem
    assert "Documents were given up" in company.problem


def test_a_bug_of_a_reader_is_raised_with_where_it_was(edgar: LocalEdgar, storied: Filer, hostile: None) -> None:
    poisoned(edgar, storied, BREAKS)
    with pytest.raises(LookupError, match="nobody has foreseen") as raised:
        run(storied)
    assert "hostile_reading.py" in "".join(raised.value.__notes__)
    assert Company.objects.get(cik=storied.cik).problem == "Unexpected: LookupError."


def test_a_reading_is_ended_when_its_ingestion_is_stopped(hostile: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated_reading, "BEAT_SECONDS", 0.05)

    def stopped() -> None:
        if told.append(1) or len(told) > 1:
            raise Stopped

    told: list[int] = []
    process = isolated_reading.ReadingProcess()
    isolated_reading._idle.append(process)
    with pytest.raises(Stopped):
        isolated_reading.read_within(60.0 * SOONER, "0000000001-24-000001", HANGS.encode(), stopped)
    assert process.process.returncode == -9
    assert isolated_reading.idle() is None


def test_what_nobody_waits_for_any_more_ends_at_its_deadline(hostile: None) -> None:
    process = isolated_reading.ReadingProcess()
    process.wait(60, lambda: None)
    process.connection.recv()
    process.connection.send((isolated_reading.read_undecoded, ("0000000001-24-000001", HANGS.encode()), 0.5 * SOONER))
    process.connection.close()
    assert process.process.wait() == -signal.SIGALRM


ORPHAN = """
import django, os
django.setup()
from filings.ingest import isolated_reading
from tests.support.hostile_reading import HANGS, SOONER
class Hostile(isolated_reading.ReadingProcess):
    module = "tests.support.hostile_reading"
process = Hostile()
process.wait(60, lambda: None)
process.connection.recv()
process.connection.send((isolated_reading.read_undecoded, ("0000000001-24-000001", HANGS.encode()), 2.0 * SOONER))
print(process.process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.soak
def test_what_a_killed_worker_was_reading_ends_at_its_deadline(tmp_path: object) -> None:
    done = python("-c", ORPHAN, DATA_DIR=str(tmp_path), SECRET_KEY="x")
    assert done.returncode == -9, done.stderr
    orphan, until = Path(f"/proc/{int(done.stdout)}"), time.monotonic() + 30
    while orphan.exists() and time.monotonic() < until:
        time.sleep(0.1)
    assert not orphan.exists()


def test_one_process_reads_filing_after_filing_and_is_replaced_when_it_has_died(
    edgar: LocalEdgar, storied: Filer, hostile: None
) -> None:
    run(storied)
    (process,) = isolated_reading._idle
    process.process.kill()
    process.process.wait()
    made = filer(2024, cik=9_000_000_002, symbols=("TWO",))
    made.publish(edgar)
    company, _ = run(made)
    assert company.filings.get().document_status == "held"
    (other,) = isolated_reading._idle
    assert other is not process
    # Or it may end by itself, since its connection is closed first.
    os.kill(other.process.pid, signal.SIGSTOP)
    isolated_reading.end_idle()
    assert other.process.returncode == -9
