"""Template filters that format SEC data for people."""

import calendar
from datetime import date, datetime

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime

from filings.web.company_directory import spanned
from filings.xbrl.periods import PeriodKind, period_kind

register = template.Library()


@register.filter
def ten_digits(cik: int) -> str:
    """A CIK as SEC writes it: 0000320193."""
    return f"{cik:010d}"


@register.filter
def month_day(text: str) -> str:
    """Turns the SEC's MMDD into "28 Sep"; empty if it is not a date."""
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
    """A unit in words: "US dollars" for USD."""
    words = {"USD": "US dollars", "shares": "shares", "USD/shares": "US dollars per share", "pure": ""}
    return words.get(unit, unit)


@register.filter
def breakable(name: str) -> SafeString:
    """A long name with possible line breaks between its words: us-gaap:<wbr>Net<wbr>Income<wbr>Loss."""
    broken: list[str] = []
    for position, letter in enumerate(name):
        before = name[position - 1] if position else ""
        after = name[position + 1] if position + 1 < len(name) else ""
        # EPSBasic breaks before the B only: a run of capitals is one word.
        starts_word = letter.isupper() and (
            before.islower() or before.isdigit() or (before.isupper() and after.islower())
        )
        if before in {":", "=", ";", "/", "_"} or starts_word:
            broken.append("<wbr>")
        broken.append(conditional_escape(letter))
    return mark_safe("".join(broken))  # noqa: S308 - every letter is escaped above


@register.filter
def day(value: date | None) -> SafeString | str:
    """A short date for tables: 28 Sep 2024."""
    return _time(value, "%-d %b %Y")


@register.filter
def long_day(value: date | None) -> SafeString | str:
    """A date for sentences: 28 September 2024."""
    return _time(value, "%-d %B %Y")


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """A date with its time: 18 Nov 2026, 09:14 UTC."""
    if value is None:
        return ""
    local = localtime(value)
    return format_html(
        '<time datetime="{}">{}</time>', local.isoformat(timespec="seconds"), f"{local:%-d %b %Y, %H:%M} UTC"
    )


def _time(value: date | None, form: str) -> SafeString | str:
    return (
        "" if value is None else format_html('<time datetime="{}">{}</time>', f"{value:%Y-%m-%d}", format(value, form))
    )


@register.simple_tag
def years_held(first: int, last: int, count: int) -> SafeString:
    """A range of years, with a count if some are missing: "2015 to 2025, 9 years"."""
    missing = last - first + 1 - count
    return format_html('<span class="nowrap">{}</span>{}', spanned(first, last), f", {count} years" if missing else "")


@register.simple_tag
def ending(start: date, end: date) -> SafeString:
    """A period in words: "for the year ended 28 September 2024", or for a balance "as of" the day."""
    kind = period_kind(start, end)
    if kind == PeriodKind.YEAR_TO_DATE:
        return format_html("for {} to {}", long_day(start), long_day(end))
    words = {PeriodKind.INSTANT: "as of", PeriodKind.QUARTER: "for the quarter ended"}
    return format_html("{} {}", words.get(kind, "for the year ended"), long_day(end))
