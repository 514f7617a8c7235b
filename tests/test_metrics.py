"""/metrics: whom it tells, what it counts, and how little it reads for it."""

from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from agent import tasks
from agent.models import Run
from agent.runs import claim, lifecycle, monitoring
from diligence import counters
from filings.models import Company, Health, Tally
from tests.support.edgar import local_edgar
from tests.support.sample import Sample

TOKEN = "of-the-one-who-watches"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture(autouse=True)
def token(settings: Settings, db: None) -> None:
    settings.METRICS_TOKEN = TOKEN
    counters.forget()


def samples(client: Client) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Every sample by name and labels."""
    response = client.get("/metrics", headers=BEARER)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain")
    found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(response.text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return found


def labels(**named: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(named.items()))


def test_without_a_token_in_the_settings_there_is_no_such_page(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN])
def test_only_the_bearer_of_the_token_is_told(client: Client, header: str) -> None:
    response = client.get("/metrics", headers={"authorization": header})
    assert response.status_code == 401
    assert "diligence_" not in response.text
    assert response.headers["WWW-Authenticate"] == "Bearer"


def answered(question: str) -> Run:
    run = Run.objects.create(question=question)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    return run


def test_runs_are_counted_by_what_became_of_them_and_stay_counted(client: Client, sample: Sample) -> None:
    good = answered("What was Apple's revenue in FY2024?")
    answered("What was Apple's revenue in FY2023?")
    refused = answered("Will Apple's revenue grow?")
    assert (good.outcome, refused.outcome) == ("answered", "refused")
    counted = samples(client)["diligence_runs_total"]
    assert counted == {
        labels(outcome="answered", refusal_code=""): 2,
        labels(outcome="refused", refusal_code=refused.refusal_code): 1,
    }
    Run.objects.all().delete()
    assert samples(client)["diligence_runs_total"] == counted


def test_nodes_are_timed_in_buckets_that_add_up(client: Client, sample: Sample) -> None:
    run = answered("What was Apple's revenue in FY2024?")
    found = samples(client)
    nodes = {dict(key)["node"] for key in found["diligence_node_seconds_count"]}
    assert nodes == set(run.steps.values_list("node", flat=True))
    assert set(found["diligence_node_seconds_count"].values()) == {1}
    of_plan = sorted(
        (
            (float(dict(key)["le"]), value)
            for key, value in found["diligence_node_seconds_bucket"].items()
            if dict(key)["node"] == "plan"
        ),
    )
    assert [value for _, value in of_plan] == sorted(value for _, value in of_plan)
    assert of_plan[-1] == (float("inf"), 1)
    spent = found["diligence_node_seconds_sum"][labels(node="plan")]
    assert spent == pytest.approx(run.steps.get(node="plan").ms / 1000, rel=0.05, abs=0.0001)
    assert found["diligence_run_wait_seconds_count"][()] == 1
    assert found["diligence_run_seconds_count"][labels(outcome="answered")] == 1


@pytest.mark.parametrize(
    ("seconds", "bucket"), [(0.0, "0.005"), (0.005, "0.005"), (0.0051, "0.025"), (120.0, "120.0"), (120.1, "+Inf")]
)
def test_a_duration_falls_into_the_bucket_that_holds_it(seconds: float, bucket: str) -> None:
    counters.observe("node_seconds", seconds, node="plan")
    counters.flush()
    row = Tally.objects.get(name="node_seconds_bucket")
    assert f'"le": "{bucket}"' in row.labels


def test_models_are_counted_with_tokens_and_cost(client: Client) -> None:
    call = SimpleNamespace(role="draft", outcome="ok", tokens_in=1000, tokens_out=20, cost=Decimal("0.0105"))
    failed = SimpleNamespace(role="draft", outcome="timeout", tokens_in=7, tokens_out=0, cost=Decimal(0))
    monitoring.calls([call, failed, call])  # type: ignore[list-item]
    counters.flush()
    found = samples(client)
    assert found["diligence_model_requests_total"] == {
        labels(role="draft", outcome="ok"): 2,
        labels(role="draft", outcome="timeout"): 1,
    }
    assert found["diligence_model_tokens_total"][labels(role="draft", direction="in")] == 2007
    assert found["diligence_model_tokens_total"][labels(role="draft", direction="out")] == 40
    assert found["diligence_model_cost_usd_total"][labels(role="draft")] == pytest.approx(0.021)


def test_requests_to_sec_are_counted_by_their_answer(client: Client, settings: Settings) -> None:
    from filings.edgar.client import Edgar, NotFound

    with local_edgar(settings), Edgar() as edgar, pytest.raises(NotFound):
        edgar.company_tickers()
    counters.flush()
    assert samples(client)["diligence_sec_requests_total"] == {labels(status="404"): 1}


def test_what_waits_is_counted_and_the_oldest_told(client: Client) -> None:
    Run.objects.create(question="?", created=now() - timedelta(minutes=10))
    Run.objects.create(question="?", status="running", heartbeat=now())
    Run.objects.create(question="?", status="done", created=now() - timedelta(days=9))
    Company.objects.create(cik=9_000_000_123, name="Waiting", status="queued")
    found = samples(client)
    assert found["diligence_open"][labels(kind="run", status="queued")] == 1
    assert found["diligence_open"][labels(kind="run", status="running")] == 1
    assert found["diligence_open"][labels(kind="ingestion", status="queued")] == 1
    assert found["diligence_open"][labels(kind="search", status="queued")] == 0
    assert 600 <= found["diligence_oldest_open_run_seconds"][()] < 660


def test_the_index_is_down_until_somebody_has_looked(client: Client) -> None:
    assert samples(client)["diligence_index_up"][()] == 0
    row = Health.objects.create(subject="index", state="degraded", data={"waiting": 3}, checked=now())
    found = samples(client)
    assert (found["diligence_index_up"][()], found["diligence_index_waiting"][()]) == (0.5, 3)
    row.state = Health.State.OK
    row.save()
    assert samples(client)["diligence_index_up"][()] == 1


def test_it_reads_counters_and_open_rows_only(client: Client) -> None:
    """However many runs there are: none that is closed is read, and no step at all."""
    Run.objects.bulk_create(Run(question="?", status="done", outcome="answered") for _ in range(300))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        samples(client)
    queries = [query["sql"] for query in asked.captured_queries]
    assert len(queries) == 6
    assert not any("agent_step" in query for query in queries)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for query in (query for query in queries if "agent_run" in query):
                cursor.execute(f"EXPLAIN QUERY PLAN {query}")
                plan = " ".join(str(row[-1]) for row in cursor.fetchall())
                assert "USING" in plan, (query, plan)
                assert "SCAN agent_run" not in plan, (query, plan)


def test_a_superseded_attempt_counts_no_end(client: Client) -> None:
    run = Run.objects.create(question="?", status="running", attempt=2, heartbeat=now())
    assert not lifecycle.finish(run.pk, 1, {}, status="done", outcome="answered")
    counters.flush()
    assert "diligence_runs_total" not in samples(client)


def test_runs_that_are_given_up_are_counted_as_errors(client: Client) -> None:
    gone = now() - timedelta(minutes=10)
    Run.objects.create(question="?", status="running", attempt=5, heartbeat=gone, created=gone)
    claim.left_behind()
    assert samples(client)["diligence_runs_total"] == {labels(outcome="error", refusal_code=""): 1}


def test_what_cannot_be_written_is_added_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    def locked(*args: object) -> None:
        raise OperationalError("database is locked")

    counters.count("runs", outcome="answered")
    with monkeypatch.context() as patch:
        patch.setattr(type(connections["default"]), "cursor", locked)
        assert counters.flush() == 0
    counters.count("runs", outcome="answered")
    assert counters.flush() == 1
    assert Tally.objects.get().value == 2
    assert counters.flush() == 0
