"""The facts of many filings in few queries are those that each filing gives by itself."""

from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from filings.models import Fact, Filing
from filings.xbrl import facts
from filings.xbrl.facts import PeriodWanted, Value
from filings.xbrl.later_filings import later
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

NAMES = (
    "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax",
    "us-gaap:Revenues",
    "us-gaap:NetIncomeLoss",
    "us-gaap:Assets",
    "us-gaap:StockholdersEquity",
    "dei:EntityCommonStockSharesOutstanding",
    "dei:EntityPublicFloat",
)


def filings(sample: Sample) -> list[Filing]:
    """Again each time: what was read stays with the object."""
    return [sample.filing(symbol, year) for symbol in ("AAPL", "NVDA", "JPM") for year in (2021, 2023)]


def keys(values: Sequence[Value]) -> list[tuple[int, int | None]]:
    return [(one.fact.pk, one.twin.pk if one.twin else None) for one in values]


@pytest.mark.parametrize("period", list(PeriodWanted))
def test_every_period_has_the_values_that_the_filing_gives_by_itself(sample: Sample, period: PeriodWanted) -> None:
    one_by_one = [keys(facts.held(one, NAMES, period=period)) for one in filings(sample)]
    together = filings(sample)
    with CaptureQueriesContext(connection) as queries:
        facts.prefetch(together, NAMES, years=3)
        found = [keys(facts.held(one, NAMES, period=period)) for one in together]
    assert found == one_by_one
    assert any(found)
    assert len(queries) == 1


def test_a_tag_that_was_not_named_is_read_when_it_is_asked_for(sample: Sample) -> None:
    (one, *_) = filings(sample)
    facts.prefetch([one], NAMES[:1])
    alone = facts.held(sample.filing("AAPL", 2021), ["us-gaap:Liabilities"], period=PeriodWanted.PRIOR_INSTANT)
    late = facts.held(one, ["us-gaap:Liabilities"], period=PeriodWanted.PRIOR_INSTANT)
    assert keys(late) == keys(alone)
    assert late
    assert set(facts.held_names(one)) == set(facts.held_names(sample.filing("AAPL", 2021)))


def test_what_is_read_already_is_not_read_again(sample: Sample) -> None:
    together = filings(sample)
    facts.prefetch(together, NAMES[:3], years=1)
    with CaptureQueriesContext(connection) as queries:
        facts.prefetch(together, NAMES[:2], years=1)
    assert len(queries) == 0
    facts.prefetch(together, NAMES, years=2)
    expected = [keys(facts.held(one, NAMES, period=PeriodWanted.PRIOR_INSTANT)) for one in filings(sample)]
    with CaptureQueriesContext(connection) as queries:
        assert [keys(facts.held(one, NAMES, period=PeriodWanted.PRIOR_INSTANT)) for one in together] == expected
    assert len(queries) == 0


def test_income_and_cash_flow_reach_two_years_back_and_balances_one(sample: Sample) -> None:
    of = sample.filing("AAPL", 2023)
    third = facts.held(of, ["us-gaap:NetIncomeLoss"], period=PeriodWanted.SECOND_PRIOR_ANNUAL)
    assert [(one.value, one.fact.end.year) for one in third] == [(94680000000, 2021)]
    assert facts.held(of, ["us-gaap:Assets"], period=PeriodWanted.SECOND_PRIOR_INSTANT) == []


def test_later_reports_of_many_facts_are_those_of_each(sample: Sample) -> None:
    chosen = [
        value.fact
        for one in filings(sample)
        for period in (PeriodWanted.ANNUAL, PeriodWanted.INSTANT)
        for value in facts.held(one, NAMES, period=period)
    ]
    with CaptureQueriesContext(connection) as queries:
        found = later(chosen)
    assert len(queries) == 1
    for fact in chosen:
        assert [(one.filing, one.value) for one in found.get(fact.pk, [])] == [
            (other.fact.filing_id, other.value) for other in facts.later_values(fact)
        ]
    assert sum(map(len, found.values())) > 10
    assert later([]) == {}


def test_the_document_speaks_for_a_later_filing_that_is_known_from_two_sources(sample: Sample) -> None:
    (fact,) = [one.fact for one in facts.held(sample.filing("AAPL", 2021), ["us-gaap:NetIncomeLoss"])]
    (first, *_) = later([fact])[fact.pk]
    twin = Fact.objects.get(pk=first.fact)
    twin.pk, twin.source = None, Fact.Source.DOCUMENT
    twin.save()
    assert later([fact])[fact.pk][0].fact == twin.pk
