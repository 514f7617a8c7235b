"""Traces over OTLP and errors to Sentry, taken by real servers: what they tell, and what they never do."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from agent import tasks
from agent.models import Run
from diligence import tracing
from tests.support.model_runs import scripted, searched_once
from tests.support.model_server import KEY, LocalModel
from tests.support.processes import forked, run
from tests.support.sample import Sample
from tests.support.telemetry import Collector, Sentry

__all__ = ["scripted", "searched_once"]

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
REVENUE = "What was Apple's revenue in FY2024?"


@pytest.fixture
def collector(settings: Settings) -> Iterator[Collector]:
    with Collector() as server:
        settings.OTEL_ENDPOINT, settings.OTEL_HEADERS = server.url, "Authorization=Basic cGs6c2s=,x-of=ours"
        yield server
        if provider := tracing.traces():
            provider.shutdown()
        tracing.provider_of.cache_clear()


def asked(question: str) -> Run:
    run = Run.objects.create(question=question)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    tracing.flush()
    return run


def test_a_run_is_a_trace_of_its_nodes(collector: Collector, sample: Sample) -> None:
    run = asked(REVENUE)
    (root,) = collector.named("run")
    nodes = collector.named("node ")
    assert [node["name"] for node in nodes] == [f"node {step.node}" for step in run.steps.all()]
    assert {node["parentSpanId"] for node in nodes} == {root["spanId"]}
    assert {span["traceId"] for span in collector.spans} == {root["traceId"]}
    assert root["attributes"]["diligence.run.id"] == str(run.pk)
    assert root["attributes"]["diligence.outcome"] == "answered"
    assert root["service"] == "diligence"
    assert set(collector.paths) == {"/v1/traces"}
    assert collector.headers[0]["authorization"] == "Basic cGs6c2s="
    assert collector.headers[0]["x-of"] == "ours"


def test_calls_of_models_follow_the_conventions_of_generative_ai(
    collector: Collector, scripted: LocalModel, searched_once: None, sample: Sample
) -> None:
    run = asked(SUPPLY)
    calls = collector.named("chat scripted")
    assert len(calls) == sum(step.requests for step in run.steps.all()) > 0
    nodes = {node["spanId"] for node in collector.named("node ")}
    # What concludes a run may ask once more.
    (root,) = collector.named("run")
    assert {call["parentSpanId"] for call in calls} <= nodes | {root["spanId"]}
    made = [call for step in run.steps.order_by("sequence") for call in step.calls]
    for call in calls:
        told = call["attributes"]
        assert call["kind"] == "SPAN_KIND_CLIENT"
        assert told["gen_ai.operation.name"] == "chat"
        assert told["gen_ai.provider.name"] == "openai"
        assert told["gen_ai.request.model"] == "scripted"
        assert told["gen_ai.request.max_tokens"] > 0
        assert (told["server.address"], told["server.port"]) == ("127.0.0.1", scripted.server.server_port)
    assert sum(call["attributes"]["gen_ai.usage.input_tokens"] for call in calls) == sum(
        one["tokens_in"] for one in made
    )
    assert sorted(call["attributes"]["diligence.program"] for call in calls) == sorted(one["program"] for one in made)


def test_nothing_that_was_asked_sent_or_replied_is_traced(
    collector: Collector, scripted: LocalModel, searched_once: None, sample: Sample
) -> None:
    asked(SUPPLY)
    told = json.dumps(collector.spans)
    assert len(collector.named("chat")) > 0
    for said in ("supply", "Northwind", KEY, "messages", "input.value"):
        assert said not in told


def test_it_is_traced_where_the_operator_wants_it(
    collector: Collector, scripted: LocalModel, searched_once: None, sample: Sample, settings: Settings
) -> None:
    settings.OTEL_CAPTURE_CONTENT = True
    asked(SUPPLY)
    (root,) = collector.named("run")
    assert root["attributes"]["input.value"] == SUPPLY
    first = collector.named("chat")[0]["attributes"]
    assert any("supply" in str(one) for one in json.loads(first["gen_ai.input.messages"]))
    (reply,) = json.loads(first["gen_ai.output.messages"])
    assert reply["parts"][0]["content"].startswith("{")
    assert KEY not in json.dumps(collector.spans)


def test_a_failed_call_says_why_in_one_word(
    collector: Collector, scripted: LocalModel, searched_once: None, sample: Sample
) -> None:
    from tests.support.model_behaviours import ALL

    scripted.always(ALL["unauthorized"] if "unauthorized" in ALL else ALL["server_error"])
    asked(SUPPLY)
    assert all(call["attributes"]["error.type"] for call in collector.named("chat"))


def test_a_run_that_fails_is_an_error_without_its_text(
    collector: Collector, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agent.steps import pipeline

    def plan(*args: object) -> None:
        raise ValueError("of a secret question")

    monkeypatch.setattr(pipeline, "NODES", (plan, *pipeline.NODES[1:]))
    asked(REVENUE)
    (node,) = collector.named("node plan")
    assert node["attributes"]["error.type"] == "ValueError"
    assert node["status"]["code"] == "STATUS_CODE_ERROR"
    assert "secret" not in json.dumps(collector.spans)


def test_a_collector_that_is_away_costs_a_run_nothing(settings: Settings, sample: Sample) -> None:
    settings.OTEL_ENDPOINT, settings.OTEL_HEADERS = "http://127.0.0.1:9", ""
    run = Run.objects.create(question=REVENUE)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert run.outcome == "answered"
    provider = tracing.traces()
    assert provider
    # Without the wait for a last try.
    provider._active_span_processor = type(provider._active_span_processor)()
    tracing.provider_of.cache_clear()


def test_nothing_of_it_is_imported_unless_it_is_wanted(tmp_path: Path) -> None:
    code = (
        "import sys, django; django.setup(); import diligence.urls, diligence.celery, agent.runs.monitoring, agent.programs.calls;"
        "from diligence import tracing; tracing.span('x').__enter__(); tracing.describe({}); tracing.flush();"
        "print([name for name in sys.modules if name.split('.')[0] in {'opentelemetry', 'sentry_sdk'}])"
    )
    result = forked("-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x")
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"


FAILS = """
import logging, sys, django
django.setup()
from diligence import logs
question, mail = "What was the revenue of Quietly Held Partners?", "jane.roe@example.com"
with logs.bound(question, run="1234", account="abcd"):
    local = "a local secret"
    try:
        raise ValueError(f"cannot read {question} of {mail}")
    except ValueError:
        logging.getLogger("agent.runs.lifecycle").exception("Run failed for %s", question)
from django.test import RequestFactory
import types
from django.urls import path
def page(request):
    raise RuntimeError("page failed")
urls = types.ModuleType("urls_of_test"); urls.urlpatterns = [path("fails", page)]
sys.modules["urls_of_test"] = urls
from django.conf import settings
settings.ROOT_URLCONF, settings.ALLOWED_HOSTS = "urls_of_test", ["testserver"]
urls.handler400 = urls.handler500 = lambda request, *error, **of: __import__("django.http").http.HttpResponse(status=500)
from diligence.wsgi import application
asked = RequestFactory(headers={"cookie": "sessionid=of-a-session"})
list(application(asked.get("/fails", {"q": "asked-in-query"}).environ, lambda *told: None))
# What a scan asks is no error.
list(application({**asked.get("/fails").environ, "HTTP_HOST": "192.0.2.7"}, lambda *told: None))
import sentry_sdk
sentry_sdk.flush(5)
assert "openai" not in sys.modules and "langchain" not in sys.modules
"""


def test_an_error_reaches_sentry_with_its_run_and_without_what_people_wrote(tmp_path: Path) -> None:
    with Sentry() as server:
        result = run(
            "-c", FAILS, "asked-on-the-command-line", DATA_DIR=str(tmp_path), SECRET_KEY="x", SENTRY_DSN=server.dsn
        )
    assert result.returncode == 0, result.stderr
    failed, page = server.events
    assert failed["tags"]["run"] == "1234"
    assert failed["user"] == {"id": "abcd"}
    (error,) = failed["exception"]["values"]
    assert (error["type"], error["value"]) == ("ValueError", "cannot read [question] of [e-mail]")
    assert error["stacktrace"]["frames"]
    assert page["exception"]["values"][-1]["type"] == "RuntimeError"
    assert page["request"] == {"method": "GET", "url": "http://testserver/fails"}
    for said in (b"Quietly", b"jane", b"a local secret", b"asked-in", b"asked-on", b"of-a-session"):
        assert said not in server.raw, said
