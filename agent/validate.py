"""validate: the statement's own sums, and scale, before a number is believed."""

from agent.deps import Deps
from agent.numbers import identities
from agent.numbers.plausible import doubts
from agent.numbers.render import draft
from agent.refusals import Code, refuse
from agent.state import AgentState, Check, Found, Refusal, Target
from agent.wording import lower_first


def validate(state: AgentState, deps: Deps) -> AgentState:
    """Check each found number against the identities of its filing, and render it.

    Reads   facts
    Adds    checks (one an identity), drafts (each number as it will be shown)
    Refuses conflict, when a hard identity fails; per target
    """
    for target in state.open_targets():
        numbers: tuple[Found, ...] = state.of(state.facts, target)
        checks = [check for number in numbers for check in checked(number, target, state, deps)]
        state = state.add(checks=checks)
        if broken := [check for check in checks if check.hard and not check.ok]:
            state = state.add(refusals=refuse_broken(target, numbers, broken))
            continue
        scale = state.plan.scale if state.plan else None
        state = state.add(drafts=[draft(explained(number, target, state, deps), scale) for number in numbers])
    return state


def explained(number: Found, target: Target, state: AgentState, deps: Deps) -> Found:
    """A number with what an identity says of its scope, as that operating expenses include cost of revenue."""
    filing = next(one for one in state.of(state.filings, target) if one.accession == number.accession)
    outcomes = identities.check(deps.registry, deps.selection(filing.filing).reported, number.concept)
    notes = tuple(one.note for one in outcomes if one.note and one.ok)
    return number.model_copy(update={"notes": number.notes + notes}) if notes else number


def checked(number: Found, target: Target, state: AgentState, deps: Deps) -> list[Check]:
    """The identities that a number takes part in, evaluated on its own filing, and what makes it doubtful."""
    if number.mention:
        return []
    filing = next(one for one in state.of(state.filings, target) if one.accession == number.accession)
    selection, concept = deps.selection(filing.filing), deps.registry.concepts[number.concept]
    outcomes = identities.check(deps.registry, selection.reported, number.concept)
    held = selection.book.face_of(concept) is not None
    return [
        Check(
            target=target.id,
            name=one.id,
            ok=one.ok,
            hard=one.hard,
            detail=" ".join(filter(None, (f"A sum of the statement: {one.detail}.", one.note))),
        )
        for one in outcomes
    ] + [
        Check(target=target.id, name=doubt.name, ok=False, detail=doubt.sentence)
        for doubt in doubts(number, concept, face_held=held)
    ]


def refuse_broken(target: Target, numbers: tuple[Found, ...], broken: list[Check]) -> Refusal:
    """The refusal of numbers whose filing contradicts itself."""
    first = numbers[0]
    return refuse(
        target,
        Code.CONFLICT,
        "validate",
        label=first.label,
        year=first.fiscal_year,
        text=f"The value tagged for {lower_first(first.label)} does not stand up to checking.",
        detail=broken[0].detail,
        looked_for=[("Check", f"{check.name}: {check.detail}") for check in broken],
        candidates=[fact for number in numbers for fact in number.facts],
    )
