"""An in-memory index of the SEC's registrants by name, ticker and CIK, for the companies of a question."""

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from agent.registrants import index_source
from agent.registrants.index_source import Registrant
from agent.registrants.spelling import Spelling
from agent.state import CompanyRef
from agent.state.conversion import converted
from agent.words.prefixes import Beginnings
from filings.edgar.registrant_names import (
    CURATED_NAMES,
    everyday_name,
    exact_words,
    loose_words,
    name_words,
    without_state,
)

__all__ = ["Companies", "Registrant"]

# How a name was matched, the most certain first.
CURATED, FULL, EXACT, FORMER, LOOSE, PART, SYMBOL = range(7)
LONGEST_NAME = 14
# Seconds for which the index is not compared with the tables.
FRESH = 1.0


@dataclass
class Companies:
    """An index over registrants, in SEC's order. Building takes milliseconds per thousand; a look-up under one."""

    registrants: dict[int, Registrant]
    version: str = ""
    exact: dict[tuple[str, ...], list[tuple[int, int]]] = field(default_factory=dict, repr=False)
    prefixes: dict[tuple[str, ...], list[int]] = field(default_factory=dict, repr=False)
    symbols: dict[tuple[str, ...], int] = field(default_factory=dict, repr=False)
    # CIKs of predecessors, each with that of the registrant that files in its place.
    successors: dict[int, int] = field(default_factory=dict, repr=False)

    @classmethod
    def current(cls) -> "Companies":
        """The index over the stored companies: built once a process, and again when the tables have changed.

        Changes are looked for at most every `FRESH` seconds.
        """
        now = time.monotonic()
        if not _current or now - _current[0][0] >= FRESH:
            stamp = index_source.version()
            held = _current[0][1] if _current else None
            if held is None or held.version != stamp:
                held = replace(cls.of(index_source.stored()), version=stamp)
            _current[:] = [(now, held)]
        return _current[0][1]

    @staticmethod
    def forget() -> None:
        """Compare with the tables before the next question."""
        if _current:
            _current[0] = (-math.inf, _current[0][1])

    @classmethod
    def of(cls, registrants: Iterable[Registrant]) -> Self:
        """An index of the given registrants; of two with one CIK the first is used."""
        held: dict[int, Registrant] = {}
        for registrant in registrants:
            held.setdefault(registrant.cik, registrant)
        index = cls(held)
        for registrant in held.values():
            index._add(registrant)
        # BRK and BRKB for BRK-B, where no other symbol is the same; not for preferred shares (T-PC).
        for parts, cik in list(index.symbols.items()):
            if len(parts) == 2 and len(parts[1]) == 1:
                index.symbols.setdefault(("".join(parts),), cik)
                index.symbols.setdefault(parts[:1], cik)
        return index

    def _add(self, registrant: Registrant) -> None:
        cik = registrant.cik
        self.successors.update(dict.fromkeys(registrant.predecessors, cik))
        full = name_words(without_state(registrant.name))
        if full:
            self._name(full, cik, FULL)
            exact = exact_words(full)
            self._name(exact, cik, EXACT)
            loose = loose_words(full)
            if loose != exact:
                self._name(loose, cik, LOOSE)
            start = 1 if full[0] == "the" else 0
            for length in range(1, min(len(full) - start, LONGEST_NAME) + 1):
                self.prefixes.setdefault(full[start : start + length], []).append(cik)
        for name in (*CURATED_NAMES.get(cik, ()), *registrant.aliases):
            self._name(name_words(name), cik, CURATED)
        for name in registrant.former:
            words = name_words(without_state(name))
            self._name(words, cik, FORMER)
            self._name(exact_words(words), cik, FORMER)
        for symbol in registrant.symbols:
            parts = tuple(symbol.lower().replace(".", "-").split("-"))
            self.symbols.setdefault(parts, cik)

    def _name(self, words: tuple[str, ...], cik: int, level: int) -> None:
        if words:
            self.exact.setdefault(words, []).append((level, cik))
            for length in range(1, len(words)):
                self.prefixes.setdefault(words[:length], [])

    # --- look-up ---

    def get(self, cik: int) -> CompanyRef | None:
        """The company of a CIK, or None."""
        registrant = self.registrants.get(self.successors.get(cik, cik))
        return self.ref(registrant) if registrant else None

    def ref(self, registrant: Registrant) -> CompanyRef:
        return converted(
            CompanyRef,
            registrant,
            short=everyday_name(registrant.cik, registrant.name),
            symbol=registrant.symbols[0] if registrant.symbols else "",
        )

    @cached_property
    def covered(self) -> tuple[int, ...]:
        """CIKs of the companies that can be asked about."""
        return tuple(cik for cik, registrant in self.registrants.items() if registrant.covered)

    @cached_property
    def held(self) -> frozenset[int]:
        """CIKs of the companies of which anything can be asked: their figures, or the text of any document."""
        return frozenset(cik for cik, one in self.registrants.items() if one.covered or one.readable)

    def examples(self, limit: int = 3, among: frozenset[int] | None = None) -> tuple[CompanyRef, ...]:
        """The first covered companies in the SEC's order; only among these CIKs, where they are given."""
        found = [cik for cik in self.covered if among is None or cik in among]
        return tuple(self.ref(self.registrants[cik]) for cik in found[:limit])

    # --- names half typed ---

    def place(self, cik: int) -> int:
        """A company's position in the SEC's order."""
        return self._places[cik]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {cik: place for place, cik in enumerate(self.registrants)}

    @cached_property
    def begun(self) -> Beginnings[int]:
        """CIKs of the companies that can be asked about, by the beginnings of their names and tickers."""
        return Beginnings(name for cik in self.held for name in _called(self.registrants[cik]))

    @cached_property
    def others_begun(self) -> Beginnings[int]:
        """Like `begun`, for all other companies; only by the first word of their names, because they are thousands."""
        named = ((cik, words) for words, hits in self.exact.items() for _, cik in hits)
        every = (*named, *((cik, words) for words, cik in self.symbols.items()))
        others = ((cik, words) for cik, words in every if cik not in self.held)
        return Beginnings(((cik, self.registrants[cik].name, words, 0) for cik, words in others), inside=False)

    # --- spelling ---

    @cached_property
    def spelling(self) -> "Spelling":
        names: dict[str, dict[int, None]] = {}
        for words, hits in self.exact.items():
            for _, cik in hits:
                names.setdefault(" ".join(words), {})[cik] = None
        return Spelling(names, self.covered)

    def near(self, text: str, limit: int = 3) -> tuple[CompanyRef, ...]:
        """Registrants whose names resemble a text, best first, covered ones before others of equal similarity."""
        ranked = sorted(
            ((score, self.registrants[cik].covered, cik) for score, cik in self.spelling.near(text, limit * 4)),
            key=lambda one: (-one[0], not one[1]),
        )
        refs = (self.get(cik) for cik in dict.fromkeys(cik for _, _, cik in ranked))
        return tuple(ref for ref in refs if ref)[:limit]


def _called(registrant: Registrant) -> Iterator[tuple[int, str, tuple[str, ...], int]]:
    """Every name of a registrant, the everyday name first, as compared words."""
    everyday = everyday_name(registrant.cik, registrant.name)
    curated = CURATED_NAMES.get(registrant.cik, ())
    names = (everyday, registrant.name, *registrant.symbols, *curated, *registrant.aliases, *registrant.former)
    for name in dict.fromkeys(names):
        yield registrant.cik, name, name_words(without_state(name)), 0


# When the tables were last compared (seconds of the monotonic clock), and this process's index.
_current: list[tuple[float, Companies]] = []
