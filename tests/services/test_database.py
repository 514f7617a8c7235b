"""PostgreSQL: migrations, constraints, exact decimals, and claims by many connections at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils.timezone import now

from accounts.models import User
from agent.models import Run, Step
from agent.runs.claim import claim
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.models import Company, Document, Fact, Filing, Statement, Ticker
from tests.support.holdings import NORTHWIND, annual_fact, northwind
from tests.support.sample import Sample

RIVALS = 20


def test_the_migrations_make_the_models_tables(db: None) -> None:
    assert connection.vendor == "postgresql"
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
    call_command("migrate", "--check", verbosity=0)


@pytest.mark.parametrize("raw", ["31370000000", "0.1", "-6.08", "0.000000000001", "9999999999999999999999999999"])
def test_a_decimal_keeps_every_digit(db: None, raw: str) -> None:
    company = northwind()
    fact = annual_fact(company.filings.get(fiscal_year=2025), "Anything", raw)
    fact.refresh_from_db()
    assert fact.value == Decimal(raw)


def test_the_sample_answers_from_postgres(sample: Sample) -> None:
    result = pipeline.answer("What was Apple's revenue in FY2024?", Deps.current())
    (table,) = [block.table for block in result.blocks if block.table]
    assert [cell.value for cell in table.asserted] == [Decimal(391035000000)]


def again(row: Any) -> Any:
    """The same row once more, under another key."""
    row.pk = None
    row._state.adding = True
    return row


DOUBLES: dict[str, Callable[[Company], Any]] = {
    "a company by CIK": lambda company: Company(cik=company.cik, name="Again"),
    "a ticker": lambda company: Ticker(company=company, symbol="NWI"),
    "an accession of a company": lambda company: again(company.filings.get(fiscal_year=2024)),
    "a primary filing of a period": lambda company: Filing(
        company=company,
        accession="9999988801-25-000077",
        form="10-K",
        filed=date(2025, 3, 1),
        period_end=date(2024, 12, 31),
        is_primary=True,
    ),
    "a fact": lambda company: again(Fact.objects.filter(company=company)[0]),
    "a document": lambda company: again(Document.objects.filter(filing__company=company)[0]),
    "a statement": lambda company: again(Statement.objects.filter(filing__company=company)[0]),
}


@pytest.mark.parametrize("what", DOUBLES)
def test_the_database_refuses_a_double(db: None, what: str) -> None:
    double = DOUBLES[what](northwind())
    with pytest.raises(IntegrityError), transaction.atomic():
        double.save(force_insert=True)


def test_a_step_and_an_address_are_there_once(db: None, alice: User) -> None:
    run = Run.objects.create(question="?", user=alice)
    step = Step.objects.create(run=run, attempt=1, sequence=1, node="plan", ms=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        again(step).save()
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Alice@example.com", "x")


def raced(claim: Callable[[], int | None]) -> list[int]:
    """The claims that succeed when twenty connections try at the same moment."""
    barrier = Barrier(RIVALS)

    def rival() -> int | None:
        try:
            connection.ensure_connection()
            barrier.wait(20)
            return claim()
        finally:
            connection.close()

    with ThreadPoolExecutor(RIVALS) as pool:
        results = [future.result() for future in [pool.submit(rival) for _ in range(RIVALS)]]
    return [attempt for attempt in results if attempt is not None]


def test_of_twenty_workers_one_claims_a_queued_run(transactional_db: None) -> None:
    run = Run.objects.create(question="What was revenue?")
    assert raced(lambda: claim(run.pk)) == [1]


def test_of_twenty_workers_one_takes_over_a_stale_run(transactional_db: None) -> None:
    run = Run.objects.create(question="?", status="running", attempt=4, heartbeat=now() - timedelta(hours=1))
    assert raced(lambda: claim(run.pk)) == [5]
    assert not Run.objects.of_attempt(run.pk, 4).update(summary="too late")


def test_of_twenty_workers_one_claims_a_company(transactional_db: None) -> None:
    company = northwind(status=Company.Status.QUEUED)
    assert raced(lambda: Company.objects.claim(company.pk)) == [1]


def test_of_twenty_requests_one_queues_a_company(transactional_db: None) -> None:
    company = northwind()
    won = raced(lambda: 1 if Company.objects.enqueue(company.pk) else None)
    assert won == [1]


@pytest.mark.parametrize("path", ["/", "/companies", "/companies?q=gauge", f"/companies/{NORTHWIND}", "/history"])
def test_pages_read_from_postgres(client: Client, db: None, path: str) -> None:
    northwind()
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["filings/company", "filings/fact", "filings/filing", "agent/run", "agent/run/refusals"]
)
@pytest.mark.parametrize("query", [{}, {"q": "Northwind"}, {"q": "123"}])
def test_the_admin_reads_from_postgres(as_charlie: Client, path: str, query: dict[str, str]) -> None:
    northwind()
    Run.objects.create(question="?", outcome="refused", refusal_code="conflict", status="done")
    assert as_charlie.get(f"/admin/{path}/", query).status_code == 200
