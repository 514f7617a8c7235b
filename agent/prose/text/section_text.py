"""The text of one section: its sentences, the headings they stand under, and where a quotation stands in it."""

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agent.prose.text.boundaries import Bounds, Range
from agent.prose.text.folding import places, same
from agent.state import Claim
from agent.words.stems import Word, words
from filings.document.blocks import Block
from filings.models import Section
from filings.tables.table import PrintedTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence, bullet, heading or row of a section. Positions are of its text."""

    kind: str  # of its block: heading, paragraph, bullet, table
    start: int
    end: int
    text: str
    words: tuple[Word, ...]
    roots: frozenset[str]
    order: int  # among the sentences of its block
    block: int  # place of the block in the section
    headings: tuple[str, ...] = ()
    before: str = ""  # the sentence before it in its block; of a row of a table what names it and its columns
    lead: Range | None = None  # of the sentence that opens its list


@dataclass
class SectionText:
    """One section as it was stored when it was read, its sentences read as they are asked for."""

    section: Section
    read: dict[int, tuple[Sentence, ...]] = field(init=False, default_factory=dict)

    @property
    def text(self) -> str:
        return self.section.text

    @cached_property
    def bounds(self) -> Bounds:
        return Bounds(self.text, self.section.blocks)

    @cached_property
    def intact(self) -> bool:
        """Whether the text is still the one its hash was taken of."""
        return hashlib.sha256(self.text.encode()).hexdigest() == self.section.sha256

    def within(self, ranges: Sequence[Range]) -> Iterator[Sentence]:
        """The sentences that ranges hold, or hold a part of, in order."""
        begins = self.bounds.begins
        numbers = {
            number
            for start, end in ranges
            for number in range(max(0, bisect_right(begins, start) - 1), bisect_left(begins, end))
        }
        for number in sorted(numbers):
            for one in self.sentences(number):
                if any(one.start < stop and first < one.end for first, stop in ranges):
                    yield one

    def sentences(self, number: int) -> tuple[Sentence, ...]:
        """The sentences, or rows, of a block."""
        if number not in self.read:
            self.read[number] = tuple(self._sentences(number))
        return self.read[number]

    def _sentences(self, number: int) -> Iterator[Sentence]:
        block = self.block(number)
        headings = tuple(self.headings(number))
        before = ""
        table = PrintedTable(self.text, block) if block.kind == "table" else None
        for order, (start, end) in enumerate(self.bounds.units(block)):
            text = self.text[start:end]
            told = tuple(words(text))
            if table is not None:
                before = table.named(start, end)
            yield Sentence(
                kind=block.kind,
                start=start,
                end=end,
                text=text,
                words=told,
                roots=frozenset(word.root for word in told),
                order=order,
                block=number,
                headings=headings,
                before=before,
                lead=self.bounds.lead_in(start) if block.kind != "table" else None,
            )
            before = text

    def headings(self, number: int) -> list[str]:
        """The headings a block stands under, the nearest first, the Item's own left out."""
        return [self.text[row[1] : row[2]] for row in map(self.bounds.stored.__getitem__, self.heading_places(number))]

    def heading_places(self, number: int) -> list[int]:
        """The places of these headings among the blocks."""
        return [place for place in self.bounds.headings(number) if self.block(place).level > 1]

    def block(self, number: int) -> Block:
        return self.bounds.block(number)

    def page(self, offset: int) -> str:
        """The page as a citation names it; empty where none is known."""
        page = self.section.page(offset)
        return page.label if page else ""

    def above(self, offset: int) -> tuple[str, tuple[str, ...]]:
        """The sentence that opens the paragraph of an offset, and the headings over it, the Item's own last."""
        place = self.bounds.place(offset)
        if place is None:
            return "", ()
        block = self.block(place)
        opening = self.text[slice(*self.bounds.units(block)[0])] if block.kind != "table" else ""
        above = (self.block(number) for number in self.bounds.headings(place))
        return opening, tuple(self.text[one.start : one.end] for one in above)

    def find(self, claim: Claim, ranges: Iterable[Sequence[int]]) -> Range | None:
        """Where the claim's quotation stands in the ranges: where it says, else the nearest place to that.

        A chunk can begin inside a paragraph; a quotation may begin in the same paragraph before it.
        """
        found: list[Range] = []
        for start, end in joined(self.text, ranges):
            if start <= claim.start < claim.end <= end and same(self.text[claim.start : claim.end], claim.quote):
                return claim.start, claim.end
            begin, stop = self.bounds.paragraphs(start, end)
            for left, right in places(claim.quote, self.text[begin:stop]):
                if begin + left < end and start < begin + right:
                    found.append((begin + left, begin + right))
        return min(found, key=lambda one: abs(one[0] - claim.start), default=None)


def joined(text: str, ranges: Iterable[Sequence[int]]) -> list[Range]:
    """The ranges in order, those joined that touch or have only white space between them."""
    found: list[Range] = []
    for start, end in sorted((one[0], one[1]) for one in ranges):
        if found and (start <= found[-1][1] or not text[found[-1][1] : start].strip()):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
