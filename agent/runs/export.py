"""An answer for scripts: one JSON row, or plain text."""

from typing import Any

from agent.refusals.labels import lower_first
from agent.state import Answer, Block, Claim, Draft, FactRef
from filings.sections.items import ITEMS


def row(identifier: object, answer: Answer, ms: float) -> dict[str, Any]:
    """The row of a batch. `values` hold what the answer asserts and nothing else, as full decimal strings."""
    return {
        "id": identifier,
        "outcome": answer.outcome,
        "type": str(answer.plan.type),
        "mode": answer.mode,
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
        "claims": [claim(one) for block in answer.blocks for one in block.claims],
        "data": [particular.model_dump(mode="json") for block in answer.blocks for particular in block.particulars],
        "refusal_code": answer.refusal_code,
        "text": as_text(answer),
        "ms": round(ms, 2),
    }


def claim(one: Claim) -> dict[str, Any]:
    """One verified sentence with where it stands: a range of the section's text, which has this hash."""
    return {
        "target": one.target,
        "query": one.query,
        "text": one.shown,
        "quote": one.quote,
        "caption": one.caption,
        "item": one.item,
        "page": one.page,
        "accession": one.accession,
        "section": one.section,
        "start": one.start,
        "end": one.end,
        "sha256": one.sha256,
        "chunk": one.chunk,
        "verdict": one.verdict,
        "score": round(one.score, 4),
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
        lines += [f"Related passage: {one.title}, {one.url}" for one in block.nearby]
        return "\n".join(filter(None, lines))
    if block.text:
        return block.text
    if not block.drafts:
        return "\n".join(quotation_lines(block, company))
    return "\n".join(line for draft in block.drafts for line in draft_lines(draft, company))


def quotation_lines(block: Block, company: str) -> list[str]:
    """Quotations with Item and page, captions above those that stand under one, and what is to be known beside.

    A text that was drafted stands above the quotation that it was checked against.
    """
    lines = [
        f"{company}, {one.label[:1].lower()}{one.label[1:]}, fiscal {one.fiscal_year}: {one.value}"
        for one in block.particulars
    ]
    lines += [f"  {one.source}, {one.accession}" for one in block.particulars]
    caption = ""
    for number, one in enumerate(block.claims, start=1):
        if one.caption and one.caption != caption:
            lines.append(f"{one.caption}")
        caption = one.caption
        page = f", page {one.page}" if one.page else ""
        drafted = one.verdict == "paraphrase"
        lines += [f"[{number}] {one.shown}"] if drafted else []
        lines.append(f"{'    ' if drafted else f'[{number}] '}\u201c{one.quote}\u201d")
        lines.append(f"    {ITEMS[one.item].label if one.item in ITEMS else '10-K'}{page}, {one.accession}")
    if block.claims:
        of = len(block.claims) + len(block.dropped)
        drafted = any(one.verdict == "paraphrase" for one in block.claims)
        said = "claims verified against the filing" if drafted else "sentences verified word for word"
        lines.append(f"{len(block.claims)} of {of} {said}.")
    return lines + [f"  {note}" for note in block.notes]


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
