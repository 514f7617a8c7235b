"""Newer annual reports than an answer: told to its owner on its page and in the history, and to nobody else."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from accounts.identity import Identity
from accounts.models import User
from agent.models import Run, Share
from agent.runs import newer_filings
from filings.models import Company, Filing
from tests.support import answers
from tests.support.holdings import annual_report, known, northwind

TOLD = "A 10-K from Northwind Instruments"


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


@pytest.fixture
def run(company: Company, alice: User) -> Run:
    """An answer about Northwind, a day old."""
    found = answers.run_with(answers.number_answer(), user=alice)
    return dated(found, 24)


def dated(run: Run, hours: int) -> Run:
    Run.objects.filter(pk=run.pk).update(created=now() - timedelta(hours=hours), cik=answers.CIK)
    run.refresh_from_db()
    return run


def held(company: Company, year: int = 2026, hours: float = 1, **fields: Any) -> Filing:
    """A 10-K that came so many hours ago."""
    return annual_report(company, year, **{"held_since": now() - timedelta(hours=hours), "facts_stored": 1, **fields})


def test_an_answer_says_that_a_newer_report_is_held(as_alice: Client, run: Run, company: Company) -> None:
    assert TOLD not in as_alice.get(run.get_absolute_url()).content.decode()
    held(company)
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert f"{TOLD}, for fiscal 2026, was added on" in page
    assert page.count(f'action="/runs/{run.pk}/again"') == 2


def test_staff_ingest_a_report_that_is_only_listed_from_the_answer(
    client: Client, charlie: User, as_charlie: Client, company: Company
) -> None:
    run = answers.run_with(answers.number_answer(), user=charlie, cik=answers.CIK)
    annual_report(company, 2026, facts_stored=0)
    page = as_charlie.get(run.get_absolute_url()).content.decode()
    assert "Northwind Instruments filed a newer 10-K on" in page
    assert f'<input type="hidden" name="ticker" value="{company.cik}">' in page
    charlie.is_superuser = charlie.is_staff = False
    charlie.save()
    assert "The SEC lists a newer 10-K" not in as_charlie.get(run.get_absolute_url()).content.decode()


def test_a_refusal_says_so_too(as_alice: Client, company: Company, alice: User) -> None:
    refused = dated(answers.run_with(answers.refusal_answer(), user=alice), 24)
    held(company)
    assert TOLD in as_alice.get(refused.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"hours": 25},  # it was there when the question was asked
        {"year": 2020},  # an older year that was fetched later
        {"is_primary": False},
        {"held_since": None},
    ],
)
def test_nothing_is_said_of_a_report_that_is_not_newer(
    as_alice: Client, run: Run, company: Company, fields: dict[str, Any]
) -> None:
    held(company, **fields)
    assert newer_filings.of_run(run) == []
    assert newer_filings.of_history(Identity(user=run.user)) == []


def test_a_later_year_that_is_only_listed_hides_no_report(run: Run, company: Company) -> None:
    filing = held(company)
    annual_report(company, 2027)
    assert newer_filings.of_run(run) == [filing]


def test_whoever_has_asked_again_is_not_told_again(as_alice: Client, run: Run, company: Company) -> None:
    held(company)
    assert newer_filings.of_run(run) != []
    as_alice.post(f"/runs/{run.pk}/again")
    assert run.asked_again.count() == 1
    assert newer_filings.of_run(run) == []
    assert newer_filings.of_history(Identity(user=run.user)) == []
    # What came to nothing tells nobody anything.
    run.asked_again.update(status="failed", outcome="error")
    assert len(newer_filings.of_run(run)) == len(newer_filings.of_history(Identity(user=run.user))) == 1


def test_the_history_counts_the_answers_that_are_older(
    as_alice: Client, run: Run, company: Company, alice: User, bob: User
) -> None:
    for hours in (48, 72):
        dated(answers.run_with(answers.number_answer(), user=alice), hours)
    answers.run_with(answers.number_answer(), user=alice, cik=answers.CIK)  # asked after it came
    dated(answers.run_with(answers.number_answer(), user=bob), 48)
    held(company)
    (told,) = newer_filings.of_history(Identity(user=alice))
    assert (told.company, told.answers) == (run.company, 3)
    page = as_alice.get("/history").content.decode()
    assert TOLD in page
    assert ">3 earlier answers</a>" in page


@pytest.mark.parametrize(
    ("many", "said"),
    [
        (5, ""),
        (6, "And 1 more company you asked about has one."),
        (8, "And 3 more companies you asked about have one."),
    ],
)
def test_the_history_tells_of_five_and_counts_the_others(as_alice: Client, alice: User, many: int, said: str) -> None:
    for number in range(many):
        cik = answers.CIK + 10 + number
        run = answers.run_with(answers.number_answer(), user=alice, company=f"Company {number}")
        Run.objects.filter(pk=run.pk).update(created=now() - timedelta(hours=24), cik=cik)
        held(known(f"Company {number}", f"CMP{number}", cik), hours=many - number)
    page = as_alice.get("/history").content.decode()
    assert page.count("A 10-K from Company") == 5
    assert f"A 10-K from Company {many - 1}" in page
    assert said in page
    assert ("more compan" in page) is bool(said)


def test_the_history_of_more_companies_than_an_expression_takes(alice: User) -> None:
    many = 1_100
    ciks = [answers.CIK + 10 + number for number in range(many)]
    Company.objects.bulk_create(Company(cik=cik, name=f"Company {cik}") for cik in ciks)
    Filing.objects.bulk_create(
        Filing(
            company=company,
            accession=f"{company.cik:010}-26-000001",
            form="10-K",
            filed=date(2026, 11, 1),
            period_end=date(2026, 9, 30),
            fiscal_year=2026,
            is_primary=True,
            held_since=now(),
            facts_stored=1,
        )
        for company in Company.objects.filter(cik__in=ciks)
    )
    asked = {"user": alice, "question": "revenue", "created": now() - timedelta(days=1), "status": "done"}
    Run.objects.bulk_create(Run(**asked, outcome="answered", company=f"Company {cik}", cik=cik) for cik in ciks)
    assert len(newer_filings.of_history(Identity(user=alice))) == many


def test_strangers_are_told_nothing(client: Client, as_bob: Client, run: Run, company: Company) -> None:
    held(company)
    assert newer_filings.of_history(Identity()) == []
    for stranger in (client, as_bob):
        assert TOLD not in stranger.get("/history").content.decode()
    share = Share.objects.create(run=run)
    assert TOLD not in client.get(share.get_absolute_url()).content.decode()


def test_it_costs_the_same_however_long_the_history_is(
    as_alice: Client, run: Run, company: Company, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    held(company)
    with django_assert_num_queries(3):
        newer_filings.of_history(Identity(user=alice))
    for _ in range(20):
        dated(answers.run_with(answers.number_answer(), user=alice), 48)
    with django_assert_num_queries(3):
        newer_filings.of_history(Identity(user=alice))
    with django_assert_num_queries(2):
        newer_filings.of_run(run)
