"""Questions that do answer, offered beside a refusal.

Each candidate is asked of the very pipeline before it is offered; one that refuses is dropped.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from agent.numbers import formula
from agent.numbers.registry import Registry, normalise
from agent.refusals import item_questions
from agent.refusals.codes import Code, Offer
from agent.refusals.labels import lower_first
from agent.state import AgentState, Alternative, CompanyRef, PeriodForm, QuestionType, Refusal, Target
from filings.models import Filing

if TYPE_CHECKING:
    from agent.steps.deps import Deps

Answers = Callable[[str], bool]

MOST = 3
# Candidates tried for one refusal: the rest would cost more than they help.
TRIES = 8


def alternatives(refusal: Refusal, state: AgentState, deps: "Deps", answers: Answers) -> tuple[Alternative, ...]:
    """Up to three questions near the refused one, each known to be answered.

    answers: whether the whole pipeline answers a question.
    """
    of_text = of_items(refusal, state, deps)
    return (
        tried(refusal.proposals, state, answers)
        or tried(of_text, state, answers)
        or tried(candidates(refusal, state, deps), state, answers)
    )


def tried(near: Iterable[Alternative], state: AgentState, answers: Answers) -> tuple[Alternative, ...]:
    """The first of the candidates that are answered, each asked once, never the refused question itself."""
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
    """Items of filings to open, for a refused question about text; none for one about figures."""
    target = asked(refusal, state)
    if target is None or target.topic is None:
        if target is not None or not state.plan or state.plan.type is not QuestionType.PROSE:
            return
    elif target.company.covered and refusal.code.row.offers is not Offer.COMPANIES:
        yield from item_questions.at_filing(refusal.code, target, state)
        return
    held = item_questions.companies_with_text(deps.grant.ciks)
    meant = [deps.companies.get(cik) for cik in (*refusal.companies, *held)]
    meant.insert(0, target.company if target else None)
    companies = {one.cik: one for one in meant if one and one.covered and deps.grant.covers(one.cik)}
    yield from item_questions.at_companies(list(companies.values()), target)


def candidates(refusal: Refusal, state: AgentState, deps: "Deps") -> Iterator[Alternative]:
    """Near questions, the nearest first."""
    target = asked(refusal, state)
    company = target.company if target and target.company.covered else None
    concepts = [reading.concept for reading in target.readings if not reading.mention] if target else []
    year = target.period.year if target and target.period.form is not PeriodForm.LATEST else None
    if company is None or refusal.code.row.offers is Offer.COMPANIES:
        return elsewhere(refusal, concepts, year, deps, [company] if company else [])
    spans = state.plan.spans if state.plan else ()
    named = [*refusal.concepts, *(span.meaning for span in spans if span.role == "concept")]
    near = [key for key in operands(named, deps.registry) if key not in concepts]
    return at_company(refusal, company, concepts, near, year, deps)


def elsewhere(
    refusal: Refusal, concepts: list[str], year: int | None, deps: "Deps", first: list[CompanyRef]
) -> Iterator[Alternative]:
    """The measure asked, or revenue, at the companies the question may mean, then at others held here."""
    named = [company for company in (deps.companies.get(cik) for cik in refusal.companies) if company]
    near = {one.cik: one for one in (*first, *named) if one.covered and deps.grant.covers(one.cik)}
    meant = list(near.values())
    why = "The same measure at a covered company" if concepts else "A covered company"
    for company in meant:
        yield from questions(company, concepts or ["revenue"], year, deps, "One company at a time" if first else why)
    for company in deps.examples():
        if company.cik not in near:
            yield from questions(company, concepts or ["revenue"], year, deps, why)


def at_company(
    refusal: Refusal, company: CompanyRef, concepts: list[str], near: list[str], year: int | None, deps: "Deps"
) -> Iterator[Alternative]:
    """Other years of the measure, measures near it or in its statement, and the measure at another company."""
    others = by_statement([key for key in refusal.code.row.instead if key not in concepts], concepts, deps)
    if refusal.code.row.offers is Offer.YEARS:
        yield from questions(company, concepts or others, year, deps, "The nearest available fiscal year", most=2)
    elif refusal.code is Code.CONFLICT:
        yield from questions(company, concepts, year, deps, "Another fiscal year in which the facts agree", most=4)
    why = "A figure it is computed from" if refusal.code is Code.RATIO else "A similar measure"
    yield from questions(company, near, year, deps, why)
    if refusal.code.row.offers is not Offer.YEARS and refusal.stage == "plan":
        yield from questions(company, concepts, year, deps, "The plain measure, without the unused words")
    reported = f"A measure {company.short} reports"
    yield from questions(company, others[:2], year, deps, reported)
    if refusal.stage != "plan":
        for other in deps.examples():
            if other.cik != company.cik:
                yield from questions(other, concepts, year, deps, "The same measure at another company")
    yield from questions(company, others[2:], year, deps, reported)


def operands(keys: Iterable[str], registry: Registry) -> list[str]:
    """Concept keys, with each metric replaced by the concepts it is computed from."""
    found: dict[str, None] = {}
    for key in keys:
        metric = registry.metrics.get(key)
        trees = metric.expressions[:1] if metric else ()
        parts = operands((one.name.key for tree in trees for one in formula.operands(tree)), registry)
        found.update(dict.fromkeys(parts if metric else [key]))
    return [key for key in found if key in registry.concepts]


def by_statement(keys: list[str], concepts: list[str], deps: "Deps") -> list[str]:
    """Keys with those of the same statement as the measure asked first."""
    wanted = {deps.registry.concepts[key].statement for key in concepts if key in deps.registry.concepts}
    return sorted(keys, key=lambda key: deps.registry.concepts[key].statement not in wanted)


def asked(refusal: Refusal, state: AgentState) -> Target | None:
    """The target a refusal closes, where the question could be planned or half planned."""
    targets = state.plan.targets if state.plan else ()
    return next((target for target in targets if target.id == refusal.target), None) or refusal.about


def questions(
    company: CompanyRef, concepts: list[str], year: int | None, deps: "Deps", why: str, most: int = 1
) -> Iterator[Alternative]:
    """Questions for measures of a company, in the registry's words, at the `most` years nearest to the one asked."""
    years = [filing.fiscal_year for filing in Filing.objects.askable(company.cik) if filing.fiscal_year]
    if not years:
        return
    near = sorted(years, key=lambda held: (abs(held - (year or years[0])), -held))
    for key in concepts:
        for held in near[:most]:
            yield Alternative(question=f"{company.short} {phrase(key, deps.registry)} in fiscal {held}", why=why)


def phrase(key: str, registry: Registry) -> str:
    """A registry key in words that are read as nothing else: its label, or the first alias that is clear."""
    concept = registry.concepts[key]
    known = [alias for alias in (concept.label, *concept.aliases) if registry.aliases.get(normalise(alias)) == (key,)]
    return lower_first(next((alias for alias in known if is_clear(alias, registry)), concept.label))


def is_clear(alias: str, registry: Registry) -> bool:
    """Whether words have one reading; what is only mentioned beside the answer is no second one."""
    term = registry.ambiguous.get(normalise(alias))
    return term is None or (not term.ask and len(term.concepts) + len(term.metrics) == 1)
