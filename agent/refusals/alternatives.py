"""Finds questions to offer with a refusal: changed as little as possible, and known to be answered.

Company, years and measure stay; another company is offered only where none was named, or one that is not known. Another
measure is near to the one asked, by its name or on its statement; where none is, none is offered. Each candidate is asked
of the pipeline before it is offered. `NearQuestions.candidates` states the order in which they are tried.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from agent.numbers.registry import formula
from agent.numbers.registry.registry import Registry
from agent.query.companies.statement_names import printed
from agent.query.words.lexicon import CompanyPart, measure_of
from agent.query.words.part_names import near_parts
from agent.refusals import item_questions
from agent.refusals.codes import Code, Offer
from agent.refusals.grammar import possessive
from agent.refusals.near_measures import near_measures
from agent.refusals.query_text import question
from agent.state import AgentState, Alternative, CompanyRef, Period, PeriodForm, Query, QuestionType, Refusal
from agent.state.query import Breakdown, Change, Concept, Last, Measure, Member, Metric, Row, Share, Span, Years
from agent.state.references import RelativePeriod
from filings.models import Filing

if TYPE_CHECKING:
    from agent.steps.deps import Deps

# Refusals whose measures are near the words, and not what they say.
_NOT_KNOWN = frozenset({Code.CONCEPT_UNKNOWN, Code.AMBIGUOUS_CONCEPT})

Answers = Callable[[str], bool]
# A query, and why it is offered; empty where the question speaks for itself.
Candidate = tuple[Query, str]

MOST = 3
# Candidates tried for one refusal: more would cost more than they help.
TRIES = 8
# Measures near the one asked that are tried.
NEAR = 5
_OWNED = ("'s", "\u2019s")
# By which other kinds of parts a measure may be divided.
OTHER_AXES = {"segment": ("product", "region"), "product": ("segment", "region"), "region": ("segment", "product")}


def alternatives(refusal: Refusal, state: AgentState, deps: "Deps", answers: Answers) -> tuple[Alternative, ...]:
    """Up to three questions near the refused one, each known to be answered.

    answers: whether the whole pipeline answers a question.
    """
    return (
        _answered(refusal.proposals, state, answers)
        or _answered(_items_to_open(refusal, state, deps), state, answers)
        or _answered(_figures_to_ask(refusal, state, deps), state, answers)
    )


def _answered(candidates: Iterable[Alternative], state: AgentState, answers: Answers) -> tuple[Alternative, ...]:
    """The first candidates that are answered, each asked once, never the refused question itself."""
    offered: dict[str, Alternative] = {}
    tried = {state.question}
    for candidate in islice(candidates, TRIES):
        if candidate.question in tried:
            continue
        tried.add(candidate.question)
        if answers(candidate.question):
            offered[candidate.question] = candidate
            if len(offered) == MOST:
                break
    return tuple(offered.values())


# --- text: Items to open ---


def _items_to_open(refusal: Refusal, state: AgentState, deps: "Deps") -> Iterator[Alternative]:
    """Items of filings to open, for a refused text question; none for one about figures."""
    targets = state.plan.targets if state.plan else ()
    target = next((target for target in targets if target.id == refusal.target), None)
    if target is None and state.plan and state.plan.type is QuestionType.PROSE:
        with_text = item_questions.companies_with_text(deps.grant.ciks)
        examples = [company for cik in with_text if (company := deps.companies.get(cik))]
        yield from item_questions.at_companies(_companies_meant(refusal, deps) or examples)
    elif target and target.topic and target.company.covered and refusal.code.row.offers is not Offer.COMPANIES:
        yield from item_questions.at_filing(refusal.code, target, state)


def _companies_meant(refusal: Refusal, deps: "Deps") -> list[CompanyRef]:
    """The companies that a refused name may mean and that can be asked about."""
    companies = [deps.companies.get(cik) for cik in refusal.companies]
    return [company for company in companies if company and company.covered and deps.grant.covers(company.cik)]


# --- figures ---


def _figures_to_ask(refusal: Refusal, state: AgentState, deps: "Deps") -> Iterator[Alternative]:
    """Near questions for figures, the nearest first."""
    if refusal.code is Code.UNKNOWN_COMPANY:
        yield from _of_known_companies(refusal, state, deps)
        return
    planned = state.plan.query if state.plan else None
    query = planned or Query(periods=Years(periods=(Period(form=PeriodForm.LATEST),)))
    for candidate, why in NearQuestions.of(refusal, query, deps).candidates():
        if candidate.companies and candidate.rows:
            yield Alternative(question=question(_with_its_year(candidate), deps.registry), why=why)


def _of_known_companies(refusal: Refusal, state: AgentState, deps: "Deps") -> Iterator[Alternative]:
    """The question itself, asked of a company that is known in the place of the name that is not."""
    meant = _companies_meant(refusal, deps)
    why = "" if meant else "Another company"
    for name in refusal.words[:1]:
        for company in meant or deps.examples():
            called = possessive(company.called) if name.casefold().endswith(_OWNED) else company.called
            yield Alternative(question=state.question.replace(name, called, 1), why=why)


def _with_its_year(query: Query) -> Query:
    """The query with its newest fiscal year in place of "latest"."""
    latest = isinstance(query.periods, Years) and all(
        period.form is PeriodForm.LATEST for period in query.periods.periods
    )
    newest = _nearest_years(query, query.companies)[:1] if latest else []
    return _changed(query, periods=newest[0]) if newest else query


@dataclass(frozen=True, slots=True)
class NearQuestions:
    """The refused query with one part changed at a time."""

    refusal: Refusal
    query: Query  # of the companies among those asked that can be asked about
    named_company: bool
    near_rows: tuple[Row, ...]  # the measures of the registry that the refusal names as near
    deps: "Deps"

    @classmethod
    def of(cls, refusal: Refusal, query: Query, deps: "Deps") -> "NearQuestions":
        askable = tuple(one for one in query.companies if one.covered and deps.grant.covers(one.cik))
        near = tuple(
            Row(measure=measure_of(deps.registry, key))
            for key in refusal.concepts
            if key in deps.registry.concepts or key.partition(":")[0] in deps.registry.metrics
        )
        return cls(refusal, _changed(query, companies=askable), bool(query.companies), near, deps)

    def candidates(self) -> Iterator[Candidate]:
        """What is tried, in this order."""
        if not self.named_company:
            yield from self._of_a_company()
            return
        if not self.query.companies:
            return
        yield from self._parts_named_alike()
        yield from self._as_understood()
        yield from self._divided_otherwise()
        yield from self._in_periods_held()
        yield from self._measures_near_the_words()
        yield from self._segments_of_the_measure()
        if self.refusal.stage == "plan":
            return
        yield from self._operands()
        yield from self._years_that_agree()
        if self.refusal.code.row.offers is not Offer.YEARS:  # else no other measure is held either
            yield from self._similar_measures()

    def _of_a_company(self) -> Iterator[Candidate]:
        meant = _companies_meant(self.refusal, self.deps)
        rows = self.query.rows or (() if self.refusal.code is Code.OFF_TOPIC else self.near_rows)
        for company in meant or self.deps.examples():
            yield _changed(self.query, companies=(company,), rows=rows), "" if meant else "A covered company"

    def _parts_named_alike(self) -> Iterator[Candidate]:
        for row in self.refusal.parts or _parts_like_those_asked(self.query, self.deps):
            yield self._with_row(row), f"Parts of {self._company.called}"

    def _as_understood(self) -> Iterator[Candidate]:
        """Without the word that was refused, or the company that is not covered."""
        if self.query.rows and self.refusal.code is not Code.TABLE_TOO_LARGE:
            yield self.query, ""

    def _divided_otherwise(self) -> Iterator[Candidate]:
        for row in self.query.rows:
            if isinstance(row.measure, Breakdown):
                for axis in OTHER_AXES.get(row.measure.axis, ()):
                    yield self._with_row(Row(measure=row.measure.model_copy(update={"axis": axis}))), f"By {axis}"

    def _in_periods_held(self) -> Iterator[Candidate]:
        if self.refusal.code.row.offers is not Offer.YEARS:
            return
        years = _nearest_years(self.query, self.query.companies)
        periods = (
            *_span_held(self.query, self.query.companies),
            *nearest_parts_of_years(self.query, years),
            *years,
        )
        for period in periods:
            yield _changed(self.query, rows=self._rows, periods=period, own=()), "The nearest available period"

    def _measures_near_the_words(self) -> Iterator[Candidate]:
        why = "A similar measure" if self.refusal.code in _NOT_KNOWN else ""
        for row in self.near_rows:
            if row not in self.query.rows:
                yield self._with_row(row), why

    def _segments_of_the_measure(self) -> Iterator[Candidate]:
        measure = self.near_rows[0].measure if self.near_rows else None
        if self.refusal.code is Code.NOT_UNDERSTOOD and isinstance(measure, Concept):
            row = Row(measure=Breakdown(of=measure, axis="segment"))
            yield self._with_row(row), f"The segments of {self._company.called}"

    def _operands(self) -> Iterator[Candidate]:
        metrics = [row.measure.key for row in self._rows if isinstance(row.measure, Metric)]
        for key in _concepts_of(metrics, self.deps.registry):
            yield self._with_row(Row(measure=Concept(key=key))), "A figure it is computed from"

    def _years_that_agree(self) -> Iterator[Candidate]:
        if self.refusal.code is Code.CONFLICT:
            for years in _nearest_years(self.query, self.query.companies, most=3):
                yield _changed(self.query, periods=years, own=()), "Another fiscal year in which the facts agree"

    def _similar_measures(self) -> Iterator[Candidate]:
        newest = next(iter(_nearest_years(self.query, self.query.companies)), self.query.periods)
        keys = [key for row in self._rows for key in _keys_of(row.measure)]
        for key in near_measures(keys, self.deps.registry)[:NEAR]:
            row = Row(measure=measure_of(self.deps.registry, key))
            yield _changed(self._with_row(row), periods=newest, own=()), "A similar measure"

    def _with_row(self, row: Row) -> Query:
        return _changed(self.query, rows=(row,), operations=())

    @property
    def _rows(self) -> tuple[Row, ...]:
        return self.query.rows or self.near_rows[:1]

    @property
    def _company(self) -> CompanyRef:
        return self.query.companies[0]


def _keys_of(measure: Measure) -> Iterator[str]:
    """The registry keys in a measure, of which others may be near."""
    match measure:
        case Concept(key=key) | Metric(key=key):
            yield key
        case Change(of=of) | Breakdown(of=of) | Member(of=of):
            yield from _keys_of(of)
        case Share(part=part):
            yield from _keys_of(part)


def _span_held(query: Query, companies: Iterable[CompanyRef]) -> Iterator[Span]:
    """The years asked that are available, where several in a row are asked of which some are not."""
    if isinstance(query.periods, Years) or (isinstance(query.periods, Last) and query.periods.quarters):
        return
    filings_of = [Filing.objects.askable(company.cik) for company in companies]
    years = sorted(
        set.intersection(*({filing.fiscal_year for filing in filings if filing.fiscal_year} for filings in filings_of))
    )
    if isinstance(query.periods, Span):
        first, last = query.periods.first.year, query.periods.last.year if query.periods.last else None
        years = [year for year in years if (first or year) <= year <= (last or year)]
    if len(years) > 1:
        ends = [Period(form=PeriodForm.FISCAL, year=year) for year in (years[0], years[-1])]
        yield Span(first=ends[0], last=ends[1])


def nearest_parts_of_years(query: Query, years: Iterable[Years]) -> Iterator[Years]:
    """The same part of the nearest years, and the newest quarter, where a part of a year is asked."""
    period = query.periods.periods[0] if isinstance(query.periods, Years) and query.periods.periods else None
    if period is None or period.part is None:
        return
    newest = Period(form=PeriodForm.LATEST, part=RelativePeriod.QUARTER)
    same = [period.model_copy(update={"year": year.periods[0].year}) for year in years if period.year]
    for near in (*same[:1], newest, *same[1:]):
        yield Years(periods=(near,))


def _parts_like_those_asked(query: Query, deps: "Deps") -> Iterator[Row]:
    """Rows for parts of the company that share a word with the asked name: China (including Hong Kong) for China."""
    members = [row.measure for row in query.rows if isinstance(row.measure, Member)]
    known = printed([query.companies[0].cik], deps.companies.version).parts if members else ()
    for member in members:
        for part in near_parts((CompanyPart(*fields) for fields in known), [member.label]):
            if not set(part.members) <= set(member.members):
                yield Row(measure=Member(of=member.of, label=part.label, members=part.members))


def _changed(query: Query, **fields: object) -> Query:
    """A copy of the query with some fields changed."""
    return query.model_copy(update=fields)


def _concepts_of(keys: Iterable[str], registry: Registry) -> list[str]:
    """Concept keys, with each metric replaced by the concepts it is computed from."""
    found: dict[str, None] = {}
    for key in keys:
        metric = registry.metrics.get(key)
        trees = metric.expressions[:1] if metric else ()
        operands = _concepts_of((operand.name.key for tree in trees for operand in formula.operands(tree)), registry)
        found.update(dict.fromkeys(operands if metric else [key]))
    return [key for key in found if key in registry.concepts]


def _nearest_years(query: Query, companies: Iterable[CompanyRef], most: int = 2) -> list[Years]:
    """The available fiscal years nearest to the one asked, the newest where none is named."""
    company = next(iter(companies))
    years = [filing.fiscal_year for filing in Filing.objects.askable(company.cik) if filing.fiscal_year]
    asked = query.periods.periods[0].year if isinstance(query.periods, Years) else None
    nearest = sorted(years, key=lambda year: (abs(year - (asked or max(years))), -year))
    return [Years(periods=(Period(form=PeriodForm.FISCAL, year=year, text=str(year)),)) for year in nearest[:most]]
