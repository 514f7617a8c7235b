"""The ingestion of one company: what is stored, what a second run changes, and what is flagged."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from filings.models import READER, Company, Fact, ForeignRegistrant, Member, Origin, Ticker
from filings.xbrl.facts import has_value, held
from tests.support.edgar import Filer, LocalEdgar, Report, filer
from tests.support.ingestion import contents, rows, run

DONE = Company.Status.DONE


def test_it_stores_the_company_as_its_submissions_describe_it(widgets: Filer) -> None:
    company, outcome = run(widgets)
    assert outcome.status == company.status == DONE
    assert (company.name, company.sic, company.state_of_incorporation) == ("Tiny Widgets Inc.", "3999", "DE")
    assert company.former_names == ["Small Widgets Inc."]
    assert company.fiscal_year_end == "1231"
    assert company.symbols == ["TWIDG"]
    assert company.origin == Origin.EDGAR
    assert company.filings_found == company.filings_done == 3
    assert company.facts_stored == Fact.objects.filter(company=company).count() == 3 * (3 + 13)
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


def test_it_stores_the_figures_of_parts_and_what_they_are_called(widgets: Filer) -> None:
    company, _ = run(widgets)
    fact = Fact.objects.exclude(dimensions="").get(company=company, filing__fiscal_year=2024)
    assert (fact.tag, fact.dimensions, fact.raw) == ("Revenues", "ProductOrServiceAxis=WidgetKitsMember", "309000000")
    assert (fact.label, fact.source, fact.statement) == ("Widget kits", "document", "")
    assert [str(one) for one in fact.filing.members.all()] == ["ProductOrServiceAxis=WidgetKitsMember: Widget kits"]
    assert has_value(fact.filing, "us-gaap:Revenues")
    assert {value.fact.dimensions for value in held(fact.filing, ["us-gaap:Revenues"])} == {""}


def test_a_filing_read_before_parts_were_stored_is_completed(edgar: LocalEdgar, widgets: Filer) -> None:
    company, _ = run(widgets)
    whole = contents(company)
    Member.objects.all().delete()
    Fact.objects.exclude(dimensions="").delete()
    kept = set(Fact.objects.values_list("pk", flat=True))
    company.filings.update(reader=READER - 1)
    run(widgets)
    assert contents(company) == whole
    assert kept <= set(Fact.objects.values_list("pk", flat=True))


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
    # The tally counts requests to SEC, whatever they bring.
    assert {sql.split('"')[1] for sql in written} - {"filings_tally"} == {"filings_company", "filings_rawfile"}


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
    fact = filing.facts.get(tag="Revenues", source="document", dimensions="")
    assert fact.document is not None
    assert fact.document.type == "EX-13"


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


def test_a_symbol_that_moved_to_another_company_moves(edgar: LocalEdgar, widgets: Filer) -> None:
    other = Company.objects.create(cik=9_000_000_099, name="Older Widgets")
    Ticker.objects.create(symbol="TWIDG", company=other)
    company, _ = run(widgets)
    assert Ticker.objects.get(symbol="TWIDG").company == company
