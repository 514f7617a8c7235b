"""Whether "as of" and a day name the day that figures are of, or the day by which reports were filed.

It is the latter where it lies after the end of every period that is asked, in the company's own calendar.
"""

from datetime import date

from agent.numbers.alignment import asked_of
from agent.numbers.asked_years import Asked, is_on, label
from agent.numbers.company_filings import CompanyFilings
from agent.numbers.table import filings_by_company
from agent.query.dates import can_name
from agent.query.refused_question import Misread
from agent.refusals.codes import Code
from agent.state.query import Last, Query, Span, Years
from agent.state.references import Period, PeriodForm
from agent.steps.deps import Deps


def settled(half: Query | Misread, deps: Deps) -> Query | Misread:
    """The query with its day as one of the two; refused where the day ends a year among the newest that are asked."""
    if isinstance(half, Misread) or half.as_of is None or not half.as_of_words:
        return half
    by_company = filings_by_company(half.companies, deps, interim=True)
    day = Period(form=PeriodForm.ENDED, end=half.as_of, text=half.as_of_words)
    ends = [end for one in by_company.values() for end in _ends(half, one, deps)]
    on_end = any(is_on(end, day) for end in ends) or any(_is_named(half, day, one) for one in by_company.values())
    if not on_end and (_to_newest(half) or all(end < half.as_of for end in ends)):
        return half.model_copy(update={"dated": None, "as_of_words": ""})
    # A day within the periods that are asked changes nothing of them.
    passed_over = half.dated == half.periods and not on_end
    if half.dated is None or _to_newest(half) or passed_over:
        return Misread(code=Code.NOT_UNDERSTOOD, words=(half.as_of_words,), companies=half.companies, rows=half.rows)
    return half.model_copy(update={"periods": half.dated, "dated": None, "as_of": None, "as_of_words": ""})


def _ends(query: Query, filings: CompanyFilings, deps: Deps) -> list[date]:
    """The ends of the periods that are asked of a company; of all its years, where they reach to the newest."""
    if _to_newest(query):
        return [one.period_end for one in filings.filings if one.period_end]
    asked = asked_of(query, query.periods_of(filings.company.cik), filings, deps.today, deps.grant.covers)
    return [label(one.filing)[1] for one in asked if isinstance(one, Asked)]


def _is_named(query: Query, day: Period, filings: CompanyFilings) -> bool:
    """Whether a day ends a year that may be called by the year that is named: fiscal 2023, ended in January 2024."""
    named = query.periods.periods if isinstance(query.periods, Years) else ()
    called = any(can_name(one, day) for one in named if one.part is None)
    return called and any(one.period_end and is_on(one.period_end, day) for one in filings.filings)


def _to_newest(query: Query) -> bool:
    """Whether the periods reach to the newest one."""
    match query.periods:
        case Last(until=None) | Span(last=None):
            return True
    return False
