"""Metrics for Prometheus from the database: the same from every process, and cheap however much is stored."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate

from django.conf import settings
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from agent.models import Run
from diligence.atomic_files import free_bytes
from diligence.broker import count_set_aside
from diligence.counters import BEYOND, BUCKETS
from filings.models import Company, Health, SearchRequest, Tally

# Counters of processes (diligence.counters): label names and description.
COUNTERS = {
    "runs": (("outcome", "refusal_code"), "Runs that ended."),
    "model_requests": (("role", "outcome"), "Requests to models."),
    "model_tokens": (("role", "direction"), "Tokens of models, sent and received."),
    "model_cost_usd": (("role",), "What models have cost, in USD."),
    "sec_requests": (("status",), "Requests to EDGAR."),
}
DURATIONS = {
    "run_seconds": (("outcome",), "From the claim of a run to its end."),
    "run_wait_seconds": ((), "From the asking of a run to its first claim."),
    "node_seconds": (("node",), "One node of a run."),
}


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics in Prometheus' text format, for the bearer of METRICS_TOKEN; no such page without one."""
    if not settings.METRICS_TOKEN:
        raise Http404
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not constant_time_compare(token.strip(), settings.METRICS_TOKEN):
        return HttpResponse("A token is needed.\n", status=401, headers={"WWW-Authenticate": "Bearer"})
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Database())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Database(Collector):
    """The current state by the tables. No query reads more rows than are open, or than there are counters."""

    def collect(self) -> Iterable[Metric]:
        """Each metric with its samples."""
        held: defaultdict[str, list[tuple[dict[str, str], float]]] = defaultdict(list)
        for name, labels, value in Tally.objects.values_list("name", "labels", "value"):
            held[name].append((json.loads(labels) if labels else {}, value))
        for name, (labels, text) in COUNTERS.items():
            counter = CounterMetricFamily(f"diligence_{name}", text, labels=labels)
            for told, value in held[name]:
                counter.add_metric([told.get(label, "") for label in labels], value)
            yield counter
        for name, (labels, text) in DURATIONS.items():
            yield histogram(name, labels, text, held[f"{name}_bucket"], held[f"{name}_sum"])
        yield from queues()
        yield from index()
        yield from data_dir()


def histogram(
    name: str,
    labels: tuple[str, ...],
    text: str,
    buckets: list[tuple[dict[str, str], float]],
    sums: list[tuple[dict[str, str], float]],
) -> Metric:
    """Bucket counters as a cumulative histogram."""
    family = HistogramMetricFamily(f"diligence_{name}", text, labels=labels)
    bounds = (*map(str, BUCKETS), BEYOND)
    counted: defaultdict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for told, value in buckets:
        counted[tuple(told.get(label, "") for label in labels)][told["le"]] = value
    total = {tuple(told.get(label, "") for label in labels): value for told, value in sums}
    for key, found in counted.items():
        running = accumulate(found.get(bound, 0.0) for bound in bounds)
        family.add_metric(list(key), list(zip(bounds, running, strict=True)), total.get(key, 0.0))
    return family


def queues() -> Iterator[Metric]:
    """What waits and what is in progress, by kind, and the age of the oldest open run."""
    depth = GaugeMetricFamily("diligence_open", "What waits or is worked on.", labels=("kind", "status"))
    for kind, model in (("run", Run), ("ingestion", Company), ("search", SearchRequest)):
        open_ = {model.Status.QUEUED.value: 0, model.Status.RUNNING.value: 0}
        rows = model._default_manager.order_by().filter(status__in=list(open_)).values_list("status")
        for status, many in (open_ | dict(rows.annotate(Count("pk")))).items():
            depth.add_metric([kind, status], many)
    yield depth
    oldest = Run.objects.filter(status__in=[Run.Status.QUEUED, Run.Status.RUNNING]).aggregate(at=Min("created"))["at"]
    age = (now() - oldest).total_seconds() if oldest else 0.0
    yield GaugeMetricFamily("diligence_oldest_open_run_seconds", "Age of the oldest open run.", value=age)


def data_dir() -> Iterator[Metric]:
    """Free disk space, and unreadable messages of the queue."""
    yield GaugeMetricFamily("diligence_disk_free_bytes", "Left on the disk of DATA_DIR.", value=float(free_bytes()))
    if not settings.REDIS_URL:
        aside = float(count_set_aside(settings.BROKER_DIR))
        yield GaugeMetricFamily(
            "diligence_messages_unreadable", "Messages set aside in the queue's folder.", value=aside
        )


def index() -> Iterator[Metric]:
    """The search index by a worker's last look."""
    row = Health.objects.filter(subject="index").first()
    up = GaugeMetricFamily("diligence_index_up", "1: it answers; 0.5: in part; 0: it does not, or nobody looked.")
    up.add_metric([], {Health.State.OK: 1.0, Health.State.DEGRADED: 0.5}.get(row.state, 0.0) if row else 0.0)  # type: ignore[call-overload]
    yield up
    if row:
        age = (now() - row.checked).total_seconds()
        yield GaugeMetricFamily("diligence_index_checked_seconds", "Since a worker looked at the index.", value=age)
        waiting = float(row.data.get("waiting", 0))
        yield GaugeMetricFamily("diligence_index_waiting", "Filings that wait for the index.", value=waiting)
