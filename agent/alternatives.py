"""Questions that do answer, offered beside a refusal.

Each candidate is asked of the very pipeline before it is offered; one that refuses is dropped.
"""

from collections.abc import Iterator
from itertools import islice

from agent.codes import Code
from agent.deps import Deps
from agent.fetch import primary_filings
from agent.numbers.registry import Registry, normalise
from agent.state import AgentState, Alternative, CompanyRef, PeriodForm, Refusal, Target

MOST = 3
# Candidates tried for one refusal: the rest would cost more than they help.
TRIES = 8
# What nearly every filer reports, one per statement.
COMMON = ("revenue", "net_income", "total_assets", "cfo", "operating_income", "cash")
# What people who ask for these usually want to know from a filing.
INSTEAD = {
    Code.PRICE: ("shares_out", "eps_diluted", "net_income"),
    Code.ADVICE: ("revenue", "net_income", "cfo"),
    Code.PREDICTION: COMMON,
}
# Refusals of another year's or quarter's figure: the nearest fiscal years of the same measure come first.
OF_PERIOD = {
    Code.YEAR_NOT_INGESTED,
    Code.YEAR_BEFORE_2015,
    Code.FUTURE_PERIOD,
    Code.INTERIM_PERIOD,
    Code.PREDICTION,
    Code.YEAR_OVER_YEAR,
}
OF_COMPANY = {
    Code.NO_COMPANY,
    Code.UNKNOWN_COMPANY,
    Code.AMBIGUOUS_COMPANY,
    Code.COMPANY_NOT_COVERED,
    Code.FOREIGN_FILER,
    Code.OFF_TOPIC,
}


def alternatives(refusal: Refusal, state: AgentState, deps: Deps) -> tuple[Alternative, ...]:
    """Up to three questions near the refused one, each known to be answered."""
    offered: dict[str, Alternative] = {}
    for alternative in islice(candidates(refusal, state, deps), TRIES):
        if alternative.question not in offered and answered(alternative.question, deps):
            offered[alternative.question] = alternative
            if len(offered) == MOST:
                break
    return tuple(offered.values())


def answered(question: str, deps: Deps) -> bool:
    """Whether the whole pipeline answers a question."""
    from agent import pipeline

    state = pipeline.run(question, deps)
    return bool(state.drafts) and bool(state.open_targets())


def candidates(refusal: Refusal, state: AgentState, deps: Deps) -> Iterator[Alternative]:
    """Near questions, the nearest first: same measure at another time, another measure, another company."""
    target = asked(refusal, state)
    companies = [target.company] if target and target.company.covered else []
    concepts = [reading.concept for reading in target.readings if not reading.mention] if target else []
    others = [key for key in INSTEAD.get(refusal.code, COMMON) if key not in concepts]
    year = target.period.year if target and target.period.form is not PeriodForm.LATEST else None
    if refusal.code in OF_COMPANY or not companies:
        named = [company for company in (deps.companies.get(cik) for cik in refusal.companies) if company]
        for company in [*companies, *[one for one in named if one.covered], *deps.companies.examples()]:
            yield from questions(
                company,
                concepts or ["revenue"],
                year,
                deps,
                "The same measure at a company held here" if concepts else "A company held here",
            )
        return
    company = companies[0]
    if refusal.code in OF_PERIOD:
        yield from questions(company, concepts or others, year, deps, "The nearest fiscal year held", most=2)
    suggested = [key for key in refusal.concepts if key not in concepts]
    yield from questions(company, suggested, year, deps, "A measure near the one asked")
    if refusal.code not in OF_PERIOD and refusal.stage == "plan":
        yield from questions(company, concepts, year, deps, "The plain measure, without the words that were not used")
    yield from questions(company, others, year, deps, f"A measure {company.short} reports")


def asked(refusal: Refusal, state: AgentState) -> Target | None:
    """The target a refusal closes, where the question could be planned or half planned."""
    targets = state.plan.targets if state.plan else ()
    return next((target for target in targets if target.id == refusal.target), None) or refusal.about


def questions(
    company: CompanyRef, concepts: list[str], year: int | None, deps: Deps, why: str, most: int = 1
) -> Iterator[Alternative]:
    """Questions for measures of a company, in the registry's words, at the `most` years nearest to the one asked."""
    years = [filing.fiscal_year for filing in primary_filings(company.cik) if filing.fiscal_year]
    if not years:
        return
    near = sorted(years, key=lambda held: (abs(held - (year or years[0])), -held))
    for key in concepts:
        for held in near[:most]:
            yield Alternative(question=f"{company.short} {phrase(key, deps.registry)} in fiscal {held}", why=why)


def phrase(key: str, registry: Registry) -> str:
    """A registry key in words that are read as nothing else."""
    concept = registry.concepts[key]
    clear = (alias for alias in concept.aliases if normalise(alias) not in registry.ambiguous)
    return next(clear, concept.label)
