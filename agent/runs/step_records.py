"""Describes what a node read, added and did, for the list of steps that users see."""

from collections.abc import Sequence
from typing import Any

from agent.state import AgentState, Location, Record, Retrieval, Table
from agent.state.question_words import Role

TUPLES = (
    "filings", "locations", "tables", "retrievals", "particulars", "claims", "near", "verified", "near_verified", "dropped", "remarks", "checks",
    "refusals", "evaluations", "decisions", "agains", "draftings", "judgements", "blocks",
)  # fmt: skip

# Before cite_check a claim is recorded by its place alone: unverified words are stored nowhere.
UNSAID: dict[str, set[str]] = {
    "claims": {"text", "quote", "caption"}, "near": {"text", "headings"}, "remarks": {"text"}
}  # fmt: skip


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
    told = plan.query.words if plan.query else ()
    words = [f"“{word.text}” {word.role.value}" for word in told if word.role not in {Role.FRAME, Role.UNUSED}]
    unused = [f"“{word.text}”" for word in told if word.role is Role.UNUSED]
    said = f"Read: {', '.join(words)}." if words else "Every word was used."
    return f"{said} Not used: {', '.join(unused)}." if unused else said


def _fetch(before: AgentState, after: AgentState) -> str:
    new = after.filings[len(before.filings) :]
    if not new:
        return "The 10-Ks of each year are found with their figures."
    said = (f"{one.form} for the year ended {one.period_end:%-d %b %Y}, filed {one.filed:%-d %b %Y}" for one in new)
    return f"{'; '.join(said)}."


def _locate(before: AgentState, after: AgentState) -> str:
    items = [location for location in after.locations[len(before.locations) :] if location.item]
    return _items(items) if items else "No Item needs to be searched."


def _items(locations: Sequence[Location]) -> str:
    held = [one.item for one in locations if one.status in {"extracted", "none"}]
    return f"Items available: {', '.join(held)}."


def _retrieve(before: AgentState, after: AgentState) -> str:
    said = [found(retrieval) for retrieval in after.retrievals[len(before.retrievals) :]]
    said += [f"{one.label}: {one.value}." for one in after.particulars[len(before.particulars) :]]
    said[:0] = [_table_counts(one.table) for one in after.tables[len(before.tables) :]]
    return " ".join(said)


def found(retrieval: Retrieval) -> str:
    """How many passages a search found, and in which Items."""
    count = len(retrieval.passages)
    items = dict.fromkeys(passage.item for passage in retrieval.passages if passage.item)
    return (
        f"{count} passage{'' if count == 1 else 's'} of {', '.join(f'Item {item}' for item in items) or 'the filing'}."
    )


def _table_counts(table: Table) -> str:
    """How many figures a table has, from how many facts, and its gaps."""
    cells = [one for one in table.cells if one.asked]
    values = [one for one in cells if one.value is not None]
    facts = {fact.key for one in values for fact in one.facts}
    lost = sum(len(one.rejected) for one in values)
    said = f"{counted(len(values), 'figure')} from {counted(len(facts), 'tagged fact')}"
    if lost:
        said += f"; {counted(lost, 'other candidate')} not used"
    if gaps := len(cells) - len(values):
        said += f"; {counted(gaps, 'cell')} without a figure"
    return f"{said}."


def _validate(before: AgentState, after: AgentState) -> str:
    picked, near = len(after.claims) - len(before.claims), len(after.near) - len(before.near)
    said = [f"{counted(picked, 'answering sentence')} found."] if picked else []
    said += [f"No sentence answers for certain; the closest {counted(near, 'passage')} can be read."] if near else []
    if said:
        return " ".join(said)
    new = [cell for one in after.tables for cell in one.table.asserted]
    held = dict.fromkeys(name for cell in new for name in cell.passed_checks)
    soft = dict.fromkeys(name for cell in new for name in cell.failed_checks)
    if not held and not soft:
        return "No statement check covers this figure."
    return f"Passed: {', '.join(held) or 'none'}." + (f" Failed without blocking: {', '.join(soft)}" if soft else "")


def _cite_check(before: AgentState, after: AgentState) -> str:
    new = after.checks[len(before.checks) :]
    claims, near = after.claims, after.near_verified[len(before.near_verified) :]
    if near and not claims and not after.tables:
        return f"{counted(len(near), 'passage')} found word for word in the filing."
    if claims and not after.tables:
        stand = f"{len(after.verified)} of {len(claims)}"
        if after.draftings:
            return f"{stand} drafted sentences say what the filing says."
        return f"{stand} sentences found word for word in the filing."
    if not new:
        return "No figure or sentence is shown."
    return " ".join(check.detail for check in new if check.name == "cite_check") or "Nothing is shown."


def _judge(before: AgentState, after: AgentState) -> str:
    new = after.judgements[len(before.judgements) :]
    if not new:
        return "No verdict had a reason that stands."
    return f"Read as: {new[0].verdict}, for {counted(len(new[0].reasons), 'reason')} that code confirmed."


def counted(count: int, noun: str) -> str:
    """A count with its noun: 1 figure, 4 figures."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


SENTENCES = {
    "plan": _plan,
    "fetch": _fetch,
    "locate": _locate,
    "retrieve": _retrieve,
    "validate": _validate,
    "cite_check": _cite_check,
    "judge": _judge,
}
