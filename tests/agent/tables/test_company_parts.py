"""The page of a company: its revenue by segment, product and region, with shares and a chart."""

import re
from datetime import date
from decimal import Decimal

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.identity import Identity
from agent.numbers.registry import registry
from agent.web.tables.company_parts import Parts, revenue_by_part
from agent.web.tables.verified_tables import dependencies
from filings.models import Company, Fact, Filing
from filings.web.company_directory import with_held
from tests.agent.tables.cells import texts
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db
CALDER = 9999999903


def parts(cik: int = CALDER) -> list[Parts]:
    company = with_held(Company.objects.filter(cik=cik)).get()
    return revenue_by_part(
        company, list(Filing.objects.with_figures([cik])), dependencies(Identity(), registry.load())
    )  # type: ignore[attr-defined]


def test_each_kind_of_part_has_rows_that_add_up_and_shares_of_the_newest_year(sample: Sample) -> None:
    segment, region = parts()
    assert (segment.kind, region.kind) == ("segment", "region")
    assert segment.title == "Total revenue by segment"
    assert [(one.label, one.below) for one in segment.table.columns][-1] == ("Share", "FY2025")
    (group,) = segment.table.groups
    assert [(row.label, row.total) for row in group.rows] == [
        ("Turbines", False), ("Services", False), ("Grid", False), ("Total revenue", True),
    ]  # fmt: skip
    for column in range(len(segment.table.columns) - 1):
        *own, whole = (Decimal(row[1 + column].replace(",", "")) for row in texts(segment.table))
        assert sum(own) == whole
    shares = [Decimal(row[-1].removesuffix("%")) for row in texts(segment.table)[:-1]]
    assert abs(sum(shares) - 100) <= Decimal("0.2")
    assert group.rows[-1].shown[-1] is None


def test_every_figure_leads_to_its_fact_in_table_and_chart(client: Client, sample: Sample) -> None:
    segment, _ = parts()
    links = {one.href for row in segment.table.groups[0].rows for one in row.shown[:-1] if one}
    assert links == {
        one.get_absolute_url() for one in Fact.objects.filter(pk__in=[href.rpartition("/")[2] for href in links])
    }
    assert segment.chart is not None
    assert segment.chart.kind == "stacked"
    assert [key.name for key in segment.chart.keys] == ["Turbines", "Services", "Grid"]
    assert {mark.point.href for mark in segment.chart.marks} < links
    page = client.get(f"/companies/{CALDER}").content.decode()
    assert 'aria-details="parts-table-1"' in page
    assert re.search(r'<table class="table table--years" id="parts-table-1">', page)
    assert "Calder, total revenue of Turbines, fiscal 2025: " in page


def test_what_the_parts_leave_is_a_row_and_a_part_of_the_chart(sample: Sample) -> None:
    grid = Fact.objects.get(
        filing__company__cik=CALDER, filing__fiscal_year=2025, end__year=2025, tag="Revenues",
        dimensions="StatementBusinessSegmentsAxis=GridMember",
    )  # fmt: skip
    Fact.objects.filter(pk=grid.pk).update(value=grid.value - 5_000_000, raw=str(grid.value - 5_000_000))
    segment, _ = parts()
    *_, (label, *_, left, share), _ = texts(segment.table)
    assert (label, left, share) == ("Other", "5", "0.28%")
    assert segment.chart is not None
    assert segment.chart.keys[-1].name == "Other"


def test_a_year_without_parts_has_no_column_and_one_year_no_chart(sample: Sample) -> None:
    Fact.objects.filter(filing__company__cik=CALDER, end__lt=date(2025, 1, 1)).exclude(dimensions="").delete()
    segment, _ = parts()
    assert [one.label for one in segment.table.columns] == ["FY2025", "Share"]
    assert segment.chart is None


def test_more_parts_than_can_be_told_apart_have_no_chart(sample: Sample) -> None:
    facts = Fact.objects.filter(
        filing__company__cik=CALDER, tag="Revenues", dimensions="StatementBusinessSegmentsAxis=GridMember"
    )
    for fact in facts:
        Fact.objects.filter(pk=fact.pk).update(value=fact.value - 7_000_000, raw=str(fact.value - 7_000_000))
        for number in range(7):
            fact.pk, fact.value, fact.raw = None, Decimal(1_000_000), "1000000"
            fact.dimensions = f"StatementBusinessSegmentsAxis=Small{number}Member"
            fact.save(force_insert=True)
    segment, _ = parts()
    assert len(segment.table.groups[0].rows) > 9
    assert segment.chart is None


def test_a_company_without_parts_costs_one_query(
    sample: Sample, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    company = with_held(Company.objects.filter(cik=sample["AAPL"].cik)).get()
    filings = list(Filing.objects.with_figures([company.cik]))  # type: ignore[attr-defined]
    with django_assert_num_queries(1):
        assert revenue_by_part(company, filings, dependencies(Identity(), registry.load())) == []
    assert 'id="parts"' not in client.get(company.get_absolute_url()).content.decode()
