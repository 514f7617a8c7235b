"""Reads lists of companies typed into a form: "AAPL, Microsoft and brk.b"."""

import re
from collections.abc import Iterable, Iterator, Sequence

from agent.registrants.mentions import Mention, mentions
from agent.registrants.registrant_index import SYMBOL, Companies
from agent.state import CompanyRef
from agent.words.tokens import Token, tokenise

_APART = re.compile(r"[,;\n]")
_JOINING = frozenset({"and", "&", "/", "+"})
# Companies that an error names.
MOST_NAMED = 5


class NotListedError(ValueError):
    """Raised for a text that names no company, or several; the message is for the user."""


def companies_listed(index: Companies, text: str) -> tuple[CompanyRef, ...]:
    """The companies of names, tickers and CIKs, each once, in their order; none of an empty text. Raises NotListedError."""
    tokens = tokenise(text)
    found = [*_numbers(index, tokens), *mentions(index, tokens, ())]
    # "it" and "brk.b" are no names, but tickers when alone between two commas.
    alone = [one for one in _tickers(index, text, tokens) if not set(one.places) <= _taken(found)]
    own = _taken(alone)
    found = sorted([*alone, *(one for one in found if not own & set(one.places))], key=lambda one: one.first)
    taken = _taken(found)
    if lost := [place for place, token in enumerate(tokens) if place not in taken and token.base not in _JOINING]:
        raise NotListedError(_unknown(index, _run(text, tokens, lost)))
    for one in found:
        if one.ambiguous:
            said = text[tokens[one.first].start : tokens[one.last - 1].end]
            raise NotListedError(
                f"“{said}” fits several companies: {_named(index, one.ciks)}. Type the ticker of one."
            )
    return tuple(ref for cik in dict.fromkeys(cik for one in found for cik in one.ciks) if (ref := index.get(cik)))


def _taken(found: Iterable[Mention]) -> set[int]:
    return {place for one in found for place in one.places}


def _tickers(index: Companies, text: str, tokens: Sequence[Token]) -> Iterator[Mention]:
    """Tickers in any case that stand alone between commas or joining words."""
    first = 0
    for last in range(1, len(tokens) + 1):
        joined = last == len(tokens) or tokens[last].base in _JOINING
        if not joined and not _APART.search(text[tokens[last - 1].end : tokens[last].start]):
            continue
        cik = index.symbols.get(tuple(token.base for token in tokens[first:last]))
        if cik is not None:
            yield Mention(first, last, (cik,), level=SYMBOL)
        first = last + (last < len(tokens) and tokens[last].base in _JOINING)


def _numbers(index: Companies, tokens: Sequence[Token]) -> list[Mention]:
    """CIKs without a word before them: 320193. Those with leading zeros are mentions."""
    return [
        Mention(place, place + 1, (company.cik,))
        for place, token in enumerate(tokens)
        if token.base.isascii() and token.base.isdecimal() and not token.base.startswith("0")
        if (company := index.get(int(token.base))) and (not place or tokens[place - 1].base != "cik")
    ]


def _run(text: str, tokens: Sequence[Token], places: Sequence[int]) -> str:
    """The first of the words at some places, with those that follow it without a gap."""
    last = places[0]
    while last + 1 in places and not _APART.search(text[tokens[last].end : tokens[last + 1].start]):
        last += 1
    return text[tokens[places[0]].start : tokens[last].end]


def _unknown(index: Companies, said: str) -> str:
    near = [one.cik for one in index.near(said)]
    meant = f"Did you mean {_named(index, near)}?" if near else "Check the spelling, or use the ticker."
    return f"“{said}” is not on the SEC's list. {meant}"


def _named(index: Companies, ciks: Sequence[int]) -> str:
    """Companies in words: "Apple (AAPL), Apple Hospitality REIT (APLE), and 3 more"."""
    refs = [ref for cik in ciks[:MOST_NAMED] if (ref := index.get(cik))]
    names = [f"{one.called} ({one.symbol})" if one.symbol else one.called for one in refs]
    more = len(ciks) - MOST_NAMED
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")
