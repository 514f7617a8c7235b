"""Why a measure changed: the sentence of a discussion of results that states the change and names its cause."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from agent.prose.answers.premises import premises
from agent.prose.questions.topics import asks_of_years
from agent.prose.text.boundaries import Range
from agent.prose.text.candidate_sentences import texts
from agent.prose.text.quotations import opened
from agent.prose.text.reasons import (
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
                for sentence in text.sentences(number):
                    if cause := _cause(sentence, text, change, fiscal_year):
                        yield cause


def discussion(filing: int) -> list[SectionText]:
    """The sections of a filing in which results are discussed, in order."""
    sections = [one.pk for one in of_filing(filing) if one.status in SERVING and annual_item(one.item) == "7"]
    read = texts(sections)
    return [read[section] for section in sections]


def move(sentence: Sentence, text: SectionText) -> Move:
    """What a sentence says moved and which way; what moved may stand in one before it."""
    stated = head(sentence.text)
    first, way, thing = sentence, way_of(stated), subject(stated)
    if way and not thing and refers(sentence.text):
        earlier = _before(sentence, text)[:BACK]
        first = next((other for other in earlier if subject(head(other.text))), sentence)
        begun = head(first.text)
        thing, way_before = subject(begun), way_of(begun)
        way = way if way_before in {"", way} else ""
        stated = stated if first is sentence else f"{begun} {stated}"
    return Move(first, way, thing, stated)


def _cause(sentence: Sentence, text: SectionText, change: Change, fiscal_year: int) -> Cause | None:
    """The cause that a sentence gives for a change; None where it gives none, or for another one.

    In this order: it names a cause; it states one change of the measure asked, which way, of the year asked; what
    follows is a cause and not the measure itself.
    """
    marker = pattern("cause").search(sentence.text)
    if marker is None:
        return None
    moved = move(sentence, text)
    if not _states(change, moved) or not _is_plain(head(sentence.text)):
        return None
    if not is_of_year(moved.told, sentence.headings, change.year, fiscal_year):
        return None
    named_cause = sentence.text[marker.end() :]
    span = None if subject(named_cause) in change.measure else _span(moved.first, sentence, text, marker.end())
    if span is None:
        return None
    certain = _is_of_whole_company(sentence, moved.first, named_cause, change, text)
    return Cause(text.section.pk, span, moved.way, certain)


def _states(change: Change, moved: Move) -> bool:
    """Whether what moved is the measure asked, in one way: not "rose in 2022 and fell in 2021"."""
    if pattern("up").search(moved.told) and pattern("down").search(moved.told):
        return False
    if pattern("other").search(moved.told) or (pattern("share").search(moved.told) and not change.of_rate):
        return False
    return bool(moved.way) and is_measure(moved.thing, change.measure)


def _is_of_whole_company(
    sentence: Sentence, first: Sentence, named_cause: str, change: Change, text: SectionText
) -> bool:
    """Whether nothing says that a change is of a part: its cause, its headings, or the sentence before it."""
    # "Revenue rose due to higher revenue of Services" says where, and not why.
    first_cause = re.split(r"[,;]", named_cause)[0]
    says_where = change.measure[0] <= SALES and not SALES.isdisjoint(roots(first_cause))
    return (
        not says_where
        and all(is_of_whole(roots(heading), change) for heading in sentence.headings)
        and all(_is_known(subject(head(other.text)), change) for other in _before(first, text)[:1])
        and all(_is_first(place, text) for place in text.heading_places(sentence.block))
    )


def _is_plain(head: str) -> bool:
    """Whether nothing stands between a change and its cause: not "The decreases were more pronounced in Europe, due to"."""
    hit = re.search(r"\b(?:was|were)\b", head)
    if hit is None or not (pattern("up").search(head, 0, hit.start()) or pattern("down").search(head, 0, hit.start())):
        return True
    told = roots(head[hit.end() :]) - rooted("frame") - rooted("adverbs")
    return all(word[:1].isdecimal() for word in told)


def _before(sentence: Sentence, text: SectionText) -> list[Sentence]:
    """The sentences before one in its paragraph, the nearest first."""
    return [other for other in text.sentences(sentence.block) if other.order < sentence.order][::-1]


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


def _span(first: Sentence, sentence: Sentence, text: SectionText, cause: int) -> Range | None:
    """What is quoted, from the sentence that names what moved to the cause; None where no cause follows."""
    if len(sentence.text[cause:].split()) >= LEAST_CAUSE and not sentence.text.rstrip().endswith((":", "impact of")):
        return first.start, sentence.end
    listed = opened(sentence, text)
    return (first.start, listed[1]) if listed else None


@cache
def _measures() -> tuple[tuple[Roots, ...], ...]:
    return tuple(tuple(dict.fromkeys(map(named, group))) for group in data()["measures"])


@cache
def _names() -> frozenset[Roots]:
    return frozenset(name for group in _measures() for name in group)
