"""The admin's page of how things are, with a value in each of its cells."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.timezone import now

from accounts.models import User
from agent.models import Feedback, GoldenCandidate, Run
from agent.web.admin import health_admin
from diligence.health import Need
from filings.edgar.registrant_names import FIRST_FICTIONAL_CIK
from filings.models import Company, Filing, Health, Origin, SearchRequest
from tests.support import answers
from tests.support.holdings import annual_report, northwind

HOUR = timedelta(hours=1)


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


def rows(page: str, table: str) -> list[list[str]]:
    """The texts of the cells of a table, by row."""
    of = page.split(f'id="{table}"')[1].split("</table>")[0]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in of.split("<tr>")[1:]]
    return [[strip_tags(cell).replace("\xa0", " ") for cell in row] for row in cells]


def test_health_says_what_waits_what_is_lost_and_what_has_failed(as_charlie: Client, company: Company) -> None:
    Run.objects.filter(pk=answers.open_run().pk).update(status="queued")
    Run.objects.filter(pk=answers.open_run().pk).update(status="running", heartbeat=now() - timedelta(hours=1))
    Company.objects.filter(pk=company.pk).update(status="failed", problem="EDGAR is busy.", heartbeat=now())
    Health.objects.update_or_create(
        subject="index", defaults={"state": "degraded", "detail": "In part.", "data": {"waiting": 3}, "checked": now()}
    )
    Feedback.objects.create(run=answers.run_with(answers.number_answer()), verdict="wrong")
    page = as_charlie.get(reverse("admin:health"))
    questions = page.context["queues"][0]
    assert (questions["waiting"], questions["running"], questions["lost"]) == (1, 1, 1)
    text = page.content.decode()
    assert "EDGAR is busy." in text
    assert "waiting: 3" in text
    assert page.context["review"]["feedback"] == 1


def test_each_queue_says_what_waits_is_worked_on_and_lost_and_since_when(as_charlie: Client, db: None) -> None:
    at = now()
    Company.objects.update(status="done")
    asked = {"question": "?", "created": at - 2 * HOUR}
    Run.objects.bulk_create(Run(status="queued", **asked) for _ in range(2))
    Run.objects.bulk_create(Run(status="running", heartbeat=at - HOUR, **asked) for _ in range(3))
    Run.objects.bulk_create(Run(status="running", heartbeat=at + HOUR, **asked) for _ in range(1))
    named = {"name": "Halden", "heartbeat": at - 5 * HOUR}
    Company.objects.bulk_create(Company(cik=9_900_000_000 + n, status="queued", **named) for n in range(5))
    Company.objects.bulk_create(Company(cik=9_900_000_010 + n, status="running", **named) for n in range(6))
    SearchRequest.objects.bulk_create(SearchRequest(text="?", status="queued") for _ in range(8))
    SearchRequest.objects.bulk_create(SearchRequest(text="?", status="running", started=at - HOUR) for _ in range(7))
    SearchRequest.objects.update(created=at - 9 * HOUR)
    # What is closed waits for nobody.
    Run.objects.create(question="?", status="done", created=at - 99 * HOUR)
    SearchRequest.objects.create(text="?", status="done")
    page = as_charlie.get(reverse("admin:health")).content.decode()
    assert rows(page, "queues")[1:] == [
        ["Questions", "2", "4", "3", "2 hours"],
        ["Ingestions", "5", "6", "6", "5 hours"],
        ["Searches", "8", "7", "7", "9 hours"],
    ]


def test_each_part_and_each_number_of_work_is_told(
    as_charlie: Client, company: Company, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = now()
    parts = {"database": Need(True), "broker": Need(False, "It cannot be reached.")}
    monkeypatch.setattr(health_admin, "readiness", lambda: parts)
    Filing.objects.update(indexed="embedded")
    for year in (2019, 2020):
        annual_report(company, year, chunks_stored=3)
    Company.objects.update(origin="")
    looks = [{"watched": at - 5 * HOUR}, {"ingested": at - 5 * HOUR}, {}, {"watched": at - 72 * HOUR}]
    ahead = {"watched": at + HOUR, "ingested": at + HOUR}  # of a clock that was set back since
    held = [{"origin": Origin.EDGAR, **look} for look in (*looks, ahead)]
    held += [{"origin": Origin.SAMPLE}, {"origin": Origin.EDGAR, "status": "running"}]
    for number, fields in enumerate(held):
        Company.objects.create(cik=9_900_000_000 + number, name="Halden", **fields)
    Company.objects.create(cik=FIRST_FICTIONAL_CIK, name="Halden", origin=Origin.SAMPLE)
    Company.objects.bulk_create(
        Company(cik=9_900_000_100 + number, name="Halden", status="failed", heartbeat=at) for number in range(23)
    )
    for hours in (1, 2, 3, 30):
        Run.objects.create(question="?", status="failed", outcome=Run.Outcome.ERROR, created=at - hours * HOUR)
    for number in range(6):
        run = answers.run_with(answers.number_answer(), alice)
        Feedback.objects.create(run=run, verdict="wrong", status="open" if number else "handled")
        if number < 2:
            GoldenCandidate.objects.create(run=run, question=run.question, outcome="answered")
    page = as_charlie.get(reverse("admin:health")).content.decode()
    assert rows(page, "parts")[1:3] == [
        ["Database", "Works", "-"],
        ["Broker", "Does not work", "It cannot be reached."],
    ]
    assert rows(page, "work") == [
        ["Filings waiting for the search index", "2"],
        ["Companies watched", "6, 2 of them checked within a day; the oldest check was 3 days ago"],
        ["Runs failed within a day", "3"],
        ["Feedback to review", "5"],
        ["Golden candidates to review", "2"],
        ["Failed ingestions", "23"],
    ]
    assert len(rows(page, "failed")) == 1 + health_admin.SHOWN
