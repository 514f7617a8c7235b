"""Standard labels of taxonomy elements: stored with a company's figures, and read by whoever names measures."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from filings.edgar.raw_files import RawStore
from filings.ingest.store_filing import store_elements
from filings.models import Company, Element, Fact, RawFile
from filings.xbrl import elements
from filings.xbrl.companyfacts import LabelledElement
from filings.xbrl.elements import ElementLabel, NamedElement
from tests.support.edgar import Filer, LocalEdgar, filer
from tests.support.ingestion import run
from tests.support.sample import Sample

REVENUES = NamedElement("us-gaap:Revenues", "money", instant=False)
ASSETS = NamedElement("us-gaap:Assets", "money", instant=True)


def labelled(made: Filer, edgar: LocalEdgar, **labels: str) -> Filer:
    """A filer published with labels of its elements by tag."""
    made.publish(edgar)
    content = made.companyfacts()
    for tag, label in labels.items():
        content["facts"]["us-gaap"][tag]["label"] = label
    edgar.put(f"api/xbrl/companyfacts/CIK{made.cik:010d}.json", content)
    return made


@pytest.fixture
def empty(db: None) -> None:
    """The database without the labels of the sample."""
    Element.objects.all().delete()


@pytest.fixture
def widgets(empty: None, edgar: LocalEdgar) -> Filer:
    return labelled(filer(2024), edgar, Revenues="Revenues", Assets="Assets, Total")


@pytest.fixture
def gadgets(edgar: LocalEdgar) -> Filer:
    made = filer(2024, cik=9_000_000_002, name="Small Gadgets Inc.", symbols=("GADGT",))
    return labelled(made, edgar, Revenues="Revenue, Total", LiabilitiesAndStockholdersEquity="Liabilities and Equity")


# --- stored with the figures ---


def test_an_ingestion_stores_the_labels_of_the_elements_in_annual_reports(widgets: Filer) -> None:
    run(widgets)
    assert elements.labels() == (ElementLabel("Assets, Total", (ASSETS,)), ElementLabel("Revenues", (REVENUES,)))


def test_a_second_ingestion_adds_nothing(widgets: Filer) -> None:
    run(widgets)
    before = list(Element.objects.values())
    run(widgets)
    assert list(Element.objects.values()) == before


def test_an_element_that_another_year_called_otherwise_has_both_labels(widgets: Filer, gadgets: Filer) -> None:
    run(widgets)
    run(gadgets)
    assert [one.label for one in elements.labels() if REVENUES in one.elements] == ["Revenue, Total", "Revenues"]


def test_in_which_order_companies_are_ingested_does_not_show(widgets: Filer, gadgets: Filer) -> None:
    run(gadgets)
    run(widgets)
    found = elements.labels()
    Element.objects.all().delete()
    call_command("store_labels", stdout=StringIO())
    assert elements.labels() == found


def test_the_same_element_twice_is_one(empty: None) -> None:
    one = LabelledElement("us-gaap", "Revenues", "Revenues", "money", instant=False)
    assert store_elements([one, one]) == 1
    assert store_elements([one]) == 0


# --- read ---


def test_one_label_may_name_several_elements(empty: None, edgar: LocalEdgar) -> None:
    run(labelled(filer(2024), edgar, Assets="Total", LiabilitiesAndStockholdersEquity="Total"))
    other = NamedElement("us-gaap:LiabilitiesAndStockholdersEquity", "money", instant=True)
    assert elements.labels() == (ElementLabel("Total", (ASSETS, other)),)


def test_labels_of_companies_are_those_of_the_elements_they_report(widgets: Filer, gadgets: Filer) -> None:
    company, _ = run(widgets)
    run(gadgets)
    Fact.objects.filter(company=company, tag="LiabilitiesAndStockholdersEquity").delete()
    of_widgets = [one.label for one in elements.labels([widgets.cik])]
    assert of_widgets == ["Assets, Total", "Revenue, Total", "Revenues"]
    assert elements.labels([widgets.cik, gadgets.cik]) == elements.labels()
    assert elements.labels([]) == elements.labels([1]) == ()


def test_the_labels_of_companies_take_three_queries_however_many_they_are(sample: Sample) -> None:
    ciks = list(Company.objects.filter(in_sample=True).values_list("cik", flat=True))
    with CaptureQueriesContext(connection) as queries:
        elements.labels(ciks)
    assert len(queries) == 3


def test_the_stamp_changes_when_labels_are_added_and_not_before(widgets: Filer, gadgets: Filer) -> None:
    run(widgets)
    before = elements.version()
    assert elements.version() == before
    run(gadgets)
    assert elements.version() != before


# --- the bundled sample ---


def test_the_sample_has_the_labels_of_its_elements(sample: Sample) -> None:
    of_apple = {element.name: one.label for one in elements.labels([sample["AAPL"].cik]) for element in one.elements}
    assert of_apple["us-gaap:ResearchAndDevelopmentExpense"].startswith("Research and Development Expense")
    assert of_apple["us-gaap:PaymentsForRepurchaseOfCommonStock"] == "Payments for Repurchase of Common Stock"
    assert len(elements.labels()) > 400


def test_no_label_of_the_sample_is_a_heading_or_says_that_it_is_deprecated(sample: Sample) -> None:
    assert [one.label for one in elements.labels() if "[" in one.label or "eprecated" in one.label] == []


# --- an installation of before ---


def stored() -> str:
    out = StringIO()
    call_command("store_labels", stdout=out)
    return out.getvalue()


def test_labels_are_stored_out_of_the_files_that_are_kept_without_asking_edgar(
    edgar: LocalEdgar, widgets: Filer
) -> None:
    run(widgets)
    before, asked = elements.labels(), len(edgar.requests)
    Element.objects.all().delete()
    assert stored() == "2 labels stored from 1 companyfacts files.\n"
    assert stored() == "0 labels stored from 1 companyfacts files.\n"
    assert elements.labels() == before
    assert len(edgar.requests) == asked


def test_a_file_that_is_gone_is_named(widgets: Filer) -> None:
    run(widgets)
    entry = RawFile.objects.get(url__contains="companyfacts")
    RawStore().path(entry.sha256).unlink()
    assert f"{entry.url} can no longer be read" in stored()
