"""A real Celery worker on Redis and PostgreSQL: it answers, ingests, is killed and followed by another."""

from datetime import timedelta

from django.core.cache import cache
from django.utils.timezone import now
from pytest_django import Settings

from agent import tasks
from agent.models import Run
from filings.ingest import queue
from filings.models import Company, Fact, Filing
from tests.services.conftest import Worker, until
from tests.support.edgar import LocalEdgar, filer, local_edgar
from tests.support.holdings import northwind
from tests.support.local_server import Fault
from tests.support.processes import living, manage


def closed(run: Run) -> bool:
    run.refresh_from_db()
    return not run.is_open


def nothing_left(worker: Worker, how: str) -> None:
    assert worker.process
    group = worker.process.pid
    getattr(worker, how)()
    until(lambda: not living(group=group), "the end of every process of the group")


def test_a_worker_gives_one_answer_for_many_messages_and_leaves_no_process_when_told_to_stop(worker: Worker) -> None:
    northwind()
    run = Run.objects.create(question="What was Northwind Instruments' revenue in FY2025?")
    for _ in range(5):
        tasks.answer.delay(str(run.pk))
    worker.start()
    until(lambda: closed(run), "an answer")
    assert (run.status, run.outcome, run.attempt) == ("done", "answered", 1)
    assert "91.53" in run.summary
    assert run.steps.earliest("sequence").node == "plan"
    other = Run.objects.create(question="What was Northwind Instruments' revenue in FY2024?")
    tasks.answer.delay(str(other.pk))
    until(lambda: closed(other), "the answer after it")
    run.refresh_from_db()
    assert run.attempt == 1
    assert len(set(run.steps.values_list("sequence", flat=True))) == run.steps.count()
    nothing_left(worker, "stop")


def test_a_worker_that_starts_takes_up_what_killed_ones_left_and_gives_up_what_killed_five(worker: Worker) -> None:
    northwind()
    gone = now() - timedelta(minutes=10)
    left = Run.objects.create(
        question="What was Northwind Instruments' revenue in FY2025?",
        status="running",
        attempt=1,
        heartbeat=gone,
        created=gone,
    )
    lost = Run.objects.create(question="What was Northwind Instruments' revenue in FY2024?", created=gone)
    deadly = Run.objects.create(question="?", status="running", attempt=5, heartbeat=gone, created=gone)
    worker.start()
    until(lambda: closed(left) and closed(lost) and closed(deadly), "the end of all")
    assert (left.attempt, left.outcome) == (2, "answered")
    assert (lost.attempt, lost.outcome) == (1, "answered")
    assert (deadly.status, deadly.outcome) == ("failed", "error")


def test_an_ingestion_whose_worker_is_killed_is_finished_by_the_next_and_doubles_nothing(
    worker: Worker, settings: Settings
) -> None:
    with local_edgar(settings) as edgar:
        company = to_ingest(worker, edgar)
        worker.start()
        queue.enqueue(company)
        until(lambda: ended(company), "the undisturbed ingestion")
        assert company.status == Company.Status.DONE, company.problem
        assert company.facts_stored == company.facts.count() > 0
        undisturbed = held(company)
        company.filings.all().delete()
        Company.objects.filter(pk=company.pk).update(facts_stored=0, facts_sha256="", filings_found=0)

        edgar.faults = [Fault(r"Archives/.*\.txt", delay=20.0)]
        asked = len(edgar.requests)
        queue.enqueue(company)
        until(lambda: len(edgar.requests) > asked or not edgar.faults[0].times, "a request under way")
        nothing_left(worker, "kill")
        edgar.faults = []
        # The time in which nobody beats, without waiting for it.
        Company.objects.filter(pk=company.pk).update(heartbeat=now() - timedelta(minutes=10))
        worker.start()
        until(lambda: ended(company), "the ingestion taken up again")
    assert company.status == Company.Status.DONE, company.problem
    assert held(company) == undisturbed


def to_ingest(worker: Worker, edgar: LocalEdgar) -> Company:
    """A filer's company, and a worker that asks this EDGAR."""
    worker.variables["EDGAR_BASE_URL"] = edgar.url
    known = filer(2022, 2023, 2024)
    known.publish(edgar)
    return Company.objects.create(cik=known.cik, name=known.name)


def ended(company: Company) -> bool:
    company.refresh_from_db()
    return company.status != Company.Status.KNOWN and not company.is_open


def held(company: Company) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    filings = Filing.objects.filter(company=company).order_by("accession")
    facts = Fact.objects.filter(company=company).order_by(
        "filing__accession", "source", "taxonomy", "tag", "start", "end", "unit", "dimensions"
    )
    return (
        list(filings.values_list("accession", "fiscal_year", "is_primary", "facts_stored")),
        list(
            facts.values_list(
                "filing__accession",
                "source",
                "tag",
                "start",
                "end",
                "unit",
                "dimensions",
                "raw",
                "statement",
                "order",
            )
        ),
    )


def test_processes_share_the_cache(worker: Worker) -> None:
    cache.set("asked", 41)
    code = "from django.core.cache import cache; cache.incr('asked'); print(cache.get('asked'))"
    assert manage("shell", "-v", "0", "-c", code, **worker.variables).stdout.strip() == "42"
    assert cache.get("asked") == 42
