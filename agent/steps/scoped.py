"""The scope that is set beside a question, put into its queries, with what the question names otherwise."""

from dataclasses import dataclass
from functools import cached_property

from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.refusals.query_text import when
from agent.state import CompanyRef, Period, PeriodForm, Query
from agent.state.query import Years
from agent.state.question_words import Role
from agent.state.scope import Scope
from agent.steps.deps import Deps
from agent.steps.documents import Held, of_periods
from agent.steps.periods_in_document import in_document
from filings.models import Filing
from filings.models.source_kinds import ANNUAL, KINDS
from filings.xbrl.periods import FiscalPeriod

LATEST = Years(periods=(Period(form=PeriodForm.LATEST),))
NOT_ITS_TEXT = "Figures are those of the reports\u2019 XBRL facts; of the document chosen only the text is searched."


@dataclass(frozen=True)
class Scoped:
    """One scope, with the document that it names looked up once."""

    scope: Scope
    deps: Deps

    @cached_property
    def filing(self) -> Filing | None:
        """The document, while its text is searched; None for a scope without one."""
        if not self.scope.document:
            return None
        return Filing.objects.searched().registered(self.scope.document, self.scope.cik)

    @cached_property
    def company(self) -> CompanyRef | None:
        """The company chosen, or the one asked about in the place of the one that filed the document."""
        cik = self.filing.company.cik if self.filing else None if self.scope.document else self.scope.cik
        return self.deps.companies.get(cik) if cik is not None else None

    def previous(self, previous: Query | None) -> Query | None:
        """The query behind which a question is read: its company is the one chosen, where it names none."""
        if self.company is None or (previous and previous.companies == (self.company,)):
            return previous
        return Query(companies=(self.company,), periods=LATEST)

    def of(self, half: Query | Misread) -> Query | Misread:
        """A half of a question as it is asked within the scope; refused where it asks for something outside."""
        chosen = self.scope.document or self.scope.cik
        if chosen and (self.company is None or (self.scope.document and self.filing is None)):
            return Misread(code=Code.OUT_OF_SCOPE, words=(self.scope.label,))
        if isinstance(half, Misread):
            told = {name: self.of(query) for name in ("told", "sourced") if (query := getattr(half, name))}
            return half.model_copy(
                update={name: query if isinstance(query, Query) else None for name, query in told.items()}
            )
        if half.meta or half.document is not None:
            return half
        others = tuple(one for one in half.companies if self.company and one.cik != self.company.cik)
        if others or (self.company and half.everyone):
            return Misread(code=Code.OUT_OF_SCOPE, words=(self.scope.label,), companies=others)
        return self._in_document(half, self.filing) if self.filing else self._in_kind(half)

    def _in_document(self, query: Query, filing: Filing) -> Query:
        query = in_document(query, filing, self.deps.today)
        known = filing.kind.has_facts and filing.fiscal_year
        said = "" if agrees(query, filing) else disagreement(query, filing.headline)
        query = self._of_period(query, filing.fiscal_year, filing.fiscal_quarter) if known and query.rows else query
        facts = "" if filing.kind.has_facts or not query.rows else NOT_ITS_TEXT
        return query.model_copy(update={"document": filing.pk, "scope_note": " ".join(filter(None, (said, facts)))})

    def _in_kind(self, query: Query) -> Query | Misread:
        scope = self.scope
        if scope.fiscal_year:
            limited = self._of_period(query, scope.fiscal_year, scope.fiscal_quarter)
            if limited is query and not is_of(query, scope.fiscal_year, scope.fiscal_quarter):
                limited = query.model_copy(
                    update={"scope_note": f"The question\u2019s own period counts, {own(query)}."}
                )
            query = limited
        if not scope.kind or not query.topics or query.sources:
            return query
        query, kind = query.model_copy(update={"sources": (scope.kind,)}), KINDS[scope.kind]
        if kind is ANNUAL:
            return query
        lacking = [
            one for one in query.companies if not of_periods(query.periods_of(one.cik), kind, Held(one.cik).of(kind))
        ]
        said = (
            scope.label
            if not query.scope_note
            else ", ".join((*(one.called for one in lacking), kind.label, own(query)))
        )
        return Misread(code=Code.OUT_OF_SCOPE, words=(said,)) if lacking else query

    def _of_period(self, query: Query, year: int | None, quarter: int | None) -> Query:
        """The query of the scope's period, where it names none itself."""
        if names_period(query) or not (isinstance(query.periods, Years) and len(query.periods.periods) == 1):
            return query
        part = FiscalPeriod(f"Q{quarter}") if quarter else None
        return query.model_copy(
            update={"periods": Years(periods=(Period(form=PeriodForm.FISCAL, year=year, part=part),))}
        )


def names_period(query: Query) -> bool:
    """Whether the question names a period itself."""
    return bool(query.own) or any(word.role is Role.PERIOD for word in query.words)


def agrees(query: Query, filing: Filing) -> bool:
    """Whether a document is of the period that a question names, if it names one."""
    if not names_period(query) or of_periods(query.periods, filing.kind, [filing]):
        return True
    days = query.days is not None and bool(of_periods(query.days, filing.kind, [filing]))
    return days or (filing.kind.span == "year" and is_of(query, filing.fiscal_year, None))


def is_of(query: Query, year: int | None, quarter: int | None) -> bool:
    """Whether the years and quarters that a question names are no others than these."""
    if not isinstance(query.periods, Years):
        return False
    part = FiscalPeriod(f"Q{quarter}") if quarter else None
    return all(one.year == year and (part is None or one.part is part) for one in query.periods.periods)


def own(query: Query) -> str:
    """The period that a question names: fiscal 2024."""
    return when(query.periods).removeprefix("in ")


def disagreement(query: Query, chosen: str) -> str:
    """That a question names a period of which a document is not, and which of them counts, in a sentence."""
    other = f"the document chosen, {chosen}, is of another period"
    if query.rows:
        return f"The figures are of {own(query)}, as asked; {other}."
    return f"The question asks of {own(query)}, and {other}. Only that document is searched."
