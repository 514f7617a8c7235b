"""An answer about two companies is found, listed and told of under both."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.models import User
from agent.models import Run, RunCompany
from agent.runs import lifecycle, newer_filings
from agent.state import Answer, CompanyRef
from filings.models import Filing
from tests.support import answers
from tests.support.holdings import annual_report, known, northwind

FIRST = answers.COMPANY.name
SECOND = CompanyRef(cik=9_999_988_802, name="Southwind Controls, Inc.", short="Southwind", symbol="SWC", covered=True)


def of_two() -> Answer:
    """A figure of the first company, and a part about the second."""
    answer = answers.number_answer(question="Northwind and Southwind R&D, FY2024")
    target = answer.plan.targets[0].model_copy(update={"id": 2, "company": SECOND})
    plan = answer.plan.model_copy(update={"targets": (*answer.plan.targets, target)})
    return answer.model_copy(update={"plan": plan})


@pytest.fixture
def both(alice: User) -> Run:
    return answers.run_with(of_two(), alice)


@pytest.fixture
def alone(alice: User) -> Run:
    return answers.run_with(answers.number_answer(), alice)


def questions(client: Client, **query: str) -> list[str]:
    return [run.question for run in client.get("/history", query).context["page"]]


def held(cik: int, name: str) -> Filing:
    """A 10-K that came an hour ago."""
    company = northwind() if cik == answers.CIK else known(name, name[:3].upper(), cik)
    return annual_report(company, 2026, held_since=now() - timedelta(hours=1), facts_stored=1)


# --- what is kept ---


def test_both_are_kept_when_the_run_is_closed_and_one_alone_stands_on_the_run(alice: User) -> None:
    for answer, kept in ((of_two(), [FIRST, SECOND.name]), (answers.number_answer(), []), (answers.meta_answer(), [])):
        run = answers.open_run(alice)
        assert lifecycle.finish(run.pk, run.attempt, {"tokens": 1, "cost": 0, "answered": True}, answer, status="done")
        run.refresh_from_db()
        assert list(run.companies.order_by("pk").values_list("name", flat=True)) == kept
        assert (run.company, run.cik) == ((FIRST, answers.CIK) if answer.plan.targets else ("", None))


def test_a_company_of_two_targets_is_one(alice: User) -> None:
    answer = of_two()
    target = answer.plan.targets[0].model_copy(update={"id": 2})
    plan = answer.plan.model_copy(update={"targets": (*answer.plan.targets[:1], target)})
    assert lifecycle.companies(answer.model_copy(update={"plan": plan})) == [answers.COMPANY]


def test_they_go_with_the_run_and_with_the_account(as_alice: Client, alice: User, both: Run) -> None:
    answers.run_with(of_two(), alice)
    as_alice.post("/history/selected", {"run": [str(both.pk)], "action": "delete"})
    assert RunCompany.objects.count() == 2
    alice.delete()
    assert not RunCompany.objects.exists()


def test_runs_of_before_have_theirs_written_by_the_migration(both: Run, alone: Run, alice: User) -> None:
    for form in ({"of": "a former release"}, ["a list"], {"plan": {"targets": [3]}, "blocks": [None]}):
        Run.objects.filter(pk=answers.run_with(answers.number_answer(), alice).pk).update(answer=form)
    before = set(RunCompany.objects.values_list("run", "cik", "name"))
    RunCompany.objects.all().delete()
    migration = import_module("agent.migrations.0008_companies")
    for _ in range(2):
        migration.remember(apps, None)
    assert set(RunCompany.objects.values_list("run", "cik", "name")) == before
    assert len(before) == 2


# --- history ---


def test_it_is_found_by_either_and_offered_by_both(as_alice: Client, as_bob: Client, both: Run, alone: Run) -> None:
    assert questions(as_alice, company=SECOND.name) == [both.question]
    assert questions(as_alice, company=FIRST) == [alone.question, both.question]
    page = as_alice.get("/history").content.decode()
    assert f'value="{FIRST}">Northwind Instruments</option><option value="{SECOND.name}">Southwind Controls<' in page
    assert SECOND.name not in as_bob.get("/history").content.decode()


def test_it_stands_under_both_and_is_counted_once(as_alice: Client, both: Run, alone: Run) -> None:
    response = as_alice.get("/history", {"group": "company", "kind": "A"})
    groups = [(name, count, [run.pk for run in listed]) for name, _, count, listed in response.context["groups"]]
    assert groups == [(FIRST, 2, [alone.pk, both.pk]), (SECOND.name, 1, [both.pk])]
    page = response.content.decode()
    assert "2 of 2 answers match" in page
    ids = [part.partition('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_of_one_company_it_stands_under_that_one_alone(as_alice: Client, both: Run) -> None:
    groups = as_alice.get("/history", {"group": "company", "company": SECOND.name}).context["groups"]
    assert [(name, count) for name, _, count, _ in groups] == [(SECOND.name, 1)]


def test_a_star_under_the_second_company_is_swapped_for_one_of_the_same_place(as_alice: Client, both: Run) -> None:
    place = f"star-{both.pk}-1"
    assert f'id="{place}"' in as_alice.get("/history", {"group": "company"}).content.decode()
    headers = {"HX-Request": "true", "HX-Trigger": place}
    assert (
        f'id="{place}"' in as_alice.post(f"/runs/{both.pk}/star", {"starred": "1"}, headers=headers).content.decode()
    )


@pytest.mark.parametrize("query", [{"group": "company"}, {"company": SECOND.name}])
def test_a_page_costs_the_same_with_one_and_with_twenty(as_alice: Client, alice: User, query: dict[str, str]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as held:
            as_alice.get("/history", query)
        return len(held)

    answers.run_with(of_two(), alice)
    few = queries()
    for _ in range(19):
        answers.run_with(of_two(), alice)
    assert queries() == few


def test_the_api_finds_it_by_either(as_alice: Client, both: Run, alone: Run) -> None:
    found = as_alice.get("/api/v1/runs", {"company": SECOND.name}).json()
    assert [one["id"] for one in found["items"]] == [str(both.pk)]


# --- newer reports ---


@pytest.fixture
def yesterday(both: Run) -> Run:
    Run.objects.filter(pk=both.pk).update(created=now() - timedelta(days=1))
    both.refresh_from_db()
    return both


def test_a_newer_report_of_the_second_company_is_told(as_alice: Client, yesterday: Run) -> None:
    filing = held(SECOND.cik, SECOND.name)
    assert newer_filings.of_run(yesterday) == [filing]
    (told,) = newer_filings.of_history(Identity(user=yesterday.user))
    assert (told.filing, told.company, told.answers) == (filing, SECOND.name, 1)
    for address in (yesterday.get_absolute_url(), "/history"):
        assert "A 10-K from Southwind Controls" in as_alice.get(address).content.decode()


def test_newer_reports_of_both_are_told_until_it_is_asked_again(as_alice: Client, yesterday: Run) -> None:
    both = {held(answers.CIK, FIRST), held(SECOND.cik, SECOND.name)}
    assert set(newer_filings.of_run(yesterday)) == both
    assert {one.filing for one in newer_filings.of_history(Identity(user=yesterday.user))} == both
    page = as_alice.get(yesterday.get_absolute_url()).content.decode()
    assert page.count("A 10-K from") == 2
    assert page.count("This answer predates it.") == 1
    as_alice.post(f"/runs/{yesterday.pk}/again")
    assert newer_filings.of_run(yesterday) == []
    assert newer_filings.of_history(Identity(user=yesterday.user)) == []
