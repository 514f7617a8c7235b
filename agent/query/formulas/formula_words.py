"""The words of a question as the terminals of the grammar of formulas (asked_formula.lark), with the marks between them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.query.dates.years import number_of
from agent.query.words.lexicon import Lexicon, Match, Named
from agent.query.words.sentence import Part, Sentence
from agent.query.words.word_classes import SIGNS, Meaning, defining, formula_words
from agent.state.query import Span
from agent.state.references import Period, PeriodForm

# What ends a formula, a mark or a word: nothing in the grammar takes it.
END, OTHER = "END", "OTHER"
ENDS = frozenset({END, OTHER, "COLON"})
_MARKS = re.compile(
    r"(?P<LPAR>[(\[])|(?P<RPAR>[)\]])|(?P<COMMA>,)|(?P<COLON>:)|(?P<DASH>[-\u2013\u2014\u2212])|(?P<END>[?!;\n]|\.(?=\s|$))"
)
_BETWEEN = frozenset({"PLUS", "SHARE"})
_OPENS = frozenset({"NAME", "UNKNOWN", "NUMBER", "PERIOD", "LPAR", "OPENING", "AVERAGE", "CHANGE", "SUM", "QUALIFIER"})
_CLOSES = frozenset({"NAME", "UNKNOWN", "NUMBER", "PERIOD", "RPAR", "PERCENT", "STATEMENT", "SPAN"})
# What no formula is made of, though it may stand inside one.
SILENT = frozenset({"NOISE", "MENTION"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One terminal: tokens first..last (exclusive; none of a mark), characters start..end, and what it stands for.

    value: of a name its part, of a number its words, of a period or span its years.
    """

    kind: str
    first: int
    last: int
    start: int
    end: int
    value: Any = None


def pieces_of(sentence: Sentence, lexicon: Lexicon) -> list[Piece]:
    """Every word and mark of a question as a terminal; what no formula has is OTHER or an END, what only binds is NOISE."""
    parts = [one for place, part in enumerate(sentence.parts) for one in _apart(sentence.parts[:place], part, lexicon)]
    found = list(_joined(list(_read(sentence, parts))))
    for place, piece in enumerate(found):
        if piece.kind == "DASH":
            found[place] = replace(piece, kind=_dash(found, place), value="-")
    return found


def _dash(pieces: Sequence[Piece], place: int) -> str:
    """What a dash is: a minus between two values or right before one, a hyphen between two words, or a mark."""
    piece = pieces[place]
    before = next((one for one in reversed(pieces[:place]) if one.kind not in SILENT), None)
    behind = next((one for one in pieces[place + 1 :] if one.kind not in SILENT), None)
    if behind is None or behind.kind not in _OPENS:
        return "DASH"
    if before and before.kind in _CLOSES:
        words = {before.kind, behind.kind} <= {"UNKNOWN", "QUALIFIER"}
        return "NOISE" if words and before.end == piece.start and piece.end == behind.start else "MINUS"
    leads = before is None or before.kind in {"LPAR", *ENDS, *SIGNS}
    return "MINUS" if leads and piece.end == behind.start else "DASH"


def _apart(before: Sequence[Part], part: Part, lexicon: Lexicon) -> list[Part]:
    """A part; of one name for two measures that are put together, both and what stands between: "cash plus short-term
    investments", and behind another sign "R&D as a % of revenue".
    """
    signed = any(formula_words().get(one.bases) in {"PLUS", "MINUS"} for one in before[-1:])
    for place in range(1, len(part.bases) - 1) if part.named else ():
        sizes = [size for size in range(4, 0, -1) if formula_words().get(part.bases[place : place + size]) in _BETWEEN]
        shares = bool(sizes) and formula_words()[part.bases[place : place + sizes[0]]] == "SHARE"
        if not sizes or (shares and not signed):
            continue
        behind = place + sizes[0]
        behind += part.bases[behind : behind + 1] == ("of",)
        names = lexicon.named(part.stems[:place]), lexicon.named(part.stems[behind:])
        if all(names):
            first, last = _named(part, 0, place, names[0]), _named(part, behind, len(part.bases), names[1])
            return [first, last]
    return [part]


def _named(part: Part, first: int, last: int, named: Named | None) -> Part:
    """Some words of a part as a name of their own."""
    ends = part.first + first, part.first + last
    return Part(*ends, part.tokens[first:last], match=Match(*ends, (Meaning("measure", named),)))


def _read(sentence: Sentence, listed: Sequence[Part]) -> Iterator[Piece]:
    tokens, at = sentence.tokens, 0
    parts = {part.first: part for part in listed}
    whole = {place for part in listed if _is_whole(part) for place in part.places}
    place = 0
    while place < len(tokens):
        yield from _marks(sentence.question[at : tokens[place].start], at, place)
        part = parts.get(place)
        kind, value = _kind_of(part) if part else (OTHER, None)
        size = len(part.tokens) if part else 1
        said = None if place in whole else _said(sentence, place, whole)
        if said and (said[1] >= size or kind == OTHER):
            (kind, size), value = said, None
        at = tokens[place + size - 1].end
        yield Piece(kind, place, place + size, tokens[place].start, at, value)
        place += size
    yield from _marks(sentence.question[at:], at, place)


def _marks(gap: str, at: int, place: int) -> Iterator[Piece]:
    for hit in _MARKS.finditer(gap):
        yield Piece(str(hit.lastgroup), place, place, at + hit.start(), at + hit.end(), hit.group())


def _is_whole(part: Part) -> bool:
    """Whether a part is read as one piece, whatever its words mean by themselves."""
    return bool(part.named or part.stretch or part.mention)


def _said(sentence: Sentence, place: int, whole: set[int]) -> tuple[str, int] | None:
    """The longest words of formulas from a token on, and how many they are."""
    vocabulary = formula_words()
    tokens = sentence.tokens[place : place + 5]
    for size in range(len(tokens), 0, -1):
        words = tuple(token.base for token in tokens[:size])
        if words in vocabulary and not {*range(place, place + size)} & whole:
            return vocabulary[words], size
    return None


def _kind_of(part: Part) -> tuple[str, Any]:
    if part.mention:
        return "MENTION", part
    if part.named:
        return "NAME", part
    if part.stretch:
        return _period(part)
    if part.number:
        return "NUMBER", number_of(part.word)
    if part.has("statement"):
        return "STATEMENT", part
    if part.value("qualifier"):
        return "QUALIFIER", part
    defines = part.bases in defining("defined") | defining("introducing")
    return ("UNKNOWN", part) if part.unknown and not defines else (OTHER, part)


def _period(part: Part) -> tuple[str, Any]:
    stretch = part.stretch
    if stretch is None or stretch.interim or stretch.month:
        return OTHER, part
    if stretch.count and not stretch.periods:
        return "COUNT", stretch.count
    if isinstance(stretch.periods, Span) and (years := _years(stretch.periods)):
        return "SPAN", years
    period = stretch.period
    if period and period.form is PeriodForm.PREVIOUS:
        return "OPENING", part
    if period and period.form is PeriodForm.LATEST:
        return "NOISE", part
    return ("PERIOD", (period,)) if period and period.year and not period.part else (OTHER, part)


def _years(span: Span) -> tuple[Period, ...]:
    """Every year of a span; none of one without end, or of parts of years."""
    first, last = span.first, span.last
    if last is None or not (first.year and last.year) or first.part or last.part:
        return ()
    years = range(first.year, last.year + 1)
    return tuple(first.model_copy(update={"year": one, "text": str(one)}) for one in years)


def _joined(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces, two years joined by "and" as one stretch of years: "FY2016 and FY2017"."""
    place = 0
    while place < len(pieces):
        piece, behind = pieces[place], pieces[place + 1 : place + 3]
        if piece.kind == "PERIOD" and [one.kind for one in behind] == ["AND", "PERIOD"]:
            last = behind[1]
            yield Piece("SPAN", piece.first, last.last, piece.start, last.end, (*piece.value, *last.value))
            place += 3
        else:
            yield piece
            place += 1
