"""Periods that a question names without a year, as they are of the document that it is limited to: "the third quarter"."""

from datetime import date

from agent.state import Period, PeriodForm, Query
from agent.state.query import Last, Periods, Span, Years
from agent.state.question_words import Role
from agent.state.references import RelativePeriod
from agent.words.tokens import stems
from filings.models import Filing
from filings.xbrl.periods import QUARTERS, FiscalPeriod

_RELATIVE = frozenset({PeriodForm.LATEST, PeriodForm.PREVIOUS})
# Parts of a year by the quarter in which they end.
_TO_DATE = {1: FiscalPeriod.Q1, 2: FiscalPeriod.H1, 3: FiscalPeriod.NINE_MONTHS}
_ENDS: dict[object, FiscalPeriod] = {
    RelativePeriod.HALF: FiscalPeriod.H1,
    RelativePeriod.NINE_MONTHS: FiscalPeriod.NINE_MONTHS,
}


def in_document(query: Query, filing: Filing, today: date) -> Query:
    """The query with periods of the document's time where the question tells them relative to now; as it is where the
    document is of no fiscal year.
    """
    if filing.fiscal_year is None:
        return query
    of = _Time(filing, filing.fiscal_year, today)
    if is_unnamed(query.periods) and not filing.kind.has_facts:
        return query.model_copy(update={"periods": of.own(query)})
    trailing = isinstance(query.periods, Years) and any(
        one.part is RelativePeriod.TRAILING for one in query.periods.periods
    )
    update: dict[str, object] = {"periods": of.periods(query.periods)}
    if trailing and query.as_of is None:
        update["as_of"] = filing.filed
    return query.model_copy(update=update)


def is_unnamed(periods: Periods) -> bool:
    """Whether no period is named, so that the newest is asked."""
    return isinstance(periods, Years) and all(
        one.form is PeriodForm.LATEST and one.part is None and not one.text for one in periods.periods
    )


class _Time:
    """The fiscal year and quarter in which a document ends."""

    def __init__(self, filing: Filing, year: int, today: date) -> None:
        self.year, self.today = year, today
        last = len(QUARTERS)
        self.is_annual = filing.kind.span == "year" or filing.fiscal_quarter == last
        self.quarter = last if self.is_annual else filing.fiscal_quarter

    def periods(self, asked: Periods) -> Periods:
        match asked:
            case Years(periods=named):
                return Years(periods=tuple(map(self.period, named)))
            case Last(until=None, quarters=False):
                return asked.model_copy(update={"until": self.last_year})
            case Last(until=None) if self.quarter:
                until = Period(form=PeriodForm.FISCAL, year=self.year, part=QUARTERS[self.quarter - 1])
                return asked.model_copy(update={"until": until})
            case Span(last=last) if last is None or last.form is PeriodForm.LATEST:
                return asked.model_copy(update={"last": self.last_year})
        return asked

    def own(self, query: Query) -> Periods:
        """The period that a document tells of where the question names none: of one for a fourth quarter the year, where
        the question says so ("for the year"), else the quarter.
        """
        said = {word for one in query.words if one.role is Role.FRAME for word in stems(one.text)}
        part = None if self.quarter is None or (self.is_annual and "year" in said) else QUARTERS[self.quarter - 1]
        return Years(periods=(Period(form=PeriodForm.FISCAL, year=self.year, part=part),))

    @property
    def last_year(self) -> Period:
        """The last whole fiscal year that the document can tell of."""
        return Period(form=PeriodForm.FISCAL, year=self.year if self.is_annual or not self.quarter else self.year - 1)

    def period(self, asked: Period) -> Period:
        """A period as the document has it; as it is where the question names its year, or no period."""
        if not asked.text or asked.part is RelativePeriod.TRAILING or asked.form is PeriodForm.ENDED:
            return asked
        if asked.form in _RELATIVE:
            back = 1 if asked.form is PeriodForm.PREVIOUS else 0
        elif asked.year is not None and not any(map(str.isdigit, asked.text)):  # "this year"
            back = self.today.year - asked.year
        else:
            return asked
        part = self.part(asked.part)
        # What the document's year has not reached yet is of the year before.
        ahead = isinstance(part, FiscalPeriod) and self.quarter is not None and part.quarter > self.quarter
        year = self.year - back - (1 if ahead else 0)
        return asked.model_copy(update={"form": PeriodForm.FISCAL, "year": year, "part": part})

    def part(self, asked: FiscalPeriod | RelativePeriod | None) -> FiscalPeriod | RelativePeriod | None:
        """A part of the year by name."""
        if isinstance(asked, FiscalPeriod) or not self.quarter:
            return asked
        if asked is None:
            return None if self.is_annual else QUARTERS[self.quarter - 1]
        if asked is RelativePeriod.TO_DATE:
            return _TO_DATE.get(self.quarter)
        if asked is RelativePeriod.DAY and self.is_annual:
            return None
        return _ENDS.get(asked, QUARTERS[self.quarter - 1])
