"""Why a measure changed: the sentence of a discussion of results that states the change and names its cause."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from agent.prose.answers.premises import premises
from agent.prose.answers.reasons import (
    SALES,
    YEAR,
    Direction,
    Roots,
    asks_reason,
    data,
    head,
    named,
    pattern,
    refers,
    rooted,
    subject,
    way_of,
)
from agent.prose.quotations import opened
from agent.prose.search.topics import asks_of_years
from agent.prose.text.boundaries import Range
from agent.prose.text.candidate_sentences import texts
from agent.prose.text.section_text import SectionText, Sentence
from agent.prose.text.sections import SERVING, of_filing
from agent.state import Topic
from agent.words.stems import roots
from filings.sections.items import annual_item

# A cause is named in so many words at least.
LEAST_CAUSE = 2
# What moved is named at most so many sentences before.
BACK = 2
_RATES = roots("margin rate percentage")


@dataclass(frozen=True, slots=True)
class Change:
    """A change whose cause is asked. measure: its names, each in the compared form; way: empty where none is said.

    apart: whether it is of an adjusted figure, or another kind that is told of beside the reported one.
    """

    measure: tuple[Roots, ...]
    way: Direction
    year: int
    apart: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is a measure of every company, and not one of a part such as "iPad revenue"."""
        return any(name in _names() for name in self.measure)

    @property
    def of_rate(self) -> bool:
        """Whether it is a margin or another rate."""
        return any(name & _RATES for name in self.measure)


@dataclass(frozen=True, slots=True)
class Cause:
    """A stretch that states a change with its cause. certain: whether nothing says that it is of a part of the company."""

    section: int
    span: Range
    way: Direction
    certain: bool


class Move(NamedTuple):
    """What a sentence says moved. first: the sentence that names it; told: the words of both before the cause."""

    first: Sentence
    way: Direction
    thing: Roots
    told: str


def change_of(topic: Topic, year: int) -> Change | None:
    """The change of one measure whose cause a question asks; None where it asks another thing. year: the fiscal year."""
    if not asks_reason(topic.text) or len(topic.queries) != 1 or asks_of_years(topic.text):
        return None
    if pattern("other").search(pattern("apart").sub("", topic.text)):
        return None
    events = premises(topic.text)
    ways = {event.way for event in events} - {""}
    if len(ways) > 1:
        return None
    moving = frozenset(word for event in events if event.way for phrase in event.event for word in phrase)
    asked = named(" ".join(topic.queries[0].words)) - moving - rooted("asking")
    if not asked:
        return None
    measure = next((group for group in _measures() if asked in group), ())
    if not (measure or ways or pattern("changed").search(topic.text)):
        return None
    return Change(measure or (asked,), next(iter(ways), ""), year, bool(pattern("apart").search(topic.text)))


def given(change: Change, found: Sequence[Cause]) -> Cause | None:
    """The stretch that states the change for the whole company with its cause; or that states the opposite, where none
    does. None where the filing tells of both.

    found: in the filing's order.
    """
    sure = [one for one in found if one.certain and not change.apart]
    if len({one.way for one in sure}) != 1:
        return None
    # A margin in dollars may rise while that in percent falls.
    opposed = change.way not in {"", sure[0].way}
    return None if opposed and change.of_rate else sure[0]


def causes(change: Change, filing: int, fiscal_year: int) -> Iterator[Cause]:
    """The stretches of the discussion of results that state the change, or its opposite, with a cause, in order."""
    for text in discussion(filing):
        for number, row in enumerate(text.bounds.stored):
            if row[0] in {"paragraph", "bullet"}:
                for one in text.sentences(number):
                    if found := _cause(one, text, change, fiscal_year):
                        yield found


def discussion(filing: int) -> list[SectionText]:
    """The sections of a filing in which results are discussed, in order."""
    held = [one.pk for one in of_filing(filing) if one.status in SERVING and annual_item(one.item) == "7"]
    read = texts(held)
    return [read[section] for section in held]


def move(one: Sentence, text: SectionText) -> Move:
    """What a sentence says moved and which way; what moved may stand in one before it."""
    told = head(one.text)
    first, way, thing = one, way_of(told), subject(told)
    if way and not thing and refers(one.text):
        first = next((other for other in _before(one, text)[:BACK] if subject(head(other.text))), one)
        begun = head(first.text)
        thing, stated = subject(begun), way_of(begun)
        way = way if stated in {"", way} else ""
        told = told if first is one else f"{begun} {told}"
    return Move(first, way, thing, told)


def _cause(one: Sentence, text: SectionText, change: Change, fiscal_year: int) -> Cause | None:
    """The cause that a sentence gives for a change; None where it gives none, or for another one."""
    marker = pattern("cause").search(one.text)
    if marker is None:
        return None
    plain = _is_plain(head(one.text))
    first, way, thing, told = move(one, text)
    if pattern("up").search(told) and pattern("down").search(told):
        return None  # "rose in 2022 and fell in 2021"
    shared = pattern("share").search(told) and not change.of_rate
    if not way or not is_measure(thing, change.measure) or shared or pattern("other").search(told) or not plain:
        return None
    if not is_of_year(told, one.headings, change.year, fiscal_year):
        return None
    span = None if subject(one.text[marker.end() :]) in change.measure else _span(first, one, text, marker.end())
    if span is None:
        return None
    # "Revenue rose due to higher revenue of Services" says where, and not why.
    first_cause = re.split(r"[,;]", one.text[marker.end() :])[0]
    certain = not change.measure[0] <= SALES or SALES.isdisjoint(roots(first_cause))
    certain = certain and all(is_of_whole(roots(heading), change) for heading in one.headings)
    certain = certain and all(_is_known(subject(head(other.text)), change) for other in _before(first, text)[:1])
    certain = certain and all(_is_first(place, text) for place in text.heading_places(one.block))
    return Cause(text.section.pk, span, way, certain)


def _is_plain(head: str) -> bool:
    """Whether nothing stands between a change and its cause: not "The decreases were more pronounced in Europe, due to"."""
    hit = re.search(r"\b(?:was|were)\b", head)
    if hit is None or not (pattern("up").search(head, 0, hit.start()) or pattern("down").search(head, 0, hit.start())):
        return True
    told = roots(head[hit.end() :]) - rooted("frame") - rooted("adverbs")
    return all(word[:1].isdecimal() for word in told)


def _before(one: Sentence, text: SectionText) -> list[Sentence]:
    """The sentences before one in its paragraph, the nearest first."""
    return [other for other in text.sentences(one.block) if other.order < one.order][::-1]


def is_measure(thing: Roots, measure: Sequence[Roots]) -> bool:
    """Whether what moved is the measure asked."""
    if thing in measure:
        return True
    (name, *others) = measure
    return not others and name not in _names() and name <= thing and thing - name <= SALES


def is_of_year(told: str, headings: Sequence[str], year: int, fiscal_year: int) -> bool:
    """Whether a sentence tells of a year against the one before, by itself or by the nearest heading with a year."""
    for text in (told, *headings):
        if years := {int(one) for one in YEAR.findall(text)}:
            return max(years) == year and min(years) >= year - 1
    return year == fiscal_year


def is_of_whole(heading: Roots, change: Change) -> bool:
    """Whether a heading names no part of the company, and no flow of cash of which what is asked is only a part."""
    flows = heading & rooted("cash") and not any(name & rooted("cash") for name in change.measure)
    return not flows and _is_known(heading - rooted("headings"), change)


def _is_first(place: int, text: SectionText) -> bool:
    """Whether a heading that names a measure is the first of its words: the next ones are of the parts of the company."""
    said = text.text[slice(*text.bounds.stored[place][1:3])].strip().lower()
    if not roots(said) & frozenset().union(*_names()):
        return True
    return not any(
        row[0] == "heading" and text.text[row[1] : row[2]].strip().lower() == said
        for row in text.bounds.stored[:place]
    )


def _is_known(words: Roots, change: Change) -> bool:
    """Whether words name measures alone, and no part of the company that the question does not."""
    known = rooted("frame").union(*_names(), *change.measure)
    return all(word in known or word[:1].isdecimal() for word in words)


def _span(first: Sentence, one: Sentence, text: SectionText, cause: int) -> Range | None:
    """What is quoted, from the sentence that names what moved to the cause; None where no cause follows."""
    if len(one.text[cause:].split()) >= LEAST_CAUSE and not one.text.rstrip().endswith((":", "impact of")):
        return first.start, one.end
    listed = opened(one, text)
    return (first.start, listed[1]) if listed else None


@cache
def _measures() -> tuple[tuple[Roots, ...], ...]:
    return tuple(tuple(dict.fromkeys(map(named, group))) for group in data()["measures"])


@cache
def _names() -> frozenset[Roots]:
    return frozenset(name for group in _measures() for name in group)
