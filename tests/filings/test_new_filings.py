"""Looking for new filings: once a day for each company, spread over the day, with one small request."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from diligence.celery import app
from filings.edgar.edgar_files import ListedFiling, Submissions
from filings.ingest import new_filings, queue
from filings.models import Company, Filing
from filings.models.source_kinds import ANNUAL
from tests.support.edgar import Filer, LocalEdgar, Report, filer
from tests.support.holdings import annual_report, known
from tests.support.ingestion import QuickEdgar, run
from tests.support.local_server import Fault
from tests.support.mirror import one_worker, served
from tests.support.sample import Sample

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def company(widgets: Filer, edgar: LocalEdgar) -> Company:
    """Ingested, and not looked at for two days; the sample beside it is not active."""
    found, _ = run(widgets)
    Company.objects.filter(in_sample=True).update(active=False)
    edgar.requests.clear()
    return long_ago(found)


def long_ago(company: Company) -> Company:
    Company.objects.filter(pk=company.pk).update(ingested=now() - timedelta(days=2), watched=None)
    company.refresh_from_db()
    return company


def file_anew(made: Filer, edgar: LocalEdgar, year: int = 2025, **fields: object) -> Report:
    """A report more, published."""
    report = Report(date(year, 12, 31), **fields)
    made.reports.append(report)
    made.publish(edgar)
    return report


def status(company: Company) -> str:
    company.refresh_from_db()
    return company.status


# --- when ---


def test_a_company_has_a_moment_of_the_day_of_its_own_and_always_the_same() -> None:
    assert new_filings.offset(320193) == new_filings.offset(320193)
    assert new_filings.last_moment(320193, NOON) <= NOON < new_filings.last_moment(320193, NOON) + timedelta(days=1)
    moment = new_filings.last_moment(320193, NOON)
    assert new_filings.last_moment(320193, moment - timedelta(seconds=1)) == moment - timedelta(days=1)


def test_the_moments_of_many_companies_are_spread_over_the_day() -> None:
    hours = [new_filings.offset(cik).seconds // 3600 for cik in range(1_000_000, 1_002_400)]
    assert {hour: hours.count(hour) for hour in range(24)}.keys() == set(range(24))
    assert max(hours.count(hour) for hour in range(24)) < 150
    assert min(hours.count(hour) for hour in range(24)) > 60


def test_each_company_is_due_once_a_day(company: Company) -> None:
    moment = new_filings.last_moment(company.cik, now())
    for looked, is_due in ((moment - timedelta(minutes=1), True), (moment, False), (now(), False)):
        Company.objects.filter(pk=company.pk).update(watched=looked)
        assert (company in new_filings.due(now())) is is_due
    assert company in new_filings.due(moment + timedelta(days=1))


def test_a_look_that_is_still_to_come_is_none(company: Company) -> None:
    ahead, moment = now() + timedelta(days=400), new_filings.last_moment(company.cik, now())
    before = moment - timedelta(days=2)
    for looks, is_due in (
        ({"watched": ahead, "ingested": before}, True),
        ({"watched": None, "ingested": ahead}, True),
        ({"watched": now() + timedelta(seconds=1), "ingested": before}, False),
        ({"watched": moment, "ingested": ahead}, False),
    ):
        Company.objects.filter(pk=company.pk).update(**looks)
        assert (company in new_filings.due(now())) is is_due


def test_only_the_active_companies_read_from_edgar_are_watched(company: Company) -> None:
    known("Known By Name", "KBN", 9_000_000_777)
    for fields in ({"active": False}, {"origin": ""}, {"foreign": True}, {"status": "running"}):
        before = {name: getattr(company, name) for name in fields}
        Company.objects.filter(pk=company.pk).update(**fields)
        assert new_filings.due(now()) == []
        Company.objects.filter(pk=company.pk).update(**before)
    assert new_filings.due(now()) == [company]


def test_the_companies_of_the_sample_are_watched_but_for_the_fictional_ones(sample: Sample) -> None:
    shipped = Company.objects.filter(in_sample=True, active=True, facts_stored__gt=0)
    assert {one.fictional for one in shipped} == {True, False}
    assert set(Company.objects.watched()) == {one for one in shipped if not one.fictional}


def test_of_a_company_of_the_sample_only_what_is_newer_is_fetched(
    company: Company, widgets: Filer, edgar: LocalEdgar
) -> None:
    as_shipped(company)
    file_anew(widgets, edgar, 2012)
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=0)
    long_ago(company)
    new = file_anew(widgets, edgar)
    edgar.requests.clear()
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=1)
    queue.work(company.pk, QuickEdgar())
    held = {filing.period_end.year: filing for filing in company.filings.all() if filing.period_end}
    assert {year: filing.origin for year, filing in held.items()} == {
        2012: "", 2022: "sample", 2023: "sample", 2024: "edgar", 2025: "edgar",
    }  # fmt: skip
    assert held[2025].held_since is not None
    assert edgar.asked(widgets.accession(new).replace("-", ""))
    assert not edgar.asked(held[2023].accession.replace("-", ""))
    long_ago(company)
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=0)


def as_shipped(company: Company) -> None:
    Company.objects.filter(pk=company.pk).update(origin="sample", years_from=None)
    company.filings.update(origin="sample", document_status="pending")


def test_after_an_outage_a_round_asks_about_some_and_not_about_all(db: None) -> None:
    Company.objects.update(origin="")
    Company.objects.bulk_create(
        Company(
            cik=9_100_000_000 + number, name=f"Company {number}", origin="edgar", ingested=NOON - timedelta(days=9)
        )
        for number in range(2000)
    )
    assert len(new_filings.due(NOON)) == 42  # three times a round's share of a day
    assert len({company.pk for company in new_filings.due(NOON)}) == 42


# --- what is asked ---


def test_a_look_is_one_request_and_an_unchanged_list_is_not_sent_again(company: Company, edgar: LocalEdgar) -> None:
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=0)
    assert edgar.requests == [(f"submissions/CIK{company.cik:010d}.json", 304)]
    assert status(company) == "done"
    assert new_filings.look_at_due() == new_filings.Looked()
    assert len(edgar.requests) == 1


def test_pages_of_older_filings_are_left_alone(company: Company, widgets: Filer, edgar: LocalEdgar) -> None:
    path = f"submissions/CIK{company.cik:010d}.json"
    record = json.loads(edgar.files[path])
    record["filings"]["files"] = [{"name": "CIK9000000001-submissions-001.json", "filingTo": "2021-12-31"}]
    edgar.put(path, record)
    new_filings.look_at_due()
    assert edgar.requests == [(path, 200)]


def test_a_new_report_is_queued_once_and_then_held(
    company: Company,
    widgets: Filer,
    edgar: LocalEdgar,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    file_anew(widgets, edgar)
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=1)
    assert status(company) == "queued"
    assert (company.years_from, company.years_to) == (2015, None)
    assert new_filings.look_at_due() == new_filings.Looked()
    before = now()
    queue.work(company.pk, QuickEdgar())
    held = company.filings.get(fiscal_year=2025)
    assert held.held_since is not None
    assert held.held_since > before
    assert company.filings.get(fiscal_year=2024).held_since < before
    long_ago(company)
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=0)


def test_a_filing_says_when_it_was_read_first_and_not_when_it_was_read_again(widgets: Filer) -> None:
    company, _ = run(widgets)
    first = dict(company.filings.values_list("pk", "held_since"))
    Filing.objects.update(reader=0)
    run(widgets)
    assert dict(company.filings.values_list("pk", "held_since")) == first


def test_years_that_nobody_asked_for_are_not_fetched(company: Company, widgets: Filer, edgar: LocalEdgar) -> None:
    Company.objects.update(years_to=2024)
    file_anew(widgets, edgar)
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=0)


def test_a_company_keeps_the_years_that_it_was_ingested_for(
    company: Company, widgets: Filer, edgar: LocalEdgar
) -> None:
    Company.objects.update(years_to=2024)
    file_anew(widgets, edgar, 2024, form="10-K/A", serial=2)
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=1)
    assert status(company) == "queued"
    assert (company.years_from, company.years_to) == (2015, 2024)
    queue.work(company.pk, QuickEdgar())
    long_ago(company)
    file_anew(widgets, edgar, 2025)
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=0)


def test_a_report_whose_document_was_not_there_yet_is_asked_for_again(company: Company) -> None:
    accession = "9000000001-26-000009"
    filing = annual_report(company, 2025, accession=accession, document_status="missing")
    for days, expected in ((13, [accession]), (15, [])):
        listed = ListedFiling(accession, "10-K", now().date() - timedelta(days=days), filing.period_end, "a.htm")
        assert [one.accession for one in new_filings.missing(company, submissions(company, listed))] == expected
    fresh = ListedFiling(accession, "10-K", now().date(), filing.period_end, "a.htm")
    Filing.objects.filter(pk=filing.pk).update(document_status="held")
    assert new_filings.missing(company, submissions(company, fresh)) == []


def submissions(company: Company, *filings: ListedFiling) -> Submissions:
    return Submissions(company.cik, company.name, (), (), "", "", "", "", filings)


# --- what goes wrong ---


def test_two_workers_ask_once(company: Company, edgar: LocalEdgar) -> None:
    (seen,) = new_filings.due(now())
    with QuickEdgar() as source:
        assert new_filings.look(seen, source) is False
        assert new_filings.look(seen, source) is None
    assert len(edgar.requests) == 1


def test_where_edgar_is_busy_the_others_wait_and_nobody_is_forgotten(company: Company, edgar: LocalEdgar) -> None:
    other, _ = run_another(edgar)
    edgar.requests.clear()
    edgar.faults.append(Fault("submissions/", times=2, status=503))
    assert new_filings.look_at_due(QuickEdgar()) == new_filings.Looked()
    assert len(edgar.requests) == 2
    assert {one.pk for one in new_filings.due(now())} == {company.pk, other.pk}
    assert new_filings.look_at_due(QuickEdgar()) == new_filings.Looked(asked=2, queued=0)


def run_another(edgar: LocalEdgar) -> tuple[Company, object]:
    second = filer(2024, cik=9_000_000_002, name="Other Widgets Inc.", symbols=("OTHR",))
    second.publish(edgar)
    company, outcome = run(second)
    return long_ago(company), outcome


def test_a_list_that_cannot_be_read_does_not_stop_the_others(company: Company, edgar: LocalEdgar) -> None:
    run_another(edgar)
    path = f"submissions/CIK{company.cik:010d}.json"
    edgar.put(path, b"no JSON")
    assert new_filings.look_at_due(QuickEdgar()).asked == 2
    assert new_filings.due(now()) == []


def test_where_there_is_no_network_the_sample_is_looked_at_later_and_its_pages_work_on(
    client: Client, company: Company, edgar: LocalEdgar, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    as_shipped(company)
    settings.EDGAR_DATA_URL = "http://127.0.0.1:9"
    assert new_filings.look_at_due(QuickEdgar()) == new_filings.Looked()
    assert new_filings.due(now()) == [company]
    assert status(company) == "done"
    assert "goes on later" in caplog.text
    assert not [one for one in caplog.records if one.levelname in {"ERROR", "CRITICAL"}]
    assert client.get(company.get_absolute_url()).status_code == 200


def test_without_an_identity_nobody_is_asked(company: Company, edgar: LocalEdgar, settings: Settings) -> None:
    settings.EDGAR_IDENTITY = ""
    for origin in ("edgar", "sample"):
        Company.objects.filter(pk=company.pk).update(origin=origin)
        assert new_filings.look_at_due() == new_filings.Looked()
        assert edgar.requests == []
        assert new_filings.due(now()) == [company]


def test_the_schedule_looks_often_enough() -> None:
    entry = app.conf.beat_schedule["filings.tasks.watch"]
    assert new_filings.ROUNDS * entry["schedule"] == 24 * 3600
    from filings.tasks import watch as task

    assert task.name == entry["task"]


# --- real lists of filings ---


@one_worker
@pytest.mark.django_db
def test_on_a_real_list_every_annual_report_is_held_or_missing(settings: Settings, tmp_path) -> None:
    settings.DATA_DIR = tmp_path
    with served() as server:
        company = Company.objects.get(cik=320193)
        Company.objects.filter(pk=company.pk).update(
            origin="edgar", status="done", years_from=2015, years_to=None, ingested=None, watched=None
        )
        with QuickEdgar() as source:
            listed = source.submissions(company.cik, filed_since=new_filings.NO_OLDER_PAGES)
        assert listed is not None
        newest, *older = listed.of_kind(ANNUAL)
        for filing in older:
            Filing.objects.get_or_create(
                company=company, accession=filing.accession, defaults={"form": filing.form, "filed": filing.filed}
            )
        Filing.objects.filter(company=company, accession=newest.accession).delete()
        company.refresh_from_db()
        found = new_filings.missing(company, listed)
        assert [one.accession for one in found] == [newest.accession]
        asked = len(server.requests)
        Company.objects.exclude(pk=company.pk).update(origin="")
        assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=1)
        assert len(server.requests) == asked + 1
