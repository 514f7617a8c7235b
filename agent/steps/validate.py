"""validate: picks the sentences that answer. Figures are checked where they are selected (agent.numbers)."""

from collections.abc import Sequence

from agent.prose import extract, item_changes
from agent.prose.text.wording import not_found
from agent.refusals.sentences import with_model
from agent.state import AgentState, Decision, Refusal, Remark, RemarkCode, Target, TargetTable, Topic
from agent.state.modes import LIMITS
from agent.steps.deps import Deps
from agent.steps.presumed import shown_otherwise


def validate(state: AgentState, deps: Deps) -> AgentState:
    """Pick the sentences that answer each open target for text, or the nearest passages; or the figures that show that
    something was not as the question takes it for granted.

    Reads retrievals

    Adds claims (each a sentence of a passage, or drafted by a model from the passages of all rounds); near, where no
    sentence answers for certain; tables and remarks, where figures show otherwise

    Refuses not_found_in_filing, when no sentence answers; per target
    """
    searched = [target for target in state.open_targets() if target.topic and state.of(state.retrievals, target)]
    otherwise = {one.id: found for one in searched if (found := shown_otherwise(one, state, deps))}
    for target, found in otherwise.items():
        said = Remark(target=target, code=RemarkCode.PREMISE, text=found.said)
        state = state.add(tables=TargetTable(target=target, table=found.table), remarks=said, claims=found.claims)
    searched = [one for one in searched if one.id not in otherwise]
    return with_claims(state, searched, deps) if searched else state


def with_claims(state: AgentState, targets: Sequence[Target], deps: Deps) -> AgentState:
    """The state with the claims of the targets whose text was searched: drafted by a model, or extracted."""
    if deps.session is None:
        return extracted(state, targets)
    # What begins the newest documents needs no draft, nor do the captions that changed.
    state = extracted(state, [target for target in targets if target.topic and is_given(target.topic)])
    targets = [target for target in targets if target.topic and not is_given(target.topic)]
    if not targets:
        return state
    from agent.steps.drafting import UNVERIFIED, NoDraft, drafted

    if any(one.extract for one in state.agains if one.iteration == state.iteration):
        deps.degrade()
        return extracted(state, targets, UNVERIFIED)
    try:
        state = drafted(state, targets, deps, deps.session)
    except NoDraft as failed:
        deps.degrade()
        if state.iteration:
            # What an earlier round found stays.
            threshold = LIMITS[state.mode].threshold
            return state.add(decisions=Decision(again=False, threshold=threshold, why=failed.why))
        return extracted(state, targets, str(failed))
    empty = [target for target in targets if not state.now(state.claims, target)]
    return state.add(refusals=[unanswered(target, state) for target in empty])


def is_given(topic: Topic) -> bool:
    """Whether the filing's own order or wording gives the answer, of which nothing is chosen."""
    return topic.newest or topic.compares


def extracted(state: AgentState, targets: Sequence[Target], failed: str = "") -> AgentState:
    """The state with the sentences that answer each target, or the passages near it.

    failed: why a model that should have drafted did not, in a sentence.
    """
    for target in targets:
        # The first search is the question's own; a model's may follow.
        (filing, *before), retrieval = state.of(state.filings, target), state.of(state.retrievals, target)[0]
        if target.topic is not None:
            found = (
                item_changes.answered(target, target.topic, filing, before[0])
                if before
                else extract.answered(target, target.topic, filing, retrieval)
            )
            refusal = found.refusal and with_model(found.refusal, failed)
            state = state.add(claims=found.claims, near=found.near, remarks=found.remarks, refusals=refusal or ())
        if failed:
            text = f"{failed} The passages shown were found without a language model."
            state = state.add(remarks=Remark(target=target.id, code=RemarkCode.NOT_DRAFTED, text=text))
    return state


def unanswered(target: Target, state: AgentState) -> Refusal:
    """The refusal of a target for which the draft has no claim."""
    if target.topic is None:
        raise ValueError(f"Target {target.id} asks nothing of a text.")
    return not_found(target, target.topic, state.of(state.filings, target)[0], target.topic.items, "validate")
