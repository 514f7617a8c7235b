"""Builds the parts of an answer after the last node."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from agent.numbers.tables.table_notes import no_verdict
from agent.prose.text.wording import notes
from agent.refusals.alternatives import Answers, alternatives
from agent.state import (
    AgentState,
    Answer,
    Block,
    Claim,
    Decision,
    FilingRef,
    NearPassage,
    Plan,
    QuestionType,
    Refusal,
    RemarkCode,
    Retrieval,
    Target,
)
from agent.state.answer import WITHOUT_MODEL
from agent.steps import related_passages
from agent.steps.deps import Deps

if TYPE_CHECKING:
    from agent.programs.calls import Session


def conclude(state: AgentState, deps: Deps, answers: Answers) -> Answer:
    """The answer: one block for each target, answered or refused. Refusals carry alternatives that are known to answer."""
    plan = state.plan or Plan(type=QuestionType.REFUSE)
    apart = hidden(state, plan)
    rounds = {target.id: best_round(state, target) for target in plan.targets}
    named = with_own_heading(target for target in plan.targets if target.id not in apart)
    answered = [
        one
        for target in plan.targets
        if target.id not in apart
        if (best := rounds[target.id]) is not None
        for one in answered_blocks(state, target, plan, best, headed=target.id in named)
    ]
    answered += [
        text_block(state, target, plan, read, headed=target.id in named)
        for target in plan.targets
        if target.id not in apart
        if rounds[target.id] is None and (read := passages_round(state, target)) is not None
    ]
    texts = {target.id for target in plan.targets if target.topic}
    # Of several rounds of one target, the last refusal.
    last = {refusal.target: refusal.iteration for refusal in state.refusals}
    refused = [
        refusal_block(refusal, plan, state, deps, answers)
        for refusal in state.refusals
        if refusal.target not in apart
        if refusal.target not in {one.target for one in answered} and refusal.iteration == last[refusal.target]
        # Text was looked for beside the figures of a judgement, and not asked by itself.
        if not (plan.judgement and state.judgements and refusal.target in texts)
    ]
    parts = with_headings(sorted(answered + refused, key=lambda block: block.target), plan, named)
    blocks = state.blocks + parts
    return Answer(
        question=state.question,
        plan=plan,
        blocks=blocks,
        versions=deps.versions,
        mode=answer_mode(state, blocks, deps.session),
        judged=judged(state),
    )


def is_answered(state: AgentState, target: Target) -> bool:
    """Whether any round has something to show for a target."""
    return best_round(state, target) is not None


def best_round(state: AgentState, target: Target) -> int | None:
    """The round whose answer of a target is shown; None where every round refused or found nothing.

    The one judged best; without a judgement, the one with most verified claims; of equals the earlier, so that a later
    round never makes an answer worse.
    """
    refused = {refusal.iteration for refusal in state.of(state.refusals, target)}
    shown = [*state.of(state.tables, target), *state.of(state.verified, target), *state.of(state.particulars, target)]
    judged = {one.iteration: one.overall for one in state.evaluations}
    count = Counter(one.iteration for one in shown)
    open_rounds = sorted(set(count) - refused)
    return max(open_rounds, key=lambda made: (judged.get(made, -1.0), count[made]), default=None)


def passages_round(state: AgentState, target: Target) -> int | None:
    """The last round with passages to show; None where every round refused or found none."""
    refused = {refusal.iteration for refusal in state.of(state.refusals, target)}
    return max({one.iteration for one in state.of(state.near_verified, target)} - refused, default=None)


def is_found(state: AgentState, target: Target) -> bool:
    """Whether a target is answered, or a passage answers it so probably that nothing is looked for elsewhere."""
    return best_round(state, target) is not None or any(one.likely for one in state.of(state.near_verified, target))


def hidden(state: AgentState, plan: Plan) -> frozenset[int]:
    """The targets that are not shown: of those that stand in for each other all but the best one.

    The first with a sentence that answers, for sure or probably; else the first with passages near the question; else the
    first. A refused figure is hidden only by a sentence that answers for sure.
    """
    found: set[int] = set()
    for first in plan.targets:
        group = [first, *(one for one in plan.targets if one.after == first.id)]
        if len(group) == 1:
            continue
        known = is_answered if first.figures else is_found
        shown = next((one for one in group if known(state, one)), None)
        near = () if first.figures else (one for one in group if passages_round(state, one) is not None)
        shown = shown or next(iter(near), first)
        found.update(one.id for one in group if one is not shown)
    return frozenset(found)


def answered_blocks(
    state: AgentState, target: Target, plan: Plan, best: int, *, headed: bool = False
) -> Iterator[Block]:
    """The blocks of one answered target: figures, with printed rows where no fact answers; or the best round's
    quotations and data of its filing.
    """
    if tables := state.of(state.tables, target):
        yield table_block(state, target, plan)
    if not tables or state.of(state.verified, target):
        yield text_block(state, target, plan, best, headed=headed)


def text_block(state: AgentState, target: Target, plan: Plan, best: int, *, headed: bool = False) -> Block:
    """The verified sentences of one target, half by half of its question; or data of its filing; or passages.

    headed: whether a heading names its document, so that no note need do so.
    """

    def of_round(records: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(record for record in state.of(records, target) if record.iteration == best)

    claims: tuple[Claim, ...] = tuple(sorted(of_round(state.verified), key=lambda claim: claim.query))
    retrievals: tuple[Retrieval, ...] = tuple(
        one for one in state.of(state.retrievals, target) if one.iteration <= best
    )
    filings: tuple[FilingRef, ...] = state.of(state.filings, target)
    passages: tuple[NearPassage, ...] = of_round(state.near_verified)
    particulars = state.of(state.particulars, target)
    # What figures say stands above them.
    of_figures = {RemarkCode.PREMISE} if state.of(state.tables, target) else frozenset[RemarkCode]()
    remarks = tuple(one for one in of_round(state.remarks) if one.code not in of_figures)
    return Block(
        target=target.id,
        type=QuestionType.PROSE,
        outcome="answered" if claims or particulars else "passages",
        claims=claims,
        dropped=of_round(state.dropped),
        checks=of_round(state.checks)[len(state.of(state.tables, target)) :],  # quotations from tables come first
        retrieval=retrievals[-1] if retrievals else None,
        particulars=particulars,
        passages=passages,
        filings=filings,
        notes=notes(target, filings, claims, retrievals, remarks, headed=headed),
    )


def table_block(state: AgentState, target: Target, plan: Plan) -> Block:
    """The table of one target, with the checks of its figures."""
    tables = state.of(state.tables, target)
    table = tables[-1].table
    judgement = next(iter(state.of(state.judgements, target)), None)
    if judgement and plan.query and plan.query.judged:
        kept = tuple(note for note in table.notes if note != no_verdict(plan.query))
        table = table.model_copy(update={"notes": kept})
    # Figures by which a question can be judged answer it with a verdict alone.
    near = (plan.query and plan.query.is_nearest) or (plan.judgement and judgement is None)
    return Block(
        target=target.id,
        type=plan.type if target.figures and plan.type is not QuestionType.BOTH else QuestionType.NUMERIC,
        outcome="nearest" if near else "answered",
        table=table,
        judgement=judgement,
        checks=state.of(state.checks, target)[: len(tables)],
        notes=tuple(one.text for one in state.of(state.remarks, target) if one.code is RemarkCode.PREMISE),
    )


def refusal_block(refusal: Refusal, plan: Plan, state: AgentState, deps: Deps, answers: Answers) -> Block:
    """A refused part, with up to three alternative questions and the closest passages."""
    told = related_passages.nearest_to_figure_question(refusal, state, deps)
    # Without a model a part is refused only where nothing is near, so no passages are searched again.
    news = (one.text for one in state.remarks if one.code is RemarkCode.NEWS and one.target == refusal.target)
    near = told.near or (related_passages.searched(refusal, state) if deps.session else ())
    return Block(
        target=refusal.target,
        type=kind(refusal, plan),
        outcome="passages" if told.near else "refused",
        refusal=refusal.model_copy(update={"detail": " ".join(filter(None, (*news, refusal.detail)))}),
        alternatives=alternatives(refusal, state, deps, answers),
        retrieval=told.retrieval,
        passages=near,
        filings=told.filings or tuple(one for one in state.filings if one.target == refusal.target),
        notes=told.notes,
    )


def kind(refusal: Refusal, plan: Plan) -> QuestionType:
    """The question type of a refused part."""
    if plan.type is not QuestionType.BOTH:
        return plan.type
    target = next((one for one in plan.targets if one.id == refusal.target), None)
    # A part without a target asked for a figure where the other part asks for text.
    figures = target.figures if target else not any(one.figures for one in plan.targets)
    return QuestionType.NUMERIC if figures else QuestionType.PROSE


def answer_mode(state: AgentState, blocks: Sequence[Block], session: "Session | None") -> str:
    """The answer mode of the answer shown, and who read, drafted and checked it.

    The mode is the one that the budget allowed; of several rounds shown, the last one's.
    """
    told = [call for call in session.calls if call.outcome == "ok"] if session else []
    if session is None or not told or state.plan is None:
        return WITHOUT_MODEL
    drafted = {one.iteration: one.mode or state.plan.mode for one in state.draftings}
    shown = {claim.iteration for block in blocks for claim in block.claims} & drafted.keys()
    if shown:
        return f"{drafted[max(shown)].label.lower()}, drafted by {session.models.draft.name}, checked by code"
    return f"{state.plan.mode.label.lower()}, read with {session.models.plan.name}, no draft of a model"


def judged(state: AgentState) -> Decision | None:
    """The last judgement of the rounds."""
    return next((one for one in reversed(state.decisions) if one.score is not None), None)


def with_own_heading(targets: Iterable[Target]) -> frozenset[int]:
    """Those of the targets whose document is named in a heading: each of several of one company, the newest of a kind, and
    where several companies answer those whose text is compared with an earlier one.
    """
    text = [one for one in targets if one.topic]
    several = len({one.company.cik for one in text}) > 1
    asked = Counter((one.company.cik, one.topic) for one in text)
    return frozenset(
        one.id
        for one in text
        if asked[one.company.cik, one.topic] > 1
        or (one.topic and (one.topic.newest or (several and one.topic.compares)))
    )


def with_headings(blocks: Sequence[Block], plan: Plan, wanted: frozenset[int]) -> tuple[Block, ...]:
    """The blocks, in their order, with the headings of those wanted. wanted: numbers of targets."""
    targets = {one.id: one for one in plan.targets}
    several = len({targets[number].company.cik for number in wanted}) > 1
    found = []
    for block in blocks:
        if block.target in wanted and block.filings:
            company, filing = targets[block.target].company, block.filings[0]
            heading = f"{company.called} \u00b7 {filing.heading}" if several else filing.heading
            block = block.model_copy(update={"heading": heading, "missing": targets[block.target].missing})
        found.append(block)
    return tuple(found)
