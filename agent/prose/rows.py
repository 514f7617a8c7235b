"""Rows of a table: what they are read with (the header, the group they stand in, the unit), and a figure put beside it."""

import re
from collections.abc import Sequence

from agent.prose.boundaries import Bounds, Range, trimmed
from agent.prose.folding import fold, same
from filings.document.sentences import sentence_spans

# Rows of a header.
MOST_HEADED = 4
UNIT = re.compile(r"\bin (?:thousands|millions|billions|percent(?:ages?)?)\b", re.IGNORECASE)
FIGURE = re.compile(r"\d")
# Digits that name a column and count nothing: years, days of a month, quarters, marks of footnotes.
NAMES = re.compile(
    r"(?<![\d,.$])(?<!\$ )(?:19|20)\d{2}(?![\d,.]\d)|(?<=[a-z] )\d{1,2}(?=,|$)|\b(?:fy|[qh]) ?'?\d{1,4}\b|(?<=[a-z\d])\(\d{1,2}\)",
    re.IGNORECASE,
)
# Behind the label of a row.
BESIDE = re.compile(r"(?: \((?P<unit>[^()]*)\))?, (?P<figures>[^:]+: .+)")


def read_with(bounds: Bounds, start: int, end: int) -> list[Range]:
    """What rows of a table are read with, in the order of the text; nothing for other text, or rows with their header.

    The sentence with the unit before the table, where the header has none; the header; the row that heads their group.
    """
    place = bounds.place(start)
    if place is None or bounds.stored[place][0] != "table":
        return []
    table = bounds.block(place)
    rows = bounds.units(table)
    first = next((number for number, row in enumerate(rows) if start < row[1]), 0)
    headed = _headed(bounds.text, rows)
    if first < headed or not headed:
        return []
    # With the empty cell that it begins with: its columns are those of the rows.
    header = (table.start, rows[headed - 1][1])
    group = next((row for row in reversed(rows[headed:first]) if _is_label(bounds.text[slice(*row)])), None)
    found = [header, *([group] if group and not _is_label(bounds.text[slice(*rows[first])]) else [])]
    if not UNIT.search(bounds.text[slice(*header)]) and (unit := _unit(bounds, place)):
        found.insert(0, unit)
    return found


def told_beside(text: str, row: str, before: Sequence[str]) -> str:
    """The edit that puts columns and unit beside figures of a row, in words; empty where the text is not made so.

    The text is "Group, Label (unit), column: figure; column: figure". before: what the row is read with.
    """
    header = [line.split("\t") for one in before if "\t" in one for line in one.split("\n")]
    cells = [cell.strip() for cell in row.split("\t")]
    told, label = fold(text).text, ", ".join((*_groups(before), fold(cells[0]).text))
    said = BESIDE.fullmatch(told.rstrip("."), len(label))
    if not said or "\n" in row or not header or not label or not told.startswith(label):
        return ""
    if said["unit"] and not (
        UNIT.search(said["unit"]) and any(fold(said["unit"]).text in fold(one).text for one in before)
    ):
        return ""
    for one in said["figures"].split("; "):
        column, _, figure = one.partition(": ")
        if not any(
            same(figure, cell) and _heads(header, place, column, len(cells))
            for place, cell in enumerate(cells)
            if place
        ):
            return ""
    return f"the column {'and unit of each figure are' if said['unit'] else 'of each figure is'} put beside it"


def _groups(before: Sequence[str]) -> list[str]:
    """What heads the group of a row, behind the header; the unit alone is no group."""
    after = before[1 + max((place for place, one in enumerate(before) if "\t" in one), default=-1) :]
    return [
        said for one in after if re.search("[a-z]", UNIT.sub("", said := fold(one).text.rstrip(":")), re.IGNORECASE)
    ]


def _heads(header: Sequence[Sequence[str]], place: int, column: str, width: int) -> bool:
    """Whether the lowest cell over a column says this, and over no other; a header of another width has no such cell."""
    lines = [line for line in header if len(line) == width]
    lowest = [next((line[at].strip() for line in reversed(lines) if line[at].strip()), "") for at in range(1, width)]
    return [at for at, said in enumerate(lowest, 1) if said and same(said, column)] == [place]


def _headed(text: str, rows: Sequence[Range]) -> int:
    """How many rows of a table are its header: those before the first with a figure that names no column."""
    for number, (start, end) in enumerate(rows[: MOST_HEADED + 1]):
        _, *cells = text[start:end].split("\t")
        if any(FIGURE.search(NAMES.sub("", cell.strip())) for cell in cells):
            # What heads the first group of rows is no header of them all.
            while number and _is_label(last := text[slice(*rows[number - 1])]) and not UNIT.search(last):
                number -= 1
            return number
    return 0


def _is_label(row: str) -> bool:
    label, *cells = row.split("\t")
    return bool(label.strip()) and not any(cell.strip() for cell in cells)


def _unit(bounds: Bounds, place: int) -> Range | None:
    """The sentence with the unit, in the block before a table."""
    if not place:
        return None
    before = bounds.block(place - 1)
    if before.kind == "table":
        return None
    spans = sentence_spans(bounds.text, before.start, before.end)
    return trimmed(bounds.text, *spans[-1]) if spans and UNIT.search(bounds.text[slice(*spans[-1])]) else None
