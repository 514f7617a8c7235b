import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.numbers.facts.render import column_unit, exact, headline, in_table, inline, number, shown
from agent.state import Scale
from tests.support.answers import cell


@pytest.mark.parametrize(
    ("value", "unit", "scale", "figure", "word"),
    [
        ("31370000000", "USD", None, "$31,370", "million"),
        ("391035000000", "USD", Scale.BILLIONS, "$391.035", "billion"),
        ("391035000000", "USD", Scale.UNITS, "$391,035,000,000", ""),
        ("391035000000", "USD", Scale.THOUSANDS, "$391,035,000", "thousand"),
        ("1000000", "USD", None, "$1", "million"),
        ("999999", "USD", None, "$999,999", ""),
        ("0", "USD", None, "$0", ""),
        # Digits below the scale are kept.
        ("1234567891", "USD", None, "$1,234.567891", "million"),
        ("500", "USD", Scale.BILLIONS, "$0.0000005", "billion"),
        # Negative figures carry the minus sign, before the currency.
        ("-15448000000", "USD", None, "\u2212$15,448", "million"),
        ("-0.63", "USD/shares", None, "\u2212$0.63", "per share"),
        ("6.08", "USD/shares", None, "$6.08", "per share"),
        ("6.1", "USD/shares", None, "$6.10", "per share"),
        ("0.0725", "USD/shares", None, "$0.0725", "per share"),
        ("6.08", "USD/shares", Scale.BILLIONS, "$6.08", "per share"),
        ("15116786000", "shares", None, "15,116,786,000", "shares"),
        ("15116786000", "shares", Scale.BILLIONS, "15.116786", "billion shares"),
        ("0.241", "pure", None, "24.1%", ""),
        ("12300000000", "EUR", None, "\u20ac12,300", "million"),
        ("12300000000", "SEK", None, "SEK 12,300", "million"),
    ],
)
def test_it_writes_a_figure_as_asked(value, unit, scale, figure, word):
    assert headline(Decimal(value), unit, scale) == (figure, word)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("31370000000", "USD", "31,370,000,000 US dollars"),
        ("31370000000.000000", "USD", "31,370,000,000 US dollars"),
        ("6.1", "USD/shares", "6.10 US dollars per share"),
        ("15116786000", "shares", "15,116,786,000 shares"),
        ("-5", "CHF", "\u22125 Swiss francs"),
        ("5", "SEK", "5 SEK"),
        ("0.241", "pure", "0.241"),
        ("6.70", "percent", "6.70%"),
    ],
)
def test_it_writes_a_figure_in_full(value, unit, text):
    assert exact(Decimal(value), unit) == text


def test_a_table_in_millions_holds_money_in_millions_and_the_rest_as_it_is():
    assert in_table(Decimal("31370000000"), "USD") == "31,370"
    assert in_table(Decimal("6.1"), "USD/shares") == "6.10"
    assert in_table(Decimal("15116786000"), "shares") == "15,116,786,000"
    assert in_table(Decimal("0.241"), "pure") == "24.1%"


@pytest.mark.parametrize(
    ("unit", "scale", "heading"),
    [
        ("USD", None, "US$ millions"),
        ("USD", Scale.BILLIONS, "US$ billions"),
        ("SEK", None, "SEK millions"),
        ("USD/shares", None, "US$ per share"),
        ("shares", None, "Shares"),
        ("percent", None, "%"),
        ("points", None, "Points"),
        ("days", None, "Days"),
    ],
)
def test_a_column_says_its_unit(unit, scale, heading):
    assert column_unit(unit, scale) == heading


@pytest.mark.parametrize(
    ("value", "unit", "reported", "said"),
    [
        ("1234567891", "USD", True, "$1,234.567891 million"),
        ("1234567891.25", "USD", False, "$1,234.6 million"),
        ("46.20634981", "percent", False, "46.2%"),
        # A printed percentage has its own digits.
        ("-0.6", "percent", True, "\u22120.6%"),
        ("6.70", "percent", True, "6.70%"),
    ],
)
def test_only_what_is_computed_is_rounded(value, unit, reported, said):
    assert shown(Decimal(value), unit, reported=reported) == said


def test_a_figure_inside_a_sentence_has_its_year():
    assert inline(cell(value=Decimal("20385000")), None) == " (fiscal 2024: $20.385 million)"
    with pytest.raises(ValueError, match="has no value"):
        inline(cell(value=None), None)


POWERS = {Scale.UNITS: 0, Scale.THOUSANDS: 3, Scale.MILLIONS: 6, Scale.BILLIONS: 9}
decimals = st.decimals(min_value=-(10**20), max_value=10**20, places=4)


def parsed(figure: str) -> Decimal:
    """The figure read back from its text."""
    return Decimal(re.sub(r"[^\d.\u2212]", "", figure).replace("\u2212", "-"))


@given(decimals, st.sampled_from(list(Scale)), st.sampled_from(["USD", "SEK", "shares"]))
def test_no_digit_is_lost_at_any_scale(value, scale, unit):
    figure, _ = headline(value, unit, scale)
    assert parsed(figure).scaleb(POWERS[scale]) == value


@given(decimals)
def test_a_number_reads_back_as_itself(value):
    assert parsed(number(value)) == value


@given(decimals.filter(lambda value: value != 0))
def test_a_headline_without_a_scale_says_the_scale_it_uses(value):
    figure, word = headline(value, "USD")
    assert parsed(figure).scaleb(6 if word == "million" else 0) == value
    assert (word == "million") == (abs(value) >= 1_000_000)
