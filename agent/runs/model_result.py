"""The summary of a run with a model: counts, time and score, for its trail."""

from collections.abc import Mapping
from typing import Any

from agent.state import AgentState
from agent.state.answer import Answer
from agent.steps.blocks import best_round

# node -> the kind of work that its time counts as
PARTS = {
    "plan": "reasoning",
    "reflect": "reasoning",
    "judge": "reasoning",
    "fetch": "retrieval",
    "locate": "retrieval",
    "retrieve": "retrieval",
    "validate": "generation",
    "cite_check": "verification",
}
# kind of source -> singular, plural
NOUNS = {
    "10-K text": ("{} passage of 10-K text", "{} passages of 10-K text"),
    "passages to read": ("{} passage to be read", "{} passages to be read"),
    "XBRL facts": ("{} tagged fact", "{} tagged facts"),
    "printed figures": ("{} printed figure", "{} printed figures"),
    "data of filings": ("{} piece of data of a filing", "{} pieces of data of filings"),
}
TIMED = ("reasoning", "retrieval", "generation", "verification")


def result(state: AgentState, answer: Answer, spent: Mapping[str, float], total: float) -> dict[str, Any]:
    """The data of the `result` event.

    spent: milliseconds by node. total: of the whole run. confidence: the judgement of the rounds shown, 0 to 1, the
    lowest of several; None where none was judged.
    """
    timing = dict.fromkeys(TIMED, 0.0)
    for node, ms in spent.items():
        timing[PARTS.get(node, "reasoning")] += ms
    claims = [claim for block in answer.blocks for claim in block.claims]
    facts = [fact for block in answer.blocks if block.table for cell in block.table.asserted for fact in cell.facts]
    sources = {
        "10-K text": len({claim.chunk for claim in claims}),
        "XBRL facts": len({fact.fact for fact in facts if not fact.place}),
        "printed figures": len({fact.place for fact in facts if fact.place}),
        "data of filings": sum(len(block.particulars) for block in answer.blocks),
    }
    if read := sum(len(block.passages) for block in answer.blocks if block.outcome == "passages"):
        sources["passages to read"] = read
    return {
        "outcome": answer.outcome,
        "confidence": confidence(state),
        "iterations": len({one.iteration for one in state.draftings}),
        "claims": len(claims),
        "chunks": len({claim.chunk for claim in claims}),
        "timing": {name: round(ms) for name, ms in timing.items()} | {"total": round(total)},
        "sources": {kind: count for kind, count in sources.items() if count},
    }


def confidence(state: AgentState) -> float | None:
    judged = {one.iteration: one.overall for one in state.evaluations}
    rounds = {best_round(state, target) for target in (state.plan.targets if state.plan else ()) if target.topic}
    scores = [judged[made] for made in rounds if made in judged]
    return round(min(scores), 4) if scores else None


def said(data: Mapping[str, Any]) -> str:
    """The result in a sentence or two."""
    parts = [NOUNS[kind][count > 1].format(count) for kind, count in data["sources"].items()]
    lines = [f"The answer rests on {' and '.join(parts)}." if parts else "No direct answer found."]
    if data["iterations"]:
        lines.append(f"{data['iterations']} round{'' if data['iterations'] == 1 else 's'} of drafting.")
    if data["confidence"] is not None:
        lines.append(f"The answer shown scored {data['confidence']:.2f} out of 1.")
    times = ", ".join(f"{name} {seconds(data['timing'][name])}" for name in TIMED)
    lines.append(f"{seconds(data['timing']['total'])} in all: {times}.")
    return " ".join(lines)


def seconds(ms: float) -> str:
    """2.4 s."""
    return f"{ms / 1000:.1f} s"
