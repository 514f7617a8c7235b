"""How figures and their units are written on a page; dates and tags as filings write them."""

from collections.abc import Sequence
from decimal import Decimal

from django import template

from agent.numbers.render import MINUS, column_unit, headline, in_table, number
from agent.refusals.codes import Code
from agent.refusals.grammar import capitalized, lower_first
from agent.refusals.query_text import year
from agent.state import FactRef, Period, PeriodForm, Query
from agent.state.query import Last, Periods, Span
from agent.web.pages.progress import stage_of
from filings.models import StatementKind
from filings.templatetags.filing_text import breakable, day, ending, long_day, moment

register = template.Library()
register.filter("stage", stage_of)
for shared in (breakable, column_unit, day, long_day, moment):
    register.filter(shared)
register.simple_tag(ending)

PRECISION = {
    -3: "to the nearest thousand",
    -5: "to the nearest hundred thousand",
    -6: "to the nearest million",
    -8: "to the nearest hundred million",
    -9: "to the nearest billion",
    0: "to the unit",
    2: "to the cent",
}


register.filter("lower_first", lower_first)


@register.filter
def refusal_title(code: str) -> str:
    """A refusal's code in a few words; one of a former release as it is."""
    return next((known.row.title for known in Code if known == code), code)


@register.filter
def item_names(keys: Sequence[str]) -> str:
    """Items 1A and 7."""
    if len(keys) < 2:
        return f"Item {keys[0]}" if keys else "All Items"
    return f"Items {', '.join(keys[:-1])} and {keys[-1]}"


@register.filter
def rounded(fact: FactRef) -> str:
    """A fact's value as a sentence says it: $85.7 million."""
    return " ".join(filter(None, headline(fact.value, fact.unit)))


@register.filter
def tabled(fact: FactRef) -> str:
    """A fact's value as a column of figures shows it: money in millions, shares in full."""
    return column(fact.value, fact.unit)


def column(value: Decimal, unit: str) -> str:
    """A value as a column headed `column_unit` shows it."""
    return number(value) if unit == "shares" else in_table(value, unit)


@register.simple_tag
def change(value: Decimal, unit: str) -> str:
    """A later value's difference: none where it is equal, else with its sign."""
    if value == 0:
        return "none"
    return ("+" if value > 0 else MINUS) + column(abs(value), unit)


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
def asked_periods(query: Query) -> str:
    """The years asked, for the line below a question; those of single companies behind their names."""
    if not query.own:
        return periods(query.periods)
    names = {company.cik: company.called for company in query.companies}
    return "; ".join(f"{names.get(one.cik, one.cik)}: {periods(one.periods)}" for one in query.own)


def periods(asked: Periods) -> str:
    """2023, 2024; 2019 to the latest year; the last 5 years."""
    if isinstance(asked, Last):
        return f"The last {asked.count} {'quarters' if asked.quarters else 'years'}" + (
            f" to {period(asked.until)}" if asked.until else ""
        )
    if isinstance(asked, Span):
        return f"{period(asked.first)} to {period(asked.last) if asked.last else 'the latest year'}"
    return ", ".join(dict.fromkeys(map(period, asked.periods)))


def period(one: Period) -> str:
    """Fiscal 2024, 2024, Calendar 2024, Latest 10-K, Year ended 28 September 2024; of parts, Q3 2024."""
    if one.part is not None:
        return capitalized(year(one).removeprefix("in "))
    match one.form:
        case PeriodForm.LATEST:
            return "Latest 10-K"
        case PeriodForm.PREVIOUS:
            return "Last fiscal year"
        case PeriodForm.ENDED if one.end:
            return f"Year ended {one.end:%-d %B %Y}"
        case PeriodForm.BARE:
            return str(one.year)
    return f"{one.form.value.capitalize()} {one.year}"
