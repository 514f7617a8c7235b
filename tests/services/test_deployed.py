"""The whole stack once as it is deployed: PostgreSQL, Redis, Elasticsearch, a worker's processes, and a model that is scripted."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from agent import tasks
from agent.certificates.verify import reverify
from agent.models import Run
from agent.state import Answer
from filings.edgar.client import Edgar
from filings.edgar.local_folder import FolderTransport
from filings.ingest import queue
from filings.models import Company
from filings.sample import FOLDER
from filings.sample.vectors import seed
from tests.services.conftest import Worker, until
from tests.support.model_behaviours import invented_number
from tests.support.model_server import LocalModel

NORTHWIND = 9_999_999_901
SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
BOTH = "What was Northwind's gross profit in fiscal 2025 and why did service revenue fall?"


@pytest.fixture
def model() -> Iterator[LocalModel]:
    with LocalModel() as server:
        yield server


@pytest.fixture
def stack(tmp_path: Path, empty: None, elastic: str, model: LocalModel, settings: Settings) -> Iterator[Worker]:
    """A worker that searches Elasticsearch and asks the scripted model."""
    found = Worker(
        tmp_path,
        ELASTICSEARCH_URL=elastic,
        ELASTICSEARCH_OPTIONS=f"index={settings.ELASTICSEARCH_INDEX}",
        DJANGO_SETTINGS_MODULE="tests.services.patient",
        **model.variables(),
    )
    settings.ELASTICSEARCH_TIMEOUT = 30.0
    held()
    found.start()
    yield found
    found.stop()


def held() -> None:
    """Ingest one company of the sample as `load_sample` does."""
    seed()
    company, _ = Company.objects.get_or_create(cik=NORTHWIND, defaults={"name": "Northwind"})
    Company.objects.enqueue(company.pk)
    outcome = queue.work(company.pk, Edgar(FolderTransport(FOLDER)))
    assert outcome is not None
    assert outcome.status == Company.Status.DONE, outcome.message


def answered(question: str) -> Run:
    run = Run.objects.create(question=question)
    tasks.answer.delay(str(run.pk))

    def closed() -> bool:
        run.refresh_from_db()
        return not run.is_open

    until(closed, "an answer")
    return run


def test_a_question_goes_through_everything(stack: Worker, model: LocalModel) -> None:
    run = answered(SUPPLY)
    answer = Answer.model_validate(run.answer)
    (block,) = answer.blocks
    assert block.refusal is None, f"{block.refusal.code}: {block.refusal.detail}"
    assert (run.status, run.outcome) == ("done", "answered")
    assert block.claims
    assert block.retrieval is not None
    assert block.retrieval.index == "elasticsearch"
    assert {asked.program for asked in model.asked} >= {"understand", "draft", "evaluate"}
    assert all(check.ok for check in reverify(answer))

    number, text = Answer.model_validate(answered(BOTH).answer).blocks
    assert number.table is not None
    assert number.table.asserted
    assert text.claims

    model.always(invented_number, program="draft")
    refused = answered("What does Northwind say about competition in fiscal 2025?")
    told = Answer.model_validate(refused.answer)
    assert not any(claim.verdict == "" for one in told.blocks for claim in one.claims)
    assert all(check.ok for check in reverify(told))
