"""Answers drafted by a model from the passages of all rounds so far; cite_check decides what of them stands."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from django.conf import settings

from agent.programs import calls, draft, rerank, review_refusal
from agent.programs.draft import Source
from agent.programs.figures import Figure, Placed, figures
from agent.prose.extract import inside
from agent.query.lexicon import lexicon_of
from agent.state import AgentState, Claim, Drafting, Passage, Remark, RemarkCode, Retrieval, Target
from agent.state.iterated import Why
from agent.state.modes import LIMITS, Mode, below
from agent.steps.deps import Deps
from agent.words.roots import roots

# Of all rounds: what one draft is given to read, in passages and in characters.
MOST_PASSAGES, MOST_READ = 40, 120_000
Found = TypeVar("Found")

UNVERIFIED = "Nothing the language model drafted could be verified."


class NoDraft(Exception):
    """No draft was made; the message is a sentence for people, `why` one of agent.state.iterated.Why."""

    def __init__(self, why: Why, text: str) -> None:
        super().__init__(text)
        self.why = why


def drafted(state: AgentState, targets: Sequence[Target], deps: Deps, session: calls.Session) -> AgentState:
    """The state with the claims that a model drafts for these targets, in one draft. Raises NoDraft.

    Adds    claims, draftings; remarks, where the run had to step down to a cheaper mode, or read without the model
    """
    plan = state.plan
    if plan is None:
        raise ValueError("Nothing is planned.")
    sources = sources_of(state, targets, plan.axes)
    # A reading is followed by passages of its own; where none was found, the question is answered as a whole.
    axes = plan.axes if any(one.axes for one in sources) else ()
    sources = ordered(session, state.question, sources)
    if session.budget.left().seconds <= 0:
        raise NoDraft("deadline", str(calls.ModelFailed("deadline")))
    question, made_in, placeable, lacked = state.question, state.iteration, offered(state), feedback(state)
    program, inputs = draft.asked(question, sources, axes=axes, figures=placeable, feedback=lacked)
    mode = affordable(state.mode, calls.expected(program, inputs), session)
    if mode is None:
        raise NoDraft("budget", str(calls.ModelFailed("budget")))
    try:
        made, mode = stepping_down(
            mode,
            lambda most: draft.draft(
                session, question, sources, lexicon_of(deps.registry), axes=axes, figures=placeable,
                feedback=lacked, max_tokens=most, iteration=made_in,
            ),
        )  # fmt: skip
        claims = with_places(made.claims, made.placed, placeable)
        count = made.drafted
        direction: Literal["", "yes", "no", "mixed"] = ""
        reviewed = review_refusal.may_review(made, sources)
        if reviewed:
            review, mode = stepping_down(
                mode,
                lambda most: review_refusal.review_refusal(
                    session, question, sources, max_tokens=most, iteration=made_in
                ),
            )
            claims, count, direction = list(review.claims), review.drafted, review.direction
            claims = [in_axis(claim, sources) for claim in claims] if axes else claims
    except calls.ModelFailed as failed:
        raise NoDraft(why_of(failed), str(failed)) from failed
    session.degraded |= mode is not plan.mode
    if count and not claims:
        raise NoDraft("model", UNVERIFIED)
    return state.add(
        claims=[in_part(claim, targets, state, axes) for claim in claims],
        draftings=Drafting(
            made=count,
            not_found=made.not_found,
            reviewed=reviewed,
            direction=direction,
            passages=len(sources),
            mode=mode,
        ),
        remarks=[
            *(stepped_down(target, plan.mode, mode) for target in targets if mode != plan.mode),
            *lasting(state, targets),
        ],
    )


def lasting(state: AgentState, targets: Sequence[Target]) -> list[Remark]:
    """What was remarked when the question was read, for a later round: it is so in every round."""
    if not state.iteration:
        return []
    first = [one for target in targets for one in state.of(state.remarks, target) if not one.iteration]
    return [one for one in first if one.code.is_lasting]


def in_axis(claim: Claim, sources: Sequence[Source]) -> Claim:
    """A claim of a second look at an ambiguous question, which follows the reading that its passage was found for."""
    own = next(one.axes for one in sources if one.passage.chunk == claim.chunk and one.target == claim.target)
    return claim.model_copy(update={"axis": own[0]})


def in_part(claim: Claim, targets: Sequence[Target], state: AgentState, axes: Sequence[str]) -> Claim:
    """A claim with the part of the question that it answers: of all that is asked of its passage, the nearest in words.

    Parts are the sub-queries of a topic; of an ambiguous question, behind them, its readings in their order.
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
        cited = next(one for one in passages_of(state, own) if one.chunk == claim.chunk)
        asked = [one for one in asked if one[0].id == own.id or holds(state, one[0], cited)]
    told = roots(f"{claim.quote} {claim.text}")
    parts = [(target.id, place, one) for target, topic in asked for place, one in enumerate(topic.queries)]
    # Of equals the first, which is one of those it was found for.
    found, place, _ = max(parts, key=lambda part: len(told & roots(" ".join((*part[2].words, *part[2].variants)))))
    return claim.model_copy(update={"target": found, "query": place})


def holds(state: AgentState, target: Target, cited: Passage) -> bool:
    """Whether the searches of a target have found a passage themselves, all of it."""
    return any(
        one.chunk == cited.chunk and all(inside(span, one) for span in cited.ranges)
        for one in passages_of(state, target)
    )


def why_of(failed: calls.ModelFailed) -> Why:
    return failed.reason if failed.reason in ("deadline", "budget") else "model"


def stepped_down(target: Target, planned: Mode, mode: Mode) -> Remark:
    """What is told where the budget did not last for the mode that was planned."""
    text = f"The budget of this answer was too small for the mode \u201c{planned.label}\u201d, so it was drafted as \u201c{mode.label}\u201d."
    return Remark(target=target.id, code=RemarkCode.MODE_LOWERED, text=text)


def affordable(mode: Mode, asked: int, session: calls.Session) -> Mode | None:
    """The mode, or the next cheaper one whose draft still fits into the run's budget; None where none does.

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
    """What a request gives in this mode, or in the next cheaper one that the budget lasts for, and that mode.

    ask: takes the tokens that its reply may have. Raises ModelFailed.
    """
    while True:
        try:
            return ask(LIMITS[mode].draft_tokens), mode
        except calls.ModelFailed as failed:
            # As when a first try has spent what the second one needs.
            cheaper = below(mode)
            if failed.reason != "budget" or cheaper is None:
                raise
            mode = cheaper


def ordered(session: calls.Session, question: str, sources: list[Source]) -> list[Source]:
    """The sources as a model would read them, where the settings want that and it answers; else as they are."""
    if not getattr(settings, "MODEL_RERANK", False):
        return sources
    try:
        return [sources[place] for place in rerank.places(session, question, [one.passage for one in sources])]
    except calls.ModelFailed:
        return sources


def sources_of(state: AgentState, targets: Sequence[Target], axes: Sequence[str]) -> list[Source]:
    """The passages of all rounds, the first of each target in turn; of an ambiguous question those of its readings.

    At most forty, and no more than can be read at once.
    """
    queues = [
        [Source(target=target.id, passage=one, company=target.company.called,
                period=period(state, target), axes=axes_of(one, target, axes)) for one in passages_of(state, target)]
        for target in targets
    ]  # fmt: skip
    turns = [queue[place] for place in range(MOST_PASSAGES) for queue in queues if place < len(queue)]
    # A passage found for two parts of a question is given once: which of them a claim answers, its words tell.
    once = list({(one.passage.filing, one.passage.chunk): one for one in reversed(turns)}.values())[::-1]
    followed = [one for one in once if one.axes] or once
    size = 0
    kept: list[Source] = []
    for one in followed[:MOST_PASSAGES]:
        size += len(one.passage.text)
        if kept and size > MOST_READ:
            break
        kept.append(one)
    return kept


def passages_of(state: AgentState, target: Target) -> list[Passage]:
    """Every passage found for a target, once: those it is quoted from so far, then what was found last.

    A passage that several searches have found follows the readings of them all.
    """
    rounds: Sequence[Retrieval] = state.of(state.retrievals, target)
    quoted = dict.fromkeys(claim.chunk for claim in state.of(state.verified, target))
    latest = sorted(rounds, key=lambda made: -made.iteration)
    found: dict[int, Passage] = {}
    for one in (one for made in latest for one in made.passages):
        known = found.get(one.chunk, one)
        found[one.chunk] = known.model_copy(update={"axes": tuple(dict.fromkeys((*known.axes, *one.axes)))})
    return [found[chunk] for chunk in dict.fromkeys((*(one for one in quoted if one in found), *found))]


def axes_of(passage: Passage, target: Target, axes: Sequence[str]) -> tuple[str, ...]:
    """The readings of the question whose searches found a passage."""
    return tuple(axis for axis in passage.axes if axis in axes)


def period(state: AgentState, target: Target) -> str:
    filings = state.of(state.filings, target)
    return f"fiscal {filings[0].fiscal_year}" if filings else target.period.text


def offered(state: AgentState) -> tuple[Figure, ...]:
    """The figures that the number path has found, to be placed by their placeholders."""
    companies = {company.cik: company for company in (state.plan.companies if state.plan else ())}
    cells = [(companies[cell.cik], cell) for one in state.tables for cell in one.table.asserted]
    return figures(cells, state.plan.scale if state.plan else None)


def feedback(state: AgentState) -> list[str]:
    """What the last draft was said to lack."""
    if not state.evaluations:
        return []
    last = state.evaluations[-1]
    return list(dict.fromkeys((*last.missing_info, *last.issues)))


def with_places(claims: Sequence[Claim], placed: Sequence[Placed], figures: Sequence[Figure]) -> list[Claim]:
    """Claims with the figures that stand in their texts."""
    shown = {figure.number: figure for figure in figures}
    return [
        claim.model_copy(
            update={"figures": tuple((one.at, shown[one.number].inline) for one in placed if one.claim == place)}
        )
        for place, claim in enumerate(claims)
    ]
