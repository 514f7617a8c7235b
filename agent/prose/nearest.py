"""The passages nearest to a question where no sentence is known to answer it: what is shown of each, and what is marked."""

from collections.abc import Mapping, Sequence

from agent.prose import calibration
from agent.prose.boundaries import LONGEST_LIST, Range
from agent.prose.scoring import Score
from agent.prose.section_text import SectionText
from agent.prose.units import Unit, texts
from agent.state import FilingRef, NearPassage, Target
from filings.models.section import chunk_text

# Characters of a passage that are shown; of a longer one, whole sentences around the nearest.
LONGEST = 4_000
# Rows of a table that are shown before and behind the one that is marked.
ROWS = 3
# Sentences marked in one passage, each nearly as good as the best of it.
MARKS, NEARLY = 3, 0.8


def nearest(
    target: Target,
    filing: FilingRef,
    scores: Sequence[Score],
    read: Mapping[int, SectionText],
    place: int,
    most: int,
    row: Score | None = None,
) -> tuple[NearPassage, ...]:
    """At most so many stretches for one part of a question, that with the best sentence first, and then that with the
    best row; none overlaps another.

    scores: the sentences of the part, the best first. read: their sections by primary key.
    """
    shown: list[NearPassage] = []

    def add(best: Sequence[Score]) -> None:
        unit = best[0].unit
        text = read[unit.passage.section]
        ranges = tabled(unit, text) if unit.kind == "table" else (stretch(unit, text),)
        # What stands above a table may be shown before without its rows.
        if not any(one.section == unit.passage.section and overlap(ranges[-1:], one.ranges) for one in shown):
            shown.append(passage(target, filing, best, text, ranges, place))

    for best in by_passage(scores):
        if len(shown) == most:
            break
        add(best)
    if row is not None:
        add([row])
    return tuple(shown)


def by_passage(scores: Sequence[Score]) -> list[list[Score]]:
    """Sentences by the passage that they stand in, that with the best sentence first."""
    found: dict[int, list[Score]] = {}
    for one in scores:
        found.setdefault(one.unit.place, []).append(one)
    return list(found.values())


def passage(
    target: Target, filing: FilingRef, scores: Sequence[Score], text: SectionText, ranges: Sequence[Range], place: int
) -> NearPassage:
    """What is shown of a passage. scores: its sentences, the best first."""
    unit = scores[0].unit
    near = (one.unit for one in scores if one.total >= NEARLY * scores[0].total)
    held = [
        (one.start, one.end) for one in near if any(start <= one.start and one.end <= end for start, end in ranges)
    ]
    return NearPassage(
        target=target.id,
        query=place,
        cik=target.company.cik,
        accession=filing.accession,
        section=text.section.pk,
        sha256=text.section.sha256,
        item=unit.passage.item,
        page=text.page(ranges[0][0]),
        headings=unit.headings[::-1],
        start=ranges[0][0],
        end=ranges[-1][1],
        ranges=tuple(ranges),
        text=chunk_text(text.text, [list(one) for one in ranges]),
        marked=tuple(sorted(held[:MARKS])),
        likely=calibration.is_likely(scores[0].total),
    )


def stretch(unit: Unit, text: SectionText) -> Range:
    """The passage of a sentence in whole sentences, a point of a list with what opens the list; of a long one the middle."""
    start, end = next(one for one in unit.passage.ranges if one[0] < unit.end and unit.start < one[1])
    spans = [(one.start, one.end) for one in text.within([(start, end)])]
    place = spans.index((unit.start, unit.end))
    first = last = place
    while (wider := (max(0, first - 1), min(len(spans) - 1, last + 1))) != (first, last):
        if spans[wider[1]][1] - spans[wider[0]][0] > LONGEST:
            break
        first, last = wider
    begin = spans[first][0]
    lead = next((one.lead for one in text.within([spans[first]])), None)
    return (lead[0] if lead and spans[last][1] - lead[0] <= LONGEST + LONGEST_LIST else begin), spans[last][1]


def tabled(unit: Unit, text: SectionText) -> tuple[Range, ...]:
    """A row of a table with the rows next to it, below what the search keeps of caption and header."""
    rows = text.bounds.units(text.block(unit.block))
    first, last = rows[max(0, unit.order - ROWS)], rows[min(len(rows) - 1, unit.order + ROWS)]
    above = [one for one in unit.passage.ranges[:-1] if one[1] <= first[0]]
    return (*above, (first[0], last[1]))


def overlap(one: Sequence[Range], other: Sequence[Range]) -> bool:
    return any(start < last and first < end for start, end in one for first, last in other)


def is_stored(one: NearPassage) -> bool:
    """Whether what is shown is what the filing's text holds, character by character."""
    text = texts([one.section]).get(one.section)
    if text is None or not text.intact or text.section.sha256 != one.sha256:
        return False
    return chunk_text(text.text, [list(span) for span in one.ranges]) == one.text
