"""The admin's health page: database, broker, search index, queues, ingestions, and checks for new filings."""

from datetime import timedelta
from typing import Any

from django.db.models import Count, Min, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now

from agent.models import Feedback, GoldenCandidate, Run
from agent.runs.claim import STALE_AFTER
from diligence.health import readiness
from filings.models import STALE_AFTER as INGESTION_STALE_AFTER
from filings.models import Company, Filing, Health, SearchRequest
from filings.web import admin_pages

SHOWN = 20
OPEN = ("queued", "running")


@admin_pages.page(
    "health/", "health", "Health", "State of all parts, waiting work, and failures", "filings.view_health"
)
def health(request: HttpRequest) -> HttpResponse:
    """Reads the state from the database's tables; asks only the broker itself."""
    failed = Company.objects.filter(status=Company.Status.FAILED).only("name", "problem", "heartbeat")
    shown = admin_pages.context(
        request,
        "Health",
        parts=readiness(),
        rows=list(Health.objects.all()),
        queues=queues(),
        to_index=Filing.objects.searched().filter(indexed="").count(),
        failed=list(failed.order_by("-heartbeat")[:SHOWN]),
        failed_in_all=failed.count(),
        watch=watch(),
        review={
            "feedback": Feedback.objects.filter(status=Feedback.Status.OPEN).count(),
            "goldens": GoldenCandidate.objects.filter(status=GoldenCandidate.Status.PROPOSED).count(),
        },
        errors=Run.objects.filter(outcome=Run.Outcome.ERROR, created__gte=now() - timedelta(days=1)).count(),
    )
    return render(request, "admin/agent/health.html", shown)


def queues() -> list[dict[str, Any]]:
    """For each queue: how much is waiting, running or without a worker, and the age of the oldest."""
    at = now()
    kinds: tuple[tuple[str, Any, str, Q], ...] = (
        ("Questions", Run, "created", Q(heartbeat__lt=at - STALE_AFTER)),
        ("Ingestions", Company, "heartbeat", Q(heartbeat__lt=at - INGESTION_STALE_AFTER)),
        ("Searches", SearchRequest, "created", Q(started__lt=at - timedelta(minutes=1))),
    )
    rows = []
    for name, model, since, stale in kinds:
        found = model.objects.filter(status__in=OPEN).order_by()
        counted = found.aggregate(
            waiting=Count("pk", filter=Q(status="queued")),
            running=Count("pk", filter=Q(status="running")),
            lost=Count("pk", filter=Q(status="running") & stale),
            oldest=Min(since),
        )
        rows.append({"name": name, **counted})
    return rows


def watch() -> dict[str, Any]:
    """How many companies were checked for new filings within a day, and the oldest check."""
    at = now()
    # A check lies in the future if a clock was set back since.
    within = at - timedelta(days=1), at + INGESTION_STALE_AFTER
    recent = Q(watched__range=within) | Q(ingested__range=within)
    counted: dict[str, Any] = Company.objects.watched().aggregate(
        companies=Count("pk"), recent=Count("pk", filter=recent), oldest=Min("watched")
    )
    return counted
