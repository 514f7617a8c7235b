"""Periods that no report filed by a day gives: when the first report, or that of the period, was filed."""

from dataclasses import replace

from agent.numbers.asked_years import Asked, Missing
from agent.numbers.company_filings import CompanyFilings
from agent.refusals.codes import Code
from filings.xbrl.periods import FiscalPeriod, Place


def not_reported_yet(one: Asked | Missing, known: CompanyFilings) -> Asked | Missing:
    """A period as it was known on the day by which all reports were filed."""
    day = known.as_of
    if isinstance(one, Asked) or day is None:
        return replace(one, newer=None) if isinstance(one, Asked) else one
    quarter = 0 if one.period is FiscalPeriod.YEAR else one.period.quarter % 4
    of_period = [
        filing
        for filing in known.not_filed
        if filing.fiscal_year == one.year and (filing.fiscal_quarter or 0) == quarter
    ]
    reports = of_period or ([] if known.filings else known.not_filed)
    if not reports and one.code is not Code.FUTURE_PERIOD:
        return one
    first = min((filing.filed for filing in reports), default=None)
    whose = "It did" if of_period else "Its first report in our data was filed"
    said = {
        "period": Place(one.year, one.period).called if one.year else "anything",
        "day": f"{day:%-d %b %Y}",
        "filed": f"{whose} on {first:%-d %b %Y}." if first else "",
    }
    return replace(one, code=Code.NOT_YET_FILED, words={**one.words, **said})
