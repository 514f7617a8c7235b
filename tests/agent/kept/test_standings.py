"""What became of a saved answer: superseded by a restatement, overtaken as the latest, broken, or still valid."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.models import User
from agent import tasks
from agent.models import Run, Standing
from filings.models import Company, Fact, Filing
from tests.support import answers
from tests.support.holdings import northwind


@pytest.fixture
def company(db: None) -> Company:
    """Northwind, whose 10-K of fiscal 2025 was loaded an hour ago; it restates the revenue of fiscal 2024."""
    found = northwind()
    came(found.filings.get(fiscal_year=2025))
    ingested(found)
    return found


def came(filing: Filing, hours: float = 1) -> None:
    Filing.objects.filter(pk=filing.pk).update(held_since=now() - timedelta(hours=hours))


def ingested(company: Company) -> None:
    Company.objects.filter(pk=company.pk).update(ingested=now() - timedelta(minutes=30))


def asked(user: User, fact: Fact, hours: float = 24, **changes: Any) -> Run:
    """An answer with a stored fact, some hours old."""
    ref = answers.fact_ref(
        fact.tag,
        fact.raw,
        fact=fact.pk,
        cik=fact.company.cik,
        accession=fact.filing.accession,
        filed=fact.filed,
        start=fact.start,
        end=fact.end,
        unit=fact.unit,
        decimals=fact.decimals,
        dimensions=fact.dimensions,
        **changes.pop("ref", {}),
    )
    year = fact.end.year
    cell = answers.cell(ref, fiscal_year=year, label="Revenue", unit=fact.unit, **changes.pop("cell", {}))
    run = answers.run_with(answers.number_answer(cell, **changes), user)
    Run.objects.filter(pk=run.pk).update(created=now() - timedelta(hours=hours))
    return run


def revenue(company: Company, year: int) -> Fact:
    return Fact.objects.get(filing__company=company, filing__fiscal_year=year, end__year=year)


def compared(run: Run) -> Standing:
    tasks.compare_answers()
    return Standing.objects.get(run=run)


def test_a_restated_figure_supersedes_the_answer_with_both_values_and_filings(company: Company, alice: User) -> None:
    run = asked(alice, revenue(company, 2024))
    found = compared(run)
    (change,) = found.changed_as
    assert (found.state, change.reason) == ("superseded", "restated")
    assert (change.used, change.now) == (Decimal(86214000), Decimal(85702000))
    assert change.used_accession == company.filings.get(fiscal_year=2024).accession
    assert change.accession == company.filings.get(fiscal_year=2025).accession
    assert found.since


def test_its_page_and_the_history_say_so(as_alice: Client, company: Company, alice: User) -> None:
    run = asked(alice, revenue(company, 2024))
    other = asked(alice, revenue(company, 2025), hours=0.1)
    tasks.compare_answers()
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "Superseded on" in page
    assert "restated to $85.702 million in the" in page
    history = as_alice.get("/history").content.decode()
    assert ">Superseded</span>" in history
    narrowed = as_alice.get("/history?changed=1").content.decode()
    assert run.get_absolute_url() in narrowed
    assert other.get_absolute_url() not in narrowed
