"""A figure of a row told in words: its group and label, its unit, and the heading of its column beside it."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from agent.prose.folding import fold, same
from agent.state import About, PrintedRow
from filings.tables.units import SCALE

# Behind the label of a row.
BESIDE = re.compile(r"(?: \((?P<unit>[^()]*)\))?, (?P<figures>[^:]+: .+)")
UNIT = re.compile(rf"(?:{SCALE.pattern}|in percent(?:ages?)?)", re.IGNORECASE)


def told_beside(text: str, row: PrintedRow | None, about: Sequence[About]) -> str:
    """The edit that puts columns and unit beside figures of a row, in words; empty where the text is not made so.

    The text is "Group, Label (unit), column: figure; column: figure". about: what says what the row is about.
    """
    if row is None or len(row.rows) != row.header + 1:
        return ""
    groups = [fold(one.text).text.rstrip(":") for one in about if one.kind == "group"]
    label = ", ".join((*groups, fold(row.rows[-1][0][0]).text))
    told = fold(text).text
    said = BESIDE.fullmatch(told.rstrip("."), len(label))
    if not said or not label or not told.startswith(label):
        return ""
    units = [fold(one.text).text for one in about if one.kind in {"caption", "header"}]
    if said["unit"] and not (UNIT.search(said["unit"]) and any(fold(said["unit"]).text in one for one in units)):
        return ""
    figures = list(headed(row))
    for one in said["figures"].split("; "):
        column, _, figure = one.partition(": ")
        under = [printed for head, printed in figures if head and same(head, column)]
        if len(under) != 1 or not same(figure, under[0]):
            return ""
    return f"the column {'and unit of each figure are' if said['unit'] else 'of each figure is'} put beside it"


def headed(row: PrintedRow) -> Iterator[tuple[str, str]]:
    """Each cell behind the label of a row that has a text, under the lowest heading over it; empty where none is."""
    *heads, cells = row.rows
    over = [[text.strip() for text, span in head for _ in range(span)] for head in heads]
    for (text, _), place in zip(cells[1:], accumulate(span for _, span in cells), strict=False):
        if text.strip():
            lowest = (head[place] for head in reversed(over) if place < len(head) and head[place])
            yield next(lowest, ""), text.strip()
