"""A table as it is printed: its rows, the headings that name each of its columns, and the lines that stand above it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from filings.document.blocks import Block
from filings.tables.printed_numbers import YEAR, figure, is_figure
from filings.tables.table_words import any_of

# Rows of a table of words have no headings: what is counted as such is its text.
MOST_HEADER_ROWS = 8
_CURRENCY = re.compile(r"[$€£¥]")
_UNITS = re.compile(any_of("unit columns"), re.IGNORECASE)
_TOTAL = re.compile(r"\W*total\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed cell: its range in the section's text, and the columns [first, last) that it covers."""

    start: int
    end: int
    text: str
    first: int
    last: int

    def over(self, other: "Cell") -> bool:
        return self.first < other.last and other.first < self.last


class PrintedTable:
    """One table of a section's text. text: the section's. mixed: whether figures beside words of their row are figures too."""

    def __init__(self, text: str, block: Block, *, mixed: bool = False) -> None:
        self.block, self.mixed = block, mixed
        # Of each row, asked for each of its cells.
        self._figures: dict[int, list[Cell]] = {}
        self._heads: dict[int, list[int]] = {}
        self._labels: dict[int, str] = {}
        self.rows: list[list[Cell]] = []
        widths = set()
        for row in block.rows:
            firsts = [0, *accumulate(cell.span for cell in row)]
            widths.add(firsts[-1])
            self.rows.append(
                [
                    Cell(cell.start, cell.end, printed, first, last)
                    for cell, (first, last) in zip(row, pairwise(firsts), strict=True)
                    if (printed := text[cell.start : cell.end].strip())
                ]
            )
        self.regular = len(widths) == 1

    @cached_property
    def header(self) -> int:
        """How many rows at the top name columns: as the document was laid out, or down to the first row with a number."""
        top = 0
        for place, row in enumerate(self.rows):
            behind = [cell for cell in row if cell.first]
            if any(figure(cell.text) and not YEAR.fullmatch(cell.text) for cell in behind):
                return max(top, self.block.header)
            top = place + 1 if behind else top
        return self.block.header

    def places(self, start: int, end: int) -> range:
        """The rows that text[start:end] holds, or a part of."""
        held = [
            place for place, row in enumerate(self.block.rows) if row and row[0].start < end and start < row[-1].end
        ]
        return range(held[0], held[-1] + 1) if held else range(0)

    def range_of(self, place: int) -> tuple[int, int]:
        """Where the words of a row stand."""
        return self.rows[place][0].start, self.rows[place][-1].end

    def printed(self, place: int) -> tuple[tuple[str, int], ...]:
        """All cells of a row, those without words too: the text of each, and how many columns it covers."""
        told = {cell.first: cell.text for cell in self.rows[place]}
        firsts = [0, *accumulate(cell.span for cell in self.block.rows[place])]
        return tuple((told.get(first, ""), last - first) for first, last in pairwise(firsts))

    def figures(self, place: int) -> list[Cell]:
        """The cells of a row behind its label, where all of them are figures or signs for one; else nothing."""
        if (held := self._figures.get(place)) is not None:
            return held
        behind = [cell for cell in self.rows[place] if cell.first]
        found = [cell for cell in behind if is_figure(cell.text)]
        if len(found) < len(behind):
            of_numbers = any(figure(cell.text) and not YEAR.fullmatch(cell.text) for cell in found)
            found = found if self.mixed and of_numbers else []
        self._figures[place] = found
        return found

    def label(self, place: int) -> str:
        """What a row is called; empty where its first column is."""
        if (held := self._labels.get(place)) is None:
            held = self._labels[place] = self._label_of(place)
        return held

    def _label_of(self, place: int) -> str:
        told = next((cell.text for cell in self.rows[place][:1] if not cell.first), "")
        figures = self.figures(place) if self.mixed and told else []
        if not figures:
            return told
        beside = [one for one in self.rows[place] if 0 < one.first < figures[0].first]
        return ", ".join((told, *(one.text for one in beside if one.first not in self._of_units)))

    def unit(self, place: int) -> str:
        """The unit of a row, in a table that has a column of units: "$ MM"; empty where it has none."""
        return next((one.text for one in self.rows[place] if one.first in self._of_units), "")

    @cached_property
    def _of_units(self) -> frozenset[int]:
        heads = (one for row in self.rows[: self.header] for one in row)
        return frozenset(one.first for one in heads if one.first and _UNITS.fullmatch(one.text))

    def is_band(self, place: int) -> bool:
        """Whether a row in the midst of a table names columns anew: behind its label are words or years alone."""
        behind = [cell.text for cell in self.rows[place] if cell.first]
        return bool(behind) and all(not is_figure(text) or YEAR.fullmatch(text) for text in behind)

    @cached_property
    def _bands(self) -> dict[int, None]:
        return dict.fromkeys(row for row in range(self.header, len(self.rows)) if self.is_band(row))

    def heads(self, place: int) -> list[int]:
        """The rows that name the columns of a row: those at the top, and those between that name them anew."""
        if (held := self._heads.get(place)) is None:
            held = self._heads[place] = self._heads_of(place)
        return held

    def _heads_of(self, place: int) -> list[int]:
        top = self.header
        if place < top or top > MOST_HEADER_ROWS:
            return []
        between = [row for row in self._bands if row < place] if self.figures(place) else []
        last = [row for at, row in enumerate(between) if between[-1] - row == len(between) - 1 - at]
        return [*range(top), *last]

    def named(self, start: int, end: int) -> str:
        """What names the row text[start:end] and its columns: the rows above that do, and the label that it goes on from."""
        place = next(iter(self.places(start, end)), None)
        if place is None or place < self.header:
            return ""
        group = self.group(place)
        above = [*self.heads(place), *(() if group is None else (group,))]
        own = next((self.label(row) for row in range(place, self.header - 1, -1) if self.label(row)), "")
        told = [cell.text for row in above for cell in self.rows[row]]
        return " ".join((*told, *(() if self.label(place) else (own,))))

    def is_money(self, place: int) -> bool:
        """Whether the figures of a row are of money: its own have the sign, or the first of the table have."""
        first = next((row for row in range(self.header, place) if self.figures(row)), place)
        return any(_CURRENCY.search(cell.text) for row in (first, place) for cell in self.figures(row))

    def group(self, place: int) -> int | None:
        """The row above that only names the rows below it, as "International:"; None behind a total of these."""
        return self._groups[place]

    @cached_property
    def _groups(self) -> list[int | None]:
        found: list[int | None] = [None] * (len(self.rows) + 1)
        for place in range(self.header, len(self.rows)):
            label = self.label(place)
            if label and not any(cell.first for cell in self.rows[place]):
                found[place + 1] = place
            elif not _TOTAL.match(label) and place not in self._bands:
                found[place + 1] = found[place]
        return found

    def stack(self, cell: Cell, heads: Sequence[int]) -> list[Cell]:
        """The headings above a cell, the uppermost first; nothing where two of one row are."""
        found: list[Cell] = []
        for head in heads:
            over = [one for one in self.rows[head] if one.first and one.over(cell)] or self._spread(cell, head)
            if len(over) > 1:
                return []
            found += over
        return found

    def is_over_all(self, cell: Cell, heads: Sequence[int]) -> bool:
        """Whether a heading is the only one of its row, and several columns are below it."""
        return cell.last - cell.first > 1 and any(
            [one for one in self.rows[head] if one.first] == [cell] for head in heads
        )

    def _spread(self, cell: Cell, head: int) -> list[Cell]:
        """The heading of a column in a row of fewer headings than columns, each set over one column of its own group:
        "Three Months Ended" over the second of two years; or over more of it, where the groups are named alike below.
        """
        heads = [one for one in self.rows[head] if one.first]
        columns = self.figure_columns
        if not heads or not columns or len(columns) % len(heads):
            return []
        size = len(columns) // len(heads)
        groups = [columns[at : at + size] for at in range(0, len(columns), size)]
        covered = [[at for at in columns if one.first <= at < one.last] for one in heads]
        if size < 2 or any(not own or not {*own} <= {*group} for own, group in zip(covered, groups, strict=True)):
            return []
        if any(one.last - one.first > 1 for one in heads) and not self._are_alike(groups, head):
            return []
        return [one for one, group in zip(heads, groups, strict=True) if cell.first in group]

    def _are_alike(self, groups: Sequence[Sequence[int]], head: int) -> bool:
        """Whether the row of headings below one names the columns of all groups by the same words: "2024", "2023"."""
        below = self.rows[head + 1] if head + 1 < self.header else []
        named = {one.first: one.text for one in below if one.last - one.first == 1}
        told = [tuple(named.get(at, "") for at in group) for group in groups]
        return len({*told}) == 1 and all(told[0]) and len({*told[0]}) == len(told[0])

    @cached_property
    def figure_columns(self) -> list[int]:
        """The columns in which rows have figures, where each figure stands in one."""
        found = {
            (cell.first, cell.last) for place in range(self.header, len(self.rows)) for cell in self.figures(place)
        }
        return sorted(first for first, _ in found) if all(last - first == 1 for first, last in found) else []

    def aligned(self, place: int) -> bool:
        """Whether every figure of a row stands under headings of its own."""
        figures, heads = self.figures(place), self.heads(place)
        stacks = [tuple(self.stack(cell, heads)) for cell in figures]
        return self.regular and bool(figures) and all(stacks) and len(set(stacks)) == len(stacks)
