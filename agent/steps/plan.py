"""plan: reads the question into a query with targets, or refuses it."""

from collections.abc import Sequence
from datetime import date

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.periods.asked_years import Asked, is_on, label
from agent.numbers.tables.alignment import asked_of
from agent.numbers.tables.table import filings_by_company
from agent.prose.questions.spelling import mended
from agent.prose.search.passages import widened
from agent.query.companies.statement_names import owners, printed
from agent.query.dates.dates import can_name
from agent.query.question import read
from agent.query.reading.asked_question import Lines
from agent.query.words.lexicon import Called
from agent.query.words.printed_names import names_in
from agent.query.words.refused_question import Misread, Read
from agent.refusals.codes import Code
from agent.refusals.misread_questions import concierge, refusal
from agent.refusals.sentences import with_model
from agent.state import (
    AgentState,
    Alternative,
    Block,
    FallbackSearch,
    FilingRef,
    QuestionType,
    Remark,
    RemarkCode,
    Target,
)
from agent.state.query import Last, Query, Span, Years
from agent.state.references import Period, PeriodForm
from agent.steps.deps import Deps
from agent.steps.documents import searched_beside, taken
from agent.steps.expectations import asked_of_annual
from agent.steps.fetch import held, resolve
from agent.steps.guidance import as_guided
from agent.steps.news import asked_of_news
from agent.steps.precheck import problem_with
from agent.steps.printed_figures import as_printed, is_given, is_unknown
from agent.steps.scoped import Scoped
from agent.steps.screened_query import resolved
from agent.steps.targets import planned_of


def plan(state: AgentState, deps: Deps) -> AgentState:
    """Turn the question into a query that uses every word, and into a target for each part of the answer.

    Reads   question, previous, scope; given, in whose place nothing is read
    Adds    plan (a target for each part of the question, or none); for META the words of the concierge as a block;
            remarks: why news was not searched; by which name a company is known; misspelt words of a topic and how they
            were read; where a model should have helped and did not;
            told: what the text is asked in place of a part that is refused
    Refuses empty, too_long, no_company, unknown_company, ambiguous_company, interim_period, concept_unknown,
            ambiguous_concept, dimensional_only, non_gaap, cross_company, prediction, advice, external_data, price,
            transcript, not_understood, out_of_scope, off_topic; target 0 where no target was planned
    """
    if state.given is not None:
        halves: Read = (state.given,)
    elif problem_with(state.question) is Code.TOO_LONG:
        # Forms reject longer questions; other callers are refused here, because reading one could take minutes.
        halves = (Misread(code=Code.TOO_LONG),)
    else:
        halves = read_by_rules(state, deps)
    proposals: tuple[Alternative, ...] = ()
    remarks: list[Remark] = []
    note = deps.note
    within = Scoped(state.scope, deps) if state.scope and state.given is None else None
    halves = tuple(map(within.of, halves)) if within else halves
    asked = asked_of_news(halves)
    news = deps.search_news(*asked) if asked else ""
    if state.given is None:
        halves = tuple(as_guided(half, state.question, deps) for half in halves)
    halves = tuple(asked_of_annual(taken(as_printed(half, deps)), state.question) for half in halves)
    halves = tuple(settled(resolved(half, deps), deps) for half in halves)
    planned = planned_of(halves, deps)
    if deps.session is not None and state.given is None and halves[0] != Misread(code=Code.TOO_LONG):
        from agent.steps.model_reading import Understood

        understood = Understood(state.question, halves, planned, deps, state.wanted, state.previous, within)
        halves, planned = understood.halves, understood.plan
        proposals, remarks, note = understood.proposals, understood.remarks, understood.failed
        news = news or understood.news
    refusals = [refusal(half, deps.registry, place) for place, half in enumerate(halves) if isinstance(half, Misread)]
    if not planned.targets and refusals:
        refusals = [with_model(one, note).model_copy(update={"proposals": proposals}) for one in refusals]
    elif deps.note:
        told = [target for target in planned.targets if target.topic]
        remarks = [Remark(target=target.id, code=RemarkCode.QUOTA, text=deps.note) for target in told]
    beside = [
        FallbackSearch(target=place, query=query)
        for place, half in enumerate(halves)
        if (query := searched_beside(half, state.question)) is not None
    ]
    planned, slips = mended(planned, lambda target: filing_asked(target, deps))
    owned = [
        Remark(target=target.id, code=RemarkCode.OWNER, text=half.whose)
        for half in halves
        for target in planned.targets
        if isinstance(half, Query) and half.whose and target.topic in half.topics
    ]
    chosen = [Remark(target=one.id, code=RemarkCode.SOURCE, text=one.remark) for one in planned.targets if one.remark]
    if news:
        beside_news = (*(one.target for one in refusals), *(one.id for one in planned.targets if one.topic))
        remarks = [*(Remark(target=one, code=RemarkCode.NEWS, text=news) for one in beside_news), *remarks]
    state = state.planned(widened(planned)).add(
        refusals=refusals, told=beside, remarks=[*owned, *chosen, *slips, *remarks]
    )
    if planned.type is not QuestionType.META or planned.query is None:
        return state
    text = concierge(planned.query.meta, len(deps.companies.covered), deps.examples())
    return state.add(blocks=Block(target=0, type=QuestionType.META, outcome="meta", text=text))


def read_by_rules(state: AgentState, deps: Deps) -> Read:
    """The query that code (without a model) reads from a question, or one for each half of it.

    Where it is not understood, it is read again with what the documents of its companies call the figures that they print;
    this reading counts where it gives one.
    """
    found = read_with(state, deps)
    # Of a document that is chosen nothing but what it prints itself may answer: see as_printed.
    if not any(map(is_unknown, found)) or (state.scope is not None and state.scope.document):
        return found
    version, names = deps.companies.version, set[tuple[str, str]]()

    def with_printed(ciks: Sequence[int]) -> Called:
        own = names_in(state.question, ciks)
        names.update(own)
        return printed(ciks, version)._replace(printed=own)

    again = read_with(state, deps, with_printed)
    return again if names and all(is_given(half, deps) for half in again) else found


def read_with(state: AgentState, deps: Deps, lines: Lines | None = None) -> Read:
    """A question as it is read with names of a company's own. lines: by default those of its statements and parts."""
    version = deps.companies.version
    return read(
        state.question,
        deps.companies,
        deps.registry,
        deps.today,
        lines or (lambda ciks: printed(ciks, version)),
        Scoped(state.scope, deps).previous(state.previous) if state.scope else state.previous,
        deps.watchlists,
        lambda: owners(version),
    )


def filing_asked(target: Target, deps: Deps) -> int | None:
    """The filing that a target for text needs, as `fetch` finds it; None if there is none."""
    if target.document is not None:
        return target.document
    found = resolve(target, held(target, deps), deps.today)
    return found.filing if isinstance(found, FilingRef) else None


def settled(half: Query | Misread, deps: Deps) -> Query | Misread:
    """The query with "as of" and its day read as the day that figures are of, or as that by which reports were filed.

    It is the latter where it lies after the end of every period that is asked, in the company's own calendar. Refused where
    the day ends a year among the newest that are asked.
    """
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
