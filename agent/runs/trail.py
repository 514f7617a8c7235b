"""What a node read, added and did, for the steps a reader can open."""

from collections.abc import Sequence
from typing import Any

from agent.state import AgentState, Location, Record, Retrieval

TUPLES = (
    "filings", "locations", "facts", "retrievals", "particulars", "drafts", "claims", "verified", "dropped", "remarks", "checks",
    "refusals", "evaluations", "decisions", "agains", "draftings", "blocks",
)  # fmt: skip

# Before cite_check a claim is told by its place alone: words that are not verified are kept nowhere.
UNSAID: dict[str, set[str]] = {"claims": {"text", "quote", "caption"}, "remarks": {"text"}}


def counts(state: AgentState) -> dict[str, Any]:
    """A node's inputs: the question, whether there is a plan, and how many records of each kind."""
    found = {name: len(getattr(state, name)) for name in TUPLES if getattr(state, name)}
    return {"question": state.question, "planned": state.plan is not None, **found}


def added(before: AgentState, after: AgentState) -> dict[str, Any]:
    """A node's outputs: the records it appended, and the plan when it made it."""
    outputs: dict[str, Any] = {}
    if before.plan is None and after.plan is not None:
        outputs["plan"] = after.plan.model_dump(mode="json")
    for name in TUPLES:
        new: tuple[Record, ...] = getattr(after, name)[len(getattr(before, name)) :]
        if new:
            outputs[name] = [record.model_dump(mode="json", exclude=UNSAID.get(name)) for record in new]
    return outputs


def said(node: str, before: AgentState, after: AgentState) -> str:
    """What a node did, in a sentence."""
    if len(after.refusals) > len(before.refusals):
        return after.refusals[-1].text
    return SENTENCES[node](before, after)


def _plan(before: AgentState, after: AgentState) -> str:
    plan = after.plan
    if plan is None or not plan.targets:
        return "Not a question about a filing."
    words = [f"“{span.text}” {span.role}" for span in plan.spans if span.role not in {"phrase", "unused"}]
    return f"Every word was used: {', '.join(words)}." if words else "Every word was used."


def _fetch(before: AgentState, after: AgentState) -> str:
    return (
        "; ".join(
            f"{filing.form} for the year ended {filing.period_end:%-d %b %Y}, filed {filing.filed:%-d %b %Y}"
            for filing in after.filings[len(before.filings) :]
        )
        + "."
    )


def _locate(before: AgentState, after: AgentState) -> str:
    new = [location for location in after.locations[len(before.locations) :] if location.concept]
    items = [location for location in after.locations[len(before.locations) :] if location.item]
    if items:
        return _items(items) if not new else f"{_faces(new)} {_items(items)}"
    return _faces(new) if new else "No statement or Item needs to be searched."


def _items(locations: Sequence[Location]) -> str:
    held = [one.item for one in locations if one.status in {"extracted", "none"}]
    return f"Items available: {', '.join(held)}."


def _faces(new: Sequence[Location]) -> str:
    faces = sorted(
        {f"{location.title or location.statement} ({location.basis})" for location in new if location.basis}
    )
    return f"Statement available: {', '.join(faces)}." if faces else "No statement is stored; the facts alone decide."


def _retrieve(before: AgentState, after: AgentState) -> str:
    said = [found(retrieval) for retrieval in after.retrievals[len(before.retrievals) :]]
    said += [f"{one.label}: {one.value}." for one in after.particulars[len(before.particulars) :]]
    if after.facts[len(before.facts) :] or not said:
        said.insert(0, _chosen(before, after))
    return " ".join(said)


def found(retrieval: Retrieval) -> str:
    """How many passages a search has found, and of which Items."""
    count = len(retrieval.passages)
    items = dict.fromkeys(passage.item for passage in retrieval.passages if passage.item)
    return (
        f"{count} passage{'' if count == 1 else 's'} of {', '.join(f'Item {item}' for item in items) or 'the filing'}."
    )


def _chosen(before: AgentState, after: AgentState) -> str:
    new = after.facts[len(before.facts) :]
    tags = [one.fact.name if one.fact else one.formula for one in new]
    lost = sum(len(one.rejected) for one in new)
    return f"{', '.join(tags)}; {lost} other candidate{'' if lost == 1 else 's'} not used. No search was needed."


def _validate(before: AgentState, after: AgentState) -> str:
    new = after.checks[len(before.checks) :]
    picked = len(after.claims) - len(before.claims)
    if picked and not new:
        return f"{picked} answering sentence{'' if picked == 1 else 's'} found."
    held = [check.name for check in new if check.ok]
    soft = [check.name for check in new if not check.ok]
    if not new:
        return "No statement check covers this figure."
    return f"Passed: {', '.join(held) or 'none'}." + (f" Failed without blocking: {', '.join(soft)}." if soft else "")


def _cite_check(before: AgentState, after: AgentState) -> str:
    new = after.checks[len(before.checks) :]
    claims = after.claims
    if claims and not after.drafts:
        stand = f"{len(after.verified)} of {len(claims)}"
        if after.draftings:
            return f"{stand} drafted sentences say what the filing says."
        return f"{stand} sentences found word for word in the filing."
    if not new:
        return "No figure or sentence is shown."
    return f"{sum(check.ok for check in new)} of {len(new)} figures re-read from the database and identical to the last digit."


SENTENCES = {
    "plan": _plan,
    "fetch": _fetch,
    "locate": _locate,
    "retrieve": _retrieve,
    "validate": _validate,
    "cite_check": _cite_check,
}
