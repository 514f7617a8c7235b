"""Formulas that a question gives: as what it asks for, or as the definition of a name; their operands read as measures."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Literal

from agent.numbers.registry.expressions import Binary, Expr, Name, mapped
from agent.numbers.registry.formula import operands
from agent.query.dates.years import Stretch, asked
from agent.query.formulas.formula_grammar import MOST_DIGITS, Wording, named, placed
from agent.query.formulas.formula_places import Written, written_in
from agent.query.formulas.formula_words import Piece, pieces_of
from agent.query.formulas.registry_formulas import same_metric
from agent.query.measures.accounting_words import Measures
from agent.query.measures.definitions import Phrase
from agent.query.wording.instructions import form_of
from agent.query.words.lexicon import Match, Named, key_of, measure_of
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, Sentence, with_parts
from agent.query.words.word_classes import Meaning
from agent.refusals.codes import Code
from agent.state.query import Formula, Measure, Metric, Operand, Row, Years
from agent.state.references import Period
from agent.words.tokens import stems

# Of operands with several readings, so many combinations are compared with the registry's metrics.
MOST_READINGS = 64
# What a definition says is never passed over, nor narrows what is asked.
DEFINITION = Meaning("frame", "definition")


def with_formulas(
    sentence: Sentence, stretches: Sequence[Stretch], measures: Measures
) -> tuple[Sentence, list[Stretch]] | None:
    """The question with its formula as one measure, in place of the name that it defines or where it stands itself; None
    for a question without. Raises Refused for an operand that is no measure, or is several.
    """
    pieces = pieces_of(sentence, measures.lexicon)
    written = written_in(sentence, pieces)
    if not written:
        return None
    named: dict[str, _Defined] = {}
    formulas = [_Defined(sentence, pieces, one, measures, named) for one in written]
    for one in formulas:
        named |= dict.fromkeys(one.names, one)
    taken = [one.taken for one in formulas]
    outside = [one for one in stretches if not any(one.first in places for places in taken)]
    inside = [one for one in stretches if one not in outside]
    kept, year = _periods(formulas, outside, inside)
    found = _Question(sentence, [(one, one.measure(year)) for one in formulas], measures).with_measures(kept)
    return replace(found, formula=formulas[0].text), kept


def _periods(
    formulas: Sequence["_Defined"], outside: Sequence[Stretch], inside: Sequence[Stretch]
) -> tuple[list[Stretch], int | None]:
    """The periods of the question, and the year that its formulas' own years are counted back from.

    That is the year asked, or the newest that they name where that is later or no year is asked. Raises Refused where
    several are asked.
    """
    years = {year for one in formulas for year in one.written.parsed.years}
    if not years:
        return list(outside), None
    periods = asked(outside)
    told = [one.year for one in periods.years if one.year]
    if periods.several or (outside and not told):
        raise Refused(Code.NOT_UNDERSTOOD, inside[0].text)
    if told and told[0] >= max(years):
        return list(outside), told[0]
    newest = next(period for one in formulas for period in one.periods if period.year == max(years))
    return [replace(inside[0], periods=Years(periods=(newest,)), count=0, text=newest.text)], max(years)


class _Defined:
    """One formula of a question, and what it defines. others: the question's definitions by what they define."""

    def __init__(
        self,
        sentence: Sentence,
        pieces: Sequence[Piece],
        written: Written,
        measures: Measures,
        others: Mapping[str, "_Defined"],
    ) -> None:
        self.sentence, self.pieces, self.written, self.measures = sentence, pieces, written, measures
        self.others, self.open = others, False
        self.inside = [pieces[at] for at in written.formula]
        own = [pieces[at] for at in written.all]
        self.taken = range(own[0].first, max(one.last for one in own))
        self.term = [pieces[at] for at in written.term]
        self.keys = tuple(key for one in self.term if one.kind == "NAME" for key in one.value.named.keys)

    @property
    def text(self) -> str:
        """The formula as typed."""
        return self._words(self.inside).strip()

    @property
    def name(self) -> str:
        """What it defines, as typed; empty for nothing."""
        return self._words(self.term) if self.term else ""

    @property
    def names(self) -> tuple[str, ...]:
        """What it defines: registry keys, or the folded words that nobody knows."""
        return tuple(dict.fromkeys(map(_base, self.keys))) or ((" ".join(stems(self.name)),) if self.term else ())

    @property
    def periods(self) -> Iterator[Period]:
        """The years that it names."""
        return (one for piece in self.inside if piece.kind in {"PERIOD", "SPAN"} for one in piece.value)

    def _words(self, pieces: Sequence[Piece]) -> str:
        return self.sentence.question[pieces[0].start : pieces[-1].end]

    def _check(self) -> None:
        """Refuses a number longer than any that is meant, and companies put together."""
        for one in self.inside:
            if one.kind == "NUMBER" and len(str(one.value)) > MOST_DIGITS:
                raise Refused(Code.NOT_UNDERSTOOD, self._words([one]))
        within = any(one.kind == "MENTION" for one in self.inside)
        if within and len({one.ciks for one in self.sentence.mentions}) > 1:
            raise Refused(Code.CROSS_COMPANY, self.text)

    # --- operands ---

    def measure(self, year: int | None) -> Measure:
        """The formula as a measure: the registry's own, where one is made just so. Raises Refused."""
        parsed = self.written.parsed
        self._check()
        if self.open:
            raise Refused(Code.NOT_UNDERSTOOD, self.text)  # it is defined by itself
        self.open = True
        try:
            expr = placed(parsed.expr, year) if year else parsed.expr
        except ValueError:
            raise Refused(Code.NOT_UNDERSTOOD, self.text) from None
        readings = [self._operand(one, year) for one in parsed.operands]
        self.open = False
        pairs = zip(parsed.operands, readings, strict=True)
        told = [(*one.asserted, *self._noncurrent(wording, one)) for wording, one in pairs]
        for read in islice(product(*told), MOST_READINGS):
            keys = [key_of(row.measure) for row in read]
            if all(keys) and (metric := same_metric(_over_keys(expr, keys), self.keys, self.measures)):
                return metric
        if self.written.loose:
            raise Refused(Code.NOT_UNDERSTOOD, self.text)
        operands = [self._chosen(*pair) for pair in zip(parsed.operands, readings, strict=True)]
        operands = [
            self._beside(one, rows[len(found.asserted) :], operands)
            for one, found, rows in zip(operands, readings, told, strict=True)
        ]
        if parsed.averages and not any(map(self._has_year_end, operands)):
            raise Refused(Code.NOT_UNDERSTOOD, self.text)  # over which years, nobody says
        names = _names(operands)
        return Formula(
            text=self.text,
            term=self.name,
            expression=str(named(expr, names)),
            operands=tuple(Operand(name=name, of=of) for name, of in dict(zip(names, operands, strict=True)).items()),
            unit="percent" if parsed.percent or self._is_rate or self._in_percent else "",
            dated=bool(parsed.years),
        )

    def _has_year_end(self, measure: Measure) -> bool:
        return self.measures.entry(key_of(measure)) is None or self.measures.instant(key_of(measure))

    @property
    def _is_rate(self) -> bool:
        """Whether what is defined is a percentage by its name."""
        return bool(self.keys) and all(self.measures.unit(key) == "percent" for key in self.keys)

    @property
    def _in_percent(self) -> bool:
        """Whether the question asks for a percentage, or an instruction beside it does."""
        outside = (part for part in self.sentence.parts if part.first not in self.taken)
        asked = any(part.value("unit") == "percent" for part in outside)
        return asked or any(form_of(words).percent for words in self.sentence.passed)

    def _operand(self, wording: Wording, year: int | None) -> Named:
        """The measures that the words of an operand name. Raises Refused, with these words."""
        parts: list[Part] = [one.value for one in wording.pieces]
        told = self._words(wording.pieces)
        held = [part for part in parts if part.named]
        keys = {_base(key) for part in held for key in part.named.keys} or {" ".join(stems(told))}  # type: ignore[union-attr]
        if defined := next((one for name, one in self.others.items() if name in keys and one is not self), None):
            return Named((Row(measure=defined.measure(year)),))
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
            told = self._words(wording.pieces)
            raise Refused(Code.AMBIGUOUS_CONCEPT, told, measures=found.keys)
        amounts = [row for row in rows if self.measures.unit(key_of(row.measure)) == "USD"]
        return (amounts or rows)[0].measure

    def _beside(self, measure: Measure, noncurrent: Sequence[Row], others: Sequence[Measure]) -> Measure:
        """A balance beside its own current portion, which is then counted once: where the registry adds up both."""
        keys = [key_of(one) for one in others if one is not measure]
        for row in noncurrent:
            sums = (Binary("+", Name(key), Name(key_of(row.measure))) for key in keys if key and ":" not in key)
            if any(same_metric(one, (), self.measures) for one in sums):
                return row.measure
        return measure

    def _noncurrent(self, wording: Wording, found: Named) -> tuple[Row, ...]:
        """What a balance is without its current portion, which a formula may mean: "short-term plus long-term debt"."""
        words = next((one.value.stems for one in wording.pieces if one.kind == "NAME"), ())
        other = self.measures.qualified(words, " ".join(words), found, "noncurrent") if words else None
        return other.asserted if other and other.keys != found.keys else ()

    def _qualified(self, phrase: Phrase) -> Named | None:
        typed = " ".join((*phrase.front, *phrase.part.bases, *phrase.rear))
        found: Named | None = phrase.named
        for qualifier in (*phrase.before, *phrase.behind):
            found = found and self.measures.qualified(phrase.part.stems, typed, found, qualifier)
        return found


class _Question:
    """A question whose formulas are measures."""

    def __init__(self, sentence: Sentence, found: Sequence[tuple[_Defined, Measure]], measures: Measures) -> None:
        self.sentence, self.found, self.measures = sentence, found, measures
        self.taken = [one.taken for one, _ in found]

    def with_measures(self, stretches: Sequence[Stretch]) -> Sentence:
        """The question with a measure where a name stands that it defines, or is made of one; each definition is frame.

        Where none of them is asked elsewhere, the first formula stands for itself.
        """
        asks = {
            places: row for one, measure in self.found for places in self._places(one) if (row := _row(one, measure))
        }
        asks |= {places: row for places, row in self._made_of_defined() if places not in asks}
        gone = [*self.taken, *asks]
        parts = [part for part in self.sentence.parts if not any(part.first in one for one in gone)]
        parts += [self._part(places, Meaning("measure", Named((row,)))) for places, row in asks.items()]
        own = [one for one in stretches if any(one.first in places for places in self.taken)]
        meaning = DEFINITION if asks else Meaning("measure", Named((_row(*self.found[0]),)))
        for places in self.taken:
            within = [one for one in own if one.first in places]
            ends = [places.start, *(place for one in within for place in (one.first, one.last)), places.stop]
            for first, last in zip(ends[::2], ends[1::2], strict=True):
                if first < last:
                    parts.append(self._part(range(first, last), meaning))
                    meaning = DEFINITION
        parts += [Part(one.first, one.last, self.sentence.tokens[one.first : one.last], stretch=one) for one in own]
        return with_parts(self.sentence, sorted(parts, key=lambda part: part.first))

    def _part(self, places: range, meaning: Meaning) -> Part:
        first, last = places.start, places.stop
        return Part(first, last, self.sentence.tokens[first:last], match=Match(first, last, (meaning,)))

    def _outside(self) -> Iterator[Part]:
        return (part for part in self.sentence.parts if not any(part.first in one for one in self.taken))

    def _places(self, defined: _Defined) -> list[range]:
        """Where the name that is defined stands: under its words, or under others that mean the same."""
        if not defined.term:
            return []
        words = [token.stem for piece in defined.term for token in self.sentence.tokens[piece.first : piece.last]]
        tokens, size = self.sentence.tokens, len(words)
        starts = range(len(tokens) - size + 1)
        inside = {place for part in self.sentence.parts if part.named for place in part.places[1:]}
        found = [
            range(at, at + size)
            for at in starts
            if [one.stem for one in tokens[at : at + size]] == words and not {at, at + size} & inside
        ]
        names = {*map(_base, defined.keys)}
        parts = (part for part in self._outside() if part.named)
        found += [part.places for part in parts if names and {*map(_base, part.named.keys)} <= names]  # type: ignore[union-attr]
        return [one for one in dict.fromkeys(found) if not any(one.start in places for places in self.taken)]

    def _made_of_defined(self) -> Iterator[tuple[range, Row]]:
        """Metrics that are made of what the question defines, with its definition in place of the registry's."""
        defined = {name: measure for one, measure in self.found for name in one.names}
        for part in self._outside():
            keys = part.named.keys if part.named else ()
            if len(keys) != 1 or not self.measures.is_formula(keys[0]) or _base(keys[0]) in defined:
                continue
            parts = [key for key in self.measures.parts(keys[0]) if key in defined]
            if not parts:
                continue
            if all(self._is_default(defined[key], key) for key in parts):
                yield (
                    part.places,
                    Row(measure=measure_of(self.measures.registry, keys[0]), text=self.sentence.text(part)),
                )
                continue
            expr = self.measures.formula(keys[0])
            names = dict.fromkeys(one.name.key for one in operands(expr))
            made = {name: defined.get(name) or measure_of(self.measures.registry, name) for name in names}
            text = self.sentence.text(part)
            unit: Literal["", "percent"] = "percent" if self.measures.unit(keys[0]) == "percent" else ""
            yield (
                part.places,
                Row(
                    text=text,
                    measure=Formula(
                        text="; ".join(f"{one.name}: {one.text}" for one, _ in self.found),
                        term=text,
                        expression=str(expr),
                        operands=tuple(Operand(name=name, of=of) for name, of in made.items()),
                        unit=unit,
                    ),
                ),
            )

    def _is_default(self, measure: Measure, key: str) -> bool:
        default = self.measures.registry.metrics[key].default if key in self.measures.registry.metrics else ""
        return isinstance(measure, Metric) and measure.key == key and measure.variant in {"", default}


def _row(defined: _Defined, measure: Measure) -> Row:
    return Row(measure=measure, text=defined.name or defined.text)


def _base(key: str) -> str:
    """A registry key without its variant."""
    return key.partition(":")[0]


def _names(operands: Sequence[Measure]) -> list[str]:
    """A name of each operand that says what it is, and is one of an expression; of equal ones the same."""
    found: dict[Measure, str] = {}
    for one in operands:
        called = one.term or "formula" if isinstance(one, Formula) else key_of(one)
        word = re.sub(r"[^a-z0-9]", "_", called.lower())
        word = word if word[:1].isalpha() else f"line_{word}"
        found.setdefault(one, f"{word}_{len(found)}" if word in found.values() else word)
    return [found[one] for one in operands]


def _over_keys(expr: Expr, keys: Sequence[str]) -> Expr:
    """An expression over the registry's keys of its operands."""

    def put(name: Name) -> Name:
        key, _, variant = keys[int(name.key[1:])].partition(":")
        return Name(key, variant, name.offset)

    return mapped(expr, put)
