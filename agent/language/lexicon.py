"""The phrase lists of `phrases.yaml`, compiled once: folded words -> what they mean."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agent.words.tokens import Token, stems
from agent.refusals.codes import Code
from agent.state import Scale

PATH = Path(__file__).with_name("phrases.yaml")

# Intents in order of priority: the first that is found refuses.
INTENTS: tuple[Code, ...] = (
    Code.OFF_TOPIC,
    Code.ADVICE,
    Code.PRICE,
    Code.PREDICTION,
    Code.TRANSCRIPT,
    Code.EXTERNAL_DATA,
    Code.NON_GAAP,
    Code.CROSS_COMPANY,
    Code.YEAR_OVER_YEAR,
    Code.RATIO,
    Code.INTERIM_PERIOD,
    Code.DIMENSIONAL_ONLY,
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase means: its kind, and a value that depends on the kind."""

    kind: str  # meta, intent, unknown, unclear, form, topic, scale, currency, harmless, conditional
    value: Any = None


@dataclass(frozen=True, slots=True)
class Condition:
    """With which measures a phrase is harmless. Every condition given must hold."""

    keys: frozenset[str] = frozenset()
    exceptions: frozenset[str] = frozenset()
    statement: str = ""
    unit: str = ""
    period: str = ""
    whole: bool = False  # the phrase says that all of the measure is meant, and not a part

    def allows(self, key: str, statement: str, unit: str, period: str) -> bool:
        return (
            (not self.keys or key in self.keys)
            and key not in self.exceptions
            and (not self.statement or self.statement == statement or key in also_on(self.statement))
            and (not self.unit or self.unit == unit)
            and (not self.period or period.startswith(self.period))
        )


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase found in a question: tokens first..last (exclusive)."""

    first: int
    last: int
    meanings: tuple[Meaning, ...]

    def of(self, kind: str) -> Iterator[Meaning]:
        return (meaning for meaning in self.meanings if meaning.kind == kind)

    def __len__(self) -> int:
        return self.last - self.first


@dataclass(slots=True)
class Lexicon:
    """Phrases keyed by their folded words."""

    phrases: dict[tuple[str, ...], list[Meaning]] = field(default_factory=dict)
    longest: int = 0
    words: set[str] = field(default_factory=set)

    def add(self, phrase: str, meaning: Meaning) -> None:
        self.add_stems(stems(phrase), meaning)

    def add_stems(self, key: tuple[str, ...], meaning: Meaning) -> None:
        held = self.phrases.setdefault(key, [])
        if key and meaning not in held:
            held.append(meaning)
            self.longest = max(self.longest, len(key))
            self.words.update(key)

    def matches(self, tokens: Sequence[Token], taken: Iterable[int] = ()) -> list[Match]:
        """Every phrase that stands in the tokens, outside the taken ones."""
        blocked = set(taken)
        found: list[Match] = []
        for first in range(len(tokens)):
            key: tuple[str, ...] = ()
            for last in range(first, min(first + self.longest, len(tokens))):
                if last in blocked:
                    break
                key = (*key, tokens[last].stem)
                if meanings := self.phrases.get(key):
                    found.append(Match(first, last + 1, tuple(meanings)))
        return found


def cover(matches: Iterable[Match], taken: Iterable[int] = ()) -> list[Match]:
    """Matches that do not overlap, the longest first, then the leftmost; returned in order of place."""
    used = set(taken)
    chosen: list[Match] = []
    for match in sorted(matches, key=lambda one: (one.first - one.last, one.first)):
        places = range(match.first, match.last)
        if used.isdisjoint(places):
            used.update(places)
            chosen.append(match)
    return sorted(chosen, key=lambda one: one.first)


@cache
def phrases() -> Lexicon:
    """The compiled phrase lists. One phrase may have several meanings (thanks: greeting or harmless)."""
    data = _data()
    lexicon = Lexicon()
    for name, listed in data["meta"].items():
        _add_all(lexicon, listed, Meaning("meta", name))
    for code in INTENTS:
        _add_all(lexicon, data[code.value], Meaning("intent", code))
    _add_all(lexicon, data["unknown_measures"], Meaning("unknown"))
    for phrase, keys in data["unclear"].items():
        lexicon.add(phrase, Meaning("unclear", tuple(keys)))
    _add_all(lexicon, data["prose"]["forms"], Meaning("form"))
    _add_all(lexicon, data["prose"]["topics"], Meaning("topic"))
    for name, listed in data["scale"].items():
        _add_all(lexicon, listed, Meaning("scale", Scale(name)))
    _add_all(lexicon, data["other_currencies"], Meaning("currency"))
    _add_all(lexicon, data["harmless"], Meaning("harmless"))
    for entry in data["conditional"]:
        condition = Condition(
            keys=frozenset(entry.get("keys", ())),
            exceptions=frozenset(entry.get("except", ())),
            statement=entry.get("statement", ""),
            unit=entry.get("unit", ""),
            period=entry.get("period", ""),
            whole="whole" in entry,
        )
        _add_all(lexicon, entry["words"], Meaning("conditional", condition))
    return lexicon


@cache
def _data() -> dict[str, Any]:
    # The base loader keeps every scalar a string: "no", "on" and "y" are words here, not truth values.
    return dict(yaml.load(PATH.read_bytes(), yaml.CBaseLoader))  # noqa: S506 - strings only


@cache
def further_aliases() -> dict[str, tuple[str, ...]]:
    """Registry key -> names beside the registry's aliases."""
    return {key: tuple(names) for key, names in _data()["aliases"].items()}


@cache
def further_terms() -> dict[str, tuple[str, ...]]:
    """Ambiguous term of the registry -> the same in other words."""
    return {term: tuple(words) for term, words in _data()["terms"].items()}


@cache
def unclear() -> frozenset[str]:
    """Words that fit several keys, as listed."""
    return frozenset(_data()["unclear"])


@cache
def also_on(statement: str) -> frozenset[str]:
    """Registry keys that stand on a statement in some filings, and in a note in others."""
    return frozenset(_data()["also_on"].get(statement, ()))


@cache
def about_us() -> frozenset[str]:
    """Words of questions about Diligence itself, folded."""
    return frozenset(stem for word in _data()["about_us"] for stem in stems(word))


@cache
def economy() -> frozenset[str]:
    """Words of questions about no company, folded."""
    return frozenset(" ".join(stems(words)) for words in _data()["economy"])


@cache
def no_slips() -> frozenset[str]:
    """English words that are never taken for a misspelt alias."""
    return frozenset(_data()["no_slips"])


@cache
def modifiers() -> frozenset[str]:
    """English content words that are no company when typed in lower case."""
    return frozenset(stem for word in _data()["modifiers"] for stem in stems(word))


def _add_all(lexicon: Lexicon, listed: Iterable[str], meaning: Meaning) -> None:
    for phrase in listed:
        lexicon.add(phrase, meaning)
