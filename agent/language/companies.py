"""Who a question asks about: an in-memory index of SEC's registrants by name, ticker and CIK."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Self

import yaml
from django.db.models import Count, Max, Q, Sum
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from agent.language.names import LEGAL, exact_words, loose_words, name_words, short_name, without_state
from agent.language.words import Token
from agent.state import CompanyRef

PATH = Path(__file__).with_name("companies.yaml")

# How a name was matched, the surest first.
CURATED, FULL, EXACT, FORMER, LOOSE = range(5)
_CONNECTIVES = frozenset({"and", "of", "the", "for", "in", "a", "an", "to", "at", "on", "de", "by", "s"})
# A slip is only believed in names this long, and in the same first letter.
_SLIP_LENGTH = 6
_LONGEST_NAME = 8


@dataclass(frozen=True, slots=True)
class Registrant:
    """One registrant as the index needs it. `symbols`: first the main class."""

    cik: int
    name: str
    symbols: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    covered: bool = False
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A company named in a question: tokens first..last (exclusive), and who it may be."""

    first: int
    last: int
    ciks: tuple[int, ...]
    weak: bool = False  # an everyday word, a part of a name, or a lower-case name: only if it can be nothing else
    slip: bool = False
    ticker: bool = False

    @property
    def places(self) -> range:
        return range(self.first, self.last)


@dataclass(frozen=True, slots=True)
class _Names:
    names: dict[int, tuple[str, ...]]
    lookalikes: frozenset[str]


@cache
def name_data() -> _Names:
    """The curated names by CIK, and the words that only look like a company."""
    data = yaml.load(PATH.read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only
    return _Names(
        {int(cik): tuple(names) for cik, names in data["names"].items()},
        frozenset(data["lookalikes"]),
    )


@dataclass
class Companies:
    """An index over registrants, in SEC's order. Building takes milliseconds per thousand; a look-up under one."""

    registrants: dict[int, Registrant]
    version: str = ""
    _exact: dict[tuple[str, ...], list[tuple[int, int]]] = field(default_factory=dict, repr=False)
    _prefixes: dict[tuple[str, ...], list[int]] = field(default_factory=dict, repr=False)
    _symbols: dict[tuple[str, ...], int] = field(default_factory=dict, repr=False)

    @classmethod
    def current(cls) -> "Companies":
        """The index over the stored companies: built once a process, again when the tables have changed."""
        version = _version()
        if not _current or _current[0].version != version:
            _current[:] = [replace(cls.of(_stored()), version=version)]
        return _current[0]

    @classmethod
    def of(cls, registrants: Iterable[Registrant]) -> Self:
        """An index of the given registrants; the first of two with one CIK stands."""
        held: dict[int, Registrant] = {}
        for registrant in registrants:
            held.setdefault(registrant.cik, registrant)
        index = cls(held)
        for registrant in held.values():
            index._add(registrant)
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
            for length in range(1, min(len(full) - start, _LONGEST_NAME) + 1):
                self._prefixes.setdefault(full[start : start + length], []).append(cik)
        for name in (*name_data().names.get(cik, ()), *registrant.aliases):
            self._name(name_words(name), cik, CURATED)
        for name in registrant.former:
            words = name_words(without_state(name))
            self._name(words, cik, FORMER)
            self._name(exact_words(words), cik, FORMER)
        for symbol in registrant.symbols:
            parts = tuple(symbol.lower().replace(".", "-").split("-"))
            self._symbols.setdefault(parts, cik)
            if len(parts) > 1:
                self._symbols.setdefault(("".join(parts),), cik)
        for symbol in registrant.symbols:
            # BRK for BRK-A and BRK-B, where nobody else is called so.
            self._symbols.setdefault((symbol.lower().replace(".", "-").split("-")[0],), cik)

    def _name(self, words: tuple[str, ...], cik: int, level: int) -> None:
        if words:
            self._exact.setdefault(words, []).append((level, cik))
            for length in range(1, len(words)):
                self._prefixes.setdefault(words[:length], [])

    # --- look-up ---

    def get(self, cik: int) -> CompanyRef | None:
        """The company of a CIK, or None."""
        registrant = self.registrants.get(cik)
        return self.ref(registrant) if registrant else None

    def ref(self, registrant: Registrant) -> CompanyRef:
        curated = name_data().names.get(registrant.cik)
        return CompanyRef(
            cik=registrant.cik,
            name=registrant.name,
            short=curated[0] if curated else short_name(registrant.name),
            symbol=registrant.symbols[0] if registrant.symbols else "",
            covered=registrant.covered,
            foreign=registrant.foreign,
        )

    @cached_property
    def covered(self) -> tuple[int, ...]:
        """CIKs of the companies that can be asked about."""
        return tuple(cik for cik, registrant in self.registrants.items() if registrant.covered)

    def examples(self, limit: int = 3) -> tuple[CompanyRef, ...]:
        """The first covered companies, in SEC's order."""
        return tuple(self.ref(self.registrants[cik]) for cik in self.covered[:limit])

    def mentions(
        self, tokens: Sequence[Token], vocabulary: Collection[str], measured: Collection[int] = ()
    ) -> list[Mention]:
        """Every company named in the tokens, left to right, none overlapping.

        vocabulary: folded words of the language that mean something else in a question; a name of nothing but
        such words is weak. measured: places inside a measure of several words, where no word is a ticker.
        """
        found: list[Mention] = []
        shouting = all(token.upper for token in tokens if token.text.isalpha())
        place = 0
        while place < len(tokens):
            mention = self._at(tokens, place, vocabulary, shouting=shouting)
            if mention and mention.ticker and place in measured:
                mention = self._by_name(tokens, place, vocabulary)
            if mention is None:
                place += 1
                continue
            found.append(mention)
            place = mention.last
        return found

    def _at(
        self, tokens: Sequence[Token], first: int, vocabulary: Collection[str], *, shouting: bool
    ) -> Mention | None:
        return (
            self._by_cik(tokens, first)
            or self._by_symbol_first(tokens, first, vocabulary, shouting=shouting)
            or self._by_name(tokens, first, vocabulary)
            or self._by_symbol(tokens, first, vocabulary, shouting=shouting)
        )

    def _by_symbol_first(
        self, tokens: Sequence[Token], first: int, vocabulary: Collection[str], *, shouting: bool
    ) -> Mention | None:
        """A ticker in capitals, where it is not also the beginning of a longer or curated name."""
        if not (tokens[first].cashtag or (tokens[first].upper and not shouting)):
            return None
        mention = self._by_symbol(tokens, first, vocabulary, shouting=shouting)
        named = self._by_name(tokens, first, vocabulary)
        if mention is None or (named and (named.last > mention.last or not (named.weak or len(named.ciks) > 1))):
            return None
        return mention

    def _by_cik(self, tokens: Sequence[Token], first: int) -> Mention | None:
        """CIK 320193, CIK0000320193, or ten digits with leading zeros."""
        word = tokens[first].base
        digits, last = "", first + 1
        if word == "cik" and last < len(tokens) and tokens[last].base.isdecimal():
            digits, last = tokens[last].base, last + 1
        elif word.startswith("cik") and word[3:].isdecimal():
            digits = word[3:]
        elif len(word) == 10 and word.isdecimal() and word.startswith("00"):
            digits = word
        if not digits or not digits.isascii() or int(digits) not in self.registrants:
            return None
        return Mention(first, last, (int(digits),))

    def _by_name(self, tokens: Sequence[Token], first: int, vocabulary: Collection[str]) -> Mention | None:
        keys: set[tuple[str, ...]] = {()}
        exact: tuple[int, tuple[int, ...], int] | None = None  # last, ciks, level
        part: tuple[int, tuple[int, ...]] | None = None
        for last in range(first, min(first + _LONGEST_NAME, len(tokens))):
            token = tokens[last]
            forms = {token.joined, token.base}
            if last == first and self._is_bare_possessive(token, vocabulary):
                forms.add(token.base[:-1])
            keys = {(*key, word) for key in keys for word in forms}
            keys = {key for key in keys if key in self._exact or key in self._prefixes}
            if not keys:
                break
            if hits := [hit for key in keys for hit in self._exact.get(key, ())]:
                exact = (last + 1, *self._resolved(hits, keys))
            owners = tuple(dict.fromkeys(cik for key in keys for cik in self._prefixes.get(key, ())))
            # "apple income" is no part of "Apple Income Fund": a word with another meaning lengthens no name.
            if token.possessive:
                # "Apple's computer revenue" is no revenue of Apple Computer: a possessive ends a name, unless
                # its s is part of it (McDonald's Corporation).
                following = {key for key in keys if key[-1] == token.joined}
            else:
                following = keys
            lengthens = token.base not in _CONNECTIVES and (last == first or token.stem not in vocabulary)
            if owners and lengthens:
                part = (last + 1, owners)
            keys = following
        if exact and (part is None or part[0] <= exact[0]):
            last, ciks, level = exact
            last = self._legal_ending(tokens, last)
            return Mention(first, last, ciks, weak=self._is_weak(tokens, first, last, ciks, level, vocabulary))
        if part is None:
            return None
        last, ciks = part
        # "total revenue" is no part of "Total Return Fund".
        if all(token.stem in vocabulary or token.base in vocabulary for token in tokens[first:last]):
            return None
        weak = last - first == 1
        if tokens[first].base in _CONNECTIVES:
            return None
        return Mention(first, self._legal_ending(tokens, last), ciks, weak=weak)

    def _is_bare_possessive(self, token: Token, vocabulary: Collection[str]) -> bool:
        """Whether a word is a well-known name with the apostrophe left out: "microsofts revenue"."""
        name = token.base[:-1]
        if len(name) < 5 or not token.base.endswith("s") or name in name_data().lookalikes or name in vocabulary:
            return False
        return any(
            level == CURATED or self.registrants[cik].covered
            for level, cik in self._exact.get((name,), ())
            if level != LOOSE
        ) and (token.base,) not in self._exact

    def _resolved(self, hits: list[tuple[int, int]], keys: set[tuple[str, ...]]) -> tuple[tuple[int, ...], int]:
        """Who a complete name is: the surest kind of match, widened where another registrant is called the same."""
        by_level: dict[int, dict[int, None]] = {}
        for level, cik in hits:
            by_level.setdefault(level, {})[cik] = None
        for level in (CURATED, FULL):
            if level in by_level and (level == CURATED or len(by_level[level]) == 1):
                # "Toro" alone is the full name of nobody; a full name without legal ending is no surer than that.
                if level == FULL and EXACT in by_level and len(by_level[EXACT]) > 1:
                    break
                return tuple(by_level[level]), level
        if EXACT in by_level:
            ciks = tuple(by_level[EXACT])
            if len(ciks) == 1 and self.registrants[ciks[0]].covered:
                return ciks, EXACT
            return tuple(dict.fromkeys((*ciks, *by_level.get(LOOSE, ())))), EXACT
        owners = {cik for key in keys for cik in self._prefixes.get(key, ())}
        ciks = tuple(dict.fromkeys((*by_level.get(FORMER, ()), *by_level.get(LOOSE, ()))))
        if FORMER in by_level:
            return ciks, FORMER
        return tuple(dict.fromkeys((*ciks, *(cik for cik in self.registrants if cik in owners)))), LOOSE

    def _is_weak(
        self,
        tokens: Sequence[Token],
        first: int,
        last: int,
        ciks: tuple[int, ...],
        level: int,
        vocabulary: Collection[str],
    ) -> bool:
        words = tokens[first:last]
        if words[0].cashtag:
            return False
        if len(words) == 1:
            word = words[0]
            # McDonald's and Lowe's carry their apostrophe: no everyday word does.
            named = word.possessive and word.joined != word.base and (word.joined,) in self._exact
            if word.base in name_data().lookalikes and not named:
                return True
            if word.stem in vocabulary or word.base in vocabulary:
                return True
            if level == LOOSE and len(ciks) > 1:
                return True
            known = level == CURATED or any(self.registrants[cik].covered for cik in ciks)
            return not known and not word.capital
        return all(word.stem in vocabulary or word.base in LEGAL for word in words)

    def _legal_ending(self, tokens: Sequence[Token], last: int) -> int:
        """Past "Inc", "Corporation", "Company" behind a name, whichever the registrant's own is."""
        while last < len(tokens) and not tokens[last - 1].possessive and tokens[last].base in LEGAL - {"the", "as", "company", "trust/", "adr"}:
            last += 1
        return last

    def _by_symbol(
        self, tokens: Sequence[Token], first: int, vocabulary: Collection[str], *, shouting: bool
    ) -> Mention | None:
        token = tokens[first]
        if first + 1 < len(tokens) and (cik := self._symbols.get((token.base, tokens[first + 1].base))):
            # BRK.B and brk-b, but not "brk b".
            if tokens[first + 1].end - token.end <= 2:
                return Mention(first, first + 2, (cik,), ticker=True)
        cik = self._symbols.get((token.base,))
        if cik is None:
            return None
        if token.cashtag:
            return Mention(first, first + 1, (cik,))
        plain_word = token.base in name_data().lookalikes or token.stem in vocabulary or token.base in vocabulary
        if token.upper and not shouting:
            return Mention(first, first + 1, (cik,), weak=plain_word or len(token.base) == 1, ticker=True)
        covered = self.registrants[cik].covered
        if plain_word:
            # In capitals throughout, a ticker cannot be told from a word by its case.
            return Mention(first, first + 1, (cik,), weak=True, ticker=True) if token.upper else None
        if covered and len(token.base) >= 2:
            return Mention(first, first + 1, (cik,), ticker=True)
        return Mention(first, first + 1, (cik,), weak=True, ticker=True) if len(token.base) >= 2 else None

    # --- spelling ---

    @cached_property
    def _spellings(self) -> dict[str, dict[int, None]]:
        """Complete names of six letters or more, as typed with spaces -> CIKs."""
        spellings: dict[str, dict[int, None]] = {}
        for words, hits in self._exact.items():
            name = " ".join(words)
            if len(name) >= _SLIP_LENGTH and name not in name_data().lookalikes:
                for _, cik in hits:
                    spellings.setdefault(name, {})[cik] = None
        return spellings

    def slips(self, tokens: Sequence[Token], free: Collection[int]) -> list[Mention]:
        """Names with one letter wrong, missing, added or swapped, among the free tokens; only where unique."""
        for length in range(4, 0, -1):
            for first in range(len(tokens) - length + 1):
                places = range(first, first + length)
                if not all(place in free for place in places):
                    continue
                if (mention := self._slip(tokens, first, first + length)) is not None:
                    return [mention]
        return []

    def _slip(self, tokens: Sequence[Token], first: int, last: int) -> Mention | None:
        words = [token.base for token in tokens[first:last]]
        for typed in dict.fromkeys((" ".join(words), " ".join((*words[:-1], tokens[last - 1].joined)))):
            if len(typed) < _SLIP_LENGTH:
                continue
            near = process.extract(
                typed, self._spellings.keys(), scorer=OSA.distance, score_cutoff=1, limit=None
            )
            ciks = {cik for name, _, _ in near if self._believable(typed, name) for cik in self._spellings[name]}
            if len(ciks) == 1:
                return Mention(first, last, tuple(ciks), slip=True)
        return None

    def _believable(self, typed: str, name: str) -> bool:
        """A slip keeps the first letter (or swaps the first two), and never stands in a digit."""
        same_start = typed[0] == name[0] or typed[:2] == name[1::-1]
        return same_start and [one for one in typed if one.isdigit()] == [one for one in name if one.isdigit()]

    def near(self, text: str, limit: int = 3) -> tuple[CompanyRef, ...]:
        """Registrants whose names resemble a text, best first, covered ones before others of the same likeness."""
        typed = " ".join(name_words(text))
        if len(typed) < 3:
            return ()
        near = process.extract(typed, self._spellings.keys(), scorer=fuzz.ratio, score_cutoff=80, limit=limit * 3)
        ranked = sorted(
            ((score, self.registrants[cik].covered, cik) for name, score, _ in near for cik in self._spellings[name]),
            key=lambda one: (-one[0], not one[1]),
        )
        refs = (self.get(cik) for cik in dict.fromkeys(cik for _, _, cik in ranked))
        return tuple(ref for ref in refs if ref)[:limit]


# --- the index of this installation ---

_current: list[Companies] = []


def _version() -> str:
    """A cheap stamp of the tables: another one after every change that the index would show."""
    from filings.models import Company, Ticker

    stamp = (
        *Company.objects.aggregate(
            Count("pk"),
            Max("pk"),
            Max("ingested"),
            Sum("facts_stored"),
            active=Count("pk", filter=Q(active=True)),
            foreign=Count("pk", filter=Q(foreign=True)),
        ).values(),
        *Ticker.objects.aggregate(Count("pk"), Max("pk")).values(),
        _edits(),
    )
    return hashlib.sha256(repr(stamp).encode()).hexdigest()[:12]


def _edits() -> tuple[object, ...]:
    """What admin and ingestion say about companies beside the ticker list; few rows have any."""
    from filings.models import Company

    edited = Company.objects.exclude(aliases=[], former_names=[]).order_by("pk")
    return tuple(edited.values_list("pk", "name", "aliases", "former_names"))


def _stored() -> Iterator[Registrant]:
    from filings.models import Company, Ticker

    symbols: dict[int, list[str]] = {}
    for company, symbol in Ticker.objects.order_by("pk").values_list("company_id", "symbol"):
        symbols.setdefault(company, []).append(symbol)
    rows = Company.objects.order_by("pk").values_list(
        "pk", "cik", "name", "former_names", "aliases", "facts_stored", "active", "foreign"
    )
    for pk, cik, name, former, aliases, facts, active, foreign in rows:
        yield Registrant(
            cik=cik,
            name=name,
            symbols=tuple(symbols.get(pk, ())),
            former=tuple(former or ()),
            aliases=tuple(aliases or ()),
            covered=bool(active and facts),
            foreign=foreign,
        )
