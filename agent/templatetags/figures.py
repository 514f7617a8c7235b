"""How dates, tags, units and figures are written on a page."""

from datetime import date, datetime
from decimal import Decimal

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime

from agent.numbers.answer import MINUS, in_table, number
from agent.progress import stage_of
from agent.state import FactRef
from filings.models import StatementKind

register = template.Library()
register.filter("stage", stage_of)

PRECISION = {
    -3: "to the nearest thousand",
    -5: "to the nearest hundred thousand",
    -6: "to the nearest million",
    -8: "to the nearest hundred million",
    -9: "to the nearest billion",
    0: "to the unit",
    2: "to the cent",
}


@register.filter
def breakable(name: str) -> SafeString:
    """A tag that may break at its capitals: us-gaap:<wbr>Net<wbr>Income<wbr>Loss."""
    broken: list[str] = []
    for position, letter in enumerate(name):
        before = name[position - 1] if position else ""
        after = name[position + 1] if position + 1 < len(name) else ""
        # EPSBasic breaks before the B only: a run of capitals is one word.
        starts_word = letter.isupper() and (
            before.islower() or before.isdigit() or (before.isupper() and after.islower())
        )
        if before == ":" or starts_word:
            broken.append("<wbr>")
        broken.append(conditional_escape(letter))
    return mark_safe("".join(broken))  # noqa: S308 - every letter is escaped above


@register.filter
def day(value: date | None) -> SafeString | str:
    """28 Sep 2024, for tables."""
    return _time(value, "%-d %b %Y")


@register.filter
def long_day(value: date | None) -> SafeString | str:
    """28 September 2024, for sentences."""
    return _time(value, "%-d %B %Y")


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """18 Nov 2026, 09:14 UTC."""
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


@register.filter
def tabled(fact: FactRef) -> str:
    """A fact's value as a column of figures shows it: money in millions, shares in full."""
    return column(fact.value, fact.unit)


def column(value: Decimal, unit: str) -> str:
    """A value as a column headed `column_unit` shows it."""
    return number(value) if unit == "shares" else in_table(value, unit)


@register.simple_tag
def change(value: Decimal | None, unit: str) -> str:
    """A later value's difference: first for the filing used, none where it is equal, else with its sign."""
    if value is None:
        return "first"
    if value == 0:
        return "none"
    return ("+" if value > 0 else MINUS) + column(abs(value), unit)


@register.filter
def column_unit(unit: str) -> str:
    """The heading of a column of figures in a unit."""
    return {"USD": "US$ millions", "shares": "Shares", "USD/shares": "US$ per share", "pure": "Number"}.get(unit, unit)


@register.filter
def precision(fact: FactRef) -> str:
    """The unit as tagged, and how exactly: USD, tagged to the nearest million."""
    if fact.decimals is None:
        return fact.unit
    return f"{fact.unit}, tagged {PRECISION.get(fact.decimals, f'with decimals {fact.decimals}')}"


@register.filter
def statement(fact: FactRef) -> str:
    """The statement a fact stands on: its printed title, else its kind."""
    if not fact.statement:
        return ""
    return fact.title or StatementKind(fact.statement).label


@register.simple_tag
def ending(start: date, end: date) -> SafeString:
    """for the year ended 28 September 2024, or as of it for a balance."""
    words = "as of" if start == end else "for the year ended"
    return format_html("{} {}", words, long_day(end))
