"""Template filters and tags that format figures, units, periods, dates and XBRL tags."""

from collections.abc import Sequence
from decimal import Decimal

from django import template

from agent.numbers.facts.render import MINUS, column_unit, headline, in_table, number
from agent.refusals.codes import Code
from agent.refusals.grammar import capitalized, lower_first
from agent.refusals.query_text import year
from agent.state import FactRef, Period, PeriodForm, Query
from agent.state.query import Last, Periods, Span
from agent.web.pages.progress import stage_of
from agent.web.tables.figure_card import fact_path
from filings.importing.news_addresses import host_of
from filings.models import StatementKind
from filings.models.source_kinds import ANNUAL
from filings.templatetags.filing_text import breakable, day, ending, long_day, moment

register = template.Library()
register.filter("stage", stage_of)
register.filter("host", host_of)
register.filter("fact_path", fact_path)
for shared in (breakable, column_unit, day, long_day, moment):
    register.filter(shared)
register.simple_tag(ending)

LATEST = "Latest 10-K"
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
    """A short title for a refusal code. A code from an older release is shown unchanged."""
    return next((known.row.title for known in Code if known == code), code)


@register.filter
def item_names(keys: Sequence[str]) -> str:
    """Names Items of a 10-K: "Items 1A and 7"."""
    if len(keys) < 2:
        return f"Item {keys[0]}" if keys else "All Items"
    return f"Items {', '.join(keys[:-1])} and {keys[-1]}"


@register.filter
def rounded(fact: FactRef) -> str:
    """A fact's value as written in a sentence: $85.7 million."""
    return " ".join(filter(None, headline(fact.value, fact.unit)))


@register.filter
def tabled(fact: FactRef) -> str:
    """A fact's value as written in a table: money in millions, shares in full."""
    return column(fact.value, fact.unit)


def column(value: Decimal, unit: str) -> str:
    """A value in the unit that `column_unit` puts in the column's heading."""
    return number(value) if unit == "shares" else in_table(value, unit)


@register.simple_tag
def change(value: Decimal, unit: str) -> str:
    """The difference of a later value with its sign; "none" if the values are equal."""
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
    """The statement that contains a fact: its title as printed, or else its kind."""
    if not fact.statement:
        return ""
    return fact.title or StatementKind(fact.statement).label


@register.simple_tag
def asked_periods(query: Query) -> str:
    """The years asked about, shown below the question. Years asked of one company only follow its name."""
    if query.screened:
        return str(query.screened.year) if query.screened.year else "Newest fiscal year of each company"
    if not query.own:
        said = periods(query.periods)
        # Of what a question names besides the 10-K, the newest is the latest.
        return "Latest" if said == LATEST and {*query.sources} - {ANNUAL.key} else said
    names = {company.cik: company.called for company in query.companies}
    return "; ".join(f"{names.get(one.cik, one.cik)}: {periods(one.periods)}" for one in query.own)


def periods(asked: Periods) -> str:
    """The periods in words, such as "2023, 2024", "2019 to the latest year" or "The last 5 years"."""
    if isinstance(asked, Last):
        return f"The last {asked.count} {'quarters' if asked.quarters else 'years'}" + (
            f" to {period(asked.until)}" if asked.until else ""
        )
    if isinstance(asked, Span):
        return f"{period(asked.first)} to {period(asked.last) if asked.last else 'the latest year'}"
    return ", ".join(dict.fromkeys(map(period, asked.periods)))


def period(one: Period) -> str:
    """One period in words, such as "Fiscal 2024", "Latest 10-K", "Year ended 28 September 2024" or "Q3 2024"."""
    if one.part is not None:
        return capitalized(year(one).removeprefix("in "))
    match one.form:
        case PeriodForm.LATEST:
            return LATEST
        case PeriodForm.PREVIOUS:
            return "Last fiscal year"
        case PeriodForm.ENDED if one.end:
            return f"Year ended {one.end:%-d %B %Y}"
        case PeriodForm.BARE:
            return str(one.year)
    return f"{one.form.value.capitalize()} {one.year}"
