"""How dates, tags, units and figures are written."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.template import Context, Template
from django.utils.safestring import SafeString

from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import Last, Own, Periods, Span, Years
from agent.templatetags import figures
from tests.support.answers import fact_ref, query
from tests.support.tables import fiscal, span, years


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("us-gaap:NetIncomeLoss", "us-gaap:<wbr>Net<wbr>Income<wbr>Loss"),
        ("us-gaap:EPSBasicAndDiluted", "us-gaap:<wbr>EPS<wbr>Basic<wbr>And<wbr>Diluted"),
        ("nwi:Level3Assets", "nwi:<wbr>Level3<wbr>Assets"),
        ("Revenues", "Revenues"),
        ("a<b>C", "a&lt;b&gt;C"),
        ("", ""),
    ],
)
def test_a_tag_breaks_at_its_capitals_and_nowhere_else(name: str, broken: str) -> None:
    shown = figures.breakable(name)
    assert shown == broken
    assert isinstance(shown, SafeString)


def test_dates_are_written_out_for_people_and_kept_for_machines() -> None:
    end = date(2024, 9, 8)
    assert figures.day(end) == '<time datetime="2024-09-08">8 Sep 2024</time>'
    assert figures.long_day(end) == '<time datetime="2024-09-08">8 September 2024</time>'
    assert figures.day(None) == ""


def test_a_moment_is_in_utc() -> None:
    shown = figures.moment(datetime(2026, 11, 8, 9, 4, 59, tzinfo=UTC))
    assert shown == '<time datetime="2026-11-08T09:04:59+00:00">8 Nov 2026, 09:04 UTC</time>'


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        ("31370000000", "USD", "31,370"),
        ("-512000", "USD", "\u22120.512"),
        ("15115823000", "shares", "15,115,823,000"),
        ("6.1", "USD/shares", "6.10"),
    ],
)
def test_a_column_shows_money_in_millions_and_shares_in_full(value: str, unit: str, shown: str) -> None:
    assert figures.tabled(fact_ref(value=value, unit=unit)) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(Decimal(0), "none"), (Decimal(-32000), "\u22120.032"), (Decimal(5000000), "+5")],
)
def test_a_change_has_its_sign(value: Decimal, shown: str) -> None:
    assert figures.change(value, "USD") == shown


@pytest.mark.parametrize(
    ("decimals", "words"),
    [(-6, "USD, tagged to the nearest million"), (None, "USD"), (7, "USD, tagged with decimals 7")],
)
def test_the_unit_says_how_exactly_it_is_tagged(decimals: int | None, words: str) -> None:
    assert figures.precision(fact_ref(decimals=decimals)) == words


def test_a_year_and_a_day_are_told_apart() -> None:
    year = figures.ending(date(2024, 1, 1), date(2024, 12, 31))
    assert year == 'for the year ended <time datetime="2024-12-31">31 December 2024</time>'
    assert figures.ending(date(2024, 12, 31), date(2024, 12, 31)).startswith("as of ")


def test_a_stage_is_named_with_its_place() -> None:
    assert figures.stage_of("locate") == "Locate, step 3 of 6"


ENDED = Period(form=PeriodForm.ENDED, year=2024, end=date(2024, 9, 28))


@pytest.mark.parametrize(
    ("periods", "shown"),
    [
        (years(2023, 2024), "Fiscal 2023, Fiscal 2024"),
        (Years(periods=(Period(form=PeriodForm.BARE, year=2024),)), "2024"),
        (Years(periods=(Period(form=PeriodForm.CALENDAR, year=2024),)), "Calendar 2024"),
        (Years(periods=(ENDED,)), "Year ended 28 September 2024"),
        (Years(periods=(Period(form=PeriodForm.LATEST),)), "Latest 10-K"),
        (Years(periods=(Period(form=PeriodForm.PREVIOUS),)), "Last fiscal year"),
        (span(2019, 2023), "Fiscal 2019 to Fiscal 2023"),
        (span(2019, None), "Fiscal 2019 to the latest year"),
        (Last(count=5), "The last 5 years"),
        (Last(count=5, until=fiscal(2023)), "The last 5 years to Fiscal 2023"),
    ],
)
def test_the_years_asked_are_told_as_they_were_asked(periods: Periods, shown: str) -> None:
    said = Template("{% load figures %}{% asked_periods query %}").render(Context({"query": query(periods=periods)}))
    assert said == shown


def test_the_years_of_single_companies_stand_behind_their_names() -> None:
    companies = tuple(CompanyRef(cik=cik, name=name, covered=True) for cik, name in ((1, "AMD"), (2, "NVIDIA")))
    own = (Own(cik=1, periods=years(2024)), Own(cik=2, periods=Span(first=fiscal(2020))))
    said = figures.asked_periods(query(companies=companies, own=own))
    assert said == "AMD: Fiscal 2024; NVIDIA: Fiscal 2020 to the latest year"
