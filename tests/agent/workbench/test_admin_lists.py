"""Lists of the admin with many runs: few queries, each by an index, whatever is filtered."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import localdate, now

from accounts.models import Reservation, User
from agent.models import Feedback, GoldenCandidate, Run, Step
from agent.web.admin import usage
from filings.models import Company

MANY = 2000
DAY = timedelta(days=1)


@pytest.fixture
def many(bob: User) -> None:
    """2,000 runs over a year, with a step, feedback and a golden candidate of every other."""
    at = now()
    runs = Run.objects.bulk_create(
        Run(
            user=bob,
            question=f"Question {number}",
            status="done",
            outcome=("answered", "refused")[number % 2],
            refusal_code=("", "conflict")[number % 2],
            refusal_stage=("", "validate")[number % 2],
            type="AB"[number % 2],
            answer={"text": "x" * 500},
            created=at - timedelta(hours=4 * number),
        )
        for number in range(MANY)
    )
    Step.objects.bulk_create(
        Step(run=run, attempt=1, sequence=1, node="plan", ms=1, requests=1, cost="0.1") for run in runs
    )
    half = runs[::2]
    Feedback.objects.bulk_create(Feedback(run=run, verdict="wrong", updated=run.created) for run in half)
    GoldenCandidate.objects.bulk_create(
        GoldenCandidate(run=run, question=run.question, outcome="answered") for run in half
    )
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


LISTS = [
    ("agent_run", {}),
    ("agent_run", {"p": "2"}),
    ("agent_run", {"outcome__exact": "refused"}),
    ("agent_run", {"status__exact": "failed"}),
    ("agent_run", {"type": "A"}),
    ("agent_run", {"mode__exact": "standard"}),
    ("agent_run", {"refusal_code": "conflict"}),
    (
        "agent_run",
        {
            "created__gte": f"{now() - DAY:%Y-%m-%d %H:%M:%S}+00:00",
            "created__lt": f"{now() + DAY:%Y-%m-%d %H:%M:%S}+00:00",
        },
    ),
    ("agent_run", {"q": "question 7 of nobody"}),
    ("agent_feedback", {}),
    ("agent_feedback", {"status__exact": "open"}),
    ("agent_feedback", {"verdict__exact": "right"}),
    ("agent_goldencandidate", {}),
    ("agent_goldencandidate", {"status__exact": "approved"}),
]


def asked(client: Client, name: str, query: dict[str, str]) -> list[dict[str, Any]]:
    with CaptureQueriesContext(
        connection,
    ) as caught:
        page = client.get(reverse(f"admin:{name}_changelist"), query)
    assert page.status_code == 200, page.get("Location")
    return list(caught.captured_queries)


def test_a_list_of_many_costs_few_queries_and_each_has_an_index(as_charlie: Client, many: None) -> None:
    for name, query in LISTS:
        check(name, query, asked(as_charlie, name, query))


def check(name: str, query: dict[str, str], queries: list[dict[str, Any]]) -> None:
    assert len(queries) <= 8, [one["sql"][:120] for one in queries]
    assert not any('"agent_run"."answer"' in one["sql"] for one in queries)
    if connection.vendor != "sqlite":
        return
    for one in queries:
        if f'"{name}"' in one["sql"]:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN QUERY PLAN {one['sql']}".replace("%", "%%"))
                plan = [row[3] for row in cursor.fetchall()]
            assert all("INDEX" in line for line in plan if name in line), (one["sql"], plan)
            if set(query) - {"p"}:
                # A filter is searched for in its index, and not looked for in every row.
                assert not any(f"{line} ".startswith(f"SCAN {name} ") for line in plan), (one["sql"], plan)


def test_what_a_list_sums_of_its_rows_is_not_worked_out_to_count_them(as_charlie: Client, many: None) -> None:
    queries = [one["sql"] for one in asked(as_charlie, "agent_run", {}) if "COUNT(" in one["sql"]]
    assert [sql for sql in queries if '"agent_run"' in sql]
    assert not any("SUM(" in sql for sql in queries)


def test_reservations_are_listed_without_looking_for_the_days_of_all(as_charlie: Client, db: None) -> None:
    for number in range(3):
        Reservation.objects.create(ref=uuid4(), key="user:1", tier="user", tokens=1, at=now() - number * DAY)
    before = f"{now() - DAY / 2:%Y-%m-%d %H:%M:%S}+00:00"
    queries = asked(as_charlie, "accounts_reservation", {})
    assert not any("django_datetime" in one["sql"] or "DISTINCT" in one["sql"] for one in queries)
    page = as_charlie.get(reverse("admin:accounts_reservation_changelist"), {"at__lt": before})
    assert page.context["cl"].result_count == 2


def test_the_use_of_models_is_not_read_over_more_days_than_a_quarter(as_charlie: Client, bob: User) -> None:
    run = Run.objects.create(user=bob, question="?")
    Step.objects.create(run=run, attempt=1, sequence=1, node="plan", ms=1, requests=1, cost="0.5", at=now() - 80 * DAY)
    address, today = reverse("admin:agent_run_usage"), localdate()
    days = {"first": (today - 91 * DAY).isoformat(), "last": today.isoformat()}
    assert as_charlie.get(address, days).context["cost"] == Decimal("0.5")
    page = as_charlie.get(address, days | {"first": (today - 92 * DAY).isoformat()})
    assert "Choose at most 92 days" in page.content.decode()
    assert page.context["cost"] == 0


def test_refusals_are_counted_by_an_index_of_time(as_charlie: Client, many: None) -> None:
    with CaptureQueriesContext(connection) as caught:
        page = as_charlie.get(reverse("admin:agent_run_refusals"))
    assert page.context["counted"].refused == sum(row[2] for row in page.context["counted"].codes.rows)
    counts = [one["sql"] for one in caught.captured_queries if "COUNT" in one["sql"] and '"agent_run"' in one["sql"]]
    assert len(counts) == 2
    assert not any("django_datetime_cast_date" in sql.split("WHERE")[1].split("GROUP BY")[0] for sql in counts)


def test_a_list_offers_to_be_sorted_by_what_has_an_index_alone(as_charlie: Client, db: None, bob: User) -> None:
    Run.objects.create(user=bob, question="One")
    page = as_charlie.get(reverse("admin:agent_run_changelist")).content.decode()
    assert page.count('class="sortable') == 1
    assert "column-created" in page


def test_the_list_of_companies_says_how_far_each_is_and_when_it_was_looked_at(as_charlie: Client, db: None) -> None:
    at = datetime(2026, 11, 3, 4, 5, tzinfo=UTC)
    work = {"filings_done": 3, "filings_found": 11, "step": "Facts of 2019"}
    Company.objects.create(cik=9_900_000_001, name="Halden Optics, Inc.", watched=at, **work)
    page = as_charlie.get(reverse("admin:filings_company_changelist"), {"q": "Halden"}).content.decode()
    cells = dict(re.findall(r'<td class="field-(progress|looked_at)[^"]*">([^<]*)<', page))
    assert cells == {"progress": "3 of 11: Facts of 2019", "looked_at": "3 Nov, 04:05"}


def test_a_call_that_was_held_back_is_in_no_sum_by_program(bob: User) -> None:
    run = Run.objects.create(user=bob, question="?")
    call = {"program": "draft", "version": "v1", "model": "m", "tokens_in": 3, "tokens_out": 1, "estimated": False,
            "cost": "0.1", "ms": 5, "outcome": "ok"}  # fmt: skip
    held_back = call | {"program": "weigh", "outcome": "breaker", "sent": False}
    Step.objects.create(run=run, attempt=1, sequence=1, node="plan", ms=1, requests=2, calls=[call, call, held_back])
    ((program, _, _, sums),) = usage.by_program(Step.objects.all())
    assert (program, sums.calls, sums.failed) == ("draft", 2, 0)
