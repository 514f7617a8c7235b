"""reflect: whether what was verified is good enough, and if not, what is searched for in another round."""

from collections.abc import Sequence

from agent.blocks import best_round
from agent.deps import Deps
from agent.iterated import Why
from agent.modes import LIMITS
from agent.programs import calls, evaluate, follow_up
from agent.state import Again, AgentState, Claim, Decision, Evaluation, FilingRef, Phrase, Target


def reflect(state: AgentState, deps: Deps) -> AgentState:
    """Judge this round's claims, and open another round where it can still gain.

    Reads   claims, verified, draftings, retrievals, evaluations
    Adds    evaluations (one, where a model judged), decisions (one); a round more with agains (one a target)
    Refuses nothing
    """
    session, plan = deps.session, state.plan
    drafting = next((one for one in state.draftings if one.iteration == state.iteration), None)
    if session is None or plan is None or drafting is None:
        return state  # nothing was drafted: what was extracted, or refused, stands
    targets = [target for target in plan.targets if target.topic and not target.particular]
    threshold = LIMITS[plan.mode].threshold
    verified = [claim for claim in state.verified if claim.iteration == state.iteration]
    said = evaluate.evaluate(
        session, state.question, [(company(claim, targets), claim.shown) for claim in verified],
        drafting.made or 1, plan.reasoning,
    )  # fmt: skip
    if said is None:
        return decided(state, None, threshold, out_of(session) or "no_evaluation")
    state = state.add(evaluations=said)
    if why := enough(state, said, threshold, session):
        return decided(state, said, threshold, why)
    try:
        phrases = follow_up.follow_up(session, state.question, said, filings(state, targets), searched(state, targets))
    except calls.ModelFailed:
        return decided(state, said, threshold, out_of(session) or "model")
    if not phrases:
        return decided(state, said, threshold, "no_phrases")
    state = state.add(decisions=Decision(again=True, score=said.overall, threshold=threshold))
    return state.next_round(
        [
            Again(target=target.id, phrases=tuple(one for one in phrases if one.target == target.id))
            for target in targets
            if searchable(state, target)
        ]
    )


def enough(state: AgentState, said: Evaluation, threshold: float, session: calls.Session) -> Why:
    """Why no other round is made; empty where one may be."""
    if said.overall >= threshold and state.verified:
        return "threshold"
    if said.is_sufficient:
        return "sufficient"
    if state.plan is None or state.iteration + 1 >= LIMITS[state.plan.mode].iterations:
        return "iterations"
    return out_of(session)


def out_of(session: calls.Session) -> Why:
    """What of the run is used up; empty where nothing is."""
    left = session.budget.left()
    if left.seconds <= 0:
        return "deadline"
    return "budget" if left.tokens == 0 or left.cost == 0 else ""


def decided(state: AgentState, said: Evaluation | None, threshold: float, why: Why) -> AgentState:
    return state.add(
        decisions=Decision(again=False, score=said.overall if said else None, threshold=threshold, why=why)
    )


def searchable(state: AgentState, target: Target) -> bool:
    """Whether the text of a target's filing was searched: a refusal of the question itself is never looked at again."""
    return best_round(state, target) is not None or bool(state.of(state.retrievals, target))


def company(claim: Claim, targets: Sequence[Target]) -> str:
    return next((one.company.short or one.company.name for one in targets if one.id == claim.target), "")


def filings(state: AgentState, targets: Sequence[Target]) -> list[follow_up.Filing]:
    """What can be searched again: each target with the period of its filing."""
    found = []
    for target in targets:
        held: tuple[FilingRef, ...] = state.of(state.filings, target)
        if held and searchable(state, target):
            found.append(
                follow_up.Filing(
                    target=target.id,
                    company=target.company.short or target.company.name,
                    period=f"fiscal {held[0].fiscal_year}",
                )
            )
    return found


def searched(state: AgentState, targets: Sequence[Target]) -> list[Phrase]:
    """Every phrase of the run so far, those of the plan included."""
    known = {one.target: one for one in filings(state, targets)}
    planned = [
        Phrase(target=target.id, words=query.label, company=known[target.id].company, period=known[target.id].period)
        for target in targets
        if target.topic and target.id in known
        for query in (*target.topic.queries, *target.topic.searches)
    ]
    return [*planned, *(phrase for again in state.agains for phrase in again.phrases)]
