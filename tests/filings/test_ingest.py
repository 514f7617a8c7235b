"""The ingestion of one company: what is stored, what is said where something is missing, and that again is the same."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from filings import companies, queue
from filings.edgar import Edgar
from filings.ingest import Outcome, ingest
from filings.models import (
    STALE_AFTER,
    Company,
    Document,
    Fact,
    ForeignRegistrant,
    Origin,
    RawFile,
    Statement,
    Ticker,
)
from tests.support.edgar import Fault, Filer, LocalEdgar, Report, filer

DONE, FAILED, CANCELLED = Company.Status.DONE, Company.Status.FAILED, Company.Status.CANCELLED


class QuickEdgar(Edgar):
    """Retries without waiting for long."""

    first_wait = 0.01


def run(made: Filer, years: tuple[int | None, int | None] = (2015, None), **options: Any) -> tuple[Company, Outcome]:
    """Ingest a published filer."""
    company, _ = Company.objects.get_or_create(cik=made.cik, defaults={"name": made.name})
    Company.objects.enqueue(company.pk, years)
    outcome = queue.work(company.pk, QuickEdgar(), **options)
    assert outcome is not None
    company.refresh_from_db()
    return company, outcome


def rows(company: Company) -> dict[str, Any]:
    """Everything stored of a company, keys included."""
    told = {
        "company": {k: v for k, v in model_to_dict(company).items() if k not in ("attempt", "attempts_before", "heartbeat", "ingested")},
        "tickers": list(company.tickers.order_by("pk").values()),
        "anomalies": list(company.anomalies.order_by("pk").values()),
        "filings": list(company.filings.order_by("pk").values()),
    }  # fmt: skip
    for model in (Document, Statement, Fact):
        told[model.__name__] = list(model.objects.filter(filing__company=company).order_by("pk").values())
    return told


def contents(company: Company) -> set[str]:
    """What is stored of a company without keys: equal for two databases that say the same."""
    facts = Fact.objects.filter(company=company).values_list(
        "filing__accession", "source", "taxonomy", "tag", "unit", "start", "end", "raw", "statement", "order", "label",
        "printed", "document__filename",
    )  # fmt: skip
    statements = Statement.objects.filter(filing__company=company).values_list(
        "filing__accession", "kind", "basis", "title", "lines"
    )
    filings = company.filings.values_list(
        "accession", "form", "filed", "period_end", "fiscal_year", "is_primary", "document_status", "facts_stored"
    )
    everything = [str(row) for found in (facts, statements, filings) for row in found]
    assert len(everything) == len(set(everything))
    return set(everything)


def test_it_stores_the_company_as_its_submissions_describe_it(widgets: Filer) -> None:
    company, outcome = run(widgets)
    assert outcome.status == company.status == DONE
    assert (company.name, company.sic, company.state_of_incorporation) == ("Tiny Widgets Inc.", "3999", "DE")
    assert company.former_names == ["Small Widgets Inc."]
    assert company.fiscal_year_end == "1231"
    assert company.symbols == ["TWIDG"]
    assert company.origin == Origin.EDGAR
    assert company.filings_found == company.filings_done == 3
    assert company.facts_stored == Fact.objects.filter(company=company).count() == 3 * (3 + 12)
    assert company in Company.objects.covered()


def test_it_keeps_every_ticker_of_a_company_with_share_classes(edgar: LocalEdgar) -> None:
    made = filer(2024, symbols=("TWIDG.A", "TWIDG.B"))
    made.publish(edgar)
    company, _ = run(made)
    assert company.symbols == ["TWIDG.A", "TWIDG.B"]
    assert list(company.tickers.values_list("exchange", flat=True)) == ["NYSE", "NYSE"]


def test_it_dates_and_labels_each_filing(widgets: Filer) -> None:
    company, _ = run(widgets)
    assert list(company.filings.values_list("fiscal_year", "period_end", "is_primary", "is_transition")) == [
        (year, date(year, 12, 31), True, False) for year in (2024, 2023, 2022)
    ]


def test_it_stores_the_companyfacts_of_each_filing_with_their_place_on_the_face(widgets: Filer) -> None:
    company, _ = run(widgets)
    fact = Fact.objects.get(company=company, tag="Revenues", source=Fact.Source.COMPANYFACTS, filing__fiscal_year=2024)
    assert (fact.raw, fact.value, fact.unit, fact.form) == ("927000000", Decimal(927_000_000), "USD", "10-K")
    assert (fact.start, fact.end) == (date(2024, 1, 2), date(2024, 12, 31))
    assert (fact.statement, fact.order, fact.label) == ("income", 1, "Net sales")
    assert fact.document is None
    assert fact.dimensions == ""


def test_it_stores_the_figures_printed_in_the_document_the_companys_own_tags_too(widgets: Filer) -> None:
    company, _ = run(widgets)
    fact = Fact.objects.get(company=company, taxonomy="twi", filing__fiscal_year=2023)
    assert (fact.tag, fact.source, fact.printed, fact.decimals) == ("WidgetTuningExpense", "document", "12", -6)
    assert (fact.statement, fact.label, fact.anchor) == ("income", "Widget tuning", "f-WidgetTuningExpense")
    assert fact.document is not None
    assert (fact.document.type, fact.document.sequence) == ("10-K", 2)


def test_it_chooses_the_document_by_type_and_not_by_the_name_in_the_list(widgets: Filer) -> None:
    company, _ = run(widgets)
    filing = company.filings.get(fiscal_year=2024)
    assert filing.primary_document == "twi-20241231.htm"
    assert [(document.filename, document.type) for document in filing.documents.all()] == [
        ("exhibit.htm", "EX-99.1"),
        ("twi-20241231.htm", "10-K"),
    ]
    assert all(len(document.sha256) == 64 and document.size for document in filing.documents.all())
    assert filing.cover["AuditorName"] == "Sharp and Pencil LLP"
    assert sorted(filing.statements.values_list("kind", "basis")) == [("balance", "inline"), ("income", "inline")]


def test_a_second_run_changes_nothing_and_fetches_no_document(edgar: LocalEdgar, widgets: Filer) -> None:
    company, _ = run(widgets)
    before, asked = rows(company), len(edgar.asked(r"\.txt"))
    with CaptureQueriesContext(connection) as queries:
        company, outcome = run(widgets)
    assert outcome.status == DONE
    for name, found in rows(company).items():
        assert found == before[name]
    assert len(edgar.asked(r"\.txt")) == asked == 3
    written = [query["sql"] for query in queries if query["sql"].startswith(("INSERT", "DELETE", "UPDATE"))]
    assert {sql.split('"')[1] for sql in written} == {"filings_company", "filings_rawfile"}


def test_a_new_filing_is_added_and_the_old_ones_stay(edgar: LocalEdgar, widgets: Filer) -> None:
    company, _ = run(widgets)
    before = contents(company)
    widgets.reports.append(Report(date(2025, 12, 31), revenue=950_000_000))
    widgets.publish(edgar)
    company, _ = run(widgets)
    assert company.filings.count() == 4
    assert before < contents(company)


def test_a_corrected_value_replaces_the_old_one(edgar: LocalEdgar, widgets: Filer) -> None:
    company, _ = run(widgets)
    pk = Fact.objects.get(company=company, tag="Assets", source="companyfacts", filing__fiscal_year=2024).pk
    facts = widgets.companyfacts()
    facts["facts"]["us-gaap"]["Assets"]["units"]["USD"][2]["val"] = 500_000_001
    del facts["facts"]["us-gaap"]["Revenues"]["units"]["USD"][2]
    edgar.put(f"api/xbrl/companyfacts/CIK{widgets.cik:010d}.json", facts)
    company, _ = run(widgets)
    assert Fact.objects.get(pk=pk).raw == "500000001"
    assert not Fact.objects.filter(company=company, tag="Revenues", source="companyfacts", filing__fiscal_year=2024)


def test_it_loads_only_the_years_asked_for_and_lists_the_others(edgar: LocalEdgar, widgets: Filer) -> None:
    company, _ = run(widgets, (2023, 2023))
    assert company.filings_found == 1
    assert list(company.filings.values_list("fiscal_year", "document_status")) == [
        (2024, "pending"),
        (2023, "held"),
        (2022, "pending"),
    ]
    assert set(Fact.objects.filter(company=company).values_list("filing__fiscal_year", flat=True)) == {2023}
    company, _ = run(widgets, (2024, None))
    assert set(Fact.objects.filter(company=company).values_list("filing__fiscal_year", flat=True)) == {2023, 2024}


def test_it_says_when_no_filing_is_of_the_years_asked_for(widgets: Filer) -> None:
    company, outcome = run(widgets, (2030, None))
    assert outcome.failed
    assert "None of its 3 annual reports" in company.problem


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
    assert (filing.document_status, filing.problem, filing.facts_stored) == ("held", "", 15)


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


def test_a_container_without_a_report_counts_as_missing(edgar: LocalEdgar, widgets: Filer) -> None:
    report = widgets.reports[1]
    container = widgets.container(report).replace(b"<TYPE>10-K\n", b"<TYPE>EX-99.2\n")
    edgar.put(widgets.container_path(report), container)
    company, _ = run(widgets)
    filing = company.filings.get(fiscal_year=2023)
    assert (filing.document_status, filing.problem) == (
        "missing",
        "The container has no annual report among its documents.",
    )


def test_it_takes_statements_from_the_annual_report_in_exhibit_13(edgar: LocalEdgar, widgets: Filer) -> None:
    report = widgets.reports[2]
    wrapper = "<html><body><p>See Exhibit 13.</p></body></html>"
    container = (
        widgets.container(report)
        .replace(b"<TYPE>10-K\n", b"<TYPE>EX-13\n")
        .replace(b"<TYPE>EX-99.1\n", b"<TYPE>10-K\n")
        .replace(b"<html><body><p>An exhibit.</p></body></html>", wrapper.encode())
    )
    edgar.put(widgets.container_path(report), container)
    company, _ = run(widgets)
    filing = company.filings.get(fiscal_year=2024)
    assert filing.document_status == "held"
    assert filing.primary_document == "exhibit.htm"
    fact = filing.facts.get(tag="Revenues", source="document")
    assert fact.document is not None
    assert fact.document.type == "EX-13"


def test_it_works_with_facts_alone(edgar: LocalEdgar, widgets: Filer) -> None:
    del edgar.files[f"submissions/CIK{widgets.cik:010d}.json"]
    with Edgar() as source:
        companies.store_registrants(source.company_tickers())
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


@pytest.mark.parametrize("told_by", ["list", "facts", "table"])
def test_a_foreign_filer_is_known_and_not_covered(edgar: LocalEdgar, told_by: str) -> None:
    made = filer(2023, 2024, name="Fjord Widgets ASA")
    made.publish(edgar, documents=False)
    lists, facts = f"submissions/CIK{made.cik:010d}.json", f"api/xbrl/companyfacts/CIK{made.cik:010d}.json"
    if told_by == "list":
        for report in made.reports:
            report.form = "20-F"
        edgar.put(lists, made.submissions())
        edgar.put(facts, {"cik": made.cik, "entityName": "", "facts": {}})
    elif told_by == "facts":
        del edgar.files[lists]
        edgar.put(facts, {"cik": made.cik, "entityName": "", "facts": {"ifrs-full": {"Revenue": {"units": {}}}}})
    else:
        del edgar.files[lists]
        del edgar.files[facts]
        ForeignRegistrant.objects.create(cik=made.cik, name=made.name, form="20-F")
    company, outcome = run(made)
    assert outcome.status == DONE
    assert "known, not covered" in outcome.message
    assert company.foreign
    assert not company.covered
    assert not Fact.objects.filter(company=company).exists()
    assert not company.filings.exists()


def test_a_company_that_files_10k_is_covered_whatever_the_table_says(edgar: LocalEdgar, widgets: Filer) -> None:
    ForeignRegistrant.objects.create(cik=widgets.cik, name=widgets.name)
    Company.objects.create(cik=widgets.cik, name=widgets.name, foreign=True)
    company, _ = run(widgets)
    assert not company.foreign
    assert company.covered


def test_an_amendment_never_takes_the_place_of_the_report(edgar: LocalEdgar, widgets: Filer) -> None:
    widgets.reports.append(Report(date(2024, 12, 31), revenue=1, form="10-K/A", serial=9))
    widgets.publish(edgar)
    company, _ = run(widgets)
    of_year = company.filings.filter(fiscal_year=2024)
    assert [(filing.form, filing.is_primary) for filing in of_year] == [("10-K/A", False), ("10-K", True)]
    values = Fact.objects.filter(filing__in=of_year, tag="Revenues", source="companyfacts").values_list(
        "raw", flat=True
    )
    assert sorted(values) == ["1", "927000000"]


def test_a_transition_period_is_flagged_and_said(edgar: LocalEdgar, widgets: Filer) -> None:
    widgets.reports.append(Report(date(2025, 6, 30), form="10-KT", days=180, serial=2))
    widgets.publish(edgar)
    company, _ = run(widgets)
    filing = company.filings.get(form="10-KT")
    assert (filing.is_transition, filing.is_primary) == (True, False)
    assert [(found.kind, found.fiscal_year) for found in company.anomalies.all()] == [("transition", 2025)]


def test_it_finds_what_looks_odd_and_forgets_it_when_it_is_mended(edgar: LocalEdgar) -> None:
    made = filer(2019, 2020, 2022)
    made.reports[1].revenue = 903_000
    made.publish(edgar)
    facts = made.companyfacts()
    facts["facts"]["us-gaap"]["LiabilitiesAndStockholdersEquity"]["units"]["USD"][0]["val"] = 490_000_000
    edgar.put(f"api/xbrl/companyfacts/CIK{made.cik:010d}.json", facts)
    edgar.files = {path: content for path, content in edgar.files.items() if not path.endswith(".txt")}
    company, _ = run(made)
    assert {(found.kind, found.fiscal_year) for found in company.anomalies.all()} == {
        ("identity", 2019),
        ("scale", 2020),
        ("scale", 2022),
        ("missing_year", 2021),
    }
    made.reports = filer(2019, 2020, 2021, 2022).reports
    made.publish(edgar)
    company, _ = run(made)
    assert not company.anomalies.exists()


def test_a_cancelled_ingestion_stops_at_the_next_filing(widgets: Filer) -> None:
    def cancel(line: str) -> None:
        if "Filing 2 of 3" in line:
            Company.objects.cancel(Company.objects.get(cik=widgets.cik).pk)

    company, outcome = run(widgets, say=cancel)
    assert outcome.status == company.status == CANCELLED
    assert company.filings_done == 1
    assert set(Fact.objects.filter(company=company).values_list("filing__fiscal_year", flat=True)) == {2024}
    assert run(widgets)[1].status == DONE


def test_only_one_worker_gets_a_company(widgets: Filer) -> None:
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    assert Company.objects.claim(company.pk) is None
    assert Company.objects.enqueue(company.pk)
    assert not Company.objects.enqueue(company.pk)
    assert Company.objects.claim(company.pk) == 1
    assert Company.objects.claim(company.pk) is None
    assert queue.work(company.pk) is None


def test_a_worker_that_was_taken_for_dead_writes_nothing_more(widgets: Filer) -> None:
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    Company.objects.enqueue(company.pk, (2015, None))
    attempt = Company.objects.claim(company.pk)
    assert attempt == 1

    def overtaken(line: str) -> None:
        if "Filing 2 of 3" in line:
            Company.objects.filter(pk=company.pk).update(heartbeat=now() - STALE_AFTER - timedelta(seconds=1))
            assert Company.objects.claim(company.pk) == 2

    outcome = ingest(company.pk, attempt, QuickEdgar(), overtaken)
    company.refresh_from_db()
    assert outcome.status == CANCELLED
    assert (company.status, company.attempt, company.filings_done) == (Company.Status.RUNNING, 2, 1)
    assert set(Fact.objects.filter(company=company).values_list("filing__fiscal_year", flat=True)) == {2024}
    assert ingest(company.pk, 2, QuickEdgar()).status == DONE


def test_a_sick_ingestion_is_given_up_after_some_workers(widgets: Filer) -> None:
    company = Company.objects.create(cik=widgets.cik, name=widgets.name)
    Company.objects.enqueue(company.pk)
    for _ in range(queue.MAX_ATTEMPTS):
        Company.objects.filter(pk=company.pk).update(heartbeat=now() - STALE_AFTER - timedelta(seconds=1))
        assert Company.objects.claim(company.pk)
    Company.objects.filter(pk=company.pk).update(heartbeat=now() - STALE_AFTER - timedelta(seconds=1))
    assert queue.sweep() == 0
    company.refresh_from_db()
    assert company.status == FAILED
    assert "died 5 times" in company.problem


def test_a_bug_is_recorded_on_the_row_and_raised(edgar: LocalEdgar, widgets: Filer, caplog: Any) -> None:
    def broken(line: str) -> None:
        if "Filing" in line:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(widgets, say=broken)
    company = Company.objects.get(cik=widgets.cik)
    assert (company.status, company.problem) == (FAILED, "Unexpected: ZeroDivisionError.")
    assert "Ingestion of Tiny Widgets Inc. failed" in caplog.text


def test_a_symbol_that_moved_to_another_company_moves(edgar: LocalEdgar, widgets: Filer) -> None:
    other = Company.objects.create(cik=9_000_000_099, name="Older Widgets")
    Ticker.objects.create(symbol="TWIDG", company=other)
    company, _ = run(widgets)
    assert Ticker.objects.get(symbol="TWIDG").company == company
