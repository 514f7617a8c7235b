"""Figures by a member of a dimension (segment, product, region, share class), with the words printed beside them."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lxml import etree
from rapidfuzz import fuzz

from filings.document.cell_spans import cell_span
from filings.document.inline.facts import InlineFact
from filings.document.inline.tables import FactTable, cell_and_row, cell_text
from filings.xbrl.axes import BESIDE, COUNTRY, PARTS, country_names, words
from filings.xbrl.parsed_xbrl import Member

# A printed label belongs to a member if its spelling is this similar to the element's, of 100, and no other member of
# the axis has it.
ALIKE, ALIKE_ALONE, SAME = 75, 55, 100
# A text beside this many members of an axis is a heading over them: "Total sales", and no member's name unless equal.
MANY = 3
GENERIC = frozenset({"segment", "segments", "group", "division", "business", "products", "product", "services"})
MOST_COLUMNS = 400
# The number of a footnote at the end of a label: "Hardlines3".
NOTE = re.compile(r"(?<=[a-z])\d$")


@dataclass(frozen=True, slots=True)
class Printed:
    """The words printed beside a figure: row label, the heading above it, column headings."""

    label: str = ""
    heading: str = ""
    column: str = ""


def dimensions_of(fact: InlineFact) -> str:
    """The members of a fact as "Axis=Member" by axis, those of BESIDE last, separated by semicolons; empty where the
    fact is not kept.

    Kept are facts of one explicit member, and of two where one is of PARTS; either with members of BESIDE.
    """
    if fact.context.typed:
        return ""
    axes = sorted(fact.context.axes, key=lambda one: (one[0] in BESIDE, one))
    own = [axis for axis, _ in axes if axis not in BESIDE]
    if len(own) > 2 or (len(own) == 2 and not PARTS.intersection(own)):
        return ""
    return ";".join(f"{axis}={member}" for axis, member in axes)


def printed_in_tables(tables: Iterable[FactTable]) -> dict[InlineFact, Printed]:
    """What is printed beside each figure that stands in a table."""
    found: dict[InlineFact, Printed] = {}
    for table in tables:
        heads = column_heads(table)
        for row in table.rows:
            for fact in (*row.facts, *row.aside):
                cell, _ = cell_and_row(fact)
                found[fact] = Printed(row.label, row.heading, heads.get(cell, "") if cell is not None else "")
    return found


def column_heads(table: FactTable) -> dict[etree._Element, str]:
    """For each cell with a figure the rows without figures above it: "Year ended | 2024"."""
    holders = {cell for fact in table.facts if (cell := cell_and_row(fact)[0]) is not None}
    heads: list[list[tuple[int, int, str]]] = []
    found: dict[etree._Element, str] = {}
    fresh = True
    for row in table.element.iter("{*}tr"):
        spans = list(_spans(row))
        if any(cell in holders for cell, _, _ in spans):
            for cell, first, last in spans:
                if cell in holders:
                    above = [text for line in heads for start, end, text in line if start < last and first < end]
                    found[cell] = " | ".join(dict.fromkeys(above))
            fresh = True
            continue
        told = [(first, last, text) for cell, first, last in spans if first and (text := cell_text(cell))]
        if told:
            # A row of headings below figures starts new headings; further ones are below it.
            heads = [told] if fresh else [*heads, told]
            fresh = False
    return found


def _spans(row: etree._Element) -> Iterator[tuple[etree._Element, int, int]]:
    """A row's cells with their first column and the one after their last."""
    place = 0
    for cell in row.iter("{*}td", "{*}th"):
        width = cell_span(cell.get("colspan"), MOST_COLUMNS)
        yield cell, place, place + width
        place += width


def members(
    facts: Iterable[InlineFact], printed: Mapping[InlineFact, Printed], labels: Mapping[str, str]
) -> tuple[Member, ...]:
    """The members of kept facts, with their labels and those of their axes.

    labels: those of the document's label linkbase by local name; else a text printed beside the member's figures and
    spelled like its element; else the element's words. A country is called by its English name.
    """
    seen: dict[tuple[str, str], list[str]] = defaultdict(list)
    for fact in facts:
        beside = printed.get(fact, Printed())
        texts = [beside.label, beside.heading, *beside.column.split(" | ")]
        for axis, member in fact.context.axes:
            seen[axis, member].extend(filter(None, texts))
    beside_of: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (axis, member), texts in seen.items():
        for text in texts:
            beside_of[axis, text].add(member)
    return tuple(
        Member(
            axis,
            labels.get(axis) or words(axis),
            member,
            (not COUNTRY.fullmatch(member) and labels.get(member))
            or label(
                member,
                [text for text in texts if len(beside_of[axis, text]) < MANY or likeness(words(member), text) == SAME],
                {text for text in texts if len(beside_of[axis, text]) == 1},
            ),
        )
        for (axis, member), texts in seen.items()
    )


def label(element: str, texts: Sequence[str], alone: Collection[str] = ()) -> str:
    """The most similar text printed beside a member's figures, the most frequent of equals; else the element's words.

    alone: texts beside no other member of the axis. A country, whose element is a code, has its English name.
    """
    if COUNTRY.fullmatch(element):
        return country_names(element)[0]
    own = words(element)
    scored = [(likeness(own, text), texts.count(text), text) for text in dict.fromkeys(texts)]
    best = max(scored, default=(0.0, 0, ""))
    return NOTE.sub("", best[2].rstrip(":")) if best[0] >= (ALIKE_ALONE if best[2] in alone else ALIKE) else own


def likeness(own: str, text: str) -> float:
    """The similarity of an element's words and a printed text, of 100: by letters, or because the text is their
    initials.
    """
    every = own.lower().split()
    short = [word for word in every if word not in GENERIC] or every
    letters = "".join(filter(str.isalnum, text)).lower()
    initials = "".join(word[0] for word in every)
    # "AWS" of "Amazon Web Services Segment".
    if len(letters) > 1 and initials.startswith(letters) and len(letters) >= len(short):
        return 100.0
    return max(fuzz.ratio("".join(one), letters) for one in (short, every))
