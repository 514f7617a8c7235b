"""Shows the closest passages of a part without a direct answer, with marked sentences and links."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from django.urls import reverse
from django.utils.http import urlencode

from agent.runs.answer_json import passage_text, place
from agent.state import Answer, NearPassage
from agent.web.cards.citations import key, stored_sections
from filings.models import Section
from filings.models.report import co_filed
from filings.web.reader import is_figure

ELLIPSIS = "\u2026 "
# Characters of what a search looks for.
LONGEST_SEARCH = 300

Piece = tuple[str, bool]  # words, and whether they are marked


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph as pieces of words, or a row as printed cells, each with whether it is marked."""

    pieces: tuple[Piece, ...]
    cells: tuple[tuple[str, bool], ...] = ()  # of a row: the text, and whether it is a figure

    @property
    def is_marked(self) -> bool:
        return any(marked for _, marked in self.pieces)


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage on the card. section: without its text; None where it is no longer stored. asked: what was looked for."""

    passage: NearPassage
    section: Section | None
    co_filed: bool = False
    asked: str = ""

    @property
    def where(self) -> str:
        return place(self.passage)

    @property
    def headings(self) -> str:
        """The path of headings above it."""
        return " › ".join(self.passage.headings)  # noqa: RUF001 - a path of headings

    @property
    def href(self) -> str:
        """The reader's address with the same marks; empty where the passage is not stored."""
        if self.section is None:
            return ""
        company = [("cik", str(self.passage.cik))] if self.co_filed else []
        spans = self.passage.marked or self.passage.ranges
        query = urlencode([*company, ("at", ",".join(f"{start}-{end}" for start, end in spans))])
        return f"{self.section.get_absolute_url()}?{query.replace('%2C', ',')}#at"

    @property
    def table_files(self) -> tuple[str, str]:
        """The address of the files of its table, without their ending, and its query; empty where it is not stored."""
        stored = self.section is not None and self.section.sha256 == self.passage.sha256
        if self.section is None or not stored or not self.is_table:
            return "", ""
        company = [("cik", str(self.passage.cik))] if self.co_filed else []
        start, _ = (self.passage.marked or self.passage.ranges)[0]
        return f"{self.section.get_absolute_url()}/table", urlencode([*company, ("at", str(start))])

    @property
    def paragraphs(self) -> list[Paragraph]:
        """The text line by line, with its marks."""
        columns = self.columns
        return [
            Paragraph(tuple(self._pieces(start, end)), self._cells(start, end, columns))
            for start, end in self._lines()
        ]

    @property
    def is_table(self) -> bool:
        return "\t" in self.passage.text

    @property
    def opening(self) -> list[Paragraph]:
        """The paragraphs with marks, each from its mark on: first that of the nearest sentence, from this sentence on."""
        marks = [start for start, _ in self._marks()]
        found = []
        for start, end in self._lines():
            within = [one for one in marks if start <= one < end]
            if within:
                begin = within[0] if within[0] == marks[0] else min(within)
                elided = ((ELLIPSIS, False),) if self.passage.text[start:begin].strip() else ()
                found.append((begin, Paragraph((*elided, *self._pieces(begin, end)))))
        found.sort(key=lambda one: one[0] != marks[0])
        return [one for _, one in found] or self.paragraphs

    @property
    def has_more(self) -> bool:
        """Whether it has more than what it opens with, which is folded."""
        return not self.is_table and [one.pieces for one in self.opening] != [one.pieces for one in self.paragraphs]

    @property
    def search(self) -> str:
        """The address of the search for what was looked for, in its Item; empty where the passage is not stored."""
        if self.section is None or not self.asked:
            return ""
        asked = self.asked[:LONGEST_SEARCH]
        return reverse(
            "search",
            query={
                "q": asked,
                "company": self.passage.cik,
                "accession": self.passage.accession,
                "item": self.passage.item,
            },
        )

    @property
    def plain(self) -> str:
        """The passage in plain text, for copying."""
        return passage_text(self.passage)

    def _lines(self) -> Iterator[tuple[int, int]]:
        """The nonempty lines of the text, as positions in it."""
        start = 0
        for line in self.passage.text.split("\n"):
            if line.strip():
                yield start, start + len(line)
            start += len(line) + 1

    def _pieces(self, start: int, end: int) -> Iterator[Piece]:
        text = self.passage.text
        marks = [(max(start, first), min(end, last)) for first, last in self._marks() if first < end and start < last]
        edges = sorted({start, end, *(edge for mark in marks for edge in mark)})
        for left, right in pairwise(edges):
            yield text[left:right], any(first <= left and right <= last for first, last in marks)

    def _marks(self) -> Iterator[tuple[int, int]]:
        """The marks as positions in the shown text, where a line break separates two ranges."""
        begin = 0
        for start, end in self.passage.ranges:
            for first, last in self.passage.marked:
                if start <= first and last <= end:
                    yield begin + first - start, begin + last - start
            begin += end - start + 1

    @property
    def columns(self) -> int:
        """How many cells the longest row has."""
        return max(line.count("\t") for line in self.passage.text.split("\n")) + 1

    def _cells(self, start: int, end: int, columns: int) -> tuple[tuple[str, bool], ...]:
        """The cells of a row, including empty ones: a heading must not move above another column's figures.

        A row with fewer cells has some that cover several columns; the text does not show which, so it is one cell.
        """
        cells = [cell.strip() for cell in self.passage.text[start:end].split("\t")]
        if len(cells) < columns:
            return ((" | ".join(filter(None, cells)), False),)
        return tuple((cell, is_figure(cell)) for cell in cells)


def near_passages(answer: Answer) -> list[ShownPassage]:
    """The passages of all blocks in order; two queries, whatever their number."""
    found = [one for block in answer.blocks for one in block.passages]
    sections = stored_sections(found)
    shared = co_filed(one.accession for one in found) if found else set()
    looked_for = {
        (target.id, place): query.label
        for target in answer.plan.targets
        if target.topic
        for place, query in enumerate(target.topic.queries)
    }
    return [
        ShownPassage(
            one,
            sections.get(key(one)),
            one.accession in shared,
            looked_for.get((one.target, one.query), answer.question),
        )
        for one in found
    ]
