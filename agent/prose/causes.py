"""Why a measure changed: the sentence of a discussion of results that states the change and names its cause."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agent.prose.boundaries import Range
from agent.prose.premises import premises
from agent.prose.quotations import opened
from agent.prose.reasons import Direction, asks_reason
from agent.prose.section_text import SectionText, Sentence
from agent.prose.sections import SERVING, of_filing
from agent.prose.topics import asks_of_years
from agent.prose.units import Unit, texts
from agent.state import Topic
from agent.words.stems import roots
from filings.sections.items import annual_item

PATH = Path(__file__).with_name("causes.yaml")
Roots = frozenset[str]
# A cause is named in so many words at least.
LEAST_CAUSE = 2
# What moved is named at most so many sentences before.
BACK = 2
# Of a part that is named without a measure, revenue is what moved.
_SALES = roots("net sales revenue")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_RATES = roots("margin rate percentage")
# "Net sales - ..." repeats what stands behind.
_LABEL = re.compile(r"^(?P<label>[^.,;:]{3,60}?)\s*(?:\s[\u2013\u2014-]\s|:\s|\.\s)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Change:
    """A change whose cause is asked. measure: its names, each in the compared form; way: empty where none is said."""

    measure: tuple[Roots, ...]
    way: Direction
    year: int

    @property
    def whole(self) -> bool:
        """Whether it is a measure of every company, and not one of a part such as "iPad revenue"."""
        return any(name in _names() for name in self.measure)


@dataclass(frozen=True, slots=True)
class Cause:
    """A stretch that states a change with its cause. certain: whether nothing says that it is of a part of the company."""

    section: int
    span: Range
    way: Direction
    certain: bool


def change_of(topic: Topic, year: int) -> Change | None:
    """The change of one measure whose cause a question asks; None where it asks another thing. year: the fiscal year."""
    if not asks_reason(topic.text) or len(topic.queries) != 1 or asks_of_years(topic.text):
        return None
    if _pattern("other").search(topic.text):
        return None
    events = premises(topic.text)
    ways = {event.way for event in events} - {""}
    if len(ways) > 1:
        return None
    moving = frozenset(word for event in events if event.way for phrase in event.event for word in phrase)
    asked = _named(" ".join(topic.queries[0].words)) - moving - _rooted("asking")
    if not asked:
        return None
    measure = next((group for group in _measures() if asked in group), ())
    if not measure and not ways:
        return None
    return Change(measure or (asked,), next(iter(ways), ""), year)


def given(change: Change, found: Sequence[Cause]) -> Cause | None:
    """The stretch that states the change for the whole company with its cause; or that states the opposite, where none
    does. None where the filing tells of both.

    found: in the filing's order.
    """
    sure = [one for one in found if one.certain]
    if len({one.way for one in sure}) != 1:
        return None
    # A margin in dollars may rise while that in percent falls.
    opposed = change.way not in {"", sure[0].way}
    return None if opposed and any(name & _RATES for name in change.measure) else sure[0]


def before_others(unit: Unit, change: Change, found: Sequence[Cause]) -> int:
    """The place of a sentence among what is shown: 0 where it states the change with a cause, then what the discussion of
    results tells of the measure for the whole company, with a cause (1) and without (2), the rest of it (3), all else (4).
    """
    for one in found:
        held = one.section == unit.passage.section and one.span[0] <= unit.start < one.span[1]
        if held and (one.certain or not change.whole) and one.way == (change.way or one.way):
            return 0
    if unit.passage.annual_item != "7":
        return 4
    whole = unit.kind != "table" and all(_is_of_whole(roots(heading), change) for heading in unit.headings)
    named = (_subject(_head(unit)), *map(_named, unit.headings[:1]))
    if not whole or not any(_is(one, change.measure) for one in named):
        return 3
    return 1 if _pattern("cause").search(unit.text) else 2


def causes(change: Change, filing: int, fiscal_year: int) -> Iterator[Cause]:
    """The stretches of the discussion of results that state the change, or its opposite, with a cause, in order."""
    held = [one.pk for one in of_filing(filing) if one.status in SERVING and annual_item(one.item) == "7"]
    read = texts(held)
    for section in held:
        text = read[section]
        for number, row in enumerate(text.bounds.stored):
            if row[0] in {"paragraph", "bullet"}:
                for one in text.sentences(number):
                    if found := _cause(one, text, change, fiscal_year):
                        yield found


def _cause(one: Sentence, text: SectionText, change: Change, fiscal_year: int) -> Cause | None:
    """The cause that a sentence gives for a change; None where it gives none, or for another one."""
    marker = _pattern("cause").search(one.text)
    if marker is None:
        return None
    head = one.text[: marker.start()]
    first, way, subject = one, _way(head), _subject(head)
    if way and not subject and _refers(one.text):
        first = next((other for other in _before(one, text)[:BACK] if _subject(_head(other))), one)
        subject, stated = _subject(_head(first)), _way(_head(first))
        way = way if stated in {"", way} else ""
    told = head if first is one else f"{_head(first)} {head}"
    if _pattern("up").search(told) and _pattern("down").search(told):
        return None  # "rose in 2022 and fell in 2021"
    shared = _pattern("share").search(told) and not any(name & _RATES for name in change.measure)
    if not way or not _is(subject, change.measure) or shared or _pattern("other").search(told):
        return None
    if not _is_of_year(told, one.headings, change.year, fiscal_year) or not _is_plain(head):
        return None
    span = None if _subject(one.text[marker.end() :]) in change.measure else _span(first, one, text, marker.end())
    if span is None:
        return None
    # "Revenue rose due to higher revenue of Services" says where, and not why.
    first_cause = re.split(r"[,;]", one.text[marker.end() :])[0]
    certain = not change.measure[0] <= _SALES or _SALES.isdisjoint(roots(first_cause))
    certain = certain and all(_is_of_whole(roots(heading), change) for heading in one.headings)
    certain = certain and all(_is_known(_subject(_head(other)), change) for other in _before(first, text)[:1])
    certain = certain and all(_is_first(place, text) for place in text.heading_places(one.block))
    return Cause(text.section.pk, span, way, certain)


def _is_plain(head: str) -> bool:
    """Whether nothing stands between a change and its cause: not "The decreases were more pronounced in Europe, due to"."""
    hit = re.search(r"\b(?:was|were)\b", head)
    if hit is None or not (
        _pattern("up").search(head, 0, hit.start()) or _pattern("down").search(head, 0, hit.start())
    ):
        return True
    told = roots(head[hit.end() :]) - _rooted("frame") - _rooted("adverbs")
    return all(word[:1].isdecimal() for word in told)


def _before(one: Sentence, text: SectionText) -> list[Sentence]:
    """The sentences before one in its paragraph, the nearest first."""
    return [other for other in text.sentences(one.block) if other.order < one.order][::-1]


def _head(one: Sentence) -> str:
    """What stands before the cause."""
    marker = _pattern("cause").search(one.text)
    return one.text[: marker.start()] if marker else one.text


def _way(head: str) -> Direction:
    """Which way something moved, by the first word for it."""
    up, down = _pattern("up").search(head), _pattern("down").search(head)
    if up and (down is None or up.start() < down.start()):
        return "up"
    return "down" if down else ""


def _subject(head: str) -> Roots:
    """What moved, without words that leave the measure the same; empty where it was named before."""
    label = _LABEL.match(head)
    named = _named(label["label"]) if label else frozenset()
    said = (head[label.end() :] if label else head).replace(", net", " net")
    while (left := _pattern("when").sub("", said)) != said:
        said = left
    moves = min(
        (hit for name in ("up", "down") if (hit := _pattern(name).search(said))),
        key=lambda hit: hit.start(),
        default=None,
    )
    before = said[: moves.start()] if moves else said
    after = said[moves.end() :] if moves else ""
    own = _named(_pattern("ends").sub("", before)) or _named(
        _pattern("ends").sub("", re.sub(r"^\s+(?:in|of)\b", "", after))
    )
    return own | named if own else frozenset()


def _named(text: str) -> Roots:
    """The words of a name, without those that leave the measure the same; "other" makes another one of it."""
    other = frozenset({"other"}) if re.search(r"\bother\b", text, re.IGNORECASE) else frozenset()
    return frozenset(word for word in roots(text) - _rooted("frame") if not word[:1].isdecimal()) | other


def _is(subject: Roots, measure: Sequence[Roots]) -> bool:
    """Whether what moved is the measure asked."""
    if subject in measure:
        return True
    (name, *others) = measure
    return not others and name not in _names() and name <= subject and subject - name <= _SALES


def _is_of_year(told: str, headings: Sequence[str], year: int, fiscal_year: int) -> bool:
    """Whether a sentence tells of a year against the one before, by itself or by the nearest heading with a year."""
    for text in (told, *headings):
        if years := {int(one) for one in _YEAR.findall(text)}:
            return max(years) == year and min(years) >= year - 1
    return year == fiscal_year


def _is_of_whole(heading: Roots, change: Change) -> bool:
    """Whether a heading names no part of the company, and no flow of cash of which what is asked is only a part."""
    flows = heading & _rooted("cash") and not any(name & _rooted("cash") for name in change.measure)
    return not flows and _is_known(heading - _rooted("headings"), change)


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
    known = _rooted("frame").union(*_names(), *change.measure)
    return all(word in known or word[:1].isdecimal() for word in words)


def _refers(text: str) -> bool:
    """Whether a sentence tells of a change of what was named before."""
    return bool(_pattern("as_said").match(text))


def _span(first: Sentence, one: Sentence, text: SectionText, cause: int) -> Range | None:
    """What is quoted, from the sentence that names what moved to the cause; None where no cause follows."""
    if len(one.text[cause:].split()) >= LEAST_CAUSE and not one.text.rstrip().endswith((":", "impact of")):
        return first.start, one.end
    listed = opened(one, text)
    return (first.start, listed[1]) if listed else None


@cache
def _measures() -> tuple[tuple[Roots, ...], ...]:
    return tuple(tuple(dict.fromkeys(map(_named, group))) for group in _data()["measures"])


@cache
def _names() -> frozenset[Roots]:
    return frozenset(name for group in _measures() for name in group)


@cache
def _rooted(name: str) -> Roots:
    return frozenset(word for phrase in _data()[name] for word in roots(phrase))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    data = _data()
    told = "|".join(data[name]) if isinstance(data[name], list) else str(data[name])
    for part in ("degree", "up", "down"):
        told = told.replace(f"{{{part}}}", str(data[part]))
    bounded = rf"\b(?:{told})\b" if name in {"cause", "up", "down"} else told
    return re.compile(bounded, re.IGNORECASE | re.DOTALL)


@cache
def _data() -> dict[str, Any]:
    return dict(yaml.safe_load(PATH.read_bytes()))
