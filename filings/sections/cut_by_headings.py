"""Cuts Items at their own headings: each from its heading to the next one's."""

import re

from filings.document.blocks import Block
from filings.document.layout import Layout
from filings.sections.cross_reference_index import MARK, NONE_LISTED
from filings.sections.headings import Heading
from filings.sections.item_status import PART_III, REFERENCE, RESERVED, status_of, where
from filings.sections.items import CURRENT_ITEMS
from filings.sections.section_drafts import Draft, Source, trimmed
from filings.sections.statement_sections import AUDITOR_REPORT
from filings.sections.titles import VACANT

SIGNATURES = re.compile(r"\W*signatures?\W*", re.IGNORECASE)
ANSWERED = re.compile(
    r"\W*(?:none|not\s+applicable|n/?a|(?:removed\s+and\s+)?reserved|(?:intentionally\s+)?omitted)\b", re.IGNORECASE
)
# Items that "None." answers completely: later text without a heading is something else, such as the executive officers
# after Item 4 or the exhibit index after Item 16.
ANSWERED_ITEMS = frozenset({"1B", "4", "6", "9", "9C", "16", "II.3", "II.4"})
# An auditor's report between these and Item 8 belongs to neither.
BEFORE_STATEMENTS = frozenset({"7", "7A"})
LONGEST_ANSWER = 160
LAST_ITEMS = PART_III | {"15", "16", "II.5", "II.6", "20F.19"} | CURRENT_ITEMS.keys()
PART_FROM_END = 3_500  # characters at a section's end that may be the next part's name and preface
FEW_LISTED = 3


def items_by_heading(source: Source) -> dict[str, Draft]:
    """A draft for every Item with a heading, and for those that the document says it does not have."""
    drafts: dict[str, Draft] = {}
    ends = section_ends(source)
    for heading, end in zip(source.headings, ends, strict=True):
        drafts.update(_drafts(source, heading, end))
    for heading in source.inside:
        where = f"Printed within {source.form.items[source.form.discussion].called}."
        drafts.setdefault(heading.item, Draft(heading.item, "by_reference", heading.text, where))
    if source.form.items.keys() >= PART_III and not PART_III & drafts.keys():
        drafts.update(_part_three(source))
    listed = {row.item: row.rest.strip() for row in source.contents.rows}
    for item in source.form.items:
        if item in drafts:
            continue
        if NONE_LISTED.search(listed.get(item, "")):
            drafts[item] = Draft(item, "none")
        elif MARK.fullmatch(listed.get(item, "")) or (
            item not in listed and len(listed.keys() | drafts.keys()) >= FEW_LISTED
        ):
            drafts[item] = Draft(item, "omitted")
    return drafts


def section_ends(source: Source) -> list[int]:
    """The end of each heading's section: before the next heading and its part's name; the last at the signatures."""
    layout, items = source.layout, source.form.items
    ends: list[int] = []
    for place, heading in enumerate(source.headings):
        after = source.headings[place + 1] if place + 1 < len(source.headings) else None
        last = after.block if after else len(layout.blocks)
        end = after.start if after else len(layout.text)
        parts = after is not None and items[after.item].part != items[heading.item].part
        answered = _answered(layout, heading, last)
        if answered:
            ends.append(min(answered, end))
            continue
        for block in layout.blocks[heading.block + 1 : last]:
            if block.start < heading.end or block.kind == "table":
                continue
            text = layout.text[block.start : min(block.end, block.start + 120)]
            if heading.item in BEFORE_STATEMENTS and block.kind == "heading" and AUDITOR_REPORT.match(text):
                end = block.start
                break
            if heading.item in LAST_ITEMS and not after and SIGNATURES.fullmatch(text):
                end = block.start
                break
            if parts and after and after.start - block.start < PART_FROM_END and source.form.part.fullmatch(text):
                end = block.start
                break
        ends.append(end)
    return ends


def _answered(layout: Layout, heading: Heading, last: int) -> int:
    """The end of an Item that its first words answer completely; 0 otherwise."""
    if heading.item not in ANSWERED_ITEMS or len(heading.items) > 1:
        return 0
    if re.search(VACANT.pattern + r"\W*$", heading.text, re.IGNORECASE):
        return heading.end
    for block in layout.blocks[heading.block : last]:
        if block.end <= heading.end:
            continue
        text = layout.text[max(block.start, heading.end) : block.end]
        if block.kind == "table" or len(text) > LONGEST_ANSWER:
            return 0
        return block.end if ANSWERED.match(text) and not REFERENCE.search(text) else 0
    return 0


def words_under(layout: Layout, start: int, end: int) -> tuple[list[str], bool]:
    """The paragraphs of a range, without tables and headings, and whether it has tables of several rows."""
    paragraphs: list[str] = []
    tables = False
    number = layout.block_at(start)
    if number and layout.blocks[number - 1].end > start:
        number -= 1
    for block in layout.blocks[number:]:
        if block.start >= end:
            break
        if block.kind == "table":
            tables = tables or _has_rows(block)
        elif block.kind != "heading" or ANSWERED.match(layout.of(block)) or RESERVED.fullmatch(layout.of(block)):
            paragraphs.append(layout.text[max(block.start, start) : min(block.end, end)])
    return [paragraph for paragraph in paragraphs if re.search(r"\w", paragraph)], tables


def _has_rows(block: Block) -> bool:
    return len(block.rows) >= 3


def _drafts(source: Source, heading: Heading, end: int) -> dict[str, Draft]:
    layout = source.layout
    start, end = _without_ornaments(layout, *trimmed(layout, heading.start, max(end, heading.end)), heading)
    paragraphs, tables = words_under(layout, heading.end, end)
    if not paragraphs and VACANT.search(heading.text):
        paragraphs = [VACANT.search(heading.text)[0]]  # type: ignore[index]
    status, told = status_of(heading.item, paragraphs, tables)
    first = Draft(heading.item, status, heading.text, told, source, [(start, end)], heading.end)
    drafts = {heading.item: first}
    for other in heading.items[1:]:
        # A text under two Items belongs to the first only.
        if status in {"extracted", "by_reference"}:
            under = (
                told
                if status == "by_reference"
                else f"Under one heading with {source.form.items[heading.item].called}."
            )
            drafts[other] = Draft(other, "by_reference", heading.text, under)
        else:
            drafts[other] = Draft(other, status, heading.text)
    return drafts


def _without_ornaments(layout: Layout, start: int, end: int, heading: Heading) -> tuple[int, int]:
    """A range without the blocks at its end that have no words."""
    number = layout.block_at(end) - 1
    while number > heading.block and layout.blocks[number].start >= heading.end:
        if re.search(r"\w", layout.of(layout.blocks[number])):
            break
        end = layout.blocks[number].start
        number -= 1
    return trimmed(layout, start, end)


def _part_three(source: Source) -> dict[str, Draft]:
    """Items 10 to 14 of a document with Part III as one text, without a heading for each."""
    layout = source.layout
    for number, block in enumerate(layout.blocks):
        if number in source.contents.blocks or block.kind == "table":
            continue
        found = re.fullmatch(
            r"\W*part\s+iii\W*", layout.text[block.start : min(block.end, block.start + 40)], re.IGNORECASE
        )
        if found:
            for below in layout.blocks[number + 1 : number + 4]:
                text = layout.of(below)
                if len(text) < PART_FROM_END and REFERENCE.search(text):
                    return {
                        item: Draft(item, "by_reference", where=where(text))
                        for item in source.form.items
                        if item in PART_III
                    }
    return {}
