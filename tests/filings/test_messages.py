"""Whoever sends a message to the workers: what the broker does not take waits for the sweep, and nobody is told of an error."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.timezone import now
from kombu.exceptions import OperationalError

from diligence import messages
from filings.ingest import queue
from filings.models import Company, SearchRequest
from filings.search import requests
from filings.tasks import ingest_company, search
from tests.support.sample import Sample

COMPANIES = "/admin/filings/company/"
REFUSALS = [OperationalError("no route to the broker"), FileNotFoundError("no folder of messages")]


@pytest.fixture(params=REFUSALS, ids=lambda error: type(error).__name__)
def refused(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What a broker was asked to take that takes nothing."""
    asked: list[Any] = []

    def refuses(args: tuple[Any, ...], **options: Any) -> None:
        asked.append(args[0])
        raise request.param

    for task in (ingest_company, search):
        monkeypatch.setattr(task, "apply_async", refuses)
    return asked


@pytest.fixture
def company(sample: Sample) -> Company:
    Company.objects.update(status=Company.Status.DONE)
    return Company.objects.get(tickers__symbol="AAPL")


def stands(company: Company) -> tuple[str, int]:
    company.refresh_from_db()
    return company.status, company.priority


def act(client: Client, company: Company, action: str, committed: Callable[..., Any]) -> str:
    """Do an action of the list of companies; what the page then says."""
    with committed(execute=True):
        done = client.post(COMPANIES, {"action": action, "_selected_action": [company.pk]})
    assert done.status_code == 302
    return client.get(COMPANIES).content.decode()


def test_the_admin_queues_an_ingestion(
    as_charlie: Client, company: Company, refused: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    page = act(as_charlie, company, "ingest", django_capture_on_commit_callbacks)
    assert "1 company is queued." in page
    assert refused == [company.pk]
    assert stands(company)[0] == "queued"


def test_a_search_is_stored(
    client: Client, sample: Sample, refused: list[Any], django_capture_on_commit_callbacks: Any
):
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post("/search", {"q": "competition"})
    assert response.status_code == 302
    found = SearchRequest.objects.get()
    assert refused == [str(found.pk)]
    assert client.get(response["Location"]).status_code == 200


def test_a_sweep_goes_through_all_that_waits_and_the_next_one_too(company: Company, refused: list[Any]) -> None:
    long_ago = now() - timedelta(minutes=5)
    Company.objects.filter(pk=company.pk).update(status=Company.Status.QUEUED, heartbeat=long_ago)
    searches = [str(SearchRequest.objects.create(text=text).pk) for text in ("competition", "tariffs")]
    SearchRequest.objects.update(created=long_ago)
    queue.sweep()
    requests.sweep()
    assert refused[0] == company.pk
    assert sorted(refused[1:]) == sorted(searches)
    assert stands(company)[0] == "queued"
    assert set(SearchRequest.objects.values_list("status", flat=True)) == {"queued"}
    Company.objects.filter(pk=company.pk).update(heartbeat=long_ago)
    requests.sweep()
    queue.sweep()
    assert len(refused) == 6


def test_after_a_failure_the_broker_is_left_alone_for_a_while(
    refused: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "REST_SECONDS", 600.0)
    monkeypatch.setattr(messages, "_rests_until", {})
    assert [messages.send(ingest_company, number) for number in (1, 2, 3)] == [False] * 3
    assert not messages.send(search, "of another queue")
    assert refused == [1]
    messages._rests_until[settings.CELERY_BROKER_URL] = 0.0
    assert not messages.send(ingest_company, 4)
    assert refused == [1, 4]
