"""Quarterly reports through an ingestion: figures of all, documents of the newest, and never twice."""

from datetime import date

import pytest
from django.conf import LazySettings

from filings.ingest.new_filings import missing
from filings.models import Company, Fact, Filing, Statement
from tests.support.edgar import Filer, LocalEdgar, Report, filer
from tests.support.ingestion import contents, run

ENDS = (date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30))


def quarterly(edgar: LocalEdgar, *, documents: bool = True) -> Filer:
    """Two annual reports and the three quarterly ones between them."""
    made = filer(2023, 2024)
    made.reports += [
        Report(end, revenue=200_000_000 + place, form="10-Q", days=90, serial=10 + place)
        for place, end in enumerate(ENDS, 1)
    ]
    made.publish(edgar, documents=documents)
    return made


def quarters(company: Company) -> list[tuple[int | None, int | None, str, int]]:
    held = Filing.objects.filter(company=company, source="10-Q").order_by("period_end")
    return [(one.fiscal_year, one.fiscal_quarter, one.document_status, one.facts_stored) for one in held]


def test_the_figures_of_every_quarter_are_stored(edgar: LocalEdgar, settings: LazySettings) -> None:
    settings.INGEST_RECENT_YEARS = 0
    company, outcome = run(quarterly(edgar))
    assert outcome.status == Company.Status.DONE
    assert quarters(company) == [(2024, number, "pending", 3) for number in (1, 2, 3)]
    fact = Fact.objects.get(filing__company=company, filing__fiscal_quarter=2, tag="Revenues")
    assert (fact.form, fact.raw, fact.end) == ("10-Q", "200000002", date(2024, 6, 30))
    assert len(edgar.asked(r"\.txt$")) == 2
    # What is said of annual reports is of them alone.
    assert company.filings_found == company.filings_done == 2
    assert list(Filing.objects.primary().filter(company=company).values_list("fiscal_year", flat=True)) == [2024, 2023]


def test_the_documents_of_the_newest_are_read_with_their_statements_and_parts(
    edgar: LocalEdgar, settings: LazySettings
) -> None:
    settings.INGEST_RECENT_YEARS = 1
    made = quarterly(edgar)
    made.reports.append(Report(date(2023, 9, 30), form="10-Q", days=90, serial=20))
    made.publish(edgar)
    company, _ = run(made)
    assert [(year, number, status) for year, number, status, _ in quarters(company)] == [
        (2023, 3, "pending"),
        (2024, 1, "held"),
        (2024, 2, "held"),
        (2024, 3, "held"),
    ]
    newest = Filing.objects.get(company=company, fiscal_year=2024, fiscal_quarter=3)
    assert set(Statement.objects.filter(filing=newest).values_list("kind", flat=True)) >= {"income", "balance"}
    assert Fact.objects.filter(filing=newest).exclude(dimensions="").get().value == 66_666_667 // 1_000_000 * 1_000_000
    # Its text can be quoted as well.
    assert newest.chunks_stored > 0
    assert newest.sections.exclude(text="").exists()


@pytest.mark.parametrize("years", [0, 3])
def test_a_second_run_changes_nothing(edgar: LocalEdgar, settings: LazySettings, years: int) -> None:
    settings.INGEST_RECENT_YEARS = years
    made = quarterly(edgar)
    company, _ = run(made)
    before = contents(company)
    run(made)
    assert contents(company) == before


def test_a_quarter_whose_document_is_not_there_keeps_its_figures(edgar: LocalEdgar, settings: LazySettings) -> None:
    settings.INGEST_RECENT_YEARS = 3
    company, outcome = run(quarterly(edgar, documents=False))
    assert outcome.status == Company.Status.DONE
    assert {status for *_, status, _ in quarters(company)} == {"missing"}
    assert {facts for *_, facts in quarters(company)} == {3}


def test_an_ingestion_of_before_is_completed(edgar: LocalEdgar, settings: LazySettings) -> None:
    settings.INGEST_RECENT_YEARS = 0
    made = quarterly(edgar)
    company, _ = run(made)
    Filing.objects.filter(company=company, source="10-Q").delete()
    read = Filing.objects.get(company=company, fiscal_year=2024, source="10-K").held_since
    run(made)
    assert [(year, number) for year, number, *_ in quarters(company)] == [(2024, 1), (2024, 2), (2024, 3)]
    assert Filing.objects.get(company=company, fiscal_year=2024, source="10-K").held_since == read


def test_restated_rows_of_a_later_file_replace_those_of_before(edgar: LocalEdgar, settings: LazySettings) -> None:
    settings.INGEST_RECENT_YEARS = 0
    made = quarterly(edgar)
    company, _ = run(made)
    made.reports[-1].revenue = 222_000_000
    made.publish(edgar)
    run(made)
    assert Fact.objects.get(filing__company=company, filing__fiscal_quarter=3, tag="Revenues").raw == "222000000"


def test_a_new_quarter_is_looked_for_and_old_ones_without_figures_are_not(
    edgar: LocalEdgar, settings: LazySettings
) -> None:
    settings.INGEST_RECENT_YEARS = 0
    made = quarterly(edgar)
    company, _ = run(made)
    from filings.edgar.client import Edgar

    with Edgar() as source:
        assert missing(company, source.submissions(made.cik)) == []  # type: ignore[arg-type]
