"""The parts of an answer, once every node has spoken."""

from agent.alternatives import Answers, alternatives
from agent.deps import Deps
from agent.nearby import nearby
from agent.prose.notes import notes
from agent.state import (
    AgentState,
    Answer,
    Block,
    Claim,
    Draft,
    FilingRef,
    Plan,
    QuestionType,
    Refusal,
    Retrieval,
    Target,
)


def conclude(state: AgentState, deps: Deps, answers: Answers) -> Answer:
    """The answer: one block a target, answered or refused; refusals carry alternatives that are known to answer."""
    plan = state.plan or Plan(type=QuestionType.REFUSE)
    answered = [block(state, target, plan) for target in state.open_targets() if is_answered(state, target)]
    refused = [refusal_block(refusal, plan, state, deps, answers) for refusal in state.refusals]
    blocks = state.blocks + tuple(sorted(answered + refused, key=lambda block: block.target))
    return Answer(question=state.question, plan=plan, blocks=blocks, versions=deps.versions)


def is_answered(state: AgentState, target: Target) -> bool:
    """Whether anything was found that a target's block can show."""
    return any(state.of(records, target) for records in (state.drafts, state.verified, state.particulars))


def block(state: AgentState, target: Target, plan: Plan) -> Block:
    """The answer of one target: figures, or quotations and data of its filing."""
    return number_block(state, target, plan) if target.readings else text_block(state, target, plan)


def text_block(state: AgentState, target: Target, plan: Plan) -> Block:
    """The verified sentences of one target, each half of its question in turn, or the data of its filing."""
    claims: tuple[Claim, ...] = tuple(sorted(state.of(state.verified, target), key=lambda claim: claim.query))
    retrievals: tuple[Retrieval, ...] = state.of(state.retrievals, target)
    filings: tuple[FilingRef, ...] = state.of(state.filings, target)
    return Block(
        target=target.id,
        type=QuestionType.PROSE if plan.type is QuestionType.BOTH else plan.type,
        outcome="answered",
        claims=claims,
        dropped=state.of(state.dropped, target),
        checks=state.of(state.checks, target),
        retrieval=retrievals[-1] if retrievals else None,
        particulars=state.of(state.particulars, target),
        filings=filings,
        notes=notes(target, filings, claims, retrievals, state.of(state.remarks, target)),
    )


def number_block(state: AgentState, target: Target, plan: Plan) -> Block:
    """The figures of one target, with the checks they passed and the softer ones they did not."""
    drafts: tuple[Draft, ...] = state.of(state.drafts, target)
    return Block(
        target=target.id,
        type=QuestionType.NUMERIC if plan.type is QuestionType.BOTH else plan.type,
        outcome="answered",
        drafts=tuple(draft for draft in drafts if not draft.found.mention),
        mentions=tuple(draft for draft in drafts if draft.found.mention),
        checks=state.of(state.checks, target),
    )


def refusal_block(refusal: Refusal, plan: Plan, state: AgentState, deps: Deps, answers: Answers) -> Block:
    """A refused part, with up to three questions instead, and passages to be read."""
    return Block(
        target=refusal.target,
        type=kind(refusal, plan),
        outcome="refused",
        refusal=refusal,
        alternatives=alternatives(refusal, state, deps, answers),
        nearby=nearby(refusal, state),
    )


def kind(refusal: Refusal, plan: Plan) -> QuestionType:
    """The type of a refused part: of a question with two kinds of parts, that of the part."""
    if plan.type is not QuestionType.BOTH:
        return plan.type
    target = next((one for one in plan.targets if one.id == refusal.target), None)
    if target is None:
        # A part that was not planned: it asked for a figure where the other part asks for text.
        return QuestionType.NUMERIC if any(not one.readings for one in plan.targets) else QuestionType.PROSE
    return QuestionType.NUMERIC if target.readings else QuestionType.PROSE
