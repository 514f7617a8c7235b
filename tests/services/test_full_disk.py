"""A disk that is full under a worker as it is deployed: what finds no room is told of, and whole once there is some.

No file of the process may grow beyond a limit (RLIMIT_FSIZE), and the database is another's. Then there is room again.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.test import Client
from pytest_django import Settings

from agent.models import Run
from filings import tasks as ingestion
from filings.edgar.raw_files import RawStore
from filings.ingest import queue
from filings.ingest.ingestion import NO_ROOM
from filings.models import Company, Filing, RawFile
from tests.services.conftest import Worker, until
from tests.services.test_deployed import SUPPLY, answered, held
from tests.services.test_faults import ANSWERED
from tests.services.test_worker import ended
from tests.support.annual_report import prose
from tests.support.edgar import Filer, LocalEdgar, filer, local_edgar
from tests.support.full_disk import disk_full
from tests.support.ingestion import contents, run
from tests.support.killed_run import VISITOR, shown
from tests.support.model_server import LocalModel

# Bytes: more than the container of a small filing, less than that of a large one, and less than a search index.
LITTLE = 40_000
# Less than the graph of the embedding's model.
SOME = 1_000_000
FIGURE = "What was Northwind's gross profit in fiscal 2025?"
SPRINGS = "What does Tiny Widgets say about its only supplier of springs in fiscal 2024?"
HELD, PENDING = Filing.DocumentStatus.HELD, Filing.DocumentStatus.PENDING

Start = Callable[..., Worker]


@pytest.fixture
def start(tmp_path: Path, empty: None) -> Iterator[Start]:
    """Starts a worker for one kind of work, on the disk of the test unless it is given another."""
    with ExitStack() as stopping:

        def start(work: str, **variables: str) -> Worker:
            folder = tmp_path / f"worker-{work}"
            folder.mkdir()
            worker = Worker(folder, work, **{"DATA_DIR": str(tmp_path), **variables})
            stopping.callback(worker.stop)
            worker.start()
            return worker

        yield start


def full(worker: Worker, beyond: int) -> AbstractContextManager[None]:
    assert worker.process
    return disk_full(beyond, worker.process.pid)


@pytest.fixture
def edgar(settings: Settings) -> Iterator[LocalEdgar]:
    with local_edgar(settings) as server:
        yield server


def two_reports(edgar: LocalEdgar) -> Filer:
    """A filer whose older report is a large file, however it is compressed."""
    made = filer(2023, 2024)
    older, newer = made.reports
    older.prose = newer.prose = prose()
    older.prose += f"<!-- {random.Random(11).randbytes(LITTLE).hex()} -->"  # noqa: S311 - bytes of no meaning
    made.publish(edgar)
    return made


def undisturbed(made: Filer) -> set[str]:
    """What an ingestion stores that has room, in the process and on the disk of the test; gone again."""
    company, _ = run(made)
    stored = contents(company)
    company.delete()
    RawFile.objects.all().delete()
    return stored


def stands(company: Company) -> list[tuple[int, str, bool, bool, bool]]:
    """Of each filing its year, the document's status, and whether it has figures, has text, and is indexed."""
    columns = ("fiscal_year", "document_status", "facts_stored", "chunks_stored", "indexed")
    rows = company.filings.order_by("-fiscal_year").values_list(*columns)
    return [(year, status, bool(facts), bool(chunks), bool(indexed)) for year, status, facts, chunks, indexed in rows]


def test_an_ingestion_that_finds_no_room_says_so_and_is_whole_once_there_is(
    start: Start, edgar: LocalEdgar, tmp_path: Path
) -> None:
    made = two_reports(edgar)
    small = filer(2024, cik=9_000_000_002, name="Large Anvils Inc.", symbols=("ANVIL",))
    small.publish(edgar)
    expected = undisturbed(made)
    company, other = (Company.objects.create(cik=one.cik, name=one.name) for one in (made, small))
    store = RawStore(tmp_path / "raw")
    worker = start("ingest")
    start("answer")
    with full(worker, LITTLE):
        for one in (company, other):
            queue.enqueue(one)
        until(lambda: ended(company) and ended(other), "the end of both ingestions")
        # What failed says so, what did not is held whole, and of what was being written nothing is left.
        assert (company.status, company.problem) == (Company.Status.FAILED, NO_ROOM)
        assert NO_ROOM in told(company)
        assert stands(company) == [(2024, HELD, True, True, False), (2023, PENDING, False, False, False)]
        assert other.status == Company.Status.DONE, other.problem
        assert other.facts_stored == other.facts.count() > 0
        assert not list(tmp_path.rglob(".partial-*"))
        assert all(store.read(entry) for entry in RawFile.objects.all())
        # Nor does an answer take for absent what only found no room.
        assert answered("What was Tiny Widgets' revenue in fiscal 2024?").outcome == "answered"
        assert answered("What was Tiny Widgets' revenue in fiscal 2023?").refusal_code == "year_not_ingested"
        assert answered(SPRINGS).refusal_code == "search_unavailable"
    # The sweep brings what is held into the index, and whoever asks for the company again the rest.
    ingestion.index_waiting.delay()
    until(lambda: stands(company)[0] == (2024, HELD, True, True, True), "the index")
    queue.enqueue(company)
    until(lambda: ended(company), "the second attempt")
    assert (company.status, company.attempt, other.attempt) == (Company.Status.DONE, 2, 1), company.problem
    assert stands(company) == [(year, HELD, True, True, True) for year in (2024, 2023)]
    assert contents(company) == expected
    assert answered(SPRINGS).refusal_code != "search_unavailable"


def told(company: Company) -> str:
    """A company's page, as a stranger sees it."""
    page = Client().get(company.get_absolute_url(), headers={"host": "localhost"})
    assert page.status_code == 200
    return unescape(page.content.decode())


def test_a_worker_without_room_for_a_byte_answers(start: Start) -> None:
    held()
    with LocalModel() as model:
        variables = model.variables()
        # Logs, caches of libraries and compiled modules: nothing that it writes is worth a run.
        with full(start("answer", DATA_DIR=str(django_settings.DATA_DIR), **variables), 0):
            found = answered(SUPPLY)
    assert model.of("draft")
    assert (found.status, found.outcome, found.attempt) == ("done", "answered", 1)
    Run.objects.filter(pk=found.pk).update(visitor=VISITOR)
    found.refresh_from_db()
    assert shown(found) == ANSWERED
    assert list(found.steps.values_list("sequence", flat=True)) == list(range(1, found.steps.count() + 1))


def test_a_worker_without_room_for_its_embedding_says_that_it_cannot_search(start: Start, tmp_path: Path) -> None:
    held()
    models = tmp_path / "models"
    worker = start("answer", DATA_DIR=str(django_settings.DATA_DIR), VECTORS_DIR=str(tmp_path))
    with full(worker, SOME):
        unsearched = answered(SUPPLY)
        assert (unsearched.status, unsearched.refusal_code) == ("done", "search_unavailable")
        assert answered(FIGURE).outcome == "answered"
        assert not list(models.iterdir())
    assert answered(SUPPLY).outcome == "answered"
    assert sorted(path.name.partition("-int8")[0] for path in models.iterdir()) == [
        "all-MiniLM-L6-v2",
        "sentence-ranker",
    ]
