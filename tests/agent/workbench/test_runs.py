"""Runs in the admin: their trail, their refusals and what models cost."""

from datetime import timedelta
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from accounts.models import User
from agent.models import Run, Step
from agent.runs.history_index import remember
from tests.support import answers


def run(**fields: Any) -> Run:
    return Run.objects.create(question="What was Northwind's revenue?", status=Run.Status.DONE, **fields)


def test_a_run_is_shown_with_its_steps(as_charlie: Client, bob: User) -> None:
    found = run(user=bob, answer={"text": "<b>"}, outcome="answered")
    Step.objects.create(
        run=found, attempt=1, sequence=1, node="plan", inputs={"asked": "revenue"}, outputs={"company": "NWI"},
        said="Read it.", ms=2,
    )  # fmt: skip
    page = as_charlie.get(reverse("admin:agent_run_change", args=[found.pk])).content.decode()
    assert "Read it." in page
    assert "bob@example.com" in page
    assert "<b>" not in page
    assert "Nothing is run again." in page
    for shown in ('"asked": "revenue"', '"company": "NWI"', '"text": "<b>"'):
        assert f"<pre>{{\n  {shown}\n}}</pre>" in unescape(page)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("northwind ADVERT", ["refused"]),  # of company and question
        ("research northwind", ["answered"]),
        ("concept_not_reported", ["refused"]),
        (" Bob@Example.com ", ["answered", "open"]),
        ("mail bob", ["open"]),
        ("zebra", []),
        ("vertis", ["refused"]),
    ],
)
def test_runs_are_found_by_their_words_their_refusal_and_who_asked(
    as_charlie: Client, alice: User, bob: User, typed: str, found: list[str]
) -> None:
    shown = {
        "refused": answers.run_with(answers.refusal_answer(), alice),
        "answered": answers.run_with(answers.number_answer(), bob),
        "open": answers.open_run(bob, question="Did Bob mail anybody?"),
    }
    remember(shown["open"].pk)
    page = as_charlie.get(reverse("admin:agent_run_changelist"), {"q": typed})
    assert set(page.context["cl"].result_list) == {shown[name] for name in found}


@pytest.mark.parametrize("page", ["agent_run_refusals", "agent_run_usage"])
def test_a_last_day_with_none_after_it_is_told(as_charlie: Client, db: None, page: str) -> None:
    shown = as_charlie.get(reverse(f"admin:{page}"), {"first": "9999-12-30", "last": "9999-12-31"})
    assert (shown.status_code, "The last day is too late." in shown.text) == (200, True)


def test_refusals_are_counted_by_code_and_node_and_over_time(as_charlie: Client, db: None) -> None:
    old = now() - timedelta(days=90)
    refused = {"outcome": Run.Outcome.REFUSED}
    for code, stage, created in (
        ("conflict", "validate", now()),
        ("conflict", "validate", now()),
        ("no_company", "plan", now()),
        ("no_company", "plan", old),
    ):
        run(refusal_code=code, refusal_stage=stage, created=created, **refused)
    run(outcome=Run.Outcome.ANSWERED)
    page = as_charlie.get(reverse("admin:agent_run_refusals"))
    counted = page.context["counted"]
    rows = [(row["refusal_code"], row["refusal_stage"], row["runs"]) for row in counted.by_code]
    assert rows == [("conflict", "validate", 2), ("no_company", "plan", 1)]
    assert (counted.refused, counted.closed, counted.unit) == (3, 4, "day")
    shown = page.content.decode()
    assert 'title="no_company">No company named</a>' in shown
    assert 'title="no_company">No company named</th>' in shown
    assert 'title="validate">Validate, step 5 of 6</td>' in shown
    assert (counted.codes.names, counted.codes.rows) == (["conflict", "no_company"], [(now().date(), [2, 1], 3)])
    assert (counted.nodes.names, counted.nodes.rows) == (["validate", "plan"], [(now().date(), [2, 1], 3)])
    days = {"first": f"{old:%Y-%m-%d}", "last": f"{old:%Y-%m-%d}"}
    assert as_charlie.get(reverse("admin:agent_run_refusals"), days).context["counted"].refused == 1
    days["last"] = f"{now():%Y-%m-%d}"
    counted = as_charlie.get(reverse("admin:agent_run_refusals"), days).context["counted"]
    assert counted.unit == "week"
    assert [(day.weekday(), total) for day, _, total in counted.codes.rows] == [(0, 3), (0, 1)]


@pytest.mark.parametrize(
    "days", [{"first": "2026-02-01", "last": "2026-01-01"}, {"first": "soon"}, {"last": "31/12/2026"}]
)
def test_a_range_of_days_that_cannot_be_read_is_said(as_charlie: Client, days: dict[str, str]) -> None:
    page = as_charlie.get(reverse("admin:agent_run_refusals"), days)
    assert page.status_code == 200
    assert "errorlist" in page.content.decode()


def test_the_statistics_of_refusals_are_for_staff(client: Client, as_alice: Client, db: None) -> None:
    address = reverse("admin:agent_run_refusals")
    assert client.get(address).status_code == 302
    assert as_alice.get(address, follow=True).status_code == 403


# --- models ---

CALL = {
    "program": "draft", "version": "v1", "model": "scripted", "role": "draft", "tokens_in": 1000, "tokens_out": 50,
    "estimated": False, "cost": "0.0012", "ms": 40, "outcome": "ok",
}  # fmt: skip


def spent(found: Run, sequence: int, *calls: dict[str, Any], **fields: Any) -> Step:
    """A step that asked models."""
    return Step.objects.create(
        run=found,
        attempt=1,
        sequence=sequence,
        node="validate",
        event="draft",
        said="Drafted.",
        ms=50,
        requests=len(calls),
        tokens_in=sum(call["tokens_in"] for call in calls),
        tokens_out=sum(call["tokens_out"] for call in calls),
        cost=sum((Decimal(call["cost"]) for call in calls), Decimal(0)),
        calls=list(calls),
        **fields,
    )


def test_a_run_is_replayed_step_by_step_with_programs_tokens_and_cost(as_charlie: Client, bob: User) -> None:
    found = run(user=bob, answer={"text": "x"}, outcome="answered")
    spent(found, 1, CALL, {**CALL, "program": "review_refusal", "outcome": "timeout", "estimated": True}, iteration=2)
    page = as_charlie.get(reverse("admin:agent_run_change", args=[found.pk])).content.decode()
    assert "Attempt 1, step 1, round 2" in page
    assert "draft v1, scripted: 1000 in, 50 out, $0.0012, 40 ms, ok" in page
    assert "review_refusal v1, scripted: 1000 in, 50 out (estimated), $0.0012, 40 ms, timeout" in page
    assert "0.002400" in page


def test_use_of_models_is_summed_by_day_and_by_program(as_charlie: Client, db: None) -> None:
    old = now() - timedelta(days=90)
    first, second = run(), run()
    spent(first, 1, CALL, {**CALL, "program": "review_refusal", "outcome": "timeout"})
    spent(second, 1, CALL)
    spent(second, 2, {**CALL, "cost": "0.5"}, at=old)
    Step.objects.create(run=second, attempt=1, sequence=3, node="fetch", ms=1)
    page = as_charlie.get(reverse("admin:agent_run_usage"))
    assert [(row["runs"], row["asked"], row["sent"], row["written"]) for row in page.context["by_day"]] == [
        (2, 3, 3000, 150)
    ]
    assert page.context["by_day"][0]["usd"] == Decimal("0.0036")
    assert page.context["cost"] == Decimal("0.0036")
    programs = [(row[0], row[3].calls, row[3].failed, row[3].cost) for row in page.context["by_program"]]
    assert programs == [("draft", 2, 0, Decimal("0.0024")), ("review_refusal", 1, 1, Decimal("0.0012"))]
    days = {"first": f"{old:%Y-%m-%d}", "last": f"{old:%Y-%m-%d}"}
    assert as_charlie.get(reverse("admin:agent_run_usage"), days).context["cost"] == Decimal("0.5")


def test_sums_cost_the_same_for_few_calls_and_for_many(
    as_charlie: Client, db: None, django_assert_max_num_queries: Any
) -> None:
    for _ in range(12):
        spent(run(), 1, CALL, CALL)
    with django_assert_max_num_queries(6):
        as_charlie.get(reverse("admin:agent_run_usage"))


def test_the_use_of_models_is_for_staff(client: Client, as_alice: Client, db: None) -> None:
    address = reverse("admin:agent_run_usage")
    assert client.get(address).status_code == 302
    assert as_alice.get(address, follow=True).status_code == 403
