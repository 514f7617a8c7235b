"""Notes on the periods of a table: what columns mean for several companies, when they end, and how old they are."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.periods import asked_years
from agent.numbers.periods.asked_years import Asked, Missing
from agent.numbers.tables.alignment import Aligned, Columns
from agent.refusals.grammar import listed, possessive
from agent.state.query import Last, Periods, Query, Years, interim
from agent.state.references import PeriodForm
from filings.xbrl.periods import FiscalPeriod

# Fiscal years that end within this many days of each other are compared without a note.
NEAR = timedelta(days=10)
# After so long the next quarterly report, and after so long the next annual one, has been filed.
TWO_QUARTERS, YEAR_FILED = timedelta(days=183), timedelta(days=365 + 90)
# More companies than this are not listed one by one.
MOST_LISTED = 2


def about_columns(aligned: Aligned) -> Iterator[str]:
    """A note where columns are calendar periods."""
    if not aligned.places:
        return
    if any(place.period.of_quarter for place in aligned.places.values()):
        yield "Columns are calendar quarters: each company's fiscal quarter whose midpoint lies in that quarter."
    elif any(place.period is not FiscalPeriod.YEAR for _, place in aligned.places):
        yield "Columns are twelve months to the end of a calendar quarter, for each company to its nearest quarter end."
    else:
        yield "Columns are calendar years: each company's fiscal year whose midpoint lies in that year."


def about_ends(by_company: Mapping[int, CompanyFilings], aligned: Aligned) -> Iterator[str]:
    """A note where the newest periods of several companies end on different days, unless each figure says so."""
    columns = {} if aligned.places else aligned.columns
    ends = {
        by_company[cik].company.called: max(asked_years.label(one.filing)[1] for one in held)
        for cik, found in columns.items()
        if (held := [one for one in found if isinstance(one, Asked)])
    }
    if len(ends) < 2 or max(ends.values()) - min(ends.values()) <= NEAR:
        return
    said = listed([f"{name} {end:%-d %b %Y}" for name, end in ends.items()])
    if len(ends) > MOST_LISTED:
        said = f"{min(ends.values()):%-d %b %Y} to {max(ends.values()):%-d %b %Y}"
    yield f"The periods compared end on different days: {said}."


def about_newest(
    query: Query, by_company: Mapping[int, CompanyFilings], columns: Columns, today: date
) -> Iterator[str]:
    """Notes where the newest period is asked and reports are old, or a newer one cannot be used or compared."""
    for cik, found in columns.items():
        periods, company_filings = query.periods_of(cik), by_company[cik]
        if not _is_newest(periods):
            continue
        yield from _of_company(company_filings, found, today, quarterly=interim(periods), several=len(columns) > 1)


def _of_company(
    company_filings: CompanyFilings, found: Sequence[Asked | Missing], today: date, *, quarterly: bool, several: bool
) -> Iterator[str]:
    used = max((asked_years.label(one.filing)[1] for one in found if isinstance(one, Asked)), default=None)
    quarters = [one.period_end for one in company_filings.interim if one.period_end]
    years = [one.period_end for one in company_filings.filings if one.period_end]
    held = [*quarters, *years] if quarterly else years
    if not held or used is None or any(isinstance(one, Asked) and one.newer for one in found):
        return
    newest, name = max(held), company_filings.company.called
    called = "year" if newest in years else "quarter"
    if newest - used > NEAR and several:
        yield f"{name} has a newer report, for the {called} ended {newest:%-d %b %Y}."
        return
    if newest - used > NEAR and quarterly:
        yield f"{possessive(name)} newest report, to {newest:%-d %b %Y}, is not used here: an earlier one is missing."
    if today - newest > (TWO_QUARTERS if quarterly else YEAR_FILED):
        of = f" for {name}" if several else ""
        yield f"Latest report in our data{of}: {called} ended {newest:%-d %b %Y}."


def _is_newest(periods: Periods) -> bool:
    """Whether the newest period is asked for."""
    match periods:
        case Years(periods=named):
            return any(one.form is PeriodForm.LATEST for one in named)
        case Last(until=until):
            return until is None or until.form is PeriodForm.LATEST
    return False
