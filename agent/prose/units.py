"""The sentences of passages: what an answer may be picked from, each with the headings it stands under."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.language.roots import Word, words
from agent.prose.boundaries import Bounds
from agent.state import Passage
from filings.blocks import Block
from filings.models import Section

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence, bullet, heading or row of a passage. Positions are of the section's text."""

    passage: Passage
    place: int  # of the passage among those found
    kind: str  # of its block: heading, paragraph, bullet, table
    start: int
    end: int
    text: str
    words: tuple[Word, ...]
    order: int  # among the sentences of its block
    block: int  # place of the block in the section
    headings: tuple[str, ...] = ()
    before: str = ""  # the sentence before it in its block
    lead: Range | None = None  # of the sentence that opens its list

    @property
    def roots(self) -> frozenset[str]:
        return frozenset(word.root for word in self.words)


@dataclass
class Text:
    """One section, its blocks read once."""

    section: Section
    bounds: Bounds = field(init=False)

    def __post_init__(self) -> None:
        self.bounds = Bounds(self.section.text, self.section.blocks)

    def units(self, passage: Passage, place: int) -> Iterator[Unit]:
        """The units of a passage's ranges, in order."""
        begins = self.bounds.begins
        numbers = {
            number
            for start, end in passage.ranges
            for number in range(max(0, bisect_right(begins, start) - 1), bisect_left(begins, end))
        }
        for number in sorted(numbers):
            row = self.bounds.stored[number]
            if not any(row[1] < end and start < row[2] for start, end in passage.ranges):
                continue
            block = self.bounds.block(number)
            headings = tuple(self.headings(number))
            before = ""
            for order, (start, end) in enumerate(self.bounds.units(block)):
                inside = any(start < stop and first < end for first, stop in passage.ranges)
                text = self.section.text[start:end]
                if inside:
                    lead = self.bounds.lead_in(start) if block.kind != "table" else None
                    yield Unit(
                        passage,
                        place,
                        block.kind,
                        start,
                        end,
                        text,
                        tuple(words(text)),
                        order,
                        number,
                        headings,
                        before,
                        lead,
                    )
                before = text

    def headings(self, number: int) -> list[str]:
        """The headings a block stands under, the nearest first, the Item's own left out."""
        found: list[str] = []
        level = self.bounds.block(number).level if self.bounds.stored[number][0] == "heading" else 100
        for before in range(number - 1, -1, -1):
            row = self.bounds.stored[before]
            if row[0] != "heading":
                continue
            of = row[3] if len(row) > 3 else 0
            if of < level:
                if of > 1:
                    found.append(self.section.text[row[1] : row[2]])
                level = of
            if level <= 2:
                break
        return found

    def block(self, number: int) -> Block:
        return self.bounds.block(number)


def is_debris(unit: Unit) -> bool:
    """Whether a unit says nothing by itself: rows of figures, page furniture, a bare pointer to another place."""
    letters = sum(letter.isalpha() for letter in unit.text)
    return letters < 0.5 * len(unit.text.replace(" ", "")) or letters < 4


def read_units(passages: Sequence[Passage], texts: Mapping[int, Text]) -> list[Unit]:
    """The units of all passages, best passage first, each once. texts: the passages' sections by primary key."""
    found: dict[tuple[int, int], Unit] = {}
    for place, passage in enumerate(passages):
        if passage.section not in texts:
            continue
        for unit in texts[passage.section].units(passage, place):
            found.setdefault((passage.section, unit.start), unit)
    return list(found.values())
