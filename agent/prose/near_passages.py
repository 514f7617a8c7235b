"""The passages nearest to a question where no sentence is known to answer it: what is shown of each, and what is marked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.prose import calibration
from agent.prose.boundaries import LONGEST_LIST, Range, overlap
from agent.prose.floor import Floor
from agent.prose.quotations import quoted
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
# A passage is shown where its best sentence is worth so much of the best one's, a row, which has few words, from a little less
# on; and is as near as it from EQUAL on. Of 141 questions about held-out companies 97 show what answers with and without
# this; 95 with 0.6, and then a fifth fewer passages are shown.
WORTH, ROW_WORTH, EQUAL = 0.4, 0.3, 0.95
# Kinds of blocks that are paragraphs.
PROSE = ("paragraph", "bullet")


def nearest(
    target: Target,
    filing: FilingRef,
    scores: Sequence[Score],
    read: Mapping[int, SectionText],
    place: int,
    most: int,
    floor: Floor,
    row: Score | None = None,
    *,
    alone: bool = False,
) -> tuple[NearPassage, ...]:
    """At most so many stretches for one part of a question that are worth reading, that with the best sentence first, and
    then that with the best row; none overlaps another, and none is of a paragraph that another is of. Each is shown with
    the paragraphs next to it.

    scores: the sentences of the part, the best first. read: their sections by primary key. alone: whether only a sentence's
    own paragraph is shown.
    """
    chosen: list[tuple[Sequence[Score], tuple[Range, ...]]] = []

    def add(best: Sequence[Score]) -> None:
        unit = best[0].unit
        text = read[unit.passage.section]
        if unit.kind == "table":
            ranges = tabled(unit, text)
        else:
            ranges = ((alone and paragraph(unit, text)) or stretch(unit, text),)
        # What stands above a table may be shown before without its rows.
        if not any(
            repeats(unit, other[0].unit)
            or (text is read[other[0].unit.passage.section] and overlap(ranges[-1:], taken))
            for other, taken in chosen
        ):
            chosen.append((best, ranges))

    worth = list(worth_reading(by_passage(scores), read, floor))
    for best in varied(worth):
        if len(chosen) == most:
            break
        add(best)
    least = ROW_WORTH * worth[0][0].total if worth else 0.0
    if row and row.total >= least and is_row_worth_reading(row.unit, read[row.unit.passage.section], floor):
        add([row])
    return tuple(
        passage(target, filing, best, read[best[0].unit.passage.section], ranges, place)
        for best, ranges in (chosen if alone else with_neighbours(chosen, read))
    )


def is_row_worth_reading(unit: Unit, text: SectionText, floor: Floor) -> bool:
    """Whether a row is worth reading; what only names the columns is not."""
    return quoted(unit, text) is not None and floor.holds(unit.passage, text, [unit])


def with_neighbours(
    chosen: Sequence[tuple[Sequence[Score], tuple[Range, ...]]], read: Mapping[int, SectionText]
) -> Iterator[tuple[Sequence[Score], tuple[Range, ...]]]:
    """Stretches with the paragraph before and that behind each, but for those under another heading or in another stretch."""
    taken = [(best[0].unit.passage.section, ranges) for best, ranges in chosen]
    for number, (best, ranges) in enumerate(chosen):
        unit = best[0].unit
        if unit.kind != "table":
            others = [
                span
                for other, (section, spans) in enumerate(taken)
                if other != number and section == unit.passage.section
                for span in spans
            ]
            ranges = (widened(ranges[0], read[unit.passage.section], others),)
            taken[number] = unit.passage.section, ranges
        yield best, ranges


def widened(span: Range, text: SectionText, others: Sequence[Range]) -> Range:
    """A stretch with the paragraphs next to it, of which none is in others."""
    start, end = span
    stored = text.bounds.stored
    first, last = text.bounds.place(start), text.bounds.place(end - 1)
    for number in () if first is None or last is None else (first - 1, last + 1):
        if 0 <= number < len(stored) and stored[number][0] in PROSE:
            wider = min(start, stored[number][1]), max(end, stored[number][2])
            if wider[1] - wider[0] <= LONGEST and not overlap([wider], others):
                start, end = wider
    return start, end


def worth_reading(
    passages: Sequence[list[Score]], read: Mapping[int, SectionText], floor: Floor
) -> Iterator[list[Score]]:
    """The sentences of the passages that are worth reading, without furniture. passages: that with the best one first."""
    first = 0.0
    for of in passages:
        if of[0].total < WORTH * first:
            return
        within = of[0].unit.passage
        left = [one for one in of if not floor.is_furniture(one.unit, within.item)]
        if not left or left[0].total < WORTH * first or not (first or calibration.is_near(left[0].total)):
            continue
        if floor.holds(within, read[within.section], [one.unit for one in left]):
            first = first or left[0].total
            yield left


def varied(passages: Iterable[list[Score]]) -> Iterator[list[Score]]:
    """Passages in their order, but of those that are equally near first one of a part of the filing that had none."""
    left, had = list(passages), set[tuple[str, tuple[str, ...]]]()
    while left:
        equal = [one for one in left if one[0].total >= EQUAL * left[0][0].total]
        best = next((one for one in equal if part(one[0].unit) not in had), left[0])
        left.remove(best)
        had.add(part(best[0].unit))
        yield best


def part(unit: Unit) -> tuple[str, tuple[str, ...]]:
    """The part of a filing that a sentence stands in: its Item, and the headings above it."""
    return unit.passage.item, unit.headings


def repeats(unit: Unit, other: Unit) -> bool:
    """Whether a sentence is of a paragraph that another is of, or says the same."""
    same = (unit.passage.section, unit.block) == (other.passage.section, other.block) and unit.kind != "table"
    return same or unit.roots == other.roots


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
    near = (said(one.unit, text) for one in scores if one.total >= NEARLY * scores[0].total)
    held = [(first, last) for first, last in near if any(start <= first and last <= end for start, end in ranges)]
    return NearPassage(
        target=target.id,
        query=place,
        cik=target.company.cik,
        accession=filing.accession,
        section=text.section.pk,
        sha256=text.section.sha256,
        item=unit.passage.item,
        page=text.page(unit.start),
        headings=unit.headings[::-1],
        start=ranges[0][0],
        end=ranges[-1][1],
        ranges=tuple(ranges),
        text=chunk_text(text.text, [list(one) for one in ranges]),
        marked=tuple(held[:MARKS]),
        likely=calibration.is_likely(scores[0].total),
    )


def said(unit: Unit, text: SectionText) -> Range:
    """A sentence, with the one that it refers back to in its paragraph."""
    refers_back = quoted(unit, text) if unit.kind == "paragraph" and not unit.text.rstrip().endswith(":") else None
    return refers_back or (unit.start, unit.end)


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


def paragraph(unit: Unit, text: SectionText) -> Range | None:
    """The paragraph of a sentence; None for a point of a list, and for what is too long to be shown."""
    start, end = text.bounds.stored[unit.block][1:3]
    return (start, end) if unit.kind == "paragraph" and end - start <= LONGEST else None


def tabled(unit: Unit, text: SectionText) -> tuple[Range, ...]:
    """A row of a table with the rows next to it, below what the search keeps of caption and header."""
    rows = text.bounds.units(text.block(unit.block))
    first, last = rows[max(0, unit.order - ROWS)], rows[min(len(rows) - 1, unit.order + ROWS)]
    above = [one for one in unit.passage.ranges[:-1] if one[1] <= first[0]]
    return (*above, (first[0], last[1]))


def is_stored(one: NearPassage) -> bool:
    """Whether what is shown is what the filing's text holds, character by character."""
    text = texts([one.section]).get(one.section)
    if text is None or not text.intact or text.section.sha256 != one.sha256:
        return False
    return chunk_text(text.text, [list(span) for span in one.ranges]) == one.text
