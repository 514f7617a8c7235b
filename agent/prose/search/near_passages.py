"""The passages nearest to a question where no sentence is known to answer it: what is shown of each, and what is marked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.prose.ranking import calibration
from agent.prose.ranking.scoring import Score
from agent.prose.search.floor import Floor
from agent.prose.text.boundaries import LONGEST_LIST, Range, overlap
from agent.prose.text.candidate_sentences import Unit, texts
from agent.prose.text.quotations import opened, quoted
from agent.prose.text.section_text import SectionText
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


@dataclass
class Stretch:
    """What is shown of a passage. best: its sentences, the best first; ranges: of the text of their section."""

    best: Sequence[Score]
    text: SectionText
    ranges: tuple[Range, ...]

    @property
    def unit(self) -> Unit:
        return self.best[0].unit

    def repeats(self, other: "Stretch") -> bool:
        """Whether it is of a paragraph that another is of, says the same, or overlaps it."""
        one, said = self.unit, other.unit
        # What stands above a table may be shown before without its rows.
        same = self.text is other.text and (
            overlap(self.ranges[-1:], other.ranges) or (one.block == said.block and one.kind != "table")
        )
        return same or one.roots == said.roots


def nearest(
    target: Target,
    filing: FilingRef,
    scores: Sequence[Score],
    read: Mapping[int, SectionText],
    place: int,
    most: int,
    floor: Floor,
    row: Score | None = None,
    told: Sequence[Stretch] = (),
    *,
    alone: bool = False,
) -> tuple[NearPassage, ...]:
    """At most so many stretches for one part of a question that are worth reading, that with the best sentence first, and
    then that with the best row; none repeats another. Each is shown with the paragraphs next to it.

    told: those that are shown before all others, as they are.
    scores: the sentences of the part, the best first. read: their sections by primary key. alone: whether only a sentence's
    own paragraph is shown.
    """
    chosen: list[Stretch] = list(told)

    def add(best: Sequence[Score]) -> None:
        unit, text = best[0].unit, read[best[0].unit.passage.section]
        if unit.kind == "table":
            ranges = tabled(unit, text)
        else:
            ranges = ((alone and paragraph(unit, text)) or stretch(unit, text),)
        one = Stretch(best, text, ranges)
        if not any(one.repeats(other) for other in chosen):
            chosen.append(one)

    worth = list(worth_reading(by_passage(scores), read, floor))
    for best in varied(worth):
        if len(chosen) == most:
            break
        add(best)
    if row and row.total >= (ROW_WORTH * worth[0][0].total if worth else 0.0):
        text = read[row.unit.passage.section]
        # What only names the columns is not worth reading.
        if quoted(row.unit, text) is not None and floor.holds(row.unit.passage, text, [row.unit]):
            add([row])
    for one in () if alone else chosen[len(told) :]:
        if one.unit.kind != "table":
            others = [span for other in chosen if other is not one and other.text is one.text for span in other.ranges]
            one.ranges = (widened(one.ranges[0], one.text, others),)
    return tuple(passage(target, filing, one, place) for one in chosen)


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


def by_passage(scores: Sequence[Score]) -> list[list[Score]]:
    """Sentences by the passage that they stand in, that with the best sentence first."""
    found: dict[int, list[Score]] = {}
    for one in scores:
        found.setdefault(one.unit.place, []).append(one)
    return list(found.values())


def passage(target: Target, filing: FilingRef, shown: Stretch, place: int) -> NearPassage:
    """A stretch as the state keeps it, with the sentences marked that are nearly as good as the best of it."""
    unit, text, ranges = shown.unit, shown.text, shown.ranges
    least = NEARLY * shown.best[0].total
    near = (said(one.unit, text) for one in shown.best if one.total >= least)
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
        ranges=ranges,
        text=chunk_text(text.text, [list(one) for one in ranges]),
        marked=tuple(held[:MARKS]),
        likely=calibration.is_likely(shown.best[0].total),
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


def of_block(unit: Unit, text: SectionText) -> Range:
    """The paragraph of a sentence with the list that the sentence opens, or its point of a list; of a long one the middle."""
    start, end = text.bounds.stored[unit.block][1:3]
    if end - start > LONGEST:
        return stretch(unit, text)
    below = None if unit.text.rstrip().endswith(".") else opened(unit, text)
    return start, below[1] if below else end


def tabled(unit: Unit, text: SectionText) -> tuple[Range, ...]:
    """A row of a table with the rows next to it, below what the search keeps of caption and header."""
    rows = text.bounds.units(text.block(unit.block))
    first, last = rows[max(0, unit.order - ROWS)], rows[min(len(rows) - 1, unit.order + ROWS)]
    above = [one for one in unit.passage.ranges[:-1] if one[1] <= first[0]]
    return (*above, (first[0], last[1]))


def stored(found: Iterable[NearPassage]) -> tuple[NearPassage, ...]:
    """Those passages that the filings' texts hold, character by character, where they say that they stand."""
    found = tuple(found)
    read = texts(one.section for one in found)
    return tuple(one for one in found if one.section in read and _is_of(one, read[one.section]))


def _is_of(one: NearPassage, text: SectionText) -> bool:
    section, filing = text.section, text.section.filing
    named = (filing.accession, filing.company.asked_as, section.item, section.sha256)
    of_section = text.intact and named == (one.accession, one.cik, one.item, one.sha256)
    return of_section and not any(unlike(text, one.text, one.ranges, one.marked, one.headings, one.page))


def unlike(
    text: SectionText,
    shown: str,
    ranges: Sequence[Range],
    marked: Sequence[Range],
    headings: tuple[str, ...],
    page: str,
) -> Iterator[tuple[str, str, str]]:
    """What of a passage its section has otherwise: the name of the field, what it is, and what the section has.

    Its headings and page are those of the sentence that is marked first, or of any where none is.
    """
    if (held := chunk_text(text.text, [list(span) for span in ranges])) != shown:
        yield "text", shown, held
    places = [(one.headings[::-1], text.page(one.start)) for one in text.within(marked[:1] or ranges)]
    pages = [on for under, on in places if under == headings]
    if not pages:
        yield "headings", " > ".join(headings), " > ".join(places[0][0]) if places else ""
    elif page not in pages:
        yield "place.page", page, pages[0]
