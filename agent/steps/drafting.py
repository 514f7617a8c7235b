"""Drafts answers with a model from the passages of all rounds so far; cite_check verifies them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal, TypeVar

from django.conf import settings

from agent.programs import calls, draft, rerank, review_refusal
from agent.programs.draft import Source
from agent.programs.figure_placeholders import Figure, Placed, figures
from agent.prose.extract import inside
from agent.prose.search.floor import floor_of
from agent.prose.search.narrowing import narrowed
from agent.prose.search.passages import focus_text
from agent.prose.text.candidate_sentences import texts
from agent.query.words.lexicon import lexicon_of
from agent.state import AgentState, Claim, Drafting, Passage, Remark, RemarkCode, Retrieval, Target
from agent.state.model_rounds import Why
from agent.state.modes import LIMITS, Mode, below
from agent.steps.deps import Deps
from agent.steps.retrieve import phrase_query
from agent.steps.sources import in_place, neighbours, retrieved, with_neighbours
from agent.words.stems import roots

# Passages for one draft, and at least so many for each part of a question. In recorded drafts of a strong model 101 of 108
# claims quote one of the first eight, in the order of agent.prose.search.narrowing; 89 in the order of the searches.
MOST = {Mode.DIRECT: 8, Mode.STANDARD: 8, Mode.DETAILED: 16, Mode.DEEP_SEARCH: 40}
OF_PART = 4
# Characters of passages for one draft; a second look and later rounds have less that is new.
READ = {Mode.DIRECT: 16_000, Mode.STANDARD: 22_000, Mode.DETAILED: 44_000, Mode.DEEP_SEARCH: 120_000}
READ_AGAIN = 11_000
Found = TypeVar("Found")

UNVERIFIED = "Nothing the language model drafted could be verified."
# How much of a failed claim the next draft is shown.
MOST_TOLD = 160


class NoDraft(Exception):
    """No draft was made. The message is a sentence for people, `why` one of agent.state.model_rounds.Why."""

    def __init__(self, why: Why, text: str) -> None:
        super().__init__(text)
        self.why = why


def drafted(state: AgentState, targets: Sequence[Target], deps: Deps, session: calls.Session) -> AgentState:
    """The state with the claims that a model drafts for these targets, in one draft. Raises NoDraft.

    Adds claims, draftings; remarks, where the budget allowed only a cheaper mode or no model
    """
    plan = state.plan
    if plan is None:
        raise ValueError("Nothing is planned.")
    sources = sources_of(state, targets, plan.axes)
    if not sources and state.iteration:
        raise NoDraft("no_passages", "No passage was found that had not been read.")
    # Each reading has its own passages; where none was found, the question is answered as a whole.
    axes = plan.axes if any(one.axes for one in sources) else ()
    sources = ordered(session, state.question, sources)
    if session.budget.left().seconds <= 0:
        raise NoDraft("deadline", str(calls.ModelFailed("deadline")))
    question, made_in, placeable, lacked = state.question, state.iteration, offered(state), feedback(state)
    program, inputs = draft.asked(question, sources, axes=axes, figures=placeable, feedback=lacked)
    mode = affordable(state.mode, calls.expected(program, inputs), session)
    if mode is None:
        raise NoDraft("budget", str(calls.ModelFailed("budget")))
    # Where no draft has found anything yet, further passages are read for an answer of any kind.
    reviewed = bool(made_in) and not state.claims
    not_found: tuple[str, ...] = ()
    direction: Literal["", "yes", "no", "mixed"] = ""
    try:
        if reviewed:
            review, mode = stepping_down(
                mode,
                lambda most: review_refusal.review_refusal(
                    session, question, sources, max_tokens=most, iteration=made_in
                ),
            )
            claims, count, direction = list(review.claims), review.drafted, review.direction
            claims = [in_axis(claim, sources) for claim in claims] if axes else claims
        else:
            names = lexicon_of(deps.registry)

            def ask(read: Sequence[Source]) -> Callable[[int], draft.Drafted]:
                return lambda most: draft.draft(
                    session, question, read, names, axes=axes, figures=placeable, feedback=lacked, max_tokens=most,
                    iteration=made_in,
                )  # fmt: skip

            made, mode = stepping_down(mode, ask(sources))
            if beside := neighbours(made.context, sources):
                wider = with_neighbours(sources, beside)
                with suppress(calls.ModelFailed):  # the first draft stands
                    again, at = stepping_down(mode, ask(wider))
                    # A draft of more that says nothing takes nothing back.
                    if again.claims or not made.claims:
                        made, mode, sources = again, at, wider
                        state = state.add(retrievals=retrieved(beside))
            claims = with_places(made.claims, made.placed, placeable)
            count, not_found = made.drafted, made.not_found
            if review_refusal.hedges(made) and claims:
                claims, count = [], 0
    except calls.ModelFailed as failed:
        raise NoDraft(why_of(failed), str(failed)) from failed
    session.degraded |= mode is not plan.mode
    if count and not claims:
        raise NoDraft("model", UNVERIFIED)
    return state.add(
        claims=[in_part(claim, targets, state, axes) for claim in claims],
        draftings=Drafting(
            made=count,
            not_found=not_found,
            reviewed=reviewed,
            direction=direction,
            passages=len(sources),
            read=tuple(one.passage.chunk for one in sources),
            mode=mode,
        ),
        remarks=[
            *(stepped_down(target, plan.mode, mode) for target in targets if mode != plan.mode),
            *lasting(state, targets),
        ],
    )


def lasting(state: AgentState, targets: Sequence[Target]) -> list[Remark]:
    """The remarks on how the question was read, which apply to every round."""
    if not state.iteration:
        return []
    first = [one for target in targets for one in state.of(state.remarks, target) if not one.iteration]
    return [one for one in first if one.code.is_lasting]


def in_axis(claim: Claim, sources: Sequence[Source]) -> Claim:
    """A claim of a second look at an ambiguous question, with the reading that its passage was found for."""
    own = next(one.axes for one in sources if one.passage.chunk == claim.chunk and one.target == claim.target)
    return claim.model_copy(update={"axis": own[0]})


def in_part(claim: Claim, targets: Sequence[Target], state: AgentState, axes: Sequence[str]) -> Claim:
    """A claim with the part of the question that it answers: of the parts its passage was found for, the nearest in
    words.

    Parts are the sub-queries of a topic, followed by the readings of an ambiguous question.
    """
    filing = {target.id: state.of(state.filings, target)[0].filing for target in targets}
    asked = sorted(
        ((target, target.topic) for target in targets if target.topic and filing[target.id] == filing[claim.target]),
        key=lambda one: one[0].id != claim.target,
    )
    own, topic = asked[0]
    if axes:
        return claim.model_copy(update={"query": len(topic.queries) + axes.index(claim.axis)})
    if len(asked) > 1:
        cited = found_for(state, own)[claim.chunk]
        asked = [one for one in asked if one[0].id == own.id or holds(state, one[0], cited)]
    told = roots(f"{claim.quote} {claim.text}")
    parts = [(target.id, place, one) for target, topic in asked for place, one in enumerate(topic.queries)]
    # Of equals the first, for which the passage was found.
    found, place, _ = max(parts, key=lambda part: len(told & roots(" ".join((*part[2].words, *part[2].variants)))))
    return claim.model_copy(update={"target": found, "query": place})


def holds(state: AgentState, target: Target, cited: Passage) -> bool:
    """Whether a target's searches found this whole passage themselves."""
    return any(
        one.chunk == cited.chunk and all(inside(span, one) for span in cited.ranges)
        for one in found_for(state, target).values()
    )


def why_of(failed: calls.ModelFailed) -> Why:
    return failed.reason if failed.reason in ("deadline", "budget") else "model"


def stepped_down(target: Target, planned: Mode, mode: Mode) -> Remark:
    """The note where the budget did not allow the planned mode."""
    text = f"The budget of this answer was too small for the mode \u201c{planned.label}\u201d, so it was drafted as \u201c{mode.label}\u201d."
    return Remark(target=target.id, code=RemarkCode.MODE_LOWERED, text=text)


def affordable(mode: Mode, asked: int, session: calls.Session) -> Mode | None:
    """The mode, or the next cheaper one whose draft fits into the run's budget; None where none does.

    asked: tokens of the prompt.
    """
    model = session.models.draft
    found: Mode | None = mode
    while found is not None:
        most = min(LIMITS[found].draft_tokens, model.max_tokens)
        if session.budget.allows(asked + most, model.cost(asked, most)):
            return found
        found = below(found)
    return None


def stepping_down(mode: Mode, ask: Callable[[int], Found]) -> tuple[Found, Mode]:
    """The result of a request in this mode, or in the next cheaper one that the budget allows, and that mode.

    ask: takes the tokens that its reply may have. Raises ModelFailed.
    """
    while True:
        try:
            return ask(LIMITS[mode].draft_tokens), mode
        except calls.ModelFailed as failed:
            # For example, when a first try has spent what the second one needs.
            cheaper = below(mode)
            if failed.reason != "budget" or cheaper is None:
                raise
            mode = cheaper


def ordered(session: calls.Session, question: str, sources: list[Source]) -> list[Source]:
    """The sources in the order that a model gives them, where the settings ask for it and it answers; else unchanged."""
    if not getattr(settings, "MODEL_RERANK", False):
        return sources
    try:
        return [sources[place] for place in rerank.places(session, question, [one.passage for one in sources])]
    except calls.ModelFailed:
        return sources


def sources_of(state: AgentState, targets: Sequence[Target], axes: Sequence[str]) -> list[Source]:
    """The passages that a draft reads: those of each target in turn; for an ambiguous question those of its readings.

    A later round reads those that claims were drafted from, and those that no draft has read.
    """
    queues = [
        [Source(target=target.id, passage=one, company=target.company.called,
                period=period(state, target), axes=axes_of(one, target, axes)) for one in in_order_of_use(state, target)]
        for target in targets
    ]  # fmt: skip
    # A passage found for two parts is given once; the claim's words decide which part it answers.
    once = list({(one.passage.filing, one.passage.chunk): one for one in reversed(in_turn(queues))}.values())[::-1]
    followed = undoubled([one for one in once if one.axes] or once)
    followed = worth_reading(state, followed, targets)
    most = READ_AGAIN if state.iteration and not state.claims else READ[state.mode]
    parts = sum(len(target.topic.queries) for target in targets if target.topic) * max(1, len(axes))
    size = 0
    kept: list[Source] = []
    for one in followed[: max(MOST[state.mode], OF_PART * parts)]:
        size += len(one.passage.text)
        if kept and size > most:
            break
        kept.append(one)
    held = texts(one.passage.section for one in kept)
    return [in_place(one, held[one.passage.section]) if one.passage.section in held else one for one in kept]


def worth_reading(state: AgentState, sources: Sequence[Source], targets: Sequence[Target]) -> list[Source]:
    """The sources that are worth reading for what any round searched for these targets; all where none is."""
    phrases = [(one.target, phrase_query(phrase)) for one in state.agains for phrase in one.phrases]
    floors = [
        floor_of(topic, (*topic.queries, *topic.searches, *(query for of, query in phrases if of == target.id)))
        for target in targets
        if (topic := target.topic)
    ]
    held = texts(one.passage.section for one in sources)
    # What is stored no longer is kept, for the checks to say so.
    return [
        one
        for one in sources
        if (text := held.get(one.passage.section)) is None or any(floor.holds(one.passage, text) for floor in floors)
    ] or list(sources)


def in_turn(queues: Sequence[Sequence[Found]]) -> list[Found]:
    """The first item of each list, then the second of each, and so on."""
    longest = max(map(len, queues), default=0)
    return [queue[place] for place in range(longest) for queue in queues if place < len(queue)]


def undoubled(sources: Sequence[Source]) -> list[Source]:
    """Sources without those contained in another: a chunk beside the parent that replaced it."""

    def holds_all(one: Passage, other: Passage) -> bool:
        return (
            one.section == other.section
            and set(other.axes) <= set(one.axes)
            and all(any(start <= first and last <= end for start, end in one.ranges) for first, last in other.ranges)
        )

    kept: list[Source] = []
    for source in sources:
        if any(holds_all(one.passage, source.passage) for one in kept):
            continue
        within = next((place for place, one in enumerate(kept) if holds_all(source.passage, one.passage)), len(kept))
        kept[within : within + 1] = [source]
        kept = [one for one in kept if one is source or not holds_all(source.passage, one.passage)]
    return kept


def in_order_of_use(state: AgentState, target: Target) -> list[Passage]:
    """The passages of a target for a draft: those that claims were drafted from, then by what a model searched for last,
    else by the question.
    """
    passages, topic = passages_of(state, target), target.topic
    if topic is None or topic.whole:
        return passages
    last = [one for one in state.agains if one.iteration == state.iteration]
    phrases = [phrase_query(one) for again in last for one in again.phrases if one.target == target.id]
    searches = [one for one in (phrases or topic.searches) if one.words]
    focuses = [one.label for one in searches] or [focus_text(topic, place) for place in range(len(topic.queries))]
    quoted = {claim.chunk for claim in state.of(state.claims, target)}
    first = [one for one in passages if one.chunk in quoted]
    rest = [one for one in passages if one.chunk not in quoted]
    filing, model = state.of(state.filings, target)[0], state.of(state.retrievals, target)[0].model
    return first + narrowed(topic, searches or topic.queries, focuses, filing, rest, model, len(rest))


def passages_of(state: AgentState, target: Target) -> list[Passage]:
    """The passages of a target for a draft: those that claims were drafted from, then those found last.

    A later round leaves out what an earlier draft read in vain.
    """
    found = found_for(state, target)
    quoted = [claim.chunk for claim in (*state.of(state.verified, target), *state.of(state.claims, target))]
    wanted = {*quoted, *(state.unread if state.iteration else found)}
    return [found[chunk] for chunk in dict.fromkeys((*quoted, *found)) if chunk in found and chunk in wanted]


def found_for(state: AgentState, target: Target) -> dict[int, Passage]:
    """Every passage found for a target by its chunk, latest round first, its searches in turn.

    A passage that several searches found keeps the readings of all of them.
    """
    rounds: Sequence[Retrieval] = state.of(state.retrievals, target)
    found: dict[int, Passage] = {}
    for one in in_turn([made.passages for made in sorted(rounds, key=lambda made: -made.iteration)]):
        known = found.get(one.chunk, one)
        found[one.chunk] = known.model_copy(update={"axes": tuple(dict.fromkeys((*known.axes, *one.axes)))})
    return found


def axes_of(passage: Passage, target: Target, axes: Sequence[str]) -> tuple[str, ...]:
    """The readings of the question whose searches found a passage."""
    return tuple(axis for axis in passage.axes if axis in axes)


def period(state: AgentState, target: Target) -> str:
    filings = state.of(state.filings, target)
    return f"fiscal {filings[0].fiscal_year}" if filings else target.period.text


def offered(state: AgentState) -> tuple[Figure, ...]:
    """The figures available to the draft, each by its placeholder."""
    companies = {company.cik: company for company in (state.plan.companies if state.plan else ())}
    cells = [(companies[cell.cik], cell) for one in state.tables for cell in one.table.asserted]
    return figures(cells, state.plan.scale if state.plan else None)


def feedback(state: AgentState) -> list[str]:
    """What the last draft lacked, and why its claims were not verified."""
    if not state.iteration:
        return []
    before = state.iteration - 1
    judged = [one for one in state.evaluations if one.iteration == before]
    failed = [
        f"Not verified, \u201c{' '.join(claim.text.split())[:MOST_TOLD]}\u201d: {check.detail}"
        for target in (state.plan.targets if state.plan else ())
        for claim, check in zip(
            (one for one in state.of(state.claims, target) if one.iteration == before),
            (one for one in state.of(state.checks, target) if one.iteration == before and one.name == "cite_check"),
            strict=False,
        )
        if not check.ok
    ]
    return list(dict.fromkeys((*(one for said in judged for one in (*said.missing_info, *said.issues)), *failed)))


def with_places(claims: Sequence[Claim], placed: Sequence[Placed], figures: Sequence[Figure]) -> list[Claim]:
    """Claims with the figures that stand in their texts."""
    shown = {figure.number: figure for figure in figures}
    return [
        claim.model_copy(
            update={"figures": tuple((one.at, shown[one.number].inline) for one in placed if one.claim == place)}
        )
        for place, claim in enumerate(claims)
    ]
