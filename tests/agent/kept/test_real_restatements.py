"""Answers from one real 10-K, after the next one was loaded: both values and both filings of what it restates."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from pytest_django import Settings

from accounts.models import User
from agent import tasks
from agent.models import Run, Standing
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.ingest import queue
from filings.models import Company
from tests.support import answers
from tests.support.mirror import one_worker, served

pytestmark = one_worker
GE, NVIDIA = 40545, 1045810


@pytest.fixture
def mirror(tmp_path: Path, db: None, settings: Settings, request: pytest.FixtureRequest) -> Iterator[None]:
    settings.DATA_DIR = tmp_path
    # The same text is embedded once.
    settings.VECTORS_DIR = request.config.cache.mkdir("mirror")
    with served():
        # The sample holds later reports of them.
        Company.objects.filter(cik__in=[GE, NVIDIA]).delete()
        yield


def load(cik: int, first: int, last: int) -> Company:
    company, _ = Company.objects.get_or_create(cik=cik, defaults={"name": "To be named"})
    Company.objects.enqueue(company.pk, (first, last))
    outcome = queue.work(company.pk)
    assert outcome is not None
    assert not outcome.failed, outcome.message
    return Company.objects.get(cik=cik)


def asked(company: Company, user: User, question: str) -> Run:
    answer = pipeline.answer(question, Deps.current())
    assert answer.outcome == "answered", question
    return answers.run_with(answer, user, cik=company.cik)


@pytest.mark.parametrize(
    ("cik", "year", "questions"),
    [
        (
            NVIDIA,
            2024,
            {
                "NVIDIA diluted EPS in fiscal 2024": ("split", "11.93", "1.19"),
                "NVIDIA total assets in fiscal 2024": None,
            },
        ),
        (
            GE,
            2023,
            {
                "GE revenue in fiscal 2023": ("restated", "67954000000", "35348000000"),
                "GE revenue in the United States in fiscal 2023": ("recast", "29090000000", "17105000000"),
            },
        ),
    ],
)
def test_the_next_report_supersedes_what_it_restates(
    mirror: None, alice: User, cik: int, year: int, questions: dict[str, tuple[str, str, str] | None]
) -> None:
    company = load(cik, year, year)
    runs = {question: asked(company, alice, question) for question in questions}
    tasks.compare_answers()
    assert set(Standing.objects.values_list("state", flat=True)) == {"valid"}
    company = load(cik, year, year + 1)
    tasks.compare_answers()
    first, second = (company.filings.get(is_primary=True, fiscal_year=one).accession for one in (year, year + 1))
    for question, told in questions.items():
        standing = Standing.objects.get(run=runs[question])
        changes = [
            (one.reason, one.used, one.now, one.used_accession, one.accession) for one in standing.changed_as[:1]
        ]
        if told is None:
            assert (standing.state, changes) == ("valid", [])
        else:
            reason, used, value = told
            assert standing.state == "superseded"
            assert changes == [(reason, Decimal(used), Decimal(value), first, second)]
