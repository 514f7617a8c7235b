"""Finds questions to offer with a refusal: changed as little as possible, and known to be answered.

Company, years and measure stay; another company is offered only where none was named, or one that is not known. Another
measure is near to the one asked, by its name or on its statement; where none is, none is offered. Each candidate is asked
of the pipeline before it is offered.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from agent.numbers.registry import formula
from agent.numbers.registry.registry import Registry
from agent.query.words.lexicon import CompanyPart, measure_of
from agent.query.words.part_names import near_parts
from agent.query.words.statement_names import printed
from agent.refusals import item_questions
from agent.refusals.codes import Code, Offer
from agent.refusals.grammar import possessive
from agent.refusals.near_measures import near_measures
from agent.refusals.query_text import question
from agent.state import AgentState, Alternative, CompanyRef, Period, PeriodForm, Query, QuestionType, Refusal, Target
from agent.state.query import Breakdown, Change, Concept, Last, Measure, Member, Metric, Row, Share, Span, Years
from agent.state.references import RelativePeriod
from filings.models import Filing

if TYPE_CHECKING:
    from agent.steps.deps import Deps

# Refusals whose measures are near the words, and not what they say.
_NOT_KNOWN = frozenset({Code.CONCEPT_UNKNOWN, Code.AMBIGUOUS_CONCEPT})

Answers = Callable[[str], bool]

MOST = 3
# Candidates tried for one refusal: more would cost more than they help.
TRIES = 8
# Measures near the one asked that are tried.
NEAR = 5
_OWNED = ("'s", "\u2019s")
# By what else a measure may be divided.
OTHERWISE = {"segment": ("product", "region"), "product": ("segment", "region"), "region": ("segment", "product")}


def alternatives(refusal: Refusal, state: AgentState, deps: "Deps", answers: Answers) -> tuple[Alternative, ...]:
    """Up to three questions near the refused one, each known to be answered.

    answers: whether the whole pipeline answers a question.
    """
    return (
        tried(refusal.proposals, state, answers)
        or tried(of_items(refusal, state, deps), state, answers)
        or tried(of_figures(refusal, state, deps), state, answers)
    )


def tried(near: Iterable[Alternative], state: AgentState, answers: Answers) -> tuple[Alternative, ...]:
    """The first candidates that are answered, each asked once, never the refused question itself."""
    offered: dict[str, Alternative] = {}
    seen = {state.question}
    for alternative in islice(near, TRIES):
        if alternative.question in seen:
            continue
        seen.add(alternative.question)
        if answers(alternative.question):
            offered[alternative.question] = alternative
            if len(offered) == MOST:
                break
    return tuple(offered.values())


def of_items(refusal: Refusal, state: AgentState, deps: "Deps") -> Iterator[Alternative]:
    """Items of filings to open, for a refused text question; none for one about figures."""
    target = asked(refusal, state)
    if target is None or target.topic is None:
        if target is not None or not state.plan or state.plan.type is not QuestionType.PROSE:
            return
        companies = meant(refusal, deps) or examples(deps, item_questions.companies_with_text(deps.grant.ciks))
        yield from item_questions.at_companies(companies)
        return
    if target.company.covered and refusal.code.row.offers is not Offer.COMPANIES:
        yield from item_questions.at_filing(refusal.code, target, state)


def asked(refusal: Refusal, state: AgentState) -> Target | None:
    """The target a refusal closes, where it was planned."""
    return next((one for one in (state.plan.targets if state.plan else ()) if one.id == refusal.target), None)


def meant(refusal: Refusal, deps: "Deps") -> list[CompanyRef]:
    """The companies that a refused name may mean and that can be asked about."""
    named = [deps.companies.get(cik) for cik in refusal.companies]
    return [one for one in named if one and one.covered and deps.grant.covers(one.cik)]


def examples(deps: "Deps", ciks: Iterable[int]) -> list[CompanyRef]:
    return [one for cik in ciks if (one := deps.companies.get(cik))]


def of_figures(refusal: Refusal, state: AgentState, deps: "Deps") -> Iterator[Alternative]:
    """Near questions for figures, the nearest first."""
    if refusal.code is Code.UNKNOWN_COMPANY:
        yield from of_other_companies(refusal, state, deps)
        return
    known = state.plan.query if state.plan else None
    query = known or Query(periods=Years(periods=(Period(form=PeriodForm.LATEST),)))
    for found, why in candidates(refusal, query, deps):
        if found.companies and found.rows:
            yield Alternative(question=question(dated(found), deps.registry), why=why)


def of_other_companies(refusal: Refusal, state: AgentState, deps: "Deps") -> Iterator[Alternative]:
    """The question itself, asked of a company that is known in the place of the name that is not."""
    likely = meant(refusal, deps)
    for name in refusal.words[:1]:
        for company in likely or deps.examples():
            called = possessive(company.called) if name.casefold().endswith(_OWNED) else company.called
            yield Alternative(
                question=state.question.replace(name, called, 1), why="" if likely else "Another company"
            )


def dated(query: Query) -> Query:
    """The query with its newest fiscal year in place of "latest"."""
    latest = isinstance(query.periods, Years) and all(one.form is PeriodForm.LATEST for one in query.periods.periods)
    newest = nearest(query, query.companies)[:1] if latest else []
    return changed(query, periods=newest[0]) if newest else query


def candidates(refusal: Refusal, query: Query, deps: "Deps") -> Iterator[tuple[Query, str]]:
    """The question with one part changed at a time."""
    near = tuple(row(deps.registry, key) for key in refusal.concepts if is_key(key, deps.registry))
    if not query.companies:
        likely = meant(refusal, deps)
        near = () if refusal.code is Code.OFF_TOPIC else near
        for company in likely or deps.examples():
            yield changed(query, companies=(company,), rows=query.rows or near), "" if likely else "A covered company"
        return
    held = tuple(one for one in query.companies if one.covered and deps.grant.covers(one.cik))
    query = changed(query, companies=held)
    if not held:
        return
    for part in refusal.parts or like_named(query, deps):
        yield changed(query, rows=(part,), operations=()), f"Parts of {held[0].called}"
    if query.rows and refusal.code is not Code.TABLE_TOO_LARGE:
        # As understood: without the word that was refused, or the company that is not covered.
        yield query, ""
    for measure in (one.measure for one in query.rows if isinstance(one.measure, Breakdown)):
        for axis in OTHERWISE.get(measure.axis, ()):
            otherwise = Row(measure=measure.model_copy(update={"axis": axis}))
            yield changed(query, rows=(otherwise,), operations=()), f"By {axis}"
    rows = query.rows or near[:1]
    if refusal.code.row.offers is Offer.YEARS:
        whole = nearest(query, held)
        for periods in (*held_span(query, held), *nearest_parts(query, whole), *whole):
            yield changed(query, rows=rows, periods=periods, own=()), "The nearest available period"
    for one in near:
        if one not in query.rows:
            similar = "A similar measure" if refusal.code in _NOT_KNOWN else ""
            yield changed(query, rows=(one,), operations=()), similar
    if refusal.code is Code.NOT_UNDERSTOOD and isinstance(near[0].measure if near else None, Concept):
        divided = Row(measure=Breakdown(of=near[0].measure, axis="segment"))
        yield changed(query, rows=(divided,), operations=()), f"The segments of {held[0].called}"
    if refusal.stage == "plan":
        return
    for part in parts(rows, deps.registry):
        yield changed(query, rows=(part,), operations=()), "A figure it is computed from"
    if refusal.code is Code.CONFLICT:
        for years in nearest(query, held, most=3):
            yield changed(query, periods=years, own=()), "Another fiscal year in which the facts agree"
    if refusal.code.row.offers is Offer.YEARS:
        return  # no other measure is held either
    newest = next(iter(nearest(query, held)), query.periods)
    near_keys = near_measures([key for one in rows for key in keys_of(one.measure)], deps.registry)[:NEAR]
    for key in near_keys:
        yield (
            changed(query, rows=(row(deps.registry, key),), operations=(), periods=newest, own=()),
            "A similar measure",
        )


def keys_of(measure: Measure) -> Iterator[str]:
    """The registry keys in a measure, of which others may be near."""
    match measure:
        case Concept(key=key) | Metric(key=key):
            yield key
        case Change(of=of) | Breakdown(of=of) | Member(of=of):
            yield from keys_of(of)
        case Share(part=part):
            yield from keys_of(part)


def held_span(query: Query, companies: Iterable[CompanyRef]) -> Iterator[Span]:
    """The years asked that are available, where several in a row are asked of which some are not."""
    if isinstance(query.periods, Years) or (isinstance(query.periods, Last) and query.periods.quarters):
        return
    askable = [Filing.objects.askable(company.cik) for company in companies]
    years = sorted(set.intersection(*({one.fiscal_year for one in filings if one.fiscal_year} for filings in askable)))
    if isinstance(query.periods, Span):
        first, last = query.periods.first.year, query.periods.last.year if query.periods.last else None
        years = [year for year in years if (first or year) <= year <= (last or year)]
    if len(years) > 1:
        ends = (Period(form=PeriodForm.FISCAL, year=year) for year in (years[0], years[-1]))
        yield Span(first=next(ends), last=next(ends))


def nearest_parts(query: Query, years: Iterable[Years]) -> Iterator[Years]:
    """The same part of the nearest years, and the newest quarter, where a part of a year is asked."""
    asked = query.periods.periods[:1] if isinstance(query.periods, Years) else ()
    for period in asked:
        if period.part is None:
            continue
        newest = Period(form=PeriodForm.LATEST, part=RelativePeriod.QUARTER)
        near = [period.model_copy(update={"year": one.periods[0].year}) for one in years if period.year]
        for one in (*near[:1], newest, *near[1:]):
            yield Years(periods=(one,))


def like_named(query: Query, deps: "Deps") -> Iterator[Row]:
    """Rows for parts of the company that share a word with the asked name: China (including Hong Kong) for China."""
    members = [one.measure for one in query.rows if isinstance(one.measure, Member)]
    known = printed([query.companies[0].cik], deps.companies.version).parts if members else ()
    for measure in members:
        for part in near_parts((CompanyPart(*each) for each in known), [measure.label]):
            if not set(part.members) <= set(measure.members):
                yield Row(measure=Member(of=measure.of, label=part.label, members=part.members))


def row(registry: Registry, key: str) -> Row:
    return Row(measure=measure_of(registry, key))


def is_key(key: str, registry: Registry) -> bool:
    """Whether it is a concept or metric rather than a printed line."""
    return key in registry.concepts or key.partition(":")[0] in registry.metrics


def changed(query: Query, **parts: object) -> Query:
    """A copy of the query with some parts changed."""
    return query.model_copy(update=parts)


def parts(rows: Iterable[Row], registry: Registry) -> Iterator[Row]:
    """The concepts that the metrics among these rows are computed from."""
    keys = [one.measure.key for one in rows if isinstance(one.measure, Metric)]
    for key in concepts(keys, registry):
        yield Row(measure=Concept(key=key))


def concepts(keys: Iterable[str], registry: Registry) -> list[str]:
    """Concept keys, with each metric replaced by the concepts it is computed from."""
    found: dict[str, None] = {}
    for key in keys:
        metric = registry.metrics.get(key)
        trees = metric.expressions[:1] if metric else ()
        inner = concepts((one.name.key for tree in trees for one in formula.operands(tree)), registry)
        found.update(dict.fromkeys(inner if metric else [key]))
    return [key for key in found if key in registry.concepts]


def nearest(query: Query, companies: Iterable[CompanyRef], most: int = 2) -> list[Years]:
    """The available fiscal years nearest to the one asked, the newest where none is named."""
    company = next(iter(companies))
    years = [one.fiscal_year for one in Filing.objects.askable(company.cik) if one.fiscal_year]
    wanted = query.periods.periods[0].year if isinstance(query.periods, Years) else None
    near = sorted(years, key=lambda held: (abs(held - (wanted or max(years))), -held))
    return [Years(periods=(Period(form=PeriodForm.FISCAL, year=year, text=str(year)),)) for year in near[:most]]
