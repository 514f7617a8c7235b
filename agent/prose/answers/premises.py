"""What a question takes for granted: the event it names must be told by the filing, and not its opposite."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import yaml

from agent.prose.answers.yes_no import is_negative
from agent.prose.questions.topics import general
from agent.prose.questions.weights import Term
from agent.prose.ranking.scoring import Score, credit
from agent.prose.text.candidate_sentences import Unit, texts_of_filing
from agent.prose.text.reasons import SALES, YEAR, Direction, direction, moved, pattern, rooted
from agent.words.stems import roots, words

PATH = Path(__file__).with_name("events.yaml")
Phrases = tuple[frozenset[str], ...]
Around = Callable[[Unit], frozenset[str]]

# How much of what moved may be called by other words than the question's: nothing where that is "revenue" alone.
MOST_STRANGE = 2
# Stands among the words of a phrase that denies, and of a sentence that does.
NOT = "not"


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
        """Whether a sentence tells of the event. found: its words, and those above it."""
        if not self.is_of(found) or self.is_open(text):
            return False
        said = any(phrase <= found for phrase in self.told_by or self.event)
        return said and not self._denies(text) and not any(one <= _marked(found, text) for one in self._negative)

    def denied(self, found: frozenset[str], text: str = "") -> bool:
        """Whether a sentence tells of the opposite."""
        if self.told(found, text) or self.is_open(text):
            return False
        return any(phrase <= _marked(found, text) for phrase in self.opposite) or (
            self.is_of(found) and self._denies(text)
        )

    def is_of(self, found: frozenset[str]) -> bool:
        """Whether words are of the things that the event is of, where filings tell of it in words of their own."""
        return not self.told_by or any(phrase <= found for phrase in self.of)

    def is_open(self, text: str) -> bool:
        """Whether a sentence tells of what only may happen."""
        return bool(not self.way and pattern("supposed").search(text))

    def may_be_told(self, found: frozenset[str], text: str) -> bool:
        """Whether a sentence may tell of the event, whatever it goes on to say: nothing before its word denies it, or
        leaves it open.
        """
        before = text[: self._first(text)]
        said = self.is_of(found) and any(phrase <= found for phrase in self.told_by)
        return said and not is_negative(before) and not pattern("supposed").search(before)

    @property
    def _negative(self) -> Phrases:
        return tuple(phrase for phrase in self.opposite if NOT in phrase)

    def _denies(self, text: str) -> bool:
        """Whether a sentence says of the event, in a filing's words for it, that it did not happen."""
        return is_negative(text[: self._first(text)])

    def _first(self, text: str) -> int:
        """Where the first word begins by which filings tell of the event."""
        told = frozenset().union(*self.told_by)
        return next((one.start for one in words(text) if one.root in told), 0)


def takes_for_granted(text: str) -> bool:
    """Whether a question asks for the reason or the manner of something, and not whether it happened."""
    return bool(pattern("presumes").search(text))


def premises(text: str) -> tuple[Premise, ...]:
    """The events that a question takes for granted; none where it only asks whether they happened."""
    if not takes_for_granted(text):
        return ()
    told = _marked(roots(joined(text)), text)
    found = []
    for event in _events():
        named = [phrase for phrase in event.event if phrase <= told]
        if named and (not event.of or any(phrase <= told for phrase in event.of)):
            judged = frozenset().union(*named) <= rooted("judging")
            if event.way and judged and direction(text) not in {"", event.way}:
                event = next(one for one in _events() if one.way not in {"", event.way})
                event = replace(event, event=(*event.event, *named))
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


def unsaid(text: str, every: Sequence[Score], terms: Sequence[Term], around: Around) -> str:
    """That nothing found tells of what a question takes for granted; empty where something does, or may: which way a
    measure moved stands in tables too.
    """
    events = premises(text)
    if not events or any(event.way for event in events) or presumed(text, every, terms, around):
        return ""
    return "Nothing found that says so."


def is_told(text: str, filing: int, fiscal_year: int) -> bool:
    """Whether a sentence of a filing may tell of an event that a question takes for granted, and of no year before: it has
    the words for it and for what it is of.
    """
    events = [one for one in premises(text) if one.told_by]
    near = [phrase for event in events for phrase in event.of]
    held = texts_of_filing(filing)
    for section in held.values():
        for number, (_, start, end, *_) in enumerate(section.bounds.stored):
            said = section.text[start:end].lower()
            # A root is what its words begin with: most blocks need not be read word by word.
            if not any(all(word in said for word in phrase) for phrase in near):
                continue
            for one in section.sentences(number):
                years = [int(year) for year in YEAR.findall(one.text)]
                if max(years, default=fiscal_year) >= fiscal_year and any(
                    event.may_be_told(one.roots, one.text) for event in events
                ):
                    return True
    return False


def change(events: Sequence[Premise], terms: Sequence[Term]) -> tuple[Direction, tuple[Term, ...]]:
    """Which way a question says that something moved, and the words for what did; empty where it says both or neither."""
    ways = {event.way for event in events} - {""}
    if len(ways) != 1:
        return "", ()
    left_out = {word for event in events if event.way for phrase in event.event for word in phrase}
    left_out |= rooted("kinds") | general()
    return ways.pop(), tuple(term for term in terms if term.root not in left_out)


def said_way(unit: Unit, things: Sequence[Term], *, itself: bool = False) -> Direction:
    """Which way a sentence says that the things asked about moved; empty where it speaks of others, or of no change.

    itself: whether it must name them, and not a heading above it; and speak of them and not of their share of others.
    """
    thing, way = moved(unit)
    if not thing or not way or (itself and pattern("share").search(unit.text)):
        return ""
    thing |= SALES if thing & SALES else frozenset()
    found = thing if itself else thing | roots(" ".join(unit.headings))
    if not all(credit(term, found) for term in things):
        return ""
    asked = {term.root for term in things}
    strange = thing - asked - rooted("adverbs") - SALES
    return way if len(strange) <= (MOST_STRANGE if len(things) > 1 else 0) else ""


def dated(score: Score) -> bool:
    """Whether a sentence tells of the year asked, or of none."""
    return score.traits.get("dated", 0.0) >= 0


def joined(text: str) -> str:
    """A question in which "went up" and "paid off" are one word each."""
    return pattern("joined").sub(lambda hit: f"go{hit['up']}" if hit["up"] else f"pay{hit['off']}", text)


def _marked(found: frozenset[str], text: str) -> frozenset[str]:
    """The words of a sentence, with the mark of one that denies."""
    return found | {NOT} if is_negative(text) else found


@cache
def _events() -> tuple[Premise, ...]:
    rows = yaml.load(PATH.read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only

    def compiled(listed: list[str]) -> Phrases:
        return tuple(found for phrase in listed if (found := _marked(roots(phrase), phrase)))

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
