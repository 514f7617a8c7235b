"""Figures of documents at the SEC that have no XBRL: releases of results; they go where XBRL comes."""

from datetime import date
from decimal import Decimal

import pytest
from pytest_django import Settings

from filings.ingest.store_printed import keep_printed
from filings.models import Company, Fact, Filing, Statement
from tests.support.edgar import LocalEdgar, Other, filer
from tests.support.ingestion import run
from tests.support.printed_report import ROWS_OF_BALANCE, ROWS_OF_INCOME, table

TITLED = "<h3>Consolidated Statements of Income</h3><p>(In thousands, except per share amounts)</p>"
QUARTERS = ("Three months ended", "March 31, 2024", "March 31, 2023")
DAYS = ("", "March 31, 2024", "December 31, 2023")


def release(*, items: str = "2.02,9.01") -> Other:
    """An 8-K of 25 April 2024 with a release of the quarter before."""
    told = f"""<html><body><h2>Tiny Widgets Inc. Announces Results of the Quarter</h2><p>Widget sales grew.</p>{TITLED}
{table(QUARTERS, ROWS_OF_INCOME)}<h3>Consolidated Balance Sheets</h3><p>(In thousands)</p>{table(DAYS, ROWS_OF_BALANCE)}
</body></html>"""
    cover = "<html><body><p>FORM 8-K</p><p>Item 2.02 Results of Operations and Financial Condition.</p></body></html>"
    documents = [("8-K", "twi-8k.htm", cover), ("EX-99.1", "twi-ex991.htm", told)]
    return Other("8-K", date(2024, 4, 25), date(2024, 4, 25), documents, items=items, serial=50)


def ingested(edgar: LocalEdgar, settings: Settings, other: Other) -> Company:
    settings.INGEST_FILING_DEADLINE = 0
    made = filer(2023)
    made.others = [other]
    made.publish(edgar)
    return run(made, forms="10-K,8-K")[0]


@pytest.mark.django_db
def test_a_release_has_the_figures_of_its_quarter(edgar: LocalEdgar, settings: Settings) -> None:
    held = ingested(edgar, settings, release()).filings.get(source="8-K")
    sales = held.facts.get(label="Net sales", end=date(2024, 3, 31))
    assert (sales.value, sales.unit, sales.start, sales.source) == (
        Decimal(4_120_000),
        "USD",
        date(2024, 1, 1),
        Fact.Source.PRINTED,
    )
    assert sales.form == "8-K"
    assert {one.kind for one in held.statements.all()} == {"income", "balance"}
    assert held.facts_stored == held.facts.count() > 0
    assert list(Filing.objects.interim_with_figures([held.company.cik])) == [held]


@pytest.mark.django_db
def test_an_8k_without_results_has_none(edgar: LocalEdgar, settings: Settings) -> None:
    held = ingested(edgar, settings, release(items="5.07")).filings.get(source="8-K")
    assert held.facts_stored == 0


@pytest.mark.django_db
def test_what_is_printed_goes_where_xbrl_comes(edgar: LocalEdgar, settings: Settings) -> None:
    held = ingested(edgar, settings, release()).filings.get(source="8-K")
    keep_printed(held, None, tagged=False)
    assert held.facts.filter(source=Fact.Source.PRINTED).exists()
    keep_printed(held, None, tagged=True)
    assert not held.facts.filter(source=Fact.Source.PRINTED).exists()
    assert not held.statements.filter(basis=Statement.Basis.PRINTED).exists()
