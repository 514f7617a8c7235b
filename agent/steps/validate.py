"""validate: the statement's own sums, and scale, before a number is believed; the sentences that answer."""

from collections.abc import Sequence

from agent.numbers import identities
from agent.numbers.identities import Outcome, in_words
from agent.numbers.plausible import doubts
from agent.numbers.registry import Registry
from agent.numbers.render import draft
from agent.numbers.select import Selection
from agent.prose import extract
from agent.prose.passages import not_found
from agent.refusals.codes import Code
from agent.refusals.labels import lower_first
from agent.refusals.sentences import refuse, with_model
from agent.state import AgentState, Check, Decision, FilingRef, Found, Refusal, Remark, RemarkCode, Target
from agent.state.modes import LIMITS
from agent.steps.deps import Deps


def validate(state: AgentState, deps: Deps) -> AgentState:
    """Check each found number against the identities of its filing, and render it; pick the sentences that answer.

    Reads   facts, retrievals
    Adds    checks (one an identity), drafts (each number as it will be shown), claims (each a sentence of a passage, or
            drafted by a model from the passages of all rounds)
    Refuses conflict, when a hard identity fails; not_found_in_filing, when no sentence answers; per target
    """
    for target in state.open_targets():
        if not target.readings:
            continue
        judged = [(number, *judge(number, target, state, deps)) for number in state.of(state.facts, target)]
        numbers: tuple[Found, ...] = tuple(number for number, _, _ in judged)
        checks = [
            check
            for number, selection, outcomes in judged
            if not number.mention
            for check in checked(number, selection, outcomes, deps.registry)
        ]
        state = state.add(checks=checks)
        if broken := [check for check in checks if check.hard and not check.ok]:
            state = state.add(refusals=refuse_broken(target, numbers, broken, state.of(state.filings, target)[0]))
            continue
        scale = state.plan.scale if state.plan else None
        state = state.add(drafts=[draft(explained(number, outcomes), scale) for number, _, outcomes in judged])
    searched = [target for target in state.open_targets() if target.topic and state.of(state.retrievals, target)]
    return with_claims(state, searched, deps) if searched else state


def with_claims(state: AgentState, targets: Sequence[Target], deps: Deps) -> AgentState:
    """The state with the claims of the targets whose text was searched: drafted by a model, or extracted without one."""
    if deps.session is None:
        return extracted(state, targets)
    from agent.steps.drafting import UNVERIFIED, NoDraft, drafted

    if any(one.extract for one in state.agains if one.iteration == state.iteration):
        deps.degrade()
        return extracted(state, targets, UNVERIFIED)
    try:
        state = drafted(state, targets, deps, deps.session)
    except NoDraft as failed:
        deps.degrade()
        if state.iteration:
            # What an earlier round has found stands.
            threshold = LIMITS[state.mode].threshold
            return state.add(decisions=Decision(again=False, threshold=threshold, why=failed.why))
        return extracted(state, targets, str(failed))
    empty = [target for target in targets if not state.now(state.claims, target)]
    return state.add(refusals=[unanswered(target, state) for target in empty])


def extracted(state: AgentState, targets: Sequence[Target], failed: str = "") -> AgentState:
    """The state with the sentences that answer each target; nothing is added where data of the filing answers.

    failed: why a model that should have drafted has not, in a sentence.
    """
    for target in targets:
        # The first is the question's own search; those of a model may follow.
        filing, retrieval = state.of(state.filings, target)[0], state.of(state.retrievals, target)[0]
        if target.topic is not None:
            found = extract.answered(target, target.topic, filing, retrieval)
            refusal = found.refusal and with_model(found.refusal, failed)
            state = state.add(claims=found.claims, remarks=found.remarks, refusals=refusal or ())
        if failed:
            text = f"{failed} These sentences of the filing were found without a language model."
            state = state.add(remarks=Remark(target=target.id, code=RemarkCode.NOT_DRAFTED, text=text))
    return state


def unanswered(target: Target, state: AgentState) -> Refusal:
    """The refusal of a target that a draft says nothing of."""
    if target.topic is None:
        raise ValueError(f"Target {target.id} asks nothing of a text.")
    return not_found(target, target.topic, state.of(state.filings, target)[0], target.topic.items, "validate")


def judge(number: Found, target: Target, state: AgentState, deps: Deps) -> tuple[Selection, tuple[Outcome, ...]]:
    """The filing a number stands in, and the identities it takes part in there, each evaluated once."""
    filing = next(one for one in state.of(state.filings, target) if one.accession == number.accession)
    selection = deps.selection(filing.filing)
    return selection, identities.check(deps.registry, selection.reported, number.concept)


def explained(number: Found, outcomes: tuple[Outcome, ...]) -> Found:
    """A number with what an identity says of its scope, as that operating expenses include cost of revenue."""
    notes = tuple(one.note for one in outcomes if one.note and one.ok)
    return number.model_copy(update={"notes": number.notes + notes}) if notes else number


def checked(number: Found, selection: Selection, outcomes: tuple[Outcome, ...], registry: Registry) -> list[Check]:
    """What the identities of its filing say of a number, and what makes it doubtful."""
    concept = registry.concepts[number.concept]
    held = selection.book.face_of(concept) is not None
    return [
        Check(
            target=number.target,
            name=one.id,
            identity=True,
            ok=one.ok,
            hard=one.hard,
            detail=" ".join(filter(None, (f"{in_words(one.detail, registry)}.", one.note))),
        )
        for one in outcomes
    ] + [
        Check(target=number.target, name=doubt.name, ok=False, detail=doubt.sentence)
        for doubt in doubts(number, concept, face_held=held)
    ]


def refuse_broken(target: Target, numbers: tuple[Found, ...], broken: list[Check], filing: FilingRef) -> Refusal:
    """The refusal of numbers whose filing contradicts them."""
    first = numbers[0]
    return refuse(
        target,
        Code.CONFLICT,
        "validate",
        text=f"The value tagged for {lower_first(first.label)} fails a check.",
        detail=f"This check fails: {broken[0].detail}" if broken[0].identity else broken[0].detail,
        filings=[filing],
        looked_for=[
            ("Measure", first.label),
            *(("Check", f"{check.name}: {check.detail}") for check in broken),
        ],
        candidates=[fact for number in numbers for fact in number.facts],
    )
