"""Where the formulas of a question stand: behind words that define, in brackets behind a name, or asked for themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.query.formulas.formula_grammar import Parsed, parse
from agent.query.formulas.formula_words import END, ENDS, OTHER, SILENT, Piece
from agent.query.words.sentence import Part, Sentence
from agent.query.words.word_classes import SIGNS, defining
from agent.state.query import Metric

_SIGNS = SIGNS | {"DIFFERENCE", "RATIO", "PRODUCT", "SUM", "NUMERATOR"}
_STARTS = frozenset(
    {"NAME", "NUMBER", "LPAR", "PERIOD", "OPENING", "AVERAGE", "CHANGE", "FALL", "SUM", "DIFFERENCE", "RATIO"}
)
_MARKED = frozenset({"NAME", "LPAR", "RPAR", "COMMA", "DASH"})


@dataclass(frozen=True, slots=True)
class Written:
    """A formula where it stands in a question, by numbers of pieces.

    all: with the words that define it. formula: itself. term: the name that it defines; empty for none. loose: only a mark
    stands between both, so that it may be asked beside it.
    """

    all: range
    formula: range
    term: range
    parsed: Parsed
    loose: bool = False


def written_in(sentence: Sentence, pieces: Sequence[Piece]) -> list[Written]:
    """The formulas of a question, in order of place: its definitions, or the one that is asked for itself."""
    found = list(_definitions(sentence, pieces))
    bare = None if found else _bare(sentence, pieces)
    return [bare] if bare else found


def _definitions(sentence: Sentence, pieces: Sequence[Piece]) -> Iterator[Written]:
    """The definitions of a question, none inside another."""
    place = 0
    while place < len(pieces):
        found = _definition_at(sentence, pieces, place)
        if found:
            yield found
        place = found.all.stop if found else place + 1


def _definition_at(sentence: Sentence, pieces: Sequence[Piece], place: int) -> Written | None:
    """The definition whose formula follows at a piece: behind words that define, or in brackets or behind a comma behind the
    name of what is computed.
    """
    piece, term = pieces[place], _term(pieces, place)
    end, said = _defined(sentence, pieces, place)
    ahead, asked = _ahead(sentence, pieces, term)
    last = next((at for at in range(max(end, place), len(pieces)) if pieces[at].kind in ENDS), len(pieces))
    if piece.kind == "LPAR":
        last = _closing(pieces, place)
        if term and _is_computed(pieces, term) and (found := _longest(pieces, place + 1, last, whole=True)):
            return Written(range(place, last), range(place + 1, found[0]), term, found[1])
    elif said or (asked and end > place):
        if found := _longest(pieces, end, last):
            begins = ahead if term.stop == place else place
            return Written(range(begins, found[0]), range(end, found[0]), term, found[1])
    elif (piece.kind in {"COMMA", "DASH"} or piece.value == "-") and term and _is_computed(pieces, term):
        found = _longest(pieces, place + 1, last)
        if found and found[0] == last:
            return Written(range(place, last), range(place + 1, last), term, found[1], loose=True)
    return None


def _defined(sentence: Sentence, pieces: Sequence[Piece], place: int) -> tuple[int, bool]:
    """The first piece behind words that bind or define, which begin at a piece; and whether they define."""
    tokens, said, at = sentence.tokens, False, pieces[place].first
    named = pieces[place].kind == "RATIO" and place > 0 and pieces[place - 1].kind in {"UNKNOWN", "NUMBER"}
    if pieces[place].kind in _MARKED or named or (place and pieces[place - 1].last > at):
        return place, False
    while at < len(tokens):
        sizes = (3, 2, 1)
        words = [tuple(token.base for token in tokens[at : at + size]) for size in sizes]
        if size := next((size for size, one in zip(sizes, words, strict=True) if one in defining("defined")), 0):
            said = True
        elif words[-1] in defining("defining"):
            size = 1
        else:
            break
        at += size
    end = next((number for number in range(place, len(pieces)) if pieces[number].last > at), len(pieces))
    begins = (number for number in range(place, end) if pieces[number].first >= at and pieces[number].kind != "COLON")
    return next(begins, end), said


def _term(pieces: Sequence[Piece], place: int) -> range:
    """The pieces of the name before a definition: a measure's, or words that nobody knows with a word of asking behind them."""
    last = next((at for at in range(place - 1, -1, -1) if pieces[at].kind in {"NAME", "UNKNOWN"}), -1)
    if last < 0:
        return range(place, place)
    first, stop = last, last + 1
    if pieces[last].kind == "UNKNOWN":
        while stop < place and pieces[stop].kind in {"NOISE", "NUMBER", "RATIO"}:
            stop += 1
        while pieces[stop - 1].kind == "NOISE":
            stop -= 1
        while first and pieces[first - 1].kind == "UNKNOWN":
            first -= 1
    return range(first, stop)


def _ahead(sentence: Sentence, pieces: Sequence[Piece], term: range) -> tuple[int, bool]:
    """The first of the words right before a name that ask for its definition to be taken, and whether any do: "define", "we
    define the"; "compute Nike's", which are not of the definition.
    """
    known = defining("defined") | defining("introducing") | defining("defining")
    first, said = term.start, False
    for at in range(term.start - 1, -1, -1) if term else ():
        piece = pieces[at]
        words = tuple(token.base for token in sentence.tokens[piece.first : piece.last])
        asks = words in defining("defined") | defining("introducing")
        if piece.kind in {"MENTION", "PERIOD", "SPAN", "NOISE"} and not asks:
            continue
        if piece.kind in _MARKED | {"NAME", "UNKNOWN", END, "COLON"} or not {*words} <= {
            one for key in known for one in key
        }:
            break
        said = said or asks
        first = at if first == at + 1 else first
    return (first if said else term.start), said


def _is_computed(pieces: Sequence[Piece], term: range) -> bool:
    """Whether a name is one of what is computed, or of nothing known."""
    parts = [pieces[at].value for at in term if pieces[at].kind == "NAME"]
    return all(isinstance(row.measure, Metric) for part in parts for row in part.named.rows)


def _closing(pieces: Sequence[Piece], place: int) -> int:
    """Where a bracket closes."""
    depth = 0
    for at in range(place, len(pieces)):
        depth += (pieces[at].kind == "LPAR") - (pieces[at].kind == "RPAR")
        if depth == 0:
            return at
    return len(pieces)


def _longest(pieces: Sequence[Piece], first: int, last: int, *, whole: bool = False) -> tuple[int, Parsed] | None:
    """The longest formula from one piece on, and where it ends; with at least one sign.

    whole: behind it stand only words of courtesy: "(operating income + D&A is fine)".
    """
    if pieces[first : first + 1] and pieces[first].kind == "MINUS" and pieces[first].value != "-":
        return None  # "(excluding leases)" takes something out of what stands before it
    for end in range(last, first, -1):
        inside = pieces[first:end]
        if not any(one.kind in _SIGNS for one in inside):
            return None
        if inside[-1].kind not in SILENT and (found := parse(inside)):
            return end, found
        if whole and not (inside[-1].kind in {"NOISE", OTHER} and _is_idle(inside[-1])):
            return None
    return None


def _is_idle(piece: Piece) -> bool:
    return piece.kind != OTHER or (isinstance(piece.value, Part) and piece.value.has("frame"))


def _bare(sentence: Sentence, pieces: Sequence[Piece]) -> Written | None:
    """The first formula that is asked for itself, and more than two measures side by side, which are read as they stand."""
    for place, piece in enumerate(pieces if not sentence.company_parts else ()):
        if piece.kind not in _STARTS or (place and pieces[place - 1].kind == "UNKNOWN"):
            continue
        last = next((at for at in range(place, len(pieces)) if _is_end(sentence, pieces, at)), len(pieces))
        if (found := _longest(pieces, place, last)) is None:
            continue
        if piece.kind in {"AVERAGE", "CHANGE", "FALL"} and _is_over_years(pieces, place, found[0]):
            continue
        years = [one for one in pieces[place : found[0]] if one.kind in {"PERIOD", "SPAN"}]
        if years == [piece]:
            continue  # the one year before it is of all of it
        end, parsed = _without_period(pieces, place, *found)
        if _is_formula(pieces[place:end], parsed):
            return Written(range(place, end), range(place, end), range(0), parsed)
    return None


def _is_end(sentence: Sentence, pieces: Sequence[Piece], at: int) -> bool:
    """Whether no formula goes on with a piece: "over" before a number or a period compares, and before none divides."""
    piece, behind = pieces[at], pieces[at + 1 : at + 2]
    over = piece.kind == "OVER" and sentence.tokens[piece.first].base == "over"
    return piece.kind in ENDS or (over and bool(behind) and behind[0].kind in {"NUMBER", "PERIOD", "SPAN", "NOISE"})


def _is_over_years(pieces: Sequence[Piece], first: int, end: int) -> bool:
    """Whether an average or a change is of all that follows, over years named beside it: "three-year average of A / B"."""
    before = next((one.kind for one in reversed(pieces[:first]) if one.kind not in SILENT), "")
    behind = next((one.kind for one in pieces[end:] if one.kind not in SILENT), "")
    return before in {"COUNT", "SPAN"} or behind in {"COUNT", "SPAN"}


def _without_period(pieces: Sequence[Piece], first: int, end: int, parsed: Parsed) -> tuple[int, Parsed]:
    """A formula without the one year behind it, which is of all of it."""
    inside = [at for at in range(first, end) if pieces[at].kind in {"PERIOD", "SPAN"}]
    if inside == [end - 1] and pieces[end - 1].kind == "PERIOD" and (found := _longest(pieces, first, end - 1)):
        return found
    return end, parsed


def _is_formula(pieces: Sequence[Piece], parsed: Parsed) -> bool:
    """Whether a formula has several signs, brackets, a number, or operands each of its own year or over several."""
    kinds = [one.kind for one in pieces]
    signs = [one for one in pieces if one.kind in _SIGNS]
    if not any(one.value != "-" for one in signs):
        return False  # a dash may only part
    several = len(parsed.operands) > 1
    moved = several and any(kind in {"AVERAGE", "CHANGE", "FALL", "OPENING"} for kind in kinds)
    dated = several and sum(kind in {"PERIOD", "SPAN"} for kind in kinds) >= len(parsed.operands)
    names = {one.value.stems for one in pieces if one.kind == "NAME"}
    listed = "SUM" in kinds and len(parsed.operands) > 2
    bracketed = several and "LPAR" in kinds
    counted = "NUMBER" in kinds and bool(parsed.operands)
    return len(signs) > 1 or bracketed or moved or listed or counted or (dated and len(names) > 1)
