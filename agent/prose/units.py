"""The sentences of passages: what an answer may be picked from, each with the headings it stands under."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache

from agent.language.roots import Word, words
from agent.prose.boundaries import Bounds
from agent.state import Passage
from filings.document.blocks import Block
from filings.models import Section

Range = tuple[int, int]
# A question reads the same sections in several steps, and the next one often too. Item 8 of a large filing takes 2 MB.
KEPT = 48


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
    before: str = ""  # the sentence before it in its block
    lead: Range | None = None  # of the sentence that opens its list


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit(Sentence):
    """A sentence of a passage that was found."""

    passage: Passage
    place: int  # of the passage among those found


@dataclass
class Text:
    """One section, its blocks read once and its sentences as they are asked for."""

    section: Section
    bounds: Bounds = field(init=False)
    read: dict[int, tuple[Sentence, ...]] = field(init=False, default_factory=dict)

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
            for one in self.sentences(number):
                if any(one.start < stop and first < one.end for first, stop in passage.ranges):
                    yield Unit(**{name: getattr(one, name) for name in FIELDS}, passage=passage, place=place)

    def sentences(self, number: int) -> tuple[Sentence, ...]:
        """The sentences, or rows, of a block."""
        if number not in self.read:
            self.read[number] = tuple(self._sentences(number))
        return self.read[number]

    def _sentences(self, number: int) -> Iterator[Sentence]:
        block = self.bounds.block(number)
        headings = tuple(self.headings(number))
        before = ""
        for order, (start, end) in enumerate(self.bounds.units(block)):
            text = self.section.text[start:end]
            told = tuple(words(text))
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


FIELDS = tuple(one.name for one in fields(Sentence))


def texts(keys: Iterable[int]) -> dict[int, Text]:
    """Sections by primary key, those that this process has read lately as they were then read."""
    rows = Section.objects.filter(pk__in=set(keys)).values_list("pk", "sha256", "item", "status", "filing__reader")
    return {row[0]: _text(*row) for row in rows}


@lru_cache(maxsize=KEPT)
def _text(key: int, *stamp: object) -> Text:
    return Text(Section.objects.get(pk=key))


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
