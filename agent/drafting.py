"""Answers drafted by a model from the passages of all rounds so far; cite_check decides what of them stands."""

from collections.abc import Sequence
from typing import Literal

from agent.deps import Deps
from agent.iterated import Why
from agent.language.concepts import measures_of
from agent.modes import LIMITS, Mode, below
from agent.programs import calls, draft, review_refusal
from agent.programs.figures import Figure, Placed, figures
from agent.programs.schemas import MOST_RANKED
from agent.programs.sources import Source, fenced
from agent.state import AgentState, Claim, Drafting, Passage, Remark, Retrieval, Target

# Characters of a token, and what the instructions of a draft take: for the estimate of what a draft needs.
CHARACTERS, INSTRUCTIONS = 4, 1_500


class NoDraft(Exception):
    """No draft was made; the message is a sentence for people, `why` one of agent.iterated.Why."""

    def __init__(self, why: Why, text: str) -> None:
        super().__init__(text)
        self.why = why


def drafted(state: AgentState, targets: Sequence[Target], deps: Deps, session: calls.Session) -> AgentState:
    """The state with the claims that a model drafts for these targets, in one draft. Raises NoDraft.

    Adds    claims, draftings; remarks, where the run had to step down to a cheaper mode
    """
    plan = state.plan
    if plan is None:
        raise ValueError("Nothing is planned.")
    sources = sources_of(state, targets, plan.axes)
    mode = affordable(plan.mode, sources, session)
    if mode is None:
        raise NoDraft("budget", "What this answer may spend on the model is spent.")
    limit = LIMITS[mode].draft_tokens
    try:
        made = draft.draft(
            session,
            state.question,
            sources,
            measures_of(deps.registry),
            axes=plan.axes,
            figures=offered(state),
            feedback=feedback(state),
            max_tokens=limit,
            iteration=state.iteration,
        )
        claims, count = made.claims, made.drafted
        direction: Literal["", "yes", "no", "mixed"] = ""
        reviewed = review_refusal.may_review(made, sources)
        if reviewed:
            review = review_refusal.review_refusal(
                session, state.question, sources, max_tokens=limit, iteration=state.iteration
            )
            claims, count, direction = review.claims, review.drafted, review.direction
    except calls.ModelFailed as failed:
        raise NoDraft(why_of(failed), str(failed)) from failed
    state = state.add(
        claims=with_places(claims, made.placed if not reviewed else (), offered(state)),
        draftings=Drafting(
            made=count,
            not_found=made.not_found,
            reviewed=reviewed,
            direction=direction,
            passages=len(sources),
        ),
    )
    return (
        state.add(remarks=[stepped_down(target, plan.mode, mode) for target in targets])
        if mode != plan.mode
        else state
    )


def why_of(failed: calls.ModelFailed) -> Why:
    return failed.reason if failed.reason in ("deadline", "budget") else "model"


def stepped_down(target: Target, planned: Mode, mode: Mode) -> Remark:
    """What is told where the budget did not last for the mode that was planned."""
    text = f"The budget of this answer was too small for the mode \u201c{planned.label}\u201d, so it was drafted as \u201c{mode.label}\u201d."
    return Remark(target=target.id, text=text)


def affordable(mode: Mode, sources: Sequence[Source], session: calls.Session) -> Mode | None:
    """The mode, or the next cheaper one whose draft still fits into the run's budget; None where none does."""
    asked = INSTRUCTIONS + sum(len(one.text) for one in fenced(sources)) // CHARACTERS
    model = session.models.draft
    found: Mode | None = mode
    while found is not None:
        most = min(LIMITS[found].draft_tokens, model.max_tokens)
        if session.budget.allows(asked + most, model.cost(asked, most)):
            return found
        found = below(found)
    return None


def sources_of(state: AgentState, targets: Sequence[Target], axes: Sequence[str]) -> list[Source]:
    """The passages of all rounds, those of the last round first, the best of each target in turn; twenty at most."""
    queues = [
        [Source(target=target.id, passage=one, company=target.company.short or target.company.name,
                period=period(state, target), axes=axes_of(one, target, axes)) for one in passages_of(state, target)]
        for target in targets
    ]  # fmt: skip
    turns = [queue[place] for place in range(MOST_RANKED) for queue in queues if place < len(queue)]
    return turns[:MOST_RANKED]


def passages_of(state: AgentState, target: Target) -> list[Passage]:
    """Every passage found for a target, each once; what the last search found comes first."""
    rounds: Sequence[Retrieval] = state.of(state.retrievals, target)
    found = {one.chunk: one for made in rounds for one in made.passages}
    order = dict.fromkeys(one.chunk for made in reversed(rounds) for one in made.passages)
    return [found[chunk] for chunk in order]


def axes_of(passage: Passage, target: Target, axes: Sequence[str]) -> tuple[str, ...]:
    """The readings of the question whose searches found a passage."""
    return tuple(axis for axis in passage.axes if axis in axes)


def period(state: AgentState, target: Target) -> str:
    filings = state.of(state.filings, target)
    return f"fiscal {filings[0].fiscal_year}" if filings else target.period.text


def offered(state: AgentState) -> tuple[Figure, ...]:
    """The figures that the number path has found, to be placed by their placeholders."""
    companies = {target.id: target.company for target in (state.plan.targets if state.plan else ())}
    return figures([(companies[one.target], one) for one in state.drafts if not one.found.mention])


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
            update={"figures": tuple((one.at, shown[one.number].draft.inline) for one in placed if one.claim == place)}
        )
        for place, claim in enumerate(claims)
    ]
