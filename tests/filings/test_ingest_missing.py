"""What the ingestion says of a company where EDGAR has less than all of it, or something that cannot be read."""

from datetime import date

import pytest

from filings.edgar import registrants
from filings.edgar.client import Edgar
from filings.ingest import queue
from filings.models import Company, Fact, RawFile
from tests.support.annual_report import prose
from tests.support.edgar import Filer, LocalEdgar, Report
from tests.support.ingestion import contents, run
from tests.support.local_server import Fault

DONE, FAILED = Company.Status.DONE, Company.Status.FAILED


def test_a_missing_document_is_the_status_of_one_filing(edgar: LocalEdgar, widgets: Filer) -> None:
    path = widgets.container_path(widgets.reports[1])
    kept = edgar.files.pop(path)
    company, outcome = run(widgets)
    filing = company.filings.get(fiscal_year=2023)
    assert outcome.status == DONE
    assert (filing.document_status, filing.facts_stored) == ("missing", 3)
    assert "EDGAR has no" in filing.problem
    assert company.filings.filter(document_status="held").count() == 2
    edgar.put(path, kept)
    company, _ = run(widgets)
    filing.refresh_from_db()
    assert (filing.document_status, filing.problem, filing.facts_stored) == ("held", "", 16)


@pytest.mark.parametrize("body", [b"%PDF-1.7 nothing", b""])
def test_an_unreadable_document_is_the_status_of_one_filing(edgar: LocalEdgar, widgets: Filer, body: bytes) -> None:
    report = widgets.reports[1]
    document = widgets.document(report).encode()
    edgar.put(widgets.container_path(report), widgets.container(report).replace(document, body))
    company, outcome = run(widgets)
    filing = company.filings.get(fiscal_year=2023)
    assert outcome.status == DONE
    assert filing.document_status == "unreadable"
    assert filing.problem
    assert filing.facts_stored == 3


def test_a_container_above_the_limit_is_the_status_of_one_filing(
    edgar: LocalEdgar, widgets: Filer, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = widgets.reports[1]
    report.prose = prose()
    edgar.put(widgets.container_path(report), widgets.container(report))
    assert len(widgets.container(report)) > 20_000 > len(widgets.container(widgets.reports[0]))
    monkeypatch.setattr("filings.edgar.client.MAX_BYTES", 20_000)
    company, outcome = run(widgets)
    assert outcome.status == DONE
    filing = company.filings.get(fiscal_year=2023)
    assert (filing.document_status, filing.facts_stored, filing.chunks_stored) == ("unreadable", 3, 0)
    assert filing.problem.endswith(".txt is larger than 20,000 bytes.")
    assert company.filings.filter(document_status="held").count() == 2
    assert not filing.documents.exists()
    assert not filing.sections.exists()


def test_a_container_without_a_report_counts_as_missing(edgar: LocalEdgar, widgets: Filer) -> None:
    report = widgets.reports[1]
    container = widgets.container(report).replace(b"<TYPE>10-K\n", b"<TYPE>EX-99.2\n")
    edgar.put(widgets.container_path(report), container)
    company, _ = run(widgets)
    filing = company.filings.get(fiscal_year=2023)
    assert (filing.document_status, filing.problem) == (
        "missing",
        "The container has no 10-K among its documents.",
    )


def test_it_works_with_facts_alone(edgar: LocalEdgar, widgets: Filer) -> None:
    del edgar.files[f"submissions/CIK{widgets.cik:010d}.json"]
    with Edgar() as source:
        registrants.store_registrants(source.company_tickers())
    company, outcome = run(widgets)
    assert outcome.status == DONE
    # Named by the ticker list: entityName of companyfacts can be a co-registrant's.
    assert company.name == "TINY WIDGETS INC."
    assert [filing.fiscal_year for filing in company.filings.all()] == [2024, 2023, 2022]


def test_it_works_with_the_filing_list_alone(edgar: LocalEdgar, widgets: Filer) -> None:
    del edgar.files[f"api/xbrl/companyfacts/CIK{widgets.cik:010d}.json"]
    company, outcome = run(widgets)
    assert outcome.status == DONE
    assert set(Fact.objects.filter(company=company).values_list("source", flat=True)) == {"document"}
    assert [filing.fiscal_year for filing in company.filings.all()] == [2024, 2023, 2022]


def test_it_says_when_edgar_has_nothing(edgar: LocalEdgar) -> None:
    company, outcome = run(Filer(cik=9_000_000_042, name="Nobody"))
    assert outcome.failed
    assert company.status == FAILED
    assert "no annual report" in company.problem


def test_it_says_when_edgar_stays_away(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.faults = [Fault("companyfacts", times=99, status=503)]
    company, outcome = run(widgets)
    assert outcome.failed
    assert (company.status, company.step) == (FAILED, "")
    assert "503" in company.problem
    assert not company.filings.exists()
    edgar.faults = []
    assert run(widgets)[1].status == DONE


def test_it_finishes_in_spite_of_faults_on_the_way(edgar: LocalEdgar, widgets: Filer) -> None:
    clean, _ = run(widgets)
    expected = contents(clean)
    Company.objects.filter(pk=clean.pk).delete()
    RawFile.objects.all().delete()
    edgar.faults = [
        Fault("submissions", status=503),
        Fault("companyfacts", status=429, headers={"Retry-After": "0"}),
        Fault("companyfacts", truncate=100),
        Fault(r"\.txt", times=2, truncate=500),
        Fault(r"\.txt", status=200, body=b"<html>slow down</html>"),
    ]
    company, outcome = run(widgets)
    assert outcome.status == DONE
    assert contents(company) == expected


def test_facts_that_cannot_be_read_fail_the_company_in_words(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.put(f"api/xbrl/companyfacts/CIK{widgets.cik:010d}.json", {"cik": widgets.cik})
    company, outcome = run(widgets)
    assert outcome.failed
    assert company.problem.startswith("Not a companyfacts file")


def test_the_facts_of_another_company_are_refused(edgar: LocalEdgar, widgets: Filer) -> None:
    facts = widgets.companyfacts() | {"cik": 42}
    edgar.put(f"api/xbrl/companyfacts/CIK{widgets.cik:010d}.json", facts)
    _, outcome = run(widgets)
    assert outcome.failed
    assert "are of CIK 42" in outcome.message


@pytest.mark.parametrize(("symbol", "status"), [("TWIDG", DONE), ("GADGX", FAILED)])
def test_a_registrant_without_annual_reports_is_read_where_it_took_anothers_place(
    edgar: LocalEdgar, widgets: Filer, symbol: str, status: str
) -> None:
    older, _ = run(widgets)
    newer = Filer(
        9_000_000_777, "Tiny Widgets Holdings Corp", (symbol,), [Report(date(2026, 6, 30), form="10-Q", days=90)]
    )
    newer.publish(edgar, documents=False)
    company, outcome = run(newer)
    older.refresh_from_db()
    assert outcome.status == status
    assert older.successor_cik == (company.cik if status == DONE else None)
    assert company.covered is (status == DONE)


def test_predecessors_that_were_never_read_are_queued_with_their_successor(widgets: Filer, db: None) -> None:
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    older = Company.objects.create(cik=9_000_000_777, name="Older Widgets", successor_cik=company.cik)
    read = Company.objects.create(cik=9_000_000_778, name="Oldest", successor_cik=company.cik, status=DONE)
    assert queue.enqueue(company)
    found = (
        Company.objects.filter(pk__in=[company.pk, older.pk, read.pk]).order_by("cik").values_list("status", flat=True)
    )
    assert list(found) == ["queued", "queued", "done"]
