"""Why a line of the statements moved: what a sentence says moved, which way, and for which reason.

"The increase in X was primarily due to Y" stands in a discussion of results dozens of times: the direction and the year
must be those asked, and often stand in the sentence before.
"""

import re
from functools import cache
from typing import Any, Literal

from agent.prose.text.candidate_sentences import Unit
from agent.prose.text.english import CAUSES
from agent.words.stems import roots

Direction = Literal["up", "down", ""]
WAYS: tuple[Direction, ...] = ("up", "down")
Roots = frozenset[str]

# The line of the statements is called either; of a part that is named without a measure, it is what moved.
SALES = roots("net sales revenue")
# What lies further back is history, and of no year that would be confused with the one asked.
RECENT = 4
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# "Net sales - ..." repeats what stands behind.
_LABEL = re.compile(r"^(?P<label>[^.,;:]{3,60}?)\s*(?:\s[\u2013\u2014-]\s|:\s|\.\s)(?=[A-Z])")


def asks_reason(text: str) -> bool:
    """Whether a question asks for a reason."""
    return bool(pattern("asked").search(text))


def direction(text: str) -> Direction:
    """Which way a question says that something moved; empty where it says neither or both."""
    up, down = pattern("up").search(text), pattern("down").search(text)
    if up and not down:
        return turned("up", text, up)
    return turned("down", text, down) if down and not up else ""


def reason_traits(unit: Unit, asked: str) -> dict[str, float]:
    """How well a sentence gives the reason for a change.

    asked: the question without company and period. gives: 1 where it gives a reason. way: 1 where it moved as asked, -1
    the other way, 0 where the sentence does not say.
    """
    way = direction(asked)
    anything = not way and not pattern("changed").search(asked)
    gives = pattern("cause").search(unit.text) or (anything and pattern("purpose").search(unit.text))
    told = moved(unit)[1]
    return {"gives": float(bool(gives)), "way": 0.0 if not way or not told else 1.0 if told == way else -1.0}


def dated(unit: Unit, fiscal_year: int) -> float:
    """-1 where a sentence, or else the nearest heading with a year, tells of recent years alone that are not the one asked."""
    for text in (unit.text, *unit.headings):
        if years := {int(year) for year in YEAR.findall(text)}:
            return -float(all(fiscal_year - RECENT <= year < fiscal_year for year in years))
    return 0.0


def moved(unit: Unit) -> tuple[Roots, Direction]:
    """What a sentence says moved, and which way; of "the change was due to ..." the sentence before says either."""
    told = head(unit.text)
    thing, way = subject(told), way_of(told)
    if unit.before and not thing - rooted("asking") and refers(unit.text):
        before = head(unit.before)
        return subject(before), way or way_of(before)
    return thing, way


def head(text: str) -> str:
    """What stands before the cause."""
    marker = pattern("cause").search(text)
    return text[: marker.start()] if marker else text


def way_of(head: str) -> Direction:
    """Which way something moved, by the first word for it."""
    hits = {hit.start(): (way, hit) for way in WAYS if (hit := pattern(way).search(head))}
    if not hits:
        return ""
    way, hit = hits[min(hits)]
    return turned(way, head, hit)


def turned(way: Direction, text: str, word: re.Match[str]) -> Direction:
    """The way that a word of a text tells of something: what improves a cost lowers it."""
    of_cost = pattern("cost_before").search(text[: word.start()]) or pattern("cost_behind").search(text[word.end() :])
    if of_cost and roots(word[0]) <= rooted("judging"):
        return "down" if way == "up" else "up"
    return way


def subject(head: str) -> Roots:
    """What moved, without words that leave the measure the same; empty where it was named before."""
    label = _LABEL.match(head)
    above = named(label["label"]) if label else frozenset()
    said = (head[label.end() :] if label else head).replace(", net", " net")
    while (left := pattern("when").sub("", said)) != said:
        said = left
    moves = min(
        (hit for name in ("up", "down") if (hit := pattern(name).search(said))),
        key=lambda hit: hit.start(),
        default=None,
    )
    before = said[: moves.start()] if moves else said
    after = said[moves.end() :] if moves else ""
    own = named(pattern("ends").sub("", before)) or named(
        pattern("ends").sub("", re.sub(r"^\s+(?:in|of)\b", "", after))
    )
    return own | above if own else frozenset()


def named(text: str) -> Roots:
    """The words of a name, without those that leave the measure the same; "other" makes another one of it."""
    other = frozenset({"other"}) if re.search(r"\bother\b", text, re.IGNORECASE) else frozenset()
    return frozenset(word for word in roots(text) - rooted("frame") if not word[:1].isdecimal()) | other


def refers(text: str) -> bool:
    """Whether a sentence tells of a change of what was named before."""
    return bool(pattern("as_said").match(text))


def rooted(name: str) -> Roots:
    """The compared forms of listed words."""
    return CAUSES.rooted(name)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """What finds listed words, whole."""
    words = data()
    told = "|".join(words[name]) if isinstance(words[name], list) else str(words[name])
    for part in ("degree", "up", "down", "apart", "costs"):
        told = told.replace(f"{{{part}}}", str(words[part]))
    bounded = rf"\b(?:{told})\b" if name in {"cause", "up", "down", "apart"} else told
    return re.compile(bounded, re.IGNORECASE | re.DOTALL)


def data() -> dict[str, Any]:
    return CAUSES.data
