"""The scope that is set beside a question, put into its queries."""

from dataclasses import dataclass
from functools import cached_property

from agent.query.refused_question import Misread
from agent.refusals.codes import Code
from agent.state import CompanyRef, Period, PeriodForm, Query
from agent.state.query import Years
from agent.state.question_words import Role
from agent.state.scope import Scope
from agent.steps.deps import Deps
from agent.steps.documents import Held, of_periods
from filings.models import Filing
from filings.models.source_kinds import ANNUAL, KINDS
from filings.xbrl.periods import FiscalPeriod

_LATEST = Years(periods=(Period(form=PeriodForm.LATEST),))
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
        """The company asked about in the place of the one that filed the document."""
        return self.deps.companies.get(self.filing.company.cik) if self.filing else None

    def previous(self, previous: Query | None) -> Query | None:
        """The query behind which a question is read: its company is the document's, where it names none."""
        if self.company is None or (previous and previous.companies == (self.company,)):
            return previous
        return Query(companies=(self.company,), periods=_LATEST)

    def of(self, half: Query | Misread) -> Query | Misread:
        """A half of a question as it is asked within the scope; refused where it asks for something outside."""
        if self.scope.document and (self.filing is None or self.company is None):
            return Misread(code=Code.OUT_OF_SCOPE, words=(self.scope.label,))
        if isinstance(half, Misread):
            told = {name: self.of(query) for name in ("told", "sourced") if (query := getattr(half, name))}
            return half.model_copy(
                update={name: query if isinstance(query, Query) else None for name, query in told.items()}
            )
        if half.meta or half.document is not None:
            return half
        if self.filing and self.company:
            return self._in_document(half, self.filing, self.company)
        return self._in_kind(half)

    def _in_document(self, query: Query, filing: Filing, company: CompanyRef) -> Query | Misread:
        others = tuple(one for one in query.companies if one.cik != company.cik)
        if others or query.everyone:
            return Misread(code=Code.OUT_OF_SCOPE, words=(self.scope.label,), companies=others)
        known = filing.kind.has_facts and filing.fiscal_year
        query = self._of_period(query, filing.fiscal_year, filing.fiscal_quarter) if known and query.rows else query
        note = "" if filing.kind.has_facts else NOT_ITS_TEXT
        return query.model_copy(update={"document": filing.pk, "scope_note": note if query.rows else ""})

    def _in_kind(self, query: Query) -> Query | Misread:
        scope = self.scope
        query = self._of_period(query, scope.fiscal_year, scope.fiscal_quarter) if scope.fiscal_year else query
        if not scope.kind or not query.topics or query.sources:
            return query
        query, kind = query.model_copy(update={"sources": (scope.kind,)}), KINDS[scope.kind]
        if kind is ANNUAL:
            return query
        lacking = [
            one for one in query.companies if not of_periods(query.periods_of(one.cik), kind, Held(one.cik).of(kind))
        ]
        return Misread(code=Code.OUT_OF_SCOPE, words=(scope.label,)) if lacking else query

    def _of_period(self, query: Query, year: int | None, quarter: int | None) -> Query:
        """The query of the scope's period, where it names none itself."""
        named = query.own or any(word.role is Role.PERIOD for word in query.words)
        if named or not (isinstance(query.periods, Years) and len(query.periods.periods) == 1):
            return query
        part = FiscalPeriod(f"Q{quarter}") if quarter else None
        return query.model_copy(
            update={"periods": Years(periods=(Period(form=PeriodForm.FISCAL, year=year, part=part),))}
        )
