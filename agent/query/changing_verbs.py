"""Verbs by which a company itself moves a figure: "raise its dividend", "cut R&D"; and not "raise debt", "a tax cut"."""

from collections.abc import Sequence
from dataclasses import replace

from agent.query.formulas import Formulas
from agent.query.lexicon import Lexicon, Match
from agent.query.word_classes import Meaning
from agent.words.tokens import Token

# What each asks for where what it moves stands behind it.
_MOVES = {"raise": "rise", "cut": "fall"}
_BETWEEN = frozenset({"its", "their", "the"})


def with_changes(lexicon: Lexicon, tokens: Sequence[Token], matches: Sequence[Match]) -> list[Match]:
    """The matches, such a verb as a change of the measure that stands right behind it, and else without that meaning.

    A balance is moved by what is issued and repaid, which are measures of their own.
    """
    formulas = Formulas(lexicon.registry)
    flows = {
        match.first
        for match in matches
        if match.named
        if all(formulas.entry(key) and not formulas.instant(key) for key in match.named.keys)
    }
    found = []
    for match in matches:
        if not (moves := _MOVES.get(match.value("operation") or "")):
            found.append(match)
            continue
        place = match.last
        while place < len(tokens) and tokens[place].base in _BETWEEN:
            place += 1
        meanings = tuple(one for one in match.meanings if one.value not in _MOVES)
        if place in flows:
            meanings = (Meaning("operation", moves),)
        found += [replace(match, meanings=meanings)] if meanings else []
    return found
