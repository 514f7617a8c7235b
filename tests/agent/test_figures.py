"""How dates, tags, units and figures are written."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.utils.safestring import SafeString

from agent.templatetags import figures
from tests.support.answers import fact_ref


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
