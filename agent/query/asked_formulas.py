"""Formulas that a question gives: as what it asks for, or as the definition of a name; their operands read as measures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from agent.numbers.expressions import Expr, Name, mapped
from agent.query.definitions import Phrase
from agent.query.formula_grammar import MOST_DIGITS, Parsed, Wording, named, parse, placed
from agent.query.formula_words import END, SILENT, Piece, pieces_of
from agent.query.instructions import form_of
from agent.query.lexicon import Match, Named, key_of
from agent.query.measures import Measures
from agent.query.periods import Stretch, asked
from agent.query.refused_question import Refused
from agent.query.registry_formulas import same_metric
from agent.query.sentence import Part, Sentence, with_parts
from agent.query.word_classes import SIGNS, Meaning, defining
from agent.refusals.codes import Code
from agent.state.query import Formula, Measure, Metric, Operand, Row, Years

_SIGNS = SIGNS | {"DIFFERENCE", "RATIO", "PRODUCT", "SUM"}
_STARTS = frozenset({"NAME", "NUMBER", "LPAR", "PERIOD", "OPENING", "AVERAGE", "CHANGE", "SUM", "DIFFERENCE", "RATIO"})
_MARKED = frozenset({"NAME", "LPAR", "RPAR", "COMMA", "DASH"})
# Of operands with several readings, so many combinations are compared with the registry's metrics.
MOST_READINGS = 64
# What a definition says is never passed over, nor narrows what is asked.
DEFINITION = Meaning("frame", "definition")


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


def with_formulas(
    sentence: Sentence, stretches: Sequence[Stretch], measures: Measures
) -> tuple[Sentence, list[Stretch]] | None:
    """The question with its formula as one measure, in place of the name that it defines or where it stands itself; None
    for a question without. Raises Refused for an operand that is no measure, or is several.
    """
    pieces = pieces_of(sentence, measures.lexicon)
    written = _definition(sentence, pieces) or _bare(sentence, pieces)
    return _Reading(sentence, pieces, written, measures).read(stretches) if written else None


# --- where a formula stands ---


def _definition(sentence: Sentence, pieces: Sequence[Piece]) -> Written | None:
    """The first formula behind words that define, or in brackets behind the name of what is computed."""
    for place, piece in enumerate(pieces):
        end, said = _defined(sentence, pieces, place)
        term = _term(pieces, place)
        ahead = _ahead(sentence, pieces, term)
        if piece.kind == "LPAR":
            last = _closing(pieces, place)
            if term and _is_computed(pieces, term) and (found := _longest(pieces, place + 1, last, whole=True)):
                return Written(range(place, last), range(place + 1, found[0]), term, found[1])
        elif said or (ahead < term.start and end > place):
            last = next((at for at in range(end, len(pieces)) if pieces[at].kind == END), len(pieces))
            if found := _longest(pieces, end, last):
                begins = ahead if term.stop == place else place
                return Written(range(begins, found[0]), range(end, found[0]), term, found[1])
        elif (piece.kind in {"COMMA", "DASH"} or piece.value == "-") and term and _is_computed(pieces, term):
            last = next((at for at in range(place, len(pieces)) if pieces[at].kind == END), len(pieces))
            if (found := _longest(pieces, place + 1, last)) and found[0] == last:
                return Written(range(place, last), range(place + 1, last), term, found[1], loose=True)
    return None


def _defined(sentence: Sentence, pieces: Sequence[Piece], place: int) -> tuple[int, bool]:
    """The first piece behind words that bind or define, which begin at a piece; and whether they define."""
    tokens, said, at = sentence.tokens, False, pieces[place].first
    if pieces[place].kind in _MARKED or (place and pieces[place - 1].last > at):
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
    return next((number for number in range(place, end) if pieces[number].first >= at), end), said


def _term(pieces: Sequence[Piece], place: int) -> range:
    """The pieces of the name before a definition: a measure's, or words that nobody knows with a word of asking behind them."""
    last = next((at for at in range(place - 1, -1, -1) if pieces[at].kind in {"NAME", "UNKNOWN"}), -1)
    if last < 0:
        return range(place, place)
    first, stop = last, last + 1
    if pieces[last].kind == "UNKNOWN":
        while first and pieces[first - 1].kind == "UNKNOWN":
            first -= 1
        stop += pieces[stop : stop + 1] != [] and pieces[stop].kind == "RATIO"
    return range(first, stop)


def _ahead(sentence: Sentence, pieces: Sequence[Piece], term: range) -> int:
    """The first of the words before a name that ask for its definition to be taken: "define", "we define the"."""
    first = term.start
    while first and pieces[first - 1].kind not in _MARKED | {"NAME", "PERIOD", "SPAN", "MENTION", END}:
        first -= 1
    words = (
        [(sentence.tokens[at].base,) for at in range(pieces[first].first, pieces[term.start].first)] if term else []
    )
    said = any(word in defining("defined") for word in words)
    return first if said and all(word in defining("defined") | defining("defining") for word in words) else term.start


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
        if whole and not (inside[-1].kind in {"NOISE", END} and _is_idle(inside[-1])):
            return None
    return None


def _is_idle(piece: Piece) -> bool:
    return piece.kind != END or (isinstance(piece.value, Part) and piece.value.has("frame"))


def _bare(sentence: Sentence, pieces: Sequence[Piece]) -> Written | None:
    """The first formula that is asked for itself, and more than two measures side by side, which are read as they stand."""
    for place, piece in enumerate(pieces if not sentence.company_parts else ()):
        if piece.kind not in _STARTS or (place and pieces[place - 1].kind == "UNKNOWN"):
            continue
        last = next((at for at in range(place, len(pieces)) if _is_end(sentence, pieces, at)), len(pieces))
        if (found := _longest(pieces, place, last)) is None:
            continue
        end, parsed = _without_period(pieces, place, *found)
        if _is_formula(pieces[place:end], parsed):
            return Written(range(place, end), range(place, end), range(0), parsed)
    return None


def _is_end(sentence: Sentence, pieces: Sequence[Piece], at: int) -> bool:
    """Whether no formula goes on with a piece: "over" before a number or a period compares, and before none divides."""
    piece, behind = pieces[at], pieces[at + 1 : at + 2]
    over = piece.kind == "OVER" and sentence.tokens[piece.first].base == "over"
    return piece.kind == END or (over and bool(behind) and behind[0].kind in {"NUMBER", "PERIOD", "SPAN", "NOISE"})


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
    divides = any(kind in {"SLASH", "OVER", "SHARE", "TIMES"} for kind in kinds)
    bracketed = several and "LPAR" in kinds
    return len(signs) > 1 or bracketed or moved or (dated and divides) or ("NUMBER" in kinds and bool(parsed.operands))


# --- what it says ---


class _Reading:
    """One formula of a question, read."""

    def __init__(self, sentence: Sentence, pieces: Sequence[Piece], written: Written, measures: Measures) -> None:
        self.sentence, self.pieces, self.written, self.measures = sentence, pieces, written, measures
        self.inside = [pieces[at] for at in written.formula]
        self.term = tuple(place for at in written.term for place in range(pieces[at].first, pieces[at].last))
        # The registry keys of the name that is defined.
        named = [pieces[at].value for at in written.term if pieces[at].kind == "NAME"]
        self.keys = tuple(key for part in named for key in part.named.keys)

    @property
    def text(self) -> str:
        """The formula as typed."""
        return self.sentence.question[self.inside[0].start : self.inside[-1].end].strip()

    def read(self, stretches: Sequence[Stretch]) -> tuple[Sentence, list[Stretch]]:
        """The question with the formula as a measure, and the periods that it asks for. Raises Refused."""
        own = [self.pieces[at] for at in self.written.all]
        taken = range(own[0].first, max(one.last for one in own))
        self._check()
        outside = [one for one in stretches if one.first not in taken]
        kept, year = self._periods(outside, [one for one in stretches if one.first in taken])
        return self._sentence(self._measure(self.written.parsed, year), taken, kept), kept

    def _check(self) -> None:
        """Refuses a number longer than any that is meant, and companies put together."""
        for one in self.inside:
            if one.kind == "NUMBER" and len(str(one.value)) > MOST_DIGITS:
                raise Refused(Code.NOT_UNDERSTOOD, self._words(one, one))
        mentions = [one for one in self.inside if one.kind == "MENTION"]
        if len({one.value.ciks for one in mentions}) > 1:
            raise Refused(Code.CROSS_COMPANY, self.text)

    def _periods(self, outside: Sequence[Stretch], inside: Sequence[Stretch]) -> tuple[list[Stretch], int | None]:
        """The periods of the question, and the year that the formula's own years are counted back from.

        That is the year asked, or the newest that the formula names where that is later or no year is asked.
        """
        years = self.written.parsed.years
        if not years:
            return list(outside), None
        periods = asked(outside)
        told = [one.year for one in periods.years if one.year]
        if periods.several or (outside and not told):
            raise Refused(Code.NOT_UNDERSTOOD, inside[0].text if inside else self.text)
        if told and told[0] >= max(years):
            return list(outside), told[0]
        named = (one for piece in self.inside if piece.kind in {"PERIOD", "SPAN"} for one in piece.value)
        newest = next(one for one in named if one.year == max(years))
        return [replace(inside[0], periods=Years(periods=(newest,)), count=0, text=newest.text)], max(years)

    # --- operands ---

    def _measure(self, parsed: Parsed, year: int | None) -> Measure:
        """The formula as a measure: the registry's own, where one is made just so. Raises Refused."""
        try:
            expr = placed(parsed.expr, year) if year else parsed.expr
        except ValueError:
            raise Refused(Code.NOT_UNDERSTOOD, self.text) from None
        readings = [self._operand(one) for one in parsed.operands]
        for read in islice(product(*(one.asserted for one in readings)), MOST_READINGS):
            keys = [key_of(row.measure) for row in read]
            if all(keys) and (metric := same_metric(_over_keys(expr, keys), self.keys, self.measures)):
                return metric
        if self.written.loose:
            raise Refused(Code.NOT_UNDERSTOOD, self.text)
        operands = [self._chosen(*pair) for pair in zip(parsed.operands, readings, strict=True)]
        if parsed.averages and not any(map(self._has_year_end, operands)):
            raise Refused(Code.NOT_UNDERSTOOD, self.text)  # over which years, nobody says
        names = _names(operands)
        return Formula(
            text=self.text,
            term=self._text_of_term,
            expression=str(named(expr, names)),
            operands=tuple(Operand(name=name, of=of) for name, of in dict(zip(names, operands, strict=True)).items()),
            unit="percent" if parsed.percent or self._is_rate or self._in_percent else "",
            dated=bool(parsed.years),
        )

    def _has_year_end(self, measure: Measure) -> bool:
        return self.measures.entry(key_of(measure)) is None or self.measures.instant(key_of(measure))

    @property
    def _text_of_term(self) -> str:
        if not self.written.term:
            return ""
        return self._words(self.pieces[self.written.term[0]], self.pieces[self.written.term[-1]])

    @property
    def _is_rate(self) -> bool:
        """Whether what is defined is a percentage by its name."""
        return bool(self.keys) and all(self.measures.unit(key) == "percent" for key in self.keys)

    @property
    def _in_percent(self) -> bool:
        """Whether the question asks for a percentage, or an instruction beside it does."""
        asked = any(part.value("unit") == "percent" for part in self.sentence.parts)
        return asked or any(form_of(words).percent for words in self.sentence.passed)

    def _operand(self, wording: Wording) -> Named:
        """The measures that the words of an operand name. Raises Refused, with these words."""
        parts: list[Part] = [one.value for one in wording.pieces]
        told = self._words(wording.pieces[0], wording.pieces[-1])
        held = [part for part in parts if part.named]
        if len(held) != 1 or any(part.unknown for part in parts):
            raise Refused(Code.CONCEPT_UNKNOWN, told)
        (part,) = held
        phrase = Phrase(part, part.named, 0, last=part.last)  # type: ignore[arg-type]
        for one in parts:
            if one is not part:
                phrase.qualify(one.value("qualifier") or "", *one.bases, ahead=one.first < part.first)
        found = self._qualified(phrase)
        if wording.statement and found:
            value = wording.statement.value.value("statement")
            found = self.measures.on_statement(found, value, part.stems) or found
        if found is None or not found.asserted:
            raise Refused(Code.CONCEPT_UNKNOWN, told)
        return found

    def _chosen(self, wording: Wording, found: Named) -> Measure:
        """The one measure of an operand: of several readings that of an amount. Raises Refused where none is safe."""
        rows = found.asserted
        if found.ask and len(rows) > 1:
            told = self._words(wording.pieces[0], wording.pieces[-1])
            raise Refused(Code.AMBIGUOUS_CONCEPT, told, measures=found.keys)
        amounts = [row for row in rows if self.measures.unit(key_of(row.measure)) == "USD"]
        return (amounts or rows)[0].measure

    def _qualified(self, phrase: Phrase) -> Named | None:
        typed = " ".join((*phrase.front, *phrase.part.bases, *phrase.rear))
        found: Named | None = phrase.named
        for qualifier in (*phrase.before, *phrase.behind):
            found = found and self.measures.qualified(phrase.part.stems, typed, found, qualifier)
        return found

    def _words(self, first: Piece, last: Piece) -> str:
        return self.sentence.question[first.start : last.end]

    # --- the question with it ---

    def _sentence(self, measure: Measure, taken: range, stretches: Sequence[Stretch]) -> Sentence:
        """The question with one part for the formula; where its name stands elsewhere, there, and the definition is frame."""
        meaning = Meaning("measure", Named((Row(measure=measure, text=self._text_of_term or self.text),)))
        own = [stretch for stretch in stretches if stretch.first in taken]
        asks = [one for one in self._places_of_term() if one.start not in taken]
        parts = [part for part in self.sentence.parts if not any(part.first in one for one in (taken, *asks))]
        parts += [self._part(one, meaning) for one in asks]
        ends = [taken.start, *(place for one in own for place in (one.first, one.last)), taken.stop]
        pieces = [range(*pair) for pair in zip(ends[::2], ends[1::2], strict=True) if pair[0] < pair[1]]
        parts += [self._part(one, DEFINITION if asks or number else meaning) for number, one in enumerate(pieces)]
        parts += [Part(one.first, one.last, self.sentence.tokens[one.first : one.last], stretch=one) for one in own]
        found = with_parts(self.sentence, sorted(parts, key=lambda part: part.first))
        return replace(found, formula=self.text)

    def _part(self, places: range, meaning: Meaning) -> Part:
        first, last = places.start, places.stop
        return Part(first, last, self.sentence.tokens[first:last], match=Match(first, last, (meaning,)))

    def _places_of_term(self) -> list[range]:
        """Where the name that is defined stands: under its words, or under others that mean the same."""
        tokens, size = self.sentence.tokens, len(self.term)
        words = [tokens[place].stem for place in self.term]
        found = [
            range(at, at + size)
            for at in range(len(tokens) - size + 1 if size else 0)
            if [token.stem for token in tokens[at : at + size]] == words
        ]
        others = [
            range(part.first, part.last)
            for part in self.sentence.parts
            if part.named and self.keys and part.named.keys == self.keys
        ]
        return list(dict.fromkeys((*found, *others)))


def _names(operands: Sequence[Measure]) -> list[str]:
    """A name of each operand that says what it is, and is one of an expression; of equal ones the same."""
    found: dict[Measure, str] = {}
    for one in operands:
        word = re.sub(r"[^a-z0-9]", "_", key_of(one).lower())
        word = word if word[:1].isalpha() else f"line_{word}"
        found.setdefault(one, f"{word}_{len(found)}" if word in found.values() else word)
    return [found[one] for one in operands]


def _over_keys(expr: Expr, keys: Sequence[str]) -> Expr:
    """An expression over the registry's keys of its operands."""

    def put(name: Name) -> Name:
        key, _, variant = keys[int(name.key[1:])].partition(":")
        return Name(key, variant, name.offset)

    return mapped(expr, put)
