"""How what SEC writes for machines is shown to people."""

import calendar

from django import template

register = template.Library()


@register.filter
def ten_digits(cik: int) -> str:
    """A CIK as SEC writes it: 0000320193."""
    return f"{cik:010d}"


@register.filter
def month_day(text: str) -> str:
    """28 Sep, from SEC's MMDD; empty where it is none."""
    if len(text) != 4 or not text.isdigit() or not 1 <= int(text[:2]) <= 12:
        return ""
    return f"{int(text[2:])} {calendar.month_abbr[int(text[:2])]}"


@register.filter
def grouped(raw: str) -> str:
    """A raw value with its thousands grouped and every digit kept: 31,370,000,000."""
    digits, point, fraction = raw.removeprefix("-").partition(".")
    if not digits.isdigit():
        return raw
    sign = "−" if raw.startswith("-") else ""  # noqa: RUF001 - typographic minus
    return f"{sign}{int(digits):,}{point}{fraction}"


@register.filter
def unit_words(unit: str) -> str:
    """US dollars, for USD."""
    words = {"USD": "US dollars", "shares": "shares", "USD/shares": "US dollars per share", "pure": ""}
    return words.get(unit, unit)
