"""Turns hits into passages: repeats merged, overlapping ranges joined, a parent in place of three of its chunks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from filings.models import Chunk, ChunkKind, Section
from filings.models.section import chunk_text
from filings.search.fusion import Placed
from filings.search.index import Hit
from filings.search.words import words

MOST_PIECES = 1500
ENOUGH = 3  # hits of one parent that bring in the parent
SAME = 0.9  # share of common words from which two passages of a filing repeat each other

Range = tuple[int, int]
Parent = tuple[int, str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that is being put together. `chunks` has one, or those that were joined or make up a promoted parent."""

    chunks: tuple[Chunk, ...]
    ranges: tuple[Range, ...]
    query: int
    score: float
    hit: Hit

    @property
    def chunk(self) -> int:
        return self.chunks[0].pk

    @property
    def section(self) -> int:
        return self.chunks[0].section_id

    @property
    def text(self) -> str:
        return chunk_text(self.chunks[0].section.text, [list(one) for one in self.ranges])


def candidates(placed: Sequence[Placed]) -> list[Candidate]:
    """The hits whose chunks are stored, best first. An index may be a moment behind the database."""
    stored = Chunk.objects.filter(filing__withdrawn=None).in_bulk([one.chunk for one in placed])
    sections = Section.objects.defer("blocks", "pages").in_bulk({chunk.section_id for chunk in stored.values()})
    for one in stored.values():
        one.section = sections[one.section_id]
    return [
        Candidate((chunk,), ranges_of(chunk), one.query, one.score, one.hit)
        for one in placed
        if (chunk := stored.get(one.chunk))
    ]


def ranges_of(chunk: Chunk) -> tuple[Range, ...]:
    return tuple((start, end) for start, end in chunk.ranges)


def without_repeats(found: Sequence[Candidate]) -> list[Candidate]:
    """Of passages of one filing with the same content, the better; overlapping ranges of prose become one passage."""
    kept: list[Candidate] = []
    told: list[tuple[int, frozenset[str]]] = []
    for one in found:
        of_filing, said = one.chunks[0].filing_id, frozenset(words(one.text))
        if any(filing == of_filing and repeats(said, other) for filing, other in told):
            continue
        place = next((place for place, other in enumerate(kept) if touch(one, other)), None)
        if place is not None:
            kept[place] = joined(kept[place], one)
            continue
        kept.append(one)
        told.append((of_filing, said))
    return kept


def repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two passages have so many of their words in common that one repeats the other."""
    fewer, more = sorted((len(one), len(other)))
    return fewer >= SAME * more > 0 and len(one & other) >= SAME * len(one | other)


def touch(one: Candidate, other: Candidate) -> bool:
    """Whether two prose passages share characters of one section."""
    prose = one.chunks[0].kind == other.chunks[0].kind == ChunkKind.PROSE
    return (
        prose
        and one.section == other.section
        and any(a[0] < b[1] and b[0] < a[1] for a in one.ranges for b in other.ranges)
    )


def joined(one: Candidate, other: Candidate) -> Candidate:
    """One passage over both, in place of the first."""
    return replace(one, chunks=(*one.chunks, *other.chunks), ranges=union([*one.ranges, *other.ranges]))


def union(ranges: Sequence[Range]) -> tuple[Range, ...]:
    """Ranges in order, with overlapping ones joined."""
    found: list[Range] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple(found)


def parent_of(chunk: Chunk) -> Parent | None:
    """The parent of a chunk: its table, identified by its start, or the block under its headings."""
    if chunk.kind == ChunkKind.TABLE:
        return chunk.section_id, "table", tuple(chunk.ranges[0])
    return (chunk.section_id, "block", tuple(chunk.headings)) if chunk.headings else None


def promoted(found: Sequence[Candidate], limit: int) -> list[Candidate]:
    """Candidates with a parent once in place of three or more of its chunks, at the best one's rank.

    Only candidates that would be returned count. The parent is cut to 1,500 word pieces around its hits and is never a
    whole Item.
    """
    children: dict[Parent, list[Candidate]] = {}
    for one in found[:limit]:
        if parent := parent_of(one.chunks[0]):
            children.setdefault(parent, []).append(one)
    result = list(found)
    for parent, hits in children.items():
        if len(hits) < ENOUGH:
            continue
        run = run_of(parent, hits)
        if not run:
            continue
        taken = {chunk.pk for chunk in run}
        stand_in = replace(hits[0], chunks=run, ranges=union([one for chunk in run for one in ranges_of(chunk)]))
        place = result.index(hits[0])
        result[place] = stand_in
        result = [one for one in result if one is stand_in or one.chunk not in taken]
    return result


def run_of(parent: Parent, hits: Sequence[Candidate]) -> tuple[Chunk, ...]:
    """Consecutive chunks of a parent around its best hit, toward its other hits, within the piece limit.

    Empty where fewer than three hits fit, or where the parent is all of its section: an Item is never returned whole.
    """
    best = hits[0].chunks[0]
    section = best.section
    of_section = list(Chunk.objects.filter(section=section).order_by("number"))
    family = [chunk for chunk in of_section if parent_of(chunk) == parent]
    if len(family) == len(of_section):
        return ()
    numbers = {chunk.number: chunk for chunk in family}
    wanted = {one.chunks[0].number for one in hits}
    first = last = best.number
    pieces = best.pieces
    while True:
        # The neighbour on the side of the nearer hit is next.
        ways = [number for number in (first - 1, last + 1) if number in numbers]
        ways = [number for number in ways if pieces + numbers[number].pieces <= MOST_PIECES]
        if not ways:
            break
        number = min(ways, key=lambda way: distance(way, first, wanted))
        first, last, pieces = min(first, number), max(last, number), pieces + numbers[number].pieces
    run = tuple(numbers[number] for number in range(first, last + 1))
    if len(wanted & set(range(first, last + 1))) < ENOUGH:
        return ()
    for chunk in run:
        chunk.section = section
    return run


def distance(way: int, first: int, wanted: set[int]) -> float:
    """How far the next hit lies in the direction of a neighbour."""
    ahead = [abs(number - way) for number in wanted if (number <= way if way < first else number >= way)]
    return min(ahead, default=float("inf"))
