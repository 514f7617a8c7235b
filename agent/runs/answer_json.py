"""An answer for scripts: one JSON row, or plain text."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from agent.numbers.tables import table_text
from agent.refusals import nearest_question
from agent.refusals.grammar import capitalized, lower_first
from agent.runs.judgement_text import judgement_lines, judgement_of
from agent.runs.model_reading import model_reading
from agent.state import Answer, Block, Cell, Claim, Excerpt, FactRef, NearPassage, Scale, Table, Topic
from agent.state.tables import CellOperand, Result
from filings.sections.items import ALL_ITEMS

# More figures than this are written as a table.
MOST_ONE_BY_ONE = 3
MOST_SOURCES = 40
# Verification results for text that differs from its quotation.
DRAFTED = frozenset({"edited", "paraphrase"})


def row(identifier: object, answer: Answer, ms: float) -> dict[str, Any]:
    """The row of a batch. `values` has only what the answer asserts, as full decimal strings."""
    reading = model_reading(answer.plan)
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
        "values": [value(cell) for cell in asserted(answer)] + [of_result(one) for one in results(answer)],
        "table": [row for block in answer.blocks if block.table for row in table_text.rows(block.table)],
        "claims": [
            {"mark": mark} | claim(one)
            for mark, one in zip(
                answer.marks, (one for block in answer.blocks for one in block.shown_claims), strict=True
            )
        ],
        "passages": [passage(one) for block in answer.blocks for one in block.passages],
        "data": [particular.model_dump(mode="json") for block in answer.blocks for particular in block.particulars],
        "refusal_code": answer.refusal_code,
        "left_out": list(answer.plan.query.left_out) if answer.plan.query else [],
        "reading": reading.model_dump(mode="json") if reading else None,
        "judgement": [
            one.model_dump(mode="json") for block in answer.blocks if (one := judgement_of(block, answer)) is not None
        ],
        "text": as_text(answer),
        "ms": round(ms, 2),
    }


def passage(one: NearPassage) -> dict[str, Any]:
    """A passage near the question, not asserted as an answer. Positions refer to its section's text."""
    shown = one.model_dump(mode="json", exclude={"iteration", "ranges"})
    return shown | {"title": place(one)}


def place(one: Excerpt) -> str:
    """Item 1A, Risk Factors, page 14; only the page for text outside any Item."""
    item = ALL_ITEMS[one.item].label if one.item in ALL_ITEMS else ""
    page = f"{'page' if item else 'Page'} {one.page}" if one.page else ""
    return ", ".join(filter(None, (item, page))) or "Text outside any Item"


def claim(one: Claim) -> dict[str, Any]:
    """One verified sentence with its place: a range of the section's text, which has this hash."""
    shown = one.model_dump(mode="json", exclude={"iteration", "cik", "axis", "figures"})
    return shown | {"text": one.shown, "score": round(one.score, 4)}


def asserted(answer: Answer) -> list[Cell]:
    """The cells that an answer asserts."""
    return [
        cell for block in answer.blocks if block.table and block.outcome == "answered" for cell in block.table.asserted
    ]


def results(answer: Answer) -> list[Result]:
    """Results of operations with a value of their own."""
    tables = [block.table for block in answer.blocks if block.table and block.outcome == "answered"]
    found = [one for table in tables for one in table.results]
    return [one for one in found if one.value is not None and one.formula]


def value(cell: Cell) -> dict[str, Any]:
    """One asserted number; a derived one names its formula and facts."""
    data: dict[str, Any] = {
        "value": cell.digits,
        "unit": cell.unit,
        "concept": cell.measure,
        "company": cell.company,
        "fiscal_year": cell.fiscal_year,
        "fiscal_period": str(cell.fiscal_period),
        "tag": cell.fact.name if cell.fact else "",
        "accession": cell.accession,
        "period_end": (cell.fact.end if cell.fact else cell.period_end).isoformat() if cell.period_end else "",
        "label": table_text.measure(cell),
    }
    if cell.guided_as_of:
        data["guided_as_of"] = cell.guided_as_of.isoformat()
    if cell.formula:
        data |= {"formula": cell.formula, "operands": operands(cell.operands)}
    return data


def of_result(one: Result) -> dict[str, Any]:
    """The result of an operation on several cells."""
    shown = one.model_dump(
        mode="json", include={"unit", "operation", "label", "fiscal_years", "fiscal_period", "formula"}
    )
    periods = {"fiscal_periods": list(one.fiscal_periods)} if one.fiscal_periods else {}
    return {**shown, **periods, "value": one.digits, "operands": operands(one.operands)}


def operands(found: Iterable[CellOperand]) -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "concept": one.concept,
            "tag": one.fact.name,
            "value": one.fact.digits,
            "accession": one.fact.accession,
        }
        for one in found
    ]


def as_text(answer: Answer) -> str:
    """The answer in lines of text."""
    companies = {target.id: target.company.name for target in answer.plan.targets}
    topics = {target.id: target.topic for target in answer.plan.targets}
    scale = answer.plan.scale
    ends = list(accumulate(len(block.claims) for block in answer.blocks))
    said = [
        headed(
            block,
            block_text(
                block,
                companies.get(block.target, ""),
                scale,
                answer.marks[end - len(block.claims) : end],
                topics.get(block.target),
            ),
        )
        for block, end in zip(answer.blocks, ends, strict=True)
    ]
    judged = "\n".join(judgement_lines(answer))
    return "\n\n".join(filter(None, (nearest_question.line(answer.plan), judged, *said)))


def headed(block: Block, text: str) -> str:
    """A block's text below the heading of its document and the address of one that was published."""
    address = next((one.url for one in block.filings[:1] if block.heading and not one.form), "")
    return "\n".join(filter(None, (*block.missing, block.heading, address, text)))


def block_text(
    block: Block, company: str, scale: Scale | None = None, marks: Sequence[str] = (), topic: Topic | None = None
) -> str:
    """One block in lines of text. scale: that of the figures asked for. marks: those of its quotations. topic: what is asked
    of its text, whose parts are then named.
    """
    if block.refusal is not None:
        lines = [f"Not answered ({block.refusal.code}). {block.refusal.text}", block.refusal.detail]
        lines += [f"  {source(fact)}" for fact in block.refusal.candidates]
        lines += [f"You can ask instead: {one.question}" for one in block.alternatives]
        lines += passage_lines(block)
        return "\n".join(filter(None, lines))
    if block.text:
        return block.text
    if block.table is not None:
        return "\n".join((*block.notes, *table_lines(block.table, scale)))
    return "\n".join(quotation_lines(block, company, marks, topic))


def table_lines(table: Table, scale: Scale | None) -> list[str]:
    """A table with its sources: a few cells line by line, more as rows and columns."""
    divided = any(cell.role for cell in table.asserted)
    if len(table.asserted) > MOST_ONE_BY_ONE or table.results or divided:
        sources = dict.fromkeys(source(fact) for cell in table.asserted for fact in cell.facts)
        ranges = table_text.ranges(table, scale)
        return [
            *ranges,
            table_text.markdown(table, scale).rstrip(),
            "",
            *(f"  {one}" for one in [*sources][:MOST_SOURCES]),
        ]
    lines = list(table_text.ranges(table, scale))
    lines += [line for cell in table.cells if cell.asked and not cell.alternative for line in cell_lines(cell, scale)]
    beside = [cell for cell in table.cells if cell.asked and cell.alternative and cell.value is not None]
    lines += [f"  Beside it: {line}" for cell in beside for line in cell_lines(cell, scale)[:1]]
    return lines + [f"  {note}" for note in table.notes]


def quotation_lines(block: Block, company: str, marks: Sequence[str], topic: Topic | None) -> list[str]:
    """Quotations with Item and page, below their captions and the part of the question that they answer, with notes.

    A drafted text is followed by the quotation that it was checked against.
    """
    lines = [
        f"{company}, {lower_first(one.label)}, fiscal {one.fiscal_year}: {one.value}" for one in block.particulars
    ]
    lines += [f"  {one.source}, {one.accession}" for one in block.particulars]
    caption = part = ""
    names = {filing.accession: filing.name for filing in block.filings}
    numbered = marks or [f"[{number}]" for number in range(1, len(block.claims) + 1)]
    for mark, one in zip(numbered, block.shown_claims, strict=True):
        if topic and (of := topic.part(one.query)) != part:
            lines.append(f"{capitalized(of)}:")
            part = of
        if one.caption and one.caption != caption:
            lines += [one.path] if one.path else []
            lines.append(f"{one.caption}")
        caption = one.caption
        lines += [f"    {line}" for line in one.before]
        page = f", page {one.page}" if one.page else ""
        drafted = one.verdict in DRAFTED
        lines += [f"{mark} {one.shown}"] if drafted else []
        lines.append(f"{'    ' if drafted else f'{mark} '}\u201c{one.cited if drafted else one.text}\u201d")
        lines += [f"    {one.as_printed}"] if one.as_printed else []
        where = ALL_ITEMS[one.item].label if one.item in ALL_ITEMS else names.get(one.accession, "10-K")
        lines.append(f"    {where}{page}, {one.accession}")
    if topic and topic.compares:  # the notes say what changed, and how much of it is quoted
        return [*block.notes, *lines, *passage_lines(block)]
    if block.claims:
        lines.append(f"{quoted(block.claims, len(block.claims) + len(block.dropped))}.")
    lines += passage_lines(block)
    return lines + [f"  {note}" for note in block.notes]


def quoted(claims: Sequence[Claim], made: int) -> str:
    """How many of the claims made are shown: 3 of 3 sentences quoted; drafted ones are backed by quotations."""
    drafted = any(one.verdict in DRAFTED for one in claims)
    noun, said = ("claim", "backed by quotations") if drafted else ("sentence", "quoted")
    return f"{len(claims)} of {made} {noun}{'' if made == 1 else 's'} {said}"


def passage_lines(block: Block) -> list[str]:
    """The passages to read, each below its place."""
    return [block.above_passages, *map(passage_text, block.passages)] if block.passages else []


def passage_text(one: NearPassage) -> str:
    """A passage's place, and below it its words in one line."""
    return f"{place(one)}, {one.accession}\n    {' '.join(one.text.split())}"


def cell_lines(cell: Cell, scale: Scale | None) -> list[str]:
    """One number with its source, or why there is none."""
    year = cell.place.called if cell.fiscal_year else ""
    ended = f"ended {cell.period_end:%Y-%m-%d}" if cell.period_end else ""
    when = ", ".join(filter(None, (year, ended)))
    what = ", ".join(
        filter(None, (cell.company, lower_first(table_text.measure(cell)), lower_first(cell.period_reading), when))
    )
    if cell.value is None:
        said = [f"{what}: none. {cell.gap.text} {cell.gap.detail}".rstrip()] if cell.gap else []
        return said + [f"  {source(fact)}" for fact in cell.facts]
    lines = [f"{what}: {table_text.in_full(cell, scale)}"]
    if cell.formula:
        lines.append(f"= {cell.formula}")
    lines += [f"  {source(fact)}" for fact in cell.facts]
    return lines + [f"  {note}" for note in cell.notes]


def source(fact: FactRef) -> str:
    """A fact's provenance on one line."""
    period = f"{fact.end:%Y-%m-%d}" if fact.start == fact.end else f"{fact.start:%Y-%m-%d} to {fact.end:%Y-%m-%d}"
    # The days of a period to come are counted, and not printed.
    period = "to come" if fact.is_guidance else period
    row = f" “{fact.label}”" if fact.label else ""
    filed = ", ".join(filter(None, (fact.as_printed, f"{fact.form} {fact.accession} filed {fact.filed:%Y-%m-%d}")))
    return f"{fact.element}{row} {fact.raw} {fact.unit}, {period}, {filed}"
