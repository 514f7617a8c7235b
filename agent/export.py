"""An answer for scripts: one JSON row, or plain text."""

from typing import Any

from agent.state import Answer, Block, Draft, FactRef
from agent.wording import lower_first


def row(identifier: object, answer: Answer, ms: float) -> dict[str, Any]:
    """The row of a batch. `values` hold what the answer asserts and nothing else, as full decimal strings."""
    return {
        "id": identifier,
        "outcome": answer.outcome,
        "type": str(answer.plan.type),
        "plan": answer.plan.model_dump(mode="json"),
        "blocks": [
            {
                "type": str(block.type),
                "outcome": block.outcome,
                "refusal_code": str(block.refusal.code) if block.refusal else "",
            }
            for block in answer.blocks
        ],
        "values": [value(draft) for block in answer.blocks for draft in block.drafts],
        "claims": [],
        "refusal_code": answer.refusal_code,
        "text": as_text(answer),
        "ms": round(ms, 2),
    }


def value(draft: Draft) -> dict[str, Any]:
    """One asserted number; a derived one names its formula and the facts it stands on."""
    found = draft.found
    data: dict[str, Any] = {
        "value": plain(draft),
        "unit": found.unit,
        "concept": found.concept,
        "tag": found.fact.name if found.fact else "",
        "accession": found.accession,
        "period_end": (found.fact.end if found.fact else found.period_end).isoformat(),
        "label": found.reading or found.label,
    }
    if found.formula:
        data["formula"] = found.formula
        data["operands"] = [
            {"concept": one.concept, "tag": one.fact.name, "value": one.fact.raw} for one in found.operands
        ]
    return data


def plain(draft: Draft) -> str:
    """A number in plain digits."""
    return format(draft.found.value, "f")


def as_text(answer: Answer) -> str:
    """The answer in lines of text."""
    companies = {target.id: target.company.name for target in answer.plan.targets}
    return "\n\n".join(block_text(block, companies.get(block.target, "")) for block in answer.blocks)


def block_text(block: Block, company: str) -> str:
    """One block in lines of text."""
    if block.refusal is not None:
        lines = [f"Not answered ({block.refusal.code}). {block.refusal.text}", block.refusal.detail]
        lines += [f"  {source(fact)}" for fact in block.refusal.candidates]
        lines += [f"You can ask instead: {one.question}" for one in block.alternatives]
        return "\n".join(filter(None, lines))
    if block.text:
        return block.text
    return "\n".join(line for draft in block.drafts for line in draft_lines(draft, company))


def draft_lines(draft: Draft, company: str) -> list[str]:
    """One number with its source."""
    found = draft.found
    figure = " ".join(filter(None, (draft.headline, draft.unit_word)))
    when = f"fiscal {found.fiscal_year}, ended {found.period_end:%Y-%m-%d}"
    lines = [f"{company}, {lower_first(found.reading or found.label)}, {when}: {figure} ({draft.exact})"]
    if found.formula:
        lines.append(f"= {found.formula}")
    lines += [f"  {source(fact)}" for fact in found.facts]
    return lines + [f"  {note}" for note in found.notes]


def source(fact: FactRef) -> str:
    """A fact's provenance on one line."""
    period = f"{fact.end:%Y-%m-%d}" if fact.start == fact.end else f"{fact.start:%Y-%m-%d} to {fact.end:%Y-%m-%d}"
    row = f" “{fact.label}”" if fact.label else ""
    filed = f"{fact.form} {fact.accession} filed {fact.filed:%Y-%m-%d}"
    return f"{fact.name}{row} {fact.raw} {fact.unit}, {period}, {filed}"
