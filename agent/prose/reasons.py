"""Why a line of the statements moved: sentences that give a reason for the change that is asked.

"The increase in X was primarily due to Y" stands in a discussion of results dozens of times: the direction and the year
must be those asked, and often stand in the sentence before.
"""

import re
from typing import Literal

from agent.prose.units import Unit
from agent.words.stems import words

Direction = Literal["up", "down", ""]

_ASKED = re.compile(
    r"\b(?:why|what (?:drove|caused|led to|explains?|contributed|was behind|is behind|were the (?:reasons?|drivers?|causes?))|"
    r"(?:reasons?|drivers?|causes?) (?:for|of|behind)|drivers|main driver|driven by|explain (?:the|why))\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:due (?:primarily |mainly |largely |principally |in part |mostly )?to|driven (?:primarily |mainly |largely |principally )?by|"
    r"(?:primarily|mainly|principally|largely) (?:due|driven|attributable|as a result|because|from|reflect\w*|related|resulting)|"
    r"as a result of|because(?: of)?|attributable to|resulted from|resulting from|reflect(?:s|ed|ing)|owing to|caused by|"
    r"led by|on account of|offset by|contributed to|stemm(?:ed|ing) from|was the result of|result of|impacted by)\b",
    re.IGNORECASE,
)
# Why something is done, which is no reason for a change.
_PURPOSE = re.compile(
    r"\b(?:in order to|so that|designed to|intended to|to (?:enable|ensure|improve|better|allow|provide|support|simplify|reduce|protect|align|drive))\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:increas\w*|grew|grow(?:th|n|ing|s)?|rose|ris(?:e|en|ing|es)|higher|improv\w*|climb\w*|expan(?:d\w*|sion)|up|gain\w*|jump\w*|surg\w*|strong\w*)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:decreas\w*|declin\w*|fell|fall(?:en|ing|s)?|drop\w*|lower|reduc\w*|shr[aiu]nk\w*|contract(?:ed|ion)|down|worsen\w*|slump\w*|weak\w*)\b",
    re.IGNORECASE,
)
# What lies further back is history, and of no year that would be confused with the one asked.
RECENT = 4
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def asks_reason(text: str) -> bool:
    """Whether a question asks for a reason."""
    return bool(_ASKED.search(text))


def direction(text: str) -> Direction:
    """Which way a question says that something moved; empty where it says neither or both."""
    up, down = bool(_UP.search(text)), bool(_DOWN.search(text))
    return "up" if up and not down else "down" if down and not up else ""


_AS_SAID = re.compile(
    r"\W*(?:th(?:e|is|ese)\s+(?:increases?|decreases?|declines?|changes?|growth|reductions?)|it|this)\b", re.IGNORECASE
)
_MOVED = re.compile(r"\b(?:change|changed|move|moved|drove|driver|drivers|driven|differ)\b", re.IGNORECASE)


def reason_traits(unit: Unit, asked: str) -> dict[str, float]:
    """How well a sentence gives the reason for a change.

    asked: the question without company and period. gives: 1 where it gives a reason. way: 1 where it moved as asked, -1
    the other way, 0 where the sentence does not say.
    """
    way = direction(asked)
    marker = _REASON.search(unit.text) or (None if way or _MOVED.search(asked) else _PURPOSE.search(unit.text))
    _, told = moved(unit.text)
    if unit.before and _AS_SAID.match(unit.text):
        # "The change was due to ...": which way stands in the sentence before.
        told = told or moved(unit.before)[1]
    return {
        "gives": float(bool(marker)),
        "way": 0.0 if not way or not told else 1.0 if told == way else -1.0,
    }


def dated(unit: Unit, fiscal_year: int) -> float:
    """-1 where a sentence, or else the nearest heading with a year, tells of recent years alone that are not the one asked."""
    for text in (unit.text, *unit.headings):
        if years := {int(year) for year in _YEAR.findall(text)}:
            return -float(all(fiscal_year - RECENT <= year < fiscal_year for year in years))
    return 0.0


def moved(text: str) -> tuple[str | None, Direction]:
    """What the first half of a sentence says moved, and which way: (words before the verb and behind "in", direction)."""
    first: tuple[int, int, Direction] | None = None
    for pattern, way in ((_UP, "up"), (_DOWN, "down")):
        hit = pattern.search(text)
        if hit and (first is None or hit.start() < first[0]):
            first = (hit.start(), hit.end(), way)  # type: ignore[assignment]
    if first is None:
        return None, ""
    marker = _REASON.search(text)
    if marker and marker.start() < first[0] and marker.start() > 0 and len(words(text[: marker.start()])) > 0:
        return text[: marker.start()], ""
    end = marker.start() if marker and marker.start() > first[1] else min(len(text), first[1] + 60)
    before = text[: first[0]]
    # "The increase in cost of sales was due to ...": what moved stands behind.
    behind = re.match(
        r"\s+(?:in|of)\s+(.{3,80}?)(?:\s+(?:was|were|is|are|during|compared|for|in|of|from|by|primarily)\b|,|$)",
        text[first[1] : end],
    )
    if behind and len(words(before)) <= 1:
        return behind.group(1), first[2]
    return before, first[2]
