"""What a question takes for granted: the event it names must be told by the filing, and not its opposite."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from agent.prose.reasons import Direction, moved
from agent.prose.scoring import Score, credit
from agent.prose.topics import general
from agent.prose.units import Unit
from agent.prose.weights import Term
from agent.words.stems import roots

PATH = Path(__file__).with_name("events.yaml")
Phrases = tuple[frozenset[str], ...]
Around = Callable[[Unit], frozenset[str]]

_PRESUMES = re.compile(
    r"\b(?:why|how (?:did|does|has|is|was|will)|when (?:did|does|has)|what (?:caused|led|drove|happened|prompted|made)|reasons? (?:for|why)|explain)\b",
    re.IGNORECASE,
)
# What only may happen has not happened: "the program may be suspended at any time".
_SUPPOSED = re.compile(r"\bmay\b|(?i:\b(?:might|could|can|would|if|unless|should)\b)")
# How much of what moved may be called by other words than the question's: nothing where that is "revenue" alone.
MOST_STRANGE = 2
_AS_SAID = re.compile(
    r"\W*(?:th(?:e|is|ese)\s+(?:increases?|decreases?|declines?|changes?|growth|reductions?)|it|this)\b", re.IGNORECASE
)
_SHARE = re.compile(r"\bas a (?:percentage|percent|share|portion) of\b", re.IGNORECASE)
_FRAME = roots(
    "total net overall compared prior year years fiscal million billion percent company our basis points us"
)
_KINDS = roots("segment segments division unit business businesses line pick go goes went")
# The line of the statements is called either.
_SALES = roots("sales revenue")


@dataclass(frozen=True, slots=True)
class Premise:
    """An event that a question takes for granted, in the words for it and for its opposite.

    event: as questions call it. told_by: as filings do. way: which way something moved; empty where nothing did.
    """

    event: Phrases
    opposite: Phrases
    told_by: Phrases = ()
    of: Phrases = ()
    way: Direction = ""

    def told(self, found: frozenset[str], text: str = "") -> bool:
        if self.told_by and not any(phrase <= found for phrase in self.of):
            return False
        said = any(phrase <= found for phrase in self.told_by or self.event)
        return said and not (self.told_by and _SUPPOSED.search(text))

    def denied(self, found: frozenset[str], text: str = "") -> bool:
        if self.told(found, text) or (self.told_by and _SUPPOSED.search(text)):
            return False
        return any(phrase <= found for phrase in self.opposite)


def premises(text: str) -> tuple[Premise, ...]:
    """The events that a question takes for granted; none where it only asks whether they happened."""
    if not _PRESUMES.search(text):
        return ()
    told = roots(_words_apart(text))
    found = []
    for event in _events():
        named = [phrase for phrase in event.event if phrase <= told]
        if named and (not event.of or any(phrase <= told for phrase in event.of)):
            opposite = tuple(one for one in event.opposite if not any(one <= name for name in named))
            found.append(Premise(event.event, opposite, event.told_by, event.of, event.way))
    return tuple(found)


def presumed(text: str, scores: Sequence[Score], terms: Sequence[Term], around: Around) -> list[Score]:
    """Sentences that tell of the events a question takes for granted."""
    events = premises(text)
    way, things = change(events, terms)
    return [
        one
        for one in scores
        if all(event.told(around(one.unit), one.unit.text) for event in events)
        and not (way and said_way(one.unit, things) not in {"", way})
    ]


def opposed(
    text: str, every: Sequence[Score], scores: Sequence[Score], terms: Sequence[Term], around: Around
) -> Score | None:
    """The best sentence that tells the opposite of what a question takes for granted, where none tells it.

    every: all sentences, the best first. scores: those of them that may answer.
    """
    events = premises(text)
    if not events:
        return None
    way, things = change(events, terms)
    if way and things:
        said = [(one, found) for one in every if dated(one) and (found := said_way(one.unit, things, itself=True))]
        if said:
            # Of several, the discussion of results tells it; the sentence that also gives the reason says most.
            told = [found for one, found in said if one.unit.passage.annual_item == "7"] or [
                found for _, found in said
            ]
            if 2 * told.count(way) >= len(told):
                return None
            against = [one for one, found in said if found != way]
            return max(against, key=lambda one: (one.traits.get("gives", 0.0), one.total))
    if presumed(text, scores, terms, around):
        return None
    rest = [term for term in terms if not any(frozenset([term.root]) in event.event for event in events)]
    for one in every:
        itself = one.unit.roots
        denied = any(event.denied(itself, one.unit.text) for event in events)
        if denied and rest and all(credit(term, itself) for term in rest):
            return one
    return None


def change(events: Sequence[Premise], terms: Sequence[Term]) -> tuple[Direction, tuple[Term, ...]]:
    """Which way a question says that something moved, and the words for what did; empty where it says both or neither."""
    ways = {event.way for event in events} - {""}
    if len(ways) != 1:
        return "", ()
    left_out = {word for event in events if event.way for phrase in event.event for word in phrase}
    left_out |= _KINDS | general()
    return ways.pop(), tuple(term for term in terms if term.root not in left_out)


def said_way(unit: Unit, things: Sequence[Term], *, itself: bool = False) -> Direction:
    """Which way a sentence says that the things asked about moved; empty where it speaks of others, or of no change.

    itself: whether it must name them, and not a heading above it; and speak of them and not of their share of others.
    """
    subject, way = moved(unit.text)
    if unit.before and _AS_SAID.match(unit.text):
        subject, before = moved(unit.before)
        way = way or before
    if not subject or not way:
        return ""
    named = roots(subject)
    named |= _SALES if named & _SALES else frozenset()
    if itself and _SHARE.search(unit.text):
        return ""
    found = named if itself else named | roots(" ".join(unit.headings))
    if not all(credit(term, found) for term in things):
        return ""
    asked = {term.root for term in things}
    strange = [word for word in named - asked - _FRAME - _SALES if not word[:1].isdecimal()]
    return way if len(strange) <= (MOST_STRANGE if len(things) > 1 else 0) else ""


def dated(score: Score) -> bool:
    """Whether a sentence tells of the year asked, or of none."""
    return score.traits.get("dated", 0.0) >= 0


def _words_apart(text: str) -> str:
    """A question in which "went up" and "pick up" are one word: "up" by itself binds others."""
    return re.sub(
        r"\b(?:go|goes|going|gone|went|pick|picks|picked|is|was|were) (up|down)\b", r"go\1", text, flags=re.I
    )


@cache
def _events() -> tuple[Premise, ...]:
    rows = yaml.load(PATH.read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only

    def compiled(listed: list[str]) -> Phrases:
        return tuple(found for phrase in listed if (found := roots(phrase)))

    return tuple(
        Premise(
            compiled(row["event"]),
            compiled(row["opposite"]),
            compiled(row.get("told_by", [])),
            compiled(row.get("of", [])),
            row.get("way", ""),
        )
        for row in rows
    )
