"""Who a question asks about: an in-memory index of SEC's registrants by name, ticker and CIK."""

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

# How a name was matched, the surest first.
CURATED, FULL, EXACT, FORMER, LOOSE, PART, SYMBOL = range(7)
LONGEST_NAME = 14
# Seconds for which the index is taken to be that of the tables.
FRESH = 1.0


@dataclass
class Companies:
    """An index over registrants, in SEC's order. Building takes milliseconds per thousand; a look-up under one."""

    registrants: dict[int, Registrant]
    version: str = ""
    exact: dict[tuple[str, ...], list[tuple[int, int]]] = field(default_factory=dict, repr=False)
    prefixes: dict[tuple[str, ...], list[int]] = field(default_factory=dict, repr=False)
    symbols: dict[tuple[str, ...], int] = field(default_factory=dict, repr=False)

    @classmethod
    def current(cls) -> "Companies":
        """The index over the stored companies: built once a process, again when the tables have changed.

        Whether they have is looked up when the last look is older than `FRESH` seconds.
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
        """Look at the tables again before the next question, however fresh the last look is."""
        if _current:
            _current[0] = (-math.inf, _current[0][1])

    @classmethod
    def of(cls, registrants: Iterable[Registrant]) -> Self:
        """An index of the given registrants; the first of two with one CIK stands."""
        held: dict[int, Registrant] = {}
        for registrant in registrants:
            held.setdefault(registrant.cik, registrant)
        index = cls(held)
        for registrant in held.values():
            index._add(registrant)
        # BRK and BRKB for BRK-B, where nobody else is called so; not for preferred shares (T-PC).
        for parts, cik in list(index.symbols.items()):
            if len(parts) == 2 and len(parts[1]) == 1:
                index.symbols.setdefault(("".join(parts),), cik)
                index.symbols.setdefault(parts[:1], cik)
        return index

    def _add(self, registrant: Registrant) -> None:
        cik = registrant.cik
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
        registrant = self.registrants.get(cik)
        return self.ref(registrant) if registrant else None

    def ref(self, registrant: Registrant) -> CompanyRef:
        return CompanyRef(
            cik=registrant.cik,
            name=registrant.name,
            short=everyday_name(registrant.cik, registrant.name),
            symbol=registrant.symbols[0] if registrant.symbols else "",
            covered=registrant.covered,
            foreign=registrant.foreign,
        )

    @cached_property
    def covered(self) -> tuple[int, ...]:
        """CIKs of the companies that can be asked about."""
        return tuple(cik for cik, registrant in self.registrants.items() if registrant.covered)

    @cached_property
    def held(self) -> frozenset[int]:
        return frozenset(self.covered)

    def examples(self, limit: int = 3, among: frozenset[int] | None = None) -> tuple[CompanyRef, ...]:
        """The first covered companies, in SEC's order; only of these CIKs, where they are given."""
        found = [cik for cik in self.covered if among is None or cik in among]
        return tuple(self.ref(self.registrants[cik]) for cik in found[:limit])

    # --- names half typed ---

    def place(self, cik: int) -> int:
        """Where a company stands in SEC's order."""
        return self._places[cik]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {cik: place for place, cik in enumerate(self.registrants)}

    @cached_property
    def begun(self) -> Beginnings[int]:
        """CIKs of the companies that can be asked about, by how each of their names and tickers begins."""
        return Beginnings(name for one in self.registrants.values() if one.covered for name in _called(one))

    @cached_property
    def others_begun(self) -> Beginnings[int]:
        """The same of all others; a name by its first word alone, for they are thousands."""
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
        """Registrants whose names resemble a text, best first, covered ones before others of the same likeness."""
        ranked = sorted(
            ((score, self.registrants[cik].covered, cik) for score, cik in self.spelling.near(text, limit * 4)),
            key=lambda one: (-one[0], not one[1]),
        )
        refs = (self.get(cik) for cik in dict.fromkeys(cik for _, _, cik in ranked))
        return tuple(ref for ref in refs if ref)[:limit]


def _called(registrant: Registrant) -> Iterator[tuple[int, str, tuple[str, ...], int]]:
    """Everything that a registrant is called, the everyday name first, with its compared words."""
    everyday = everyday_name(registrant.cik, registrant.name)
    curated = CURATED_NAMES.get(registrant.cik, ())
    names = (everyday, registrant.name, *registrant.symbols, *curated, *registrant.aliases, *registrant.former)
    for name in dict.fromkeys(names):
        yield registrant.cik, name, name_words(without_state(name)), 0


# When the tables were last looked at (seconds of the monotonic clock), and the index of this process.
_current: list[tuple[float, Companies]] = []
