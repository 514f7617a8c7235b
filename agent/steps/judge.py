"""judge: a model's verdict where a judgement over figures is asked; shown apart from the evidence, never as evidence."""

from agent.programs import calls, judge_figures
from agent.state import AgentState
from agent.steps.blocks import best_round
from agent.steps.deps import Deps


def judge(state: AgentState, deps: Deps) -> AgentState:
    """Let a model judge the figures and quotations that were verified, where the question asks for a judgement.

    Reads plan, tables, verified, refusals

    Adds judgements (one, where a verdict has a reason that stands)

    Refuses nothing
    """
    plan = state.plan
    if plan is None or not plan.asks_judgement or deps.session is None:
        return state
    target = next((one for one in plan.targets if one.figures and best_round(state, one) is not None), None)
    tables = state.of(state.tables, target) if target else ()
    if target is None or not tables:
        return state
    claims = [
        claim
        for one in plan.targets
        if (best := best_round(state, one)) is not None
        for claim in state.of(state.verified, one)
        if claim.iteration == best
    ]
    names = {one.cik: one.called for one in plan.companies}
    try:
        found = judge_figures.judge(
            deps.session, state.question, target.id, tables[-1].table, claims, names, plan.scale
        )
    except calls.ModelFailed:
        deps.degrade()
        return state
    return state.add(judgements=found or ())
