"""Comparing saved answers with newly ingested filings, in a database of its own.

Every company has two 10-Ks, of which the second restates half of the figures of the first; every answer cites ten of the
first. Goal: 100,000 cells in five minutes. STANDINGS_ANSWERS makes it shorter.
"""

import os
import time
from datetime import UTC, date, datetime
from decimal import Decimal
from threading import Event
from typing import Any

from evals.bench.program import own_database

ANSWERS = int(os.environ.get("STANDINGS_ANSWERS", "10000"))
CELLS = 10
OF_COMPANY = 100
GOAL_S = 300.0
FIRST_CIK = 1_000_000
ASKED = datetime(2026, 1, 5, tzinfo=UTC)
CAME = datetime(2026, 3, 1, tzinfo=UTC)
# Of figures that no filing has.
FIRST_VALUE = 1_000_000


def measure() -> str:
    """The times, as text."""
    with own_database("standings", os.environ.get("STANDINGS_DATABASE_URL", "")) as step:
        found: dict[str, Any] = step("look")
    return (
        f"standings: {found['answers']:,} saved answers with {found['cells']:,} cells: facts stored in "
        f"{found['remember']:.0f} s, compared in {found['compare']:.0f} s (goal {GOAL_S:.0f}), of which "
        f"{found['superseded']:,} superseded; again without anything new {found['again']:.2f} s"
    )


# --- in the process of that database ---
def look() -> dict[str, Any]:
    """Fill the database, compare all answers, and give the times."""
    from django.core.management import call_command

    from agent.models import CitedFact, Standing
    from agent.runs import used_facts
    from agent.standings import comparison

    call_command("migrate", verbosity=0)
    fill()
    remember = timed(lambda: used_facts.remember_missing(GOAL_S))
    compare = timed(lambda: comparison.compare_outdated(GOAL_S, Event()))
    again = timed(lambda: comparison.compare_outdated(GOAL_S, Event()))
    changed = Standing.objects.filter(state=Standing.State.SUPERSEDED).count()
    if changed != ANSWERS or Standing.objects.filter(checked__lt=CAME).exists():
        raise RuntimeError(f"{changed} of {ANSWERS} answers are superseded.")
    times = {"remember": remember, "compare": compare, "again": again}
    return {**times, "answers": ANSWERS, "cells": CitedFact.objects.count(), "superseded": changed}


def timed(do: Any) -> float:
    begun = time.perf_counter()
    do()
    return time.perf_counter() - begun


def fill() -> None:
    """Companies with their filings and facts, and answers that cite those of the first year."""
    from agent.models import Run
    from filings.models import Company, Fact, Filing

    companies = Company.objects.bulk_create(
        Company(
            cik=FIRST_CIK + number,
            name=f"Company {number} Holdings",
            status=Company.Status.DONE,
            ingested=CAME,
            origin="edgar",
            facts_stored=1,
        )
        for number in range(ANSWERS // OF_COMPANY)
    )
    for company in companies:
        first, second = Filing.objects.bulk_create(report(company, year) for year in (2024, 2025))
        facts = Fact.objects.bulk_create(fact(first, 2024, place, 0) for place in range(CELLS * OF_COMPANY))
        Fact.objects.bulk_create(fact(second, 2024, place, place % 2) for place in range(CELLS * OF_COMPANY))
        Run.objects.bulk_create(
            asked(company, facts[number * CELLS : (number + 1) * CELLS]) for number in range(OF_COMPANY)
        )


def report(company: Any, year: int) -> Any:
    from filings.models import Filing

    return Filing(
        company=company,
        accession=f"{company.cik:010}-{year - 1999}-000001",
        form="10-K",
        filed=date(year + 1, 2, 20),
        report_date=date(year, 12, 31),
        period_end=date(year, 12, 31),
        fiscal_year=year,
        is_primary=True,
        facts_stored=1,
        origin="edgar",
        held_since=datetime(year + 1, 2, 21, tzinfo=UTC),
    )


def fact(filing: Any, year: int, place: int, more: int) -> Any:
    from filings.models import Fact

    value = Decimal(FIRST_VALUE + place * 1000 + more)
    return Fact(
        company=filing.company,
        filing=filing,
        source="companyfacts",
        taxonomy="us-gaap",
        tag=f"Figure{place}",
        unit="USD",
        start=date(year, 1, 1),
        end=date(year, 12, 31),
        raw=str(value),
        value=value,
        form="10-K",
        filed=filing.filed,
        decimals=0,
    )


def asked(company: Any, facts: Any) -> Any:
    """A run whose answer is a table of these facts, as a run stores it."""
    from agent.models import Run
    from agent.numbers.facts.cited_facts import reference
    from agent.state import (
        Answer,
        Block,
        Cell,
        CompanyRef,
        Period,
        PeriodForm,
        Plan,
        Query,
        QuestionType,
        Table,
        Target,
    )
    from agent.state.answer import Versions
    from agent.state.query import Years

    ref = CompanyRef(cik=company.cik, name=company.name, covered=True)
    period = Period(form=PeriodForm.FISCAL, year=2024)
    cells = []
    for row, one in enumerate(facts):
        cited = reference(one)
        cells.append(
            Cell(
                row=row,
                cik=company.cik,
                company=company.name,
                measure=one.tag,
                label=one.tag,
                fiscal_year=2024,
                period_end=one.end,
                accession=cited.accession,
                filed=cited.filed,
                value=cited.value,
                unit="USD",
                fact=cited,
            )
        )
    answer = Answer(
        question="Figures?",
        plan=Plan(
            type=QuestionType.NUMERIC,
            targets=(Target(id=0, company=ref, period=period, figures=True),),
            query=Query(companies=(ref,), periods=Years(periods=(period,))),
        ),
        blocks=(Block(target=0, type=QuestionType.NUMERIC, outcome="answered", table=Table(cells=tuple(cells))),),
        versions=Versions(code="0", registry="0", corpus="0"),
    )
    return Run(
        question="Figures?",
        status=Run.Status.DONE,
        outcome=Run.Outcome.ANSWERED,
        created=ASKED,
        finished=ASKED,
        cik=company.cik,
        company=company.name,
        answer=answer.model_dump(mode="json"),
    )
