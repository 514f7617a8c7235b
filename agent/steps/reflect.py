"""reflect: judges whether the verified claims are good enough, and if not, what the next round searches for."""

from collections.abc import Sequence

from agent.programs import calls, evaluate, follow_up
from agent.refusals.codes import Code
from agent.refusals.grammar import listed
from agent.state import (
    Again,
    AgentState,
    Claim,
    Decision,
    Drafting,
    Evaluation,
    FilingRef,
    Phrase,
    Remark,
    RemarkCode,
    Target,
)
from agent.state.model_rounds import Why
from agent.state.modes import LIMITS
from agent.steps.blocks import best_round
from agent.steps.deps import Deps


def reflect(state: AgentState, deps: Deps) -> AgentState:
    """Judge this round's claims; start another round if it can help, or a last one without the model.

    Reads claims, verified, draftings, retrievals, evaluations

    Adds remarks; evaluations (one, where a model judged), decisions (one); a further round with agains (one a target)

    Refuses nothing
    """
    session, plan = deps.session, state.plan
    drafting = next((one for one in state.draftings if one.iteration == state.iteration), None)
    if session is None or plan is None or drafting is None:
        return unverified_again(state)  # nothing was drafted: the extracted sentences or the refusal stay
    targets = [target for target in plan.targets if target.topic and not target.particular]
    threshold = LIMITS[state.mode].threshold
    verified = [claim for claim in state.verified if claim.iteration == state.iteration]
    state = state.add(remarks=[*left_out(drafting, verified), *read_as(state, drafting, targets)])
    if plan.judgement and state.tables:
        return decided(state, None, threshold, "judged", session)
    # Nothing was verified, so there is nothing to judge.
    said = evaluate.evaluate(
        session, state.question, [(company(claim, targets), claim.alone) for claim in verified],
        drafting.made, plan.reasoning,
    ) if verified else None  # fmt: skip
    if verified and said is None:
        failed = session.calls[-1].outcome if session.calls else ""
        return decided(state, None, threshold, cut_short(failed) or out_of(session) or "no_evaluation", session)
    state = state.add(evaluations=said or ())
    if why := enough(state, said, drafting, threshold, session):
        return decided(state, said, threshold, why, session)
    if drafting.made and not verified:
        # Passages were found, but no claim held: draft again, with the reasons why the claims failed.
        return once_more(state, None, threshold, (), targets)
    gaps = said.missing_info if said else drafting.not_found or (state.question,)
    try:
        phrases = follow_up.follow_up(session, state.question, gaps, filings(state, targets), searched(state, targets))
    except calls.ModelFailed as failed:
        return decided(state, said, threshold, cut_short(failed.reason) or "model", session)
    if not phrases and (state.claims or not state.unread):
        return decided(state, said, threshold, "no_phrases", session)
    return once_more(state, said, threshold, phrases, targets)


def once_more(
    state: AgentState, said: Evaluation | None, threshold: float, phrases: Sequence[Phrase], targets: Sequence[Target]
) -> AgentState:
    """The next round: each target's proposed searches, or only another draft."""
    score = said.overall if said else None
    return state.add(decisions=Decision(again=True, score=score, threshold=threshold)).next_round(
        [
            Again(target=target.id, phrases=tuple(one for one in phrases if one.target == target.id))
            for target in targets
            if searchable(state, target)
        ]
    )


def enough(
    state: AgentState, said: Evaluation | None, drafting: Drafting, threshold: float, session: calls.Session
) -> Why:
    """Why no further round is made; empty if one may be. said: the judgement, None if nothing was verified."""
    if said and said.overall >= threshold:
        return "threshold"
    if said and said.is_sufficient:
        return "sufficient"
    if drafting.reviewed and not drafting.made:
        return "refused"
    if not said and drafting.made and state.iteration:
        return "unverified"
    if state.iteration + 1 >= LIMITS[state.mode].iterations:
        return "iterations"
    return out_of(session)


def left_out(drafting: Drafting, verified: Sequence[Claim]) -> list[Remark]:
    """The note on words of the question for which no passage was found."""
    if not drafting.not_found or not verified:
        return []
    words = listed([f"\u201c{one}\u201d" for one in drafting.not_found])
    return [
        Remark(
            target=verified[0].target,
            code=RemarkCode.PART_NOT_FOUND,
            text=f"No passage was found that answers {words}.",
        )
    ]


READ_AS = {
    "yes": "Read as yes, based on the first sentence.",
    "no": "Read as no, based on the first sentence.",
    "mixed": "No plain yes or no: the sentences support both.",
}


def read_as(state: AgentState, drafting: Drafting, targets: Sequence[Target]) -> list[Remark]:
    """The answer yes or no, only where its evidence, the first claim drafted, was verified and comes first."""
    if not drafting.direction or len(targets) != 1:
        return []
    checks = [one for one in state.now(state.checks, targets[0]) if one.name == "cite_check"]
    verified: tuple[Claim, ...] = state.now(state.verified, targets[0])
    if not verified or not checks[0].ok or verified[0].query != min(one.query for one in verified):
        return []
    return [Remark(target=targets[0].id, code=RemarkCode.READ_AS, text=READ_AS[drafting.direction])]


def cut_short(reason: str) -> Why:
    """Why a model call was cut off: deadline or token budget; empty for any other failure."""
    return "deadline" if reason == "deadline" else "budget" if reason == "budget" else ""


def out_of(session: calls.Session) -> Why:
    """Which budget of the run is used up; empty if none is."""
    left = session.budget.left()
    if left.seconds <= 0:
        return "deadline"
    return "budget" if left.tokens == 0 or left.cost == 0 else ""


def decided(
    state: AgentState, said: Evaluation | None, threshold: float, why: Why, session: calls.Session
) -> AgentState:
    session.degraded |= why in ("budget", "deadline", "model", "no_evaluation")
    decision = Decision(again=False, score=said.overall if said else None, threshold=threshold, why=why)
    return unverified_again(state.add(decisions=decision))


def unverified_again(state: AgentState) -> AgentState:
    """A last round without the model for targets whose every draft was rejected."""
    if not state.draftings or any(one.extract for one in state.agains):
        return state
    last = {one.target: one.code for one in state.refusals}
    failed = [
        target
        for target in (state.plan.targets if state.plan else ())
        if last.get(target.id) is Code.UNVERIFIED and best_round(state, target) is None
    ]
    return state.next_round([Again(target=target.id, extract=True) for target in failed]) if failed else state


def searchable(state: AgentState, target: Target) -> bool:
    """Whether the text of a target's filing was searched: a refused question is never searched again."""
    return best_round(state, target) is not None or bool(state.of(state.retrievals, target))


def company(claim: Claim, targets: Sequence[Target]) -> str:
    return next((one.company.called for one in targets if one.id == claim.target), "")


def filings(state: AgentState, targets: Sequence[Target]) -> list[follow_up.Filing]:
    """The targets that can be searched again, each with its filing's period, once for each reading of the question."""
    found: list[follow_up.Filing] = []
    for target in targets:
        held: tuple[FilingRef, ...] = state.of(state.filings, target)
        if held and searchable(state, target):
            found.extend(
                follow_up.Filing(
                    target=target.id,
                    company=target.company.called,
                    period=f"fiscal {held[0].fiscal_year}",
                    axis=axis,
                )
                for axis in (state.plan.axes if state.plan else ()) or ("",)
            )
    return found


def searched(state: AgentState, targets: Sequence[Target]) -> list[Phrase]:
    """Every phrase searched so far, the plan's included."""
    known = {one.target: one for one in filings(state, targets)}
    planned = [
        Phrase(target=target.id, words=query.label, company=known[target.id].company,
               period=known[target.id].period, axis=query.axis)
        for target in targets
        if target.topic and target.id in known
        for query in (*target.topic.queries, *target.topic.searches)
    ]  # fmt: skip
    return [*planned, *(phrase for again in state.agains for phrase in again.phrases)]
