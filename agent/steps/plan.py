"""plan: what the question asks, or why it cannot be asked."""

from collections.abc import Sequence

from agent.prose.passages import widened
from agent.prose.slips import mended
from agent.query.faces import owners, printed
from agent.query.misread import Misread
from agent.query.parts import Read, read
from agent.refusals.codes import Code
from agent.refusals.misread_questions import concierge, refusal
from agent.refusals.sentences import with_model
from agent.state import (
    AgentState,
    Alternative,
    Block,
    FallbackRefusal,
    FallbackSearch,
    FilingRef,
    Period,
    PeriodForm,
    Plan,
    Query,
    QuestionType,
    Remark,
    RemarkCode,
    Target,
)
from agent.state.query import Years
from agent.steps.deps import Deps
from agent.steps.fetch import held, resolve
from agent.steps.precheck import problem_with

# Refusals that nothing near a 10-K is asked with.
_NO_KIND = frozenset({Code.EMPTY, Code.TOO_LONG, Code.OFF_TOPIC, Code.ADVICE, Code.PRICE})


def plan(state: AgentState, deps: Deps) -> AgentState:
    """Read the question into a query, every word accounted for, and a target for each part of its answer.

    Reads   question, previous; given, in whose place nothing is read
    Adds    plan (a target for each part of the question, or none); for META the words of the concierge as a block;
            remarks: misspelt words of a topic and how they were read; where a model should have helped and did not;
            told: what the text is asked in place of a part that is refused
    Refuses empty, too_long, no_company, unknown_company, ambiguous_company, interim_period, concept_unknown,
            ambiguous_concept, dimensional_only, non_gaap, cross_company, prediction, advice, external_data, price,
            transcript, not_understood, off_topic; target 0 where no target was planned
    """
    if state.given is not None:
        halves: Read = (state.given,)
    elif problem_with(state.question) is Code.TOO_LONG:
        # Forms take none; whatever else asks is not read for minutes.
        halves = (Misread(code=Code.TOO_LONG),)
    else:
        halves = read_by_rules(state, deps)
    proposals: tuple[Alternative, ...] = ()
    remarks: list[Remark] = []
    note = deps.note
    planned = planned_of(halves, deps)
    if deps.session is not None and state.given is None and halves[0] != Misread(code=Code.TOO_LONG):
        from agent.steps.model_reading import Understood

        understood = Understood(state.question, halves, planned, deps, state.wanted)
        halves, planned = understood.halves, understood.plan
        proposals, remarks, note = understood.proposals, understood.remarks, understood.failed
    refusals = [refusal(half, deps.registry, place) for place, half in enumerate(halves) if isinstance(half, Misread)]
    if not planned.targets and refusals:
        refusals = [with_model(one, note).model_copy(update={"proposals": proposals}) for one in refusals]
    elif deps.note:
        told = [target for target in planned.targets if target.topic]
        remarks = [Remark(target=target.id, code=RemarkCode.QUOTA, text=deps.note) for target in told]
    beside = [
        FallbackSearch(target=place, query=half.told)
        for place, half in enumerate(halves)
        if isinstance(half, Misread) and half.told is not None and not half.untimely
    ]
    planned, slips = mended(planned, lambda target: filing_asked(target, deps))
    state = state.planned(widened(planned)).add(refusals=refusals, told=beside, remarks=[*slips, *remarks])
    if planned.type is not QuestionType.META or planned.query is None:
        return state
    text = concierge(planned.query.meta, len(deps.companies.covered), deps.examples())
    return state.add(blocks=Block(target=0, type=QuestionType.META, outcome="meta", text=text))


def read_by_rules(state: AgentState, deps: Deps) -> Read:
    """The query of a question as code reads it, or of each half of it."""
    version = deps.companies.version
    return read(
        state.question,
        deps.companies,
        deps.registry,
        deps.today,
        lambda ciks: printed(ciks, version),
        state.previous,
        deps.watchlists,
        lambda: owners(version),
    )


def planned_of(halves: Sequence[Query | Misread], deps: Deps) -> Plan:
    """A target for each part that is answered: ids are places of halves where each has one, else they count on."""
    queries = [half for half in halves if isinstance(half, Query)]
    if not queries:
        misread = [half for half in halves if isinstance(half, Misread)]
        kind = QuestionType.PROSE if any(half.text for half in misread) else QuestionType.NUMERIC
        kind = QuestionType.REFUSE if misread[0].code in _NO_KIND else kind
        return Plan(type=kind, query=misread[0].query)
    if queries[0].meta:
        return Plan(type=QuestionType.META, query=queries[0])
    targets: list[Target] = []
    for place, half in enumerate(halves):
        if isinstance(half, Query):
            made = targets_of(half, deps)
            ids = range(max(place, len(targets)), max(place, len(targets)) + len(made))
            targets += [one.model_copy(update={"id": number}) for one, number in zip(made, ids, strict=True)]
    figures = any(target.figures for target in targets) or len(queries) < len(halves)
    text = any(not target.figures for target in targets)
    kind = QuestionType.BOTH if figures and text else QuestionType.NUMERIC if figures else QuestionType.PROSE
    return Plan(type=kind, targets=tuple(targets), query=merged(halves))


def targets_of(query: Query, deps: Deps) -> list[Target]:
    """The table of a query; the topic or the data asked of each company and year."""
    first = next(iter(query.companies))
    found = [Target(id=0, company=first, period=first_period(query, first.cik), figures=True)] if query.rows else []
    for company in query.companies if query.topics or query.particulars else ():
        periods = query.periods_of(company.cik)
        for period in periods.periods if isinstance(periods, Years) else (first_period(query, company.cik),):
            base = Target(id=0, company=company, period=period, otherwise=otherwise(query))
            found += [base.model_copy(update={"topic": topic}) for topic in query.topics]
            found += [base.model_copy(update={"particular": key}) for key in query.particulars]
    return found


def first_period(query: Query, cik: int) -> Period:
    """The first year named, for what is said of the question as a whole."""
    periods = query.periods_of(cik)
    if isinstance(periods, Years):
        return periods.periods[0]
    named = getattr(periods, "first", None) or getattr(periods, "until", None)
    return named or Period(form=PeriodForm.LATEST)


def filing_asked(target: Target, deps: Deps) -> int | None:
    """The filing that a target for text asks, as `fetch` finds it; None where there is none."""
    found = resolve(target, held(target, deps), deps.today)
    return found.filing if isinstance(found, FilingRef) else None


def otherwise(query: Query) -> FallbackRefusal | None:
    """How a question for a figure that no measure holds is refused where no text tells it."""
    if not query.unheld:
        return None
    words = " ".join(f"\u201c{word}\u201d" for word in query.unheld)
    said = f"{words} {'is' if len(query.unheld) == 1 else 'are'} not a measure I know."
    return FallbackRefusal(code=Code.CONCEPT_UNKNOWN, text=said, words=query.unheld)


def merged(halves: Sequence[Query | Misread]) -> Query:
    """One query of both halves: the figures of one, the topics of the other, and the words of both."""
    queries = [half if isinstance(half, Query) else half.query for half in halves]
    main = next((one for one in queries if one.rows), queries[0])
    return main.model_copy(
        update={
            "topics": tuple(topic for one in queries for topic in one.topics),
            "particulars": tuple(dict.fromkeys(key for one in queries for key in one.particulars)),
            "words": tuple(sorted((word for one in queries for word in one.words), key=lambda word: word.start)),
        }
    )
