"""What stands in a question that means something, and the best cover: the matches that leave the least unsaid."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from agent.query.measures.metric_formulas import Formulas
from agent.query.words.lexicon import BINDING, Lexicon, Match, Named
from agent.query.words.sentence import breaks
from agent.query.words.word_classes import Meaning, classes, connecting
from agent.state.query import Row
from agent.words.tokens import Token

# A name of a measure beats a closed phrase of the same length.
_NAME = 0.5
# "Net sales, net income" are two names, and "selling, general and administrative" is one.
_CROSSED = 3
# Verbs by which a company itself moves a figure, and what each asks for where what it moves stands behind it.
_MOVES = {"raise": "rise", "cut": "fall"}
_HYPHENS = frozenset("-\u2010\u2011")


@dataclass(frozen=True, slots=True)
class Cover:
    """Matches that do not overlap, in order of place, and their score."""

    matches: tuple[Match, ...]
    score: float

    @property
    def measures(self) -> tuple[tuple[str, ...], ...]:
        return tuple(match.named.keys for match in self.matches if match.named)


def score(match: Match, breaks: Collection[int] = ()) -> float:
    """Long matches first: the square of the words, a little for a name, and much less for each mark inside it.

    breaks: places of tokens with a comma or another mark before them.
    """
    crossed = sum(place in breaks for place in match.places[1:])
    return len(match) ** 2 + (_NAME * len(match) if match.has("measure") else 0) - _CROSSED * crossed


def covers(matches: Iterable[Match], size: int, breaks: Collection[int] = ()) -> tuple[Cover, ...]:
    """The best cover of `size` tokens; two where another with other measures scores alike."""
    listed = list(matches)
    left = _best(listed, size, breaks)
    mirrored = [Match(size - one.last, size - one.first, one.meanings) for one in listed]
    right = _best(mirrored, size, {size - place for place in breaks})
    turned = tuple(
        sorted((Match(size - one.last, size - one.first, one.meanings) for one in right.matches), key=_first)
    )
    other = Cover(turned, right.score)
    return (left,) if other.measures == left.measures else (left, other)


def _best(matches: Sequence[Match], size: int, breaks: Collection[int]) -> Cover:
    """The cover of the highest score; of several, the one whose last match begins first."""
    ending: dict[int, list[Match]] = {}
    for match in matches:
        ending.setdefault(match.last, []).append(match)
    best: list[float] = [0.0] * (size + 1)
    taken: list[Match | None] = [None] * (size + 1)
    for end in range(1, size + 1):
        best[end] = best[end - 1]
        for match in sorted(ending.get(end, ()), key=_first):
            value = best[match.first] + score(match, breaks)
            if value > best[end]:
                best[end], taken[end] = value, match
    chosen: list[Match] = []
    place = size
    while place > 0:
        best_here = taken[place]
        if best_here is None:
            place -= 1
        else:
            chosen.append(best_here)
            place = best_here.first
    return Cover(tuple(reversed(chosen)), best[size])


def _first(match: Match) -> int:
    return match.first


def with_changes(lexicon: Lexicon, tokens: Sequence[Token], matches: Sequence[Match]) -> list[Match]:
    """The matches, a verb of moving as a change of the measure that stands right behind it: "raise its dividend", "cut R&D".

    Else it is without that meaning: "raise debt", "a tax cut".
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
        while place < len(tokens) and tokens[place].base in connecting("owning"):
            place += 1
        meanings = tuple(one for one in match.meanings if one.value not in _MOVES)
        if place in flows:
            meanings = (Meaning("operation", moves),)
        found += [replace(match, meanings=meanings)] if meanings else []
    return found


def governing(
    lexicon: Lexicon, matches: Sequence[Match], tokens: Sequence[Token], owners: Collection[int]
) -> list[Match]:
    """The matches without names that "of" makes a closed phrase, where no measure follows: "shares of Apple".

    owners: places of companies, which may stand between.
    """
    starts = {match.first for match in matches if match.has("measure")}
    kept = []
    for match in matches:
        place = match.last
        while place < len(tokens) and (place in owners or tokens[place].base in BINDING):
            place += 1
        words = tuple(token.stem for token in tokens[match.first : match.last])
        behind = tuple(token.stem for token in tokens[place : place + 1])
        whole = Meaning("qualifier", "total") in classes().get(behind, ())  # "share of total"
        bare = lexicon.named(words[:-1]) and not match.has("measure")
        if words[-1] == "of" and bare and not whole and place not in starts:
            continue
        first = tokens[match.first]
        helped = any(token.base in connecting("with a verb") for token in tokens[: match.first])
        if match.has("named_verb") and first.base in connecting("nouns and verbs") and not helped:
            continue  # "what did it return to shareholders", but "total return to shareholders"
        if words == ("share",) and tokens[match.first].base == "share":
            continue  # "its share" is no number of shares
        kept.append(match)
    return kept


def whole_brackets(question: str, tokens: Sequence[Token], matches: Sequence[Match]) -> list[Match]:
    """The matches without those that end inside a bracket which they enter, or begin inside one that they leave: "goodwill
    (balance | sheet)", "(R&D + | capex) as % of revenue".
    """
    ends = [token.end for token in tokens]
    found = []
    for match in matches:
        behind = tokens[match.last].start if match.last < len(tokens) else len(question)
        text, rest = question[tokens[match.first].end : ends[match.last - 1]], question[ends[match.last - 1] : behind]
        before = question[tokens[match.first - 1].end if match.first else 0 : tokens[match.first].start]
        if text.count(")") <= text.count("(") + before.count("(") and text.count("(") <= text.count(")") + rest.count(
            ")"
        ):
            found.append(match)
    return found


def compounded(question: str, tokens: Sequence[Token], matches: Sequence[Match]) -> list[Match]:
    """The matches without a verb that a hyphen makes a noun with the word behind it: "Post-it revenue"."""
    said = {one.first: one for one in matches if len(one) == 1 and one.has("frame", "verb")}
    lost = {
        at
        for place, one in said.items()
        if one.has("verb") and place + 1 in said and question[tokens[place].end : tokens[place + 1].start] in _HYPHENS
        for at in (place, place + 1)
    }
    return [one for one in matches if one.first not in lost]


def listed_apart(question: str, tokens: Sequence[Token], lexicon: Lexicon, matches: Sequence[Match]) -> list[Match]:
    """The matches, a name that is two names joined by "and" read as both where it ends a list, or stands for their sum.

    "Total assets, total liabilities and equity" lists three; "dividends and buybacks" is what both come to. Before a comma
    a name is one of its own: "operating income, margin" is the income, and its margin.
    """
    found: list[Match] = []
    marks = breaks(question, tokens)
    commas = {place for place in marks if "," in question[tokens[place - 1].end : tokens[place].start]}
    for before, match in zip((None, *matches), matches, strict=False):
        words = tuple(token.stem for token in tokens[match.first : match.last])
        inside = [place - match.first for place in match.places[1:] if place in commas]
        if named := match.named:
            place = words.index("and") if "and" in words else 0
            one, other = lexicon.named(words[:place]), lexicon.named(words[place + 1 :])
            ends_list = before and before.named and before.last == match.first and match.first in marks
            sums = any(row.measure.kind == "metric" for row in named.rows)
            if one and other and not (one.ask or other.ask) and (ends_list or sums):
                match = _of_rows(match, (*one.rows, *other.rows, *named.rows))
            elif len(inside) == 1:
                one, other = lexicon.named(words[: inside[0]]), lexicon.named(words[inside[0] :])
                if one and other and not one.ask and one.keys != named.keys:
                    match = _of_rows(match, (*one.rows, *named.rows))
        found.append(match)
    return found


def _of_rows(match: Match, rows: tuple[Row, ...]) -> Match:
    return Match(match.first, match.last, (Meaning("measure", Named(rows)),))
