"""All companies by their annual figures: kept as they are selected, ranked, filtered, and left out where uncertain."""

from datetime import date
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from agent import tasks
from agent.models import AnnualFigure, KeptFigures
from agent.numbers.cells.measure_keys import measure_of
from agent.numbers.registry import registry as registry_file
from agent.numbers.tables.table import tabulate
from agent.screening.annual_figures import (
    Everyone,
    FigureDeps,
    filing_for,
    fiscal,
    keep,
    outdated,
    rounded_as_kept,
    selecting_version,
)
from agent.screening.ranked_companies import MOST_SELECTED, Condition, Screened, Screening, screen
from agent.state.query import Query, Row
from agent.steps.deps import Grant
from agent.web.tables.verified_tables import ref_of
from filings.models import Company, Fact, Filing
from filings.web.company_directory import with_held
from filings.xbrl.periods import calendar_year
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 21)
REGISTRY = registry_file.load()
KEYS = ("revenue", "operating_margin", "growth of revenue", "roe:average")


@pytest.fixture(autouse=True)
def three(sample: Sample) -> None:
    """Apple, Microsoft and NVIDIA are all that is covered."""
    Company.objects.exclude(tickers__symbol__in=["AAPL", "MSFT", "NVDA"]).update(active=False)


def deps(grant: Grant | None = None) -> FigureDeps:
    return FigureDeps(REGISTRY, TODAY, {}, grant or Everyone())


def found(*keys: str, year: int | None = 2024, grant: Grant | None = None, **more: object) -> Screened:
    measures = tuple(measure_of(key, REGISTRY) for key in keys)
    return screen(Screening(measures, year, **more), deps(grant))  # type: ignore[arg-type]


def order(screened: Screened) -> list[tuple[int, str, int, Decimal]]:
    return [
        (one.rank, one.company.called, one.fiscal_year, one.figures[0].value.quantize(Decimal("0.1")))
        for one in screened.ranked
    ]


def keep_all(*keys: str) -> None:
    for company in outdated(REGISTRY):
        keep(company, REGISTRY, TODAY, [measure_of(key, REGISTRY) for key in keys])


@pytest.mark.parametrize(
    ("end", "year"),
    [
        (date(2024, 12, 31), 2024),
        (date(2025, 1, 26), 2024),
        (date(2024, 9, 28), 2024),
        (date(2024, 6, 30), 2023),
        (date(2024, 7, 31), 2024),
    ],
)
def test_a_fiscal_year_counts_for_the_calendar_year_of_its_middle(end: date, year: int) -> None:
    assert calendar_year(end) == year


def test_the_newest_filing_stands_where_no_year_is_asked(sample: Sample) -> None:
    filings = list(Filing.objects.with_figures([sample["NVDA"].cik]))
    newest, other = filing_for(filings, None), filing_for(filings, 2023)
    assert newest == filings[0]
    assert other is not None
    assert other.fiscal_year == 2024


def test_companies_are_ranked_each_by_its_own_year(sample: Sample) -> None:
    assert order(found("operating_margin", year=2023)) == [
        (1, "NVIDIA", 2024, Decimal("54.1")),
        (2, "Microsoft", 2024, Decimal("44.6")),
        (3, "Apple", 2023, Decimal("29.8")),
    ]
    assert [one[1] for one in order(found("operating_margin", year=2023, highest=False))] == [
        "Apple",
        "Microsoft",
        "NVIDIA",
    ]


def test_kept_figures_are_those_that_are_selected_now(sample: Sample) -> None:
    now_selected = {key: [order(found(key, year=year)) for year in (2021, 2023, None)] for key in KEYS}
    keep_all(*KEYS)
    assert (
        KeptFigures.objects.current(selecting_version(REGISTRY.version)).count() == Company.objects.covered().count()
    )
    assert {key: [order(found(key, year=year)) for year in (2021, 2023, None)] for key in KEYS} == now_selected


def test_every_kept_figure_is_the_one_of_its_page(sample: Sample) -> None:
    keep_all(*KEYS)
    company = with_held(Company.objects.covered()).get(cik=sample["NVDA"].cik)
    rows = list(AnnualFigure.objects.filter(company=company))
    assert len(rows) > 30
    for one in rows:
        row = Row(measure=measure_of(one.measure, REGISTRY))
        made = tabulate(Query(companies=(ref_of(company),), periods=fiscal(one.fiscal_year), rows=(row,)), deps())
        (cell,) = [cell for cell in made.cells if cell.asked and not cell.alternative]
        assert cell.value is not None
        assert rounded_as_kept(cell.value) == one.value, one


def test_kept_figures_are_read_in_a_few_queries(sample: Sample) -> None:
    keep_all("revenue")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert len(found("revenue").ranked) == 3
    assert len(queries) <= 4


def test_an_ingestion_outdates_what_was_kept(sample: Sample) -> None:
    keep_all("revenue")
    apple = sample["AAPL"]
    Fact.objects.filter(company=apple, tag__startswith="Revenue").delete()
    # As long as nothing says that the filings were read again, the kept figures stand.
    assert "Apple" in [one[1] for one in order(found("revenue"))]
    Company.objects.filter(pk=apple.pk).update(attempt=apple.attempt + 1, ingested=now())
    assert [one.pk for one in outdated(REGISTRY)] == [apple.pk]
    assert "Apple" not in [one[1] for one in order(found("revenue"))]
    assert [one.called for one in found("revenue").unranked] == ["Apple"]


def test_another_version_of_the_code_outdates_what_was_kept(sample: Sample) -> None:
    keep_all("revenue")
    KeptFigures.objects.update(version="another")
    AnnualFigure.objects.update(value=1)
    assert order(found("revenue"))[0][3] > 1


def test_a_company_that_is_being_ingested_is_not_kept(sample: Sample) -> None:
    Company.objects.filter(pk=sample["AAPL"].pk).update(status=Company.Status.RUNNING)
    assert sample["AAPL"] not in outdated(REGISTRY)


def test_only_companies_that_meet_every_bound_are_ranked(sample: Sample) -> None:
    bounds = (Condition(0, ">", Decimal(30)), Condition(1, "<", Decimal(100_000_000_000)))
    ranked = found("operating_margin", "revenue", year=2023, conditions=bounds)
    assert [one[1] for one in order(ranked)] == ["NVIDIA"]
    assert ranked.compared == 3


def test_a_company_without_a_figure_is_counted_and_not_ranked(sample: Sample) -> None:
    Fact.objects.filter(company=sample["MSFT"], tag="OperatingIncomeLoss").delete()
    left = found("operating_margin", year=2023)
    assert [one.called for one in left.unranked] == ["Microsoft"]
    assert len(left.ranked) == 2


def test_a_figure_that_a_later_filing_contradicts_is_not_ranked(sample: Sample) -> None:
    own = sample.filing("AAPL", 2022)
    Fact.objects.filter(filing=own, end=own.period_end, tag__startswith="RevenueFromContract").update(
        raw="394328", value=Decimal(394_328)
    )
    assert "Apple" in [one.called for one in found("revenue", year=2022).unranked]
    keep_all("revenue")
    assert "Apple" in [one.called for one in found("revenue", year=2022).unranked]


def test_figures_in_another_currency_are_not_compared(sample: Sample) -> None:
    Fact.objects.filter(company=sample["AAPL"], unit="USD").update(unit="EUR")
    left = found("revenue")
    assert [one.called for one in left.other_units] == ["Apple"]
    assert [one[1] for one in order(left)] == ["Microsoft", "NVIDIA"]


def test_only_companies_that_the_asker_may_ask_about_are_ranked(sample: Sample) -> None:
    keep_all("revenue")
    grant = Grant(ciks=frozenset([sample["AAPL"].cik]))
    assert [one[1] for one in order(found("revenue", grant=grant))] == ["Apple"]
    assert found("revenue", grant=grant).unranked == ()


def test_an_industry_is_the_beginning_of_its_code(sample: Sample) -> None:
    Company.objects.filter(pk=sample["NVDA"].pk).update(sic="3674")
    assert [one[1] for one in order(found("revenue", sic="367"))] == ["NVIDIA"]


def test_too_many_companies_to_select_at_once_wait_until_they_are_kept(sample: Sample) -> None:
    keep_all("revenue")
    Company.objects.bulk_create(
        Company(cik=9_000_100_000 + number, name=f"Company {number}", facts_stored=1)
        for number in range(MOST_SELECTED + 1)
    )
    waiting = found("revenue")
    assert len(waiting.waiting) == MOST_SELECTED + 1
    assert len(waiting.ranked) == 3


def test_the_command_and_the_clock_bring_kept_figures_up_to_date(sample: Sample) -> None:
    Company.objects.exclude(tickers__symbol="AAPL").update(active=False)
    Filing.objects.filter(company=sample["AAPL"]).exclude(fiscal_year=2024).delete()
    call_command("keep_figures")
    first = set(AnnualFigure.objects.values_list("measure", "value"))
    assert {"revenue", "growth of revenue", "operating_margin"} <= {measure for measure, _ in first}
    AnnualFigure.objects.all().delete()
    tasks.keep_figures()
    assert not AnnualFigure.objects.exists()  # nothing is outdated
    KeptFigures.objects.all().delete()
    tasks.end_soon()
    try:
        tasks.keep_figures()
        assert not KeptFigures.objects.exists()  # a worker that was told to end begins nothing
    finally:
        tasks.STOPPING.clear()
    tasks.keep_figures()
    assert set(AnnualFigure.objects.values_list("measure", "value")) == first
