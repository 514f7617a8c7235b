"""The parts of an answer, once every node has spoken."""

from agent.alternatives import Answers, alternatives
from agent.deps import Deps
from agent.state import AgentState, Answer, Block, Draft, Plan, QuestionType, Refusal, Target


def conclude(state: AgentState, deps: Deps, answers: Answers) -> Answer:
    """The answer: one block a target, answered or refused; refusals carry alternatives that are known to answer."""
    plan = state.plan or Plan(type=QuestionType.REFUSE)
    answered = [number_block(state, target, plan) for target in state.open_targets() if state.of(state.drafts, target)]
    refused = [refusal_block(refusal, plan, state, deps, answers) for refusal in state.refusals]
    blocks = state.blocks + tuple(sorted(answered + refused, key=lambda block: block.target))
    return Answer(question=state.question, plan=plan, blocks=blocks, versions=deps.versions)


def number_block(state: AgentState, target: Target, plan: Plan) -> Block:
    """The figures of one target, with the checks they passed and the softer ones they did not."""
    drafts: tuple[Draft, ...] = state.of(state.drafts, target)
    return Block(
        target=target.id,
        type=plan.type,
        outcome="answered",
        drafts=tuple(draft for draft in drafts if not draft.found.mention),
        mentions=tuple(draft for draft in drafts if draft.found.mention),
        checks=state.of(state.checks, target),
    )


def refusal_block(refusal: Refusal, plan: Plan, state: AgentState, deps: Deps, answers: Answers) -> Block:
    """A refused part, with up to three questions instead."""
    return Block(
        target=refusal.target,
        type=plan.type,
        outcome="refused",
        refusal=refusal,
        alternatives=alternatives(refusal, state, deps, answers),
    )
