"""How SEC's own notation is shown to people."""

import pytest

from filings.templatetags.filing_text import grouped, month_day, ten_digits, unit_words


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("31370000000", "31,370,000,000"),
        ("-8", "−8"),  # noqa: RUF001 - typographic minus
        ("0", "0"),
        ("6.08", "6.08"),
        ("-1234.50", "−1,234.50"),  # noqa: RUF001 - typographic minus
        ("not a number", "not a number"),
        ("", ""),
    ],
)
def test_thousands_are_grouped_and_every_digit_is_kept(raw: str, shown: str) -> None:
    assert grouped(raw) == shown


@pytest.mark.parametrize(
    ("text", "shown"), [("0928", "28 Sep"), ("1231", "31 Dec"), ("", ""), ("1301", ""), ("abcd", "")]
)
def test_the_end_of_a_fiscal_year_is_a_day_and_a_month(text: str, shown: str) -> None:
    assert month_day(text) == shown


def test_a_cik_has_ten_digits() -> None:
    assert ten_digits(320193) == "0000320193"


def test_an_unknown_unit_is_shown_as_it_is() -> None:
    assert unit_words("EUR") == "EUR"
