"""Finds where a question names a company, and which one it may be."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agent.registrants.registrant_index import (
    CURATED,
    EXACT,
    FORMER,
    FULL,
    LONGEST_NAME,
    LOOSE,
    PART,
    SYMBOL,
    Companies,
)
from agent.words.tokens import Token, in_capitals
from filings.edgar.registrant_names import LEGAL, LOOKALIKES, exact_words, name_words, without_state

# Words that never end a part of a name.
_CONNECTIVES = frozenset({"and", "of", "the", "for", "in", "a", "an", "to", "at", "on", "de", "by", "s"})
# "in $M" is a scale.
_UNITS = frozenset({"m", "mm", "mn", "b", "bn", "k"})
# A question with more unknown words has more wrong with it than a letter.
_MOST_FREE = 8
_HOLDING = frozenset({"holding", "holdings"})
_ENDINGS = LEGAL - {"the", "as", "company", "adr"}


@dataclass(frozen=True, slots=True)
class Mention:
    """A company named in a question: tokens first..last (exclusive), and who it may be."""

    first: int
    last: int
    ciks: tuple[int, ...]
    weak: bool = False  # an everyday word, part of a name, or a lower-case name: only used if it can mean nothing else
    slip: bool = False
    level: int = CURATED
    # The name of the asker's watchlist, all of whose companies are meant.
    names: tuple[str, ...] | None = None
    everyone: bool = False  # all companies that are covered

    @property
    def places(self) -> range:
        return range(self.first, self.last)

    @property
    def ambiguous(self) -> bool:
        """Whether it may be one of several companies."""
        return len(self.ciks) > 1 and self.names is None


def mentions(
    companies: Companies, tokens: Sequence[Token], vocabulary: Collection[str], measured: Collection[int] = ()
) -> list[Mention]:
    """Every company named in the tokens, left to right, without overlaps.

    vocabulary: folded words that mean something else in a question; a name of only such words is weak. measured:
    indexes inside a measure of several words, where no word is a ticker.
    """
    finder = _Finder(companies, tokens, vocabulary, frozenset(measured))
    found: list[Mention] = []
    place = 0
    while place < len(tokens):
        mention = finder.at(place)
        if mention is None:
            place += 1
            continue
        found.append(mention)
        place = mention.last
    return found


def slips(companies: Companies, tokens: Sequence[Token], free: Collection[int]) -> list[Mention]:
    """The unique name with one letter wrong, missing, added or swapped among the free tokens."""
    if len(free) > _MOST_FREE:
        return []
    for length in range(4, 0, -1):
        for first in range(len(tokens) - length + 1):
            places = range(first, first + length)
            if not all(place in free for place in places):
                continue
            words = [tokens[place].base for place in places]
            spellings = dict.fromkeys((" ".join(words), " ".join((*words[:-1], tokens[places[-1]].joined))))
            if cik := next(filter(None, map(companies.spelling.meant, spellings)), None):
                return [Mention(first, first + length, (cik,), slip=True)]
    return []


def moved(mention: Mention, tokens: Sequence[Token], mended: Sequence[Token]) -> Mention:
    """A mention found in corrected tokens, at its position in the question."""
    start, end = tokens[mention.first].start, tokens[mention.last - 1].end
    places = [place for place, token in enumerate(mended) if token.start >= start and token.end <= end]
    return replace(mention, first=places[0], last=places[-1] + 1)


class _Finder:
    """Searches one question for companies."""

    def __init__(
        self, companies: Companies, tokens: Sequence[Token], vocabulary: Collection[str], measured: frozenset[int]
    ) -> None:
        self.companies, self.tokens, self.vocabulary, self.measured = companies, tokens, vocabulary, measured
        # In capitals throughout, a ticker cannot be told from a word by its case.
        self.shouting = in_capitals(tokens)

    def at(self, first: int) -> Mention | None:
        """The company named from one position on, or None."""
        tokens = self.tokens
        if mention := self._by_cik(first):
            return mention
        name = self._by_name(first)
        symbol = None if first in self.measured else self._by_symbol(first)
        if name is None or symbol is None:
            return name or symbol
        if name.last != symbol.last:
            return name if name.last > symbol.last else symbol
        written = tokens[first].upper and not self.shouting
        if set(symbol.ciks) & set(name.ciks) and (written or len(name.ciks) == 1):
            return name if symbol.weak and len(name.ciks) == 1 else symbol
        if name.level >= LOOSE or tokens[first].cashtag:
            return symbol
        if name.level == CURATED and not written:
            return name
        # BRC is the ticker of Brady and the name of BRC Inc.
        return replace(name, ciks=tuple(dict.fromkeys((*symbol.ciks, *name.ciks))))

    def _by_cik(self, first: int) -> Mention | None:
        """CIK 320193, CIK0000320193, or ten digits with leading zeros."""
        tokens = self.tokens
        word = tokens[first].base
        digits, last = "", first + 1
        if word == "cik" and last < len(tokens) and tokens[last].base.isdecimal():
            digits, last = tokens[last].base, last + 1
        elif word.startswith("cik") and word[3:].isdecimal():
            digits = word[3:]
        elif len(word) == 10 and word.isdecimal() and word.startswith("00"):
            digits = word
        company = self.companies.get(int(digits)) if digits.isascii() and digits.isdecimal() else None
        return Mention(first, last, (company.cik,)) if company else None

    def _by_name(self, first: int) -> Mention | None:
        tokens = self.tokens
        keys: set[tuple[str, ...]] = {()}
        exact: tuple[int, tuple[int, ...], int] | None = None  # last, ciks, level
        part: tuple[int, tuple[int, ...]] | None = None
        held: tuple[int, tuple[int, ...], int] | None = None  # the longest of those so far that is covered
        for last in range(first, min(first + LONGEST_NAME, len(tokens))):
            token = tokens[last]
            if token.base == "/" and last > first:
                continue  # RE/MAX, M/I Homes
            if exact and exact[0] == last and self._lists(last):
                break
            forms = {token.joined, token.base}
            if last == first and self._is_bare_possessive(token):
                forms.add(token.base[:-1])
            keys = {(*key, word) for key in keys for word in forms}
            keys = {key for key in keys if key in self.companies.exact or key in self.companies.prefixes}
            if not keys:
                break
            if hits := [hit for key in keys for hit in self.companies.exact.get(key, ())]:
                exact = (last + 1, *self._resolved(hits, keys))
                if held and self._is_part_of_held(exact[1], exact[2]):
                    exact = held
                elif len(exact[1]) == 1 and exact[2] <= EXACT and exact[1][0] in self.companies.held:
                    held = exact
            owners = tuple(dict.fromkeys(cik for key in keys for cik in self.companies.prefixes.get(key, ())))
            # "apple income" does not begin "Apple Income Fund": a word with another meaning extends no name.
            following = {key for key in keys if key[-1] == token.joined} if token.possessive else keys
            lengthens = token.base not in _CONNECTIVES and (last == first or not self._spoken(token))
            if owners and lengthens:
                part = (last + 1, owners)
            keys = following
        if exact and (
            part is None or part[0] <= exact[0] or (exact == held and self._is_part_of_held(part[1], LOOSE))
        ):
            last, ciks, level = exact
            last = self._legal_ending(last)
            return Mention(first, last, ciks, weak=self._is_weak(first, last, ciks, level), level=level)
        if part is None:
            return None
        last, ciks = part
        # "total revenue" does not begin "Total Return Fund".
        words = [token for token in tokens[first:last] if token.base != "/"]
        if all(self._spoken(token) for token in words):
            return None
        if len(words) == 1 and words[0].base in LEGAL:
            return None
        if len(words) == 1 and words[0].base in LOOKALIKES and not words[0].capital:
            return None
        weak = last - first == 1
        if tokens[first].base in _CONNECTIVES:
            return None
        return Mention(first, self._legal_ending(last), ciks, weak=weak, level=PART)

    def _lists(self, place: int) -> bool:
        """Whether a mark stands before a word that is a company's name by itself: "AT&T, Comcast" are two, though one
        company was called so.
        """
        before, token = self.tokens[place - 1], self.tokens[place]
        alone = any((word,) in self.companies.exact for word in (token.joined, token.base))
        return token.start - before.end > 1 and alone and token.base not in LEGAL

    def _is_part_of_held(self, ciks: tuple[int, ...], level: int) -> bool:
        """Whether a name that begins with a covered company's is a part of it: "FedEx Freight", without its "Holding".

        The registrant that holds the part is meant only by its whole name or ticker.
        """
        if level != LOOSE or any(cik in self.companies.held for cik in ciks):
            return False
        names = (exact_words(name_words(without_state(self.companies.registrants[cik].name))) for cik in ciks)
        return all(set(name) & _HOLDING for name in names)

    def _is_bare_possessive(self, token: Token) -> bool:
        """Whether a word is a well-known name with its apostrophe left out: "microsofts revenue"."""
        name = token.base[:-1]
        if len(name) < 4 or not token.base.endswith("s") or name in LOOKALIKES or name in self.vocabulary:
            return False
        return (
            any(
                level == CURATED or cik in self.companies.held
                for level, cik in self.companies.exact.get((name,), ())
                if level != LOOSE
            )
            and (token.base,) not in self.companies.exact
        )

    def _resolved(self, hits: list[tuple[int, int]], keys: set[tuple[str, ...]]) -> tuple[tuple[int, ...], int]:
        """The companies of a complete name: the most certain kind of match, widened where another registrant has the
        same name.
        """
        by_level: dict[int, dict[int, None]] = {}
        for level, cik in hits:
            by_level.setdefault(level, {})[cik] = None
        if CURATED in by_level:
            others = {cik for level in (FULL, EXACT) for cik in by_level.get(level, ())} - set(by_level[CURATED])
            return (*by_level[CURATED], *others), CURATED
        # "Toro" alone is nobody's full name; a full name without legal ending is not more certain than that.
        if len(by_level.get(FULL, ())) == 1 and len(by_level.get(EXACT, ())) <= 1:
            return tuple(by_level[FULL]), FULL
        if EXACT in by_level:
            ciks = tuple(by_level[EXACT])
            if len(ciks) == 1 and ciks[0] in self.companies.held:
                return ciks, EXACT
            return tuple(dict.fromkeys((*ciks, *by_level.get(LOOSE, ())))), EXACT
        owners = {cik for key in keys for cik in self.companies.prefixes.get(key, ())}
        ciks = tuple(dict.fromkeys((*by_level.get(FORMER, ()), *by_level.get(LOOSE, ()))))
        if FORMER in by_level:
            return ciks, FORMER
        return tuple(dict.fromkeys((*ciks, *(cik for cik in self.companies.registrants if cik in owners)))), LOOSE

    def _is_weak(self, first: int, last: int, ciks: tuple[int, ...], level: int) -> bool:
        words = self.tokens[first:last]
        if words[0].cashtag and words[0].base not in _UNITS:
            return False
        held = len(ciks) == 1 and ciks[0] in self.companies.held
        if held and level == CURATED and _is_joined(words):
            return False
        if len(words) == 1:
            word = words[0]
            # In capitals, the letters of a covered company are its name: "GE", and not the everyday word.
            if held and word.upper and len(word.base) > 1 and not self.shouting:
                return False
            # McDonald's and Lowe's carry their apostrophe: no everyday word does.
            named = word.possessive and word.joined != word.base and (word.joined,) in self.companies.exact
            if word.base in LOOKALIKES and not named:
                return True
            if self._spoken(word):
                return True
            if level == LOOSE and len(ciks) > 1:
                return True
            known = level == CURATED or any(cik in self.companies.held for cik in ciks)
            return not known and not word.capital
        # P&G, AT&T: single letters are words of measures, but together only a name.
        if level == CURATED and any(word.text == "&" for word in words) and words[0].upper and not self.shouting:
            return False
        return all(self._spoken(word) or word.base in LEGAL for word in words)

    def _legal_ending(self, last: int) -> int:
        """Past "Inc", "Corporation" behind a name, whichever the registrant's own is."""
        tokens = self.tokens
        while last < len(tokens) and not tokens[last - 1].possessive and tokens[last].base in _ENDINGS:
            last += 1
        if last + 1 < len(tokens) and tokens[last].base == "and" and tokens[last + 1].base == "co":
            last += 2
        # The SEC's mark of a state or successor: "/DE/", "/NEW".
        marked = last
        while (
            marked + 1 < len(tokens)
            and tokens[marked].start == tokens[marked - 1].end
            and tokens[marked].base == "/"
            and tokens[marked + 1].upper
            and len(tokens[marked + 1].base) < 4
        ):
            marked += 2
        if marked > last and marked < len(tokens) and tokens[marked].base == "/":
            marked += 1
        return marked

    def _by_symbol(self, first: int) -> Mention | None:
        tokens = self.tokens
        token = tokens[first]
        if first + 1 < len(tokens) and (cik := self.companies.symbols.get((token.base, tokens[first + 1].base))):
            # BRK.B, brk-b, BRK B.
            beside = tokens[first + 1].start - token.end == 1
            if beside and (token.upper or cik in self.companies.held):
                return Mention(first, first + 2, (cik,), level=SYMBOL)
        cik = self.companies.symbols.get((token.base,))
        if cik is None:
            return None
        if token.cashtag and token.base not in _UNITS:
            return Mention(first, first + 1, (cik,))
        plain_word = token.base in LOOKALIKES or self._spoken(token)
        if token.upper and not self.shouting:
            return Mention(first, first + 1, (cik,), weak=plain_word or len(token.base) == 1, level=SYMBOL)
        held = cik in self.companies.held
        if plain_word:
            return Mention(first, first + 1, (cik,), weak=True, level=SYMBOL) if token.upper else None
        if held and len(token.base) >= 2:
            return Mention(first, first + 1, (cik,), level=SYMBOL)
        return Mention(first, first + 1, (cik,), weak=True, level=SYMBOL) if len(token.base) >= 2 else None

    def _spoken(self, token: Token) -> bool:
        """Whether a word means something else in a question. Short words have no plural: Ares is not "are"."""
        return token.base in self.vocabulary or (len(token.base) > 4 and token.stem in self.vocabulary)


def _is_joined(words: Sequence[Token]) -> bool:
    """Whether a name is written as one with its sign, in any case: "p&g", "at&t"."""
    signs = [place for place, word in enumerate(words) if word.text == "&"]
    return len(words) == 3 and signs == [1] and words[0].end == words[1].start and words[1].end == words[2].start
