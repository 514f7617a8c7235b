"""What is new of a watchlist: filings of its companies, and answers that they overtake or restate."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.models import User
from agent import tasks
from agent.models import Run, Watchlist
from agent.runs import used_facts
from agent.runs.watchlist_news import News, news
from filings.models import Company, Fact, Filing
from tests.support import answers
from tests.support.holdings import known, northwind


@pytest.fixture
def company(db: None) -> Company:
    """Northwind, whose 10-K of fiscal 2025 was filed three days ago and loaded an hour ago."""
    found = northwind()
    arrived(found)
    return found


@pytest.fixture
def watchlist(alice: User, company: Company) -> Watchlist:
    made = Watchlist.objects.make(Identity(user=alice), "Gauges")
    made.add([company.cik])
    return made


def arrived(company: Company, days: int = 3, hours: float = 1) -> Filing:
    filed = now().date() - timedelta(days=days)
    latest = company.filings.get(fiscal_year=2025)
    Filing.objects.filter(pk=latest.pk).update(filed=filed, held_since=now() - timedelta(hours=hours))
    latest.facts.update(filed=filed)
    Company.objects.filter(pk=company.pk).update(ingested=now() - timedelta(minutes=1))
    return latest


def asked(user: User, company: Company, year: int = 2024, hours: float = 24) -> Run:
    """An answer with the revenue of a year from that year's own 10-K, some hours old."""
    fact = Fact.objects.get(filing__company=company, filing__fiscal_year=year, end__year=year)
    ref = answers.fact_ref(
        fact.tag,
        fact.raw,
        fact=fact.pk,
        cik=company.cik,
        accession=fact.filing.accession,
        filed=fact.filed,
        start=fact.start,
        end=fact.end,
    )
    answer, created = answers.number_answer(answers.cell(ref)), now() - timedelta(hours=hours)
    run = answers.run_with(answer, user, cik=company.cik, question="Revenue?", created=created)
    used_facts.remember([(run, answer)])
    tasks.compare_answers()
    return run


def kinds(found: list[News]) -> list[str]:
    return sorted(one.key.partition(":")[0] for one in found)


def test_a_new_filing_is_told_with_its_form_year_and_day(watchlist: Watchlist) -> None:
    (one,) = news(watchlist)
    assert one.title == "Northwind Instruments: 10-K for fiscal 2025"
    assert one.text == f"Filed {now().date() - timedelta(days=3):%-d %B %Y}."
    assert one.path.startswith("/filings/")
    assert one.path.endswith(f"?cik={watchlist.ciks[0]}")


def test_a_quarterly_report_is_told_too(watchlist: Watchlist, company: Company) -> None:
    filing = arrived(company)
    Filing.objects.filter(pk=filing.pk).update(form="10-Q", source="10-Q", fiscal_quarter=2, is_primary=False)
    assert [one.title for one in news(watchlist)] == ["Northwind Instruments: 10-Q for Q2 of fiscal 2025"]


@pytest.mark.parametrize("change", [{"held_since": None}, {"facts_stored": 0}, {"is_transition": True}])
def test_what_is_not_loaded_is_no_news(watchlist: Watchlist, change: dict[str, object]) -> None:
    Filing.objects.filter(fiscal_year=2025, company__cik__in=watchlist.ciks).update(**change)
    assert news(watchlist) == []


def test_an_old_report_that_is_loaded_today_is_no_news(watchlist: Watchlist, company: Company) -> None:
    arrived(company, days=121)
    assert news(watchlist) == []


def test_companies_of_other_lists_are_no_news(watchlist: Watchlist, alice: User) -> None:
    other = Watchlist.objects.make(Identity(user=alice), "Others")
    other.add([known("Elsewhere", "ELSW", 9_999_988_877).cik])
    assert news(other) == []


def test_an_answer_that_is_older_is_told_as_overtaken_until_it_is_asked_again(
    watchlist: Watchlist, alice: User, company: Company
) -> None:
    run = asked(alice, company, year=2023)
    found = news(watchlist)
    assert kinds(found) == ["filing", "overtaken"]
    (one,) = (one for one in found if one.key.startswith("overtaken"))
    assert one.title == "1 of your answers about Northwind Instruments is older than its 10-K for fiscal 2025"
    answers.run_with(answers.number_answer(), alice, cik=company.cik, again_of=run)
    assert kinds(news(watchlist)) == ["filing"]


def test_a_figure_that_the_filing_gives_otherwise_is_told_as_restated(
    watchlist: Watchlist, alice: User, company: Company
) -> None:
    run = asked(alice, company)
    (one,) = (one for one in news(watchlist) if one.key.startswith("restated"))
    assert (one.title, one.path) == ("Restated: Revenue?", run.get_absolute_url())
    assert "In the 10-K for fiscal 2025 of Northwind Instruments, filed" in one.text
    assert "$86.214 million, restated to $85.702 million" in one.text


def test_a_figure_that_stands_is_not_told(watchlist: Watchlist, alice: User, company: Company) -> None:
    Fact.objects.filter(filing__fiscal_year=2025, end__year=2024, company=company).update(value=86214000)
    asked(alice, company)
    assert kinds(news(watchlist)) == ["filing", "overtaken"]


def test_an_answer_given_after_the_filing_came_is_not_told(
    watchlist: Watchlist, alice: User, company: Company
) -> None:
    asked(alice, company, hours=0.5)
    assert kinds(news(watchlist)) == ["filing"]


def test_nobody_is_told_of_the_answers_of_another(watchlist: Watchlist, bob: User, company: Company) -> None:
    asked(bob, company)
    assert kinds(news(watchlist)) == ["filing"]


def test_the_newest_comes_first(watchlist: Watchlist, company: Company) -> None:
    earlier = company.filings.get(fiscal_year=2024)
    Filing.objects.filter(pk=earlier.pk).update(
        filed=now().date() - timedelta(days=9), held_since=now() - timedelta(days=8)
    )
    assert [one.title[-4:] for one in news(watchlist)] == ["2025", "2024"]
