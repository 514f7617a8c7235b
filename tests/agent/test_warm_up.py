"""A worker that answers questions loads what they need when it starts; one that only ingests does not."""

import logging
from threading import Thread
from typing import Any

import pytest
from celery import current_app
from pytest_django import Settings

from agent import tasks
from agent.runs import warm_up
from filings.text import embeddings


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The targets of the threads that are started, which do not run."""
    found: list[Any] = []
    monkeypatch.setattr(Thread, "start", lambda thread: found.append(thread._target))  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(("queues", "warmed"), [("ask", True), ("ask,ingest", True), ("ingest", False)])
def test_only_a_process_that_answers_gets_ready(
    begun: list[Any], queues: str, warmed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current_app.amqp.queues, "_consume_from", None)
    current_app.amqp.queues.select(queues.split(","))
    tasks.warm_up()
    assert begun == ([warm_up.warm] if warmed else [])


def test_the_model_is_there_afterwards() -> None:
    embeddings.forget()
    warm_up.warm()
    assert embeddings._models
    assert list(embeddings.embedder().queries) == ["ready"]


def test_an_endpoint_is_not_asked(settings: Settings) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "http://127.0.0.1:9/v1", "some"
    settings.EMBEDDING_DIMENSIONS = 8
    warm_up.warm()
    assert not embeddings.embedder().queries
    embeddings.forget()


def test_a_wrong_setting_does_not_keep_the_worker_from_starting(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "http://127.0.0.1:9/v1", ""
    with caplog.at_level(logging.WARNING):
        warm_up.warm()
    assert "cold" in caplog.text
