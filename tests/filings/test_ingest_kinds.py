"""8-Ks, proxy statements and 20-Fs through an ingestion: which are loaded, and what stays as it is without them."""

from datetime import date, timedelta

import pytest
from django.db.models import QuerySet
from django.utils.timezone import now
from pytest_django import Settings

from filings.ingest import new_filings
from filings.models import Company, Filing
from tests.support.edgar import Filer, LocalEdgar, Report, filer
from tests.support.ingestion import QuickEdgar, contents, rows, run
from tests.support.other_filings import foreign_report, proxy, release

ALL = "10-K,10-Q,8-K,DEF 14A,20-F"


@pytest.fixture
def made(edgar: LocalEdgar, settings: Settings) -> Filer:
    """Two annual reports and a quarter, four releases, one vote, one investor day, two proxy statements."""
    settings.INGEST_FILING_DEADLINE = 0
    found = filer(2023, 2024)
    found.reports.append(Report(date(2024, 3, 31), form="10-Q", days=90, serial=10))
    found.others = [
        release(date(2025, 2, 3)),
        release(date(2024, 4, 25), serial=51),
        release(date(2024, 2, 5), serial=52),
        release(date(2021, 2, 5), serial=53),
        release(date(2024, 5, 20), items="5.07", serial=54),
        release(date(2024, 6, 1), items="7.01,9.01", serial=55),
        proxy(date(2024, 4, 1)),
        proxy(date(2020, 4, 1), serial=71),
    ]
    found.publish(edgar)
    return found


def others(company: Company) -> QuerySet[Filing]:
    return company.filings.exclude(source__in=["10-K", "10-Q"])


def listed(company: Company) -> list[tuple[str, str, int | None, int | None]]:
    return list(others(company).order_by("filed").values_list("form", "items", "fiscal_year", "fiscal_quarter"))


def test_releases_and_votes_of_the_last_three_years_are_loaded(made: Filer) -> None:
    company, outcome = run(made)
    assert listed(company) == [
        ("8-K", "2.02,9.01", 2023, 4),
        ("8-K", "2.02,9.01", 2024, 1),
        ("8-K", "5.07", 2024, None),
        ("8-K", "2.02,9.01", 2024, 4),
    ]
    assert {one.document_status for one in others(company)} == {"held"}
    assert {one.primary_document for one in others(company)} == {"twi-8k.htm"}
    assert outcome.message == f"{company}: 2 10-Ks, 1 10-Q, 4 8-Ks, {company.facts_stored} facts."
    held = others(company).latest("filed")
    assert [(one.type, one.filename) for one in held.documents.all()] == [
        ("8-K", "twi-8k.htm"),
        ("EX-99.1", "twi-ex991.htm"),
    ]
    # What is said of annual reports is of them alone.
    assert company.filings_found == company.filings_done == 2
    assert set(Filing.objects.primary().filter(company=company).values_list("source", flat=True)) == {"10-K"}


def test_the_kinds_of_a_company_are_those_asked_for(made: Filer) -> None:
    company, outcome = run(made, forms="10-K,DEF 14A")
    assert listed(company) == [("DEF 14A", "", 2023, None)]
    assert "2 10-Ks, 1 10-Q, 1 proxy statement," in outcome.message
    # Of a quarterly report that is not asked for, the figures alone are there.
    assert company.filings.get(source="10-Q").document_status == "pending"


def test_without_kinds_of_its_own_a_company_has_those_of_the_setting(made: Filer, settings: Settings) -> None:
    settings.INGEST_FORMS = ["10-K"]
    company, _ = run(made)
    assert listed(company) == []
    company, _ = run(made, forms=ALL)
    assert len(listed(company)) == 5
    # Kinds chosen once stay.
    assert Company.objects.enqueue(company.pk)
    company.refresh_from_db()
    assert [kind.key for kind in company.kinds] == ["10-K", "10-Q", "8-K", "DEF 14A", "20-F"]


def test_annual_reports_that_are_not_asked_for_are_not_fetched(made: Filer, edgar: LocalEdgar) -> None:
    company, outcome = run(made, forms="8-K")
    assert outcome.status == Company.Status.DONE
    assert len(edgar.asked(r"\.txt$")) == len(others(company)) == 4
    company, _ = run(made, forms="10-K")
    assert company.filings.annual().filter(facts_stored__gt=0).count() == 2


def test_years_asked_for_are_years_of_the_other_kinds_too(made: Filer) -> None:
    company, _ = run(made, (2015, 2023))
    assert listed(company) == [("8-K", "2.02,9.01", 2023, 4)]


def test_no_years_of_other_kinds_load_none(made: Filer, settings: Settings) -> None:
    settings.INGEST_RECENT_YEARS = 0
    company, _ = run(made, forms=ALL)
    assert listed(company) == []
    assert company.filings.get(source="10-Q").document_status == "pending"


def test_a_second_run_changes_nothing_and_fetches_nothing(made: Filer, edgar: LocalEdgar) -> None:
    company, _ = run(made, forms=ALL)
    before = rows(company)
    edgar.requests.clear()
    company, _ = run(made)
    assert rows(company) == before
    assert edgar.asked(r"\.txt$") == []


@pytest.mark.parametrize("last", ["8-K filed 2025-02-03", "8-K filed 2024-05-20", "DEF 14A filed 2024-04-01"])
def test_a_run_that_is_killed_is_finished_by_the_next(made: Filer, edgar: LocalEdgar, last: str) -> None:
    class Killed(BaseException):
        pass

    def say(line: str) -> None:
        if line.endswith(last):
            raise Killed

    with pytest.raises(Killed):
        run(made, forms=ALL, say=say)
    Company.objects.update(status="cancelled")
    killed, _ = run(made, forms=ALL)
    found = contents(killed)
    Company.objects.all().delete()
    whole, _ = run(made, forms=ALL)
    assert contents(whole) == found


def test_an_8k_that_is_not_there_is_the_status_of_that_filing(made: Filer, edgar: LocalEdgar) -> None:
    del edgar.files[made.container_path(made.others[0])]
    company, outcome = run(made)
    assert outcome.status == Company.Status.DONE
    missing = others(company).get(document_status="missing")
    assert missing.filed == date(2025, 2, 3)
    assert "3 8-Ks" in outcome.message


def test_an_anomaly_is_one_of_annual_reports(made: Filer) -> None:
    company, _ = run(made, forms=ALL)
    assert not company.anomalies.exists()
    assert company.transition_years == frozenset()


# --- foreign companies ---


@pytest.fixture
def barges(edgar: LocalEdgar, settings: Settings) -> Filer:
    settings.INGEST_FILING_DEADLINE = 0
    made = Filer(cik=9_000_000_007, name="Frozen Barges Ltd.", symbols=("BARGE",))
    made.others = [foreign_report(year, serial=80 + year % 10) for year in (2018, 2022, 2023, 2024)]
    made.publish(edgar)
    return made


def test_a_foreign_company_is_only_known_where_20fs_are_not_asked_for(barges: Filer, edgar: LocalEdgar) -> None:
    company, outcome = run(barges)
    assert outcome.message == "Frozen Barges Ltd.: files 20-F, not 10-K: known, not covered."
    assert (company.foreign, company.origin, company.filings.count()) == (True, "", 0)
    assert edgar.asked(r"\.txt$") == []


def test_the_newest_annual_reports_of_a_foreign_company_are_held_as_text(barges: Filer) -> None:
    company, outcome = run(barges, forms="10-K,20-F")
    assert outcome.message == "Frozen Barges Ltd.: files 20-F, not 10-K: 3 20-Fs held as text, figures not covered."
    assert (company.foreign, company.covered, company.facts_stored) == (True, False, 0)
    assert [(one.fiscal_year, one.document_status, one.is_primary) for one in company.filings.all()] == [
        (2024, "held", False),
        (2023, "held", False),
        (2022, "held", False),
    ]
    before = rows(company)
    again, _ = run(barges)
    assert rows(again) == before


# --- the daily look ---


def test_a_new_filing_of_a_kind_that_is_loaded_is_looked_for(made: Filer, edgar: LocalEdgar) -> None:
    today = now().date()
    company, _ = run(made, forms="10-K,8-K")
    made.others += [
        release(today - timedelta(days=3), serial=90),
        release(today - timedelta(days=2), items="8.01", serial=91),
        release(today - timedelta(days=20), serial=92),
        proxy(today - timedelta(days=1), serial=93),
    ]
    made.publish(edgar)
    # The companies of the sample are due at moments of their own.
    Company.objects.filter(in_sample=True).update(active=False)
    Company.objects.filter(pk=company.pk).update(ingested=now() - timedelta(days=2), watched=None)
    with QuickEdgar() as source:
        submissions = source.submissions(made.cik)
    assert submissions is not None
    company.refresh_from_db()
    assert [one.accession for one in new_filings.missing(company, submissions)] == [made.accession(made.others[-4])]
    assert new_filings.look_at_due() == new_filings.Looked(asked=1, queued=1)
    company.refresh_from_db()
    assert company.forms == "10-K,8-K"


def test_a_foreign_company_with_text_is_looked_at(barges: Filer) -> None:
    company, _ = run(barges, forms="20-F")
    assert company in Company.objects.watched()
    Filing.objects.all().delete()
    assert company not in Company.objects.watched()
