"""The number between the tags: formats, scale and sign of Inline XBRL."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from filings.document.inline.facts import plain_digits, read_number


def element(text: str, **attributes: str) -> etree._Element:
    made = etree.Element("{http://www.xbrl.org/2013/inlineXBRL}nonFraction", attributes)
    made.text = text
    return made


@pytest.mark.parametrize(
    ("text", "rule", "value"),
    [
        ("1,234.5", "ixt:num-dot-decimal", "1234.5"),
        ("1,234.5", "ixt:numdotdecimal", "1234.5"),
        ("1.234,5", "ixt:num-comma-decimal", "1234.5"),
        ("1 234,5", "ixt:numspacecomma", "1234.5"),
        ("\u2014", "ixt:fixed-zero", "0"),
        ("-", "ixt:zerodash", "0"),
        ("no", "ixt-sec:numwordsen", "0"),
        ("None", "ixt-sec:numwordsen", "0"),
        ("twenty-two", "ixt-sec:numwordsen", "22"),
        ("One hundred and five thousand", "ixt-sec:numwordsen", "105000"),
        ("two million three hundred", "ixt-sec:numwordsen", "2000300"),
        ("5 dollars 6 cents", "ixt:num-unit-decimal", "5.06"),
        ("1,005 dollars", "ixt:num-unit-decimal", "1005"),
        (" 12\u00a0345 ", "", "12345"),
    ],
)
def test_each_format_of_the_transformation_registry_is_read(text: str, rule: str, value: str) -> None:
    assert read_number(element(text, format=rule)) == Decimal(value)


@pytest.mark.parametrize(
    ("text", "told", "value"),
    [
        ("31,370", {"scale": "6"}, "31370000000"),
        ("31,370", {"scale": "6", "sign": "-"}, "-31370000000"),
        ("12.5", {"scale": "-2"}, "0.125"),
        ("0", {"scale": "6", "sign": "-"}, "0"),
    ],
)
def test_scale_and_sign_are_applied(text: str, told: dict[str, str], value: str) -> None:
    number = read_number(element(text, **told))
    assert number is not None
    assert plain_digits(number) == value


@pytest.mark.parametrize(
    ("text", "rule"),
    [("", ""), ("n/a", "ixt:num-dot-decimal"), ("a few", "ixt-sec:numwordsen"), ("", "ixt:num-unit-decimal")],
)
def test_what_is_no_number_has_no_value(text: str, rule: str) -> None:
    assert read_number(element(text, format=rule)) is None


def test_a_nil_fact_has_no_value() -> None:
    assert read_number(element("5", **{"{http://www.w3.org/2001/XMLSchema-instance}nil": "true"})) is None


def test_a_figure_tagged_twice_is_read_through_the_inner_tag() -> None:
    outer = element("", scale="3")
    inner = etree.SubElement(outer, outer.tag)
    inner.text = "42"
    assert read_number(outer) == Decimal(42_000)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**20), max_value=10**20))
def test_plain_digits_are_the_same_number_without_exponent(value: Decimal) -> None:
    text = plain_digits(value)
    assert Decimal(text) == value
    assert "E" not in text
    assert not ("." in text and text.endswith("0"))
