"""Whether the slots that a model filled hold every word of a question: what they leave out, and what that may change."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property

from agent.grounding.ignorable_words import idle
from agent.grounding.slots import Piece, RowPiece, Understanding, is_free
from agent.query.left_over import LeftOver
from agent.query.lexicon import Named, key_of, loose
from agent.query.owners import Owners
from agent.query.reading import Reading
from agent.query.sentence import Part, breaks
from agent.query.word_classes import connecting
from agent.state.query import Metric, Role, Row, Word
from agent.words.tokens import in_capitals, stems

# What makes of a figure another, and must be held by a slot.
_CHANGING = ("guard", "non_gaap", "comparator", "currency", "interim")
# Qualifiers without which a measure is another one.
_QUALIFYING = frozenset(
    {
        "current", "noncurrent", "long term", "gross", "basic", "diluted", "weighted average", "common holders",
        "noncontrolling", "including noncontrolling", "including current", "per share",
    }
)  # fmt: skip
# Frames of words that are names of things, too: "paper", "need".
_OF_ASKING = frozenset({"ask", "asker", "amount"})
_RATIOS = frozenset({"share", "ratio"})
# Qualifiers and units that a measure may be said not to have -> the registry's units.
_UNITS = {"percent": "percent", "per share": "USD/shares"}
# Between two years or companies stands no more than a short word: "22 v 23".
_GAP, _LETTERS = 2, 3
# Letters of words that titles begin with a capital.
_LONG = 4
_MONEY = frozenset({"USD", "USD/shares", "percent"})
# Operations that every table of several figures serves.
_NEUTRAL = frozenset({"compare", "trend", "each", "which_one", "which_year"})


class WordsHeld:
    """The words of one question, against the slots and the rows that are made of them."""

    def __init__(
        self,
        question: str,
        said: Understanding,
        rows: Sequence[tuple[RowPiece, Sequence[Row]]],
        reading: Reading,
        owners: Callable[[], Owners],
    ) -> None:
        """rows: each piece for a row with the rows made of it. reading: the question under the companies that are asked."""
        self.question, self.said, self.rows, self.reading, self.owners = question, said, rows, reading, owners
        self.sentence, self.tokens = reading.sentence, reading.sentence.tokens
        self.row_of = {piece.piece: (piece, made) for piece, made in rows}
        self.filled = [
            *((one, Role.COMPANY) for one in said.companies),
            *((one, Role.PERIOD) for one in said.periods),
            *((one.piece, Role.MEASURE) for one in said.rows),
            *((one.piece, Role.OPERATION) for one in said.operations),
            *((one.number, Role.OPERATION) for one in said.operations if one.number),
            *((one, Role.TOPIC) for one in said.topics),
        ]

    # --- what is left out ---

    def left_out(self) -> tuple[str, ...] | None:
        """The words that no slot holds and that may change what is asked, as typed; None where one surely does."""
        found: list[str] = []
        for part in self.sentence.parts:
            verdict = self._verdict(part)
            if verdict is None:
                return None
            if not verdict:
                found.append(self._with_governed(part))
        return tuple(dict.fromkeys(found))

    def _with_governed(self, part: Part) -> str:
        """Words that are left out, with what "excluding" or "not" governs in the same slot."""
        if not part.has("guard"):
            return self.sentence.text(part)
        first = self.tokens[part.first].start
        pieces = [piece for piece, _ in self.filled if piece.start <= first < piece.end]
        pieces += [one.piece for one in self.said.left_out if one.piece.start <= first < one.piece.end]
        return self.question[first : pieces[0].end].strip() if pieces else self.sentence.text(part)

    def _verdict(self, part: Part) -> bool | None:
        """True for words that a slot holds or that say nothing; False for those that are left out; None for another question."""
        slots = [(piece, role) for piece, role in self.filled if self._overlaps(part, piece)]
        roles = {role for _, role in slots}
        if part.stretch:
            return True if roles else self._of_unheld(part, slots)
        if part.mention:
            if Role.COMPANY in roles or part.mention.weak or self._asked.issuperset(part.mention.ciks):
                return True
            return False if self._is_left_out(part) and self._is_apart(part) else None
        if part.has("intent") and not self._is_named(part, slots):
            return None
        if slots:
            return self._is_held(part, slots)
        if self._is_left_out(part):
            return self._is_idle(part)
        return self._says_nothing(part)

    @cached_property
    def _asked(self) -> frozenset[int]:
        return frozenset(one.cik for one in self.reading.refs)

    def _is_left_out(self, part: Part) -> bool:
        return any(self._overlaps(part, one.piece) for one in self.said.left_out)

    def _of_unheld(self, part: Part, slots: Sequence[tuple[Piece, Role]]) -> bool | None:
        """A period that is in no slot: left out where a model says so, or else another question."""
        return False if self._is_left_out(part) else self._is_named(part, slots) or None

    def _is_held(self, part: Part, slots: Sequence[tuple[Piece, Role]]) -> bool | None:
        """Whether the slots in which words stand hold what they mean."""
        if {role for _, role in slots} - {Role.MEASURE}:
            return True
        pieces = [self.row_of[piece][0] for piece, _ in slots if piece in self.row_of]
        counted = part.first and self.tokens[part.first - 1].base == "many" and not part.has("scale", "unit")
        if counted and any(map(self._is_of_money, pieces)):
            return None
        if self._is_named(part, slots) or part.has("frame", "verb"):
            return True
        made = any(one.form != "value" or one.by or one.part for one in pieces) or bool(self.said.operations)
        if part.number or part.has(*_CHANGING):
            subtracts = part.has("guard") and any(one.form == "difference" for one in pieces)
            divides = part.value("guard") == "per" and any(one.by for one in pieces)
            return (
                subtracts
                or divides
                or self._denies(part)
                or self._is_denied(part)
                or (part.has("comparator", "guard") and part.has("operation") and made)
            )
        if part.has("qualifier") and self._is_denied(part):
            return True
        if part.has("operation"):
            return made or part.values("operation") <= _NEUTRAL or self._is_of_ratios(part)
        if part.has("part", "axis"):
            return any(one.by or one.part for one in pieces)
        if part.has("qualifier") and part.values("qualifier") & _QUALIFYING:
            return any(self._agrees(row, part) for piece in pieces for row in self.row_of[piece.piece][1])
        if part.unknown and _is_mark(part.word):
            return True
        unnamed = self._is_unnamed(part)
        if not unnamed or not part.unknown or any(one.part or one.by for one in pieces):
            return unnamed
        known = any(
            (one.named or one.has("named_verb")) and self._overlaps(one, piece.piece)
            for one in self.sentence.parts
            for piece in pieces
        )
        return not (self._narrows(part) or (known and self._is_term(part)) or self._is_in(part, self._words_of_parts))

    def _is_term(self, part: Part) -> bool:
        """Whether an unknown word stands in the name of some company's part."""
        return part.unknown and any(self._is_in(part, name) for name in self.owners().parts)

    def _is_in(self, part: Part, words: Collection[str]) -> bool:
        return any(self.tokens[place].stem in words for place in part.places)

    def _narrows(self, part: Part) -> bool:
        """Whether an unknown word stands in the noun phrase of a measure that code knows: "soap revenue", "revenue from soap"."""
        marks = breaks(self.question, self.tokens)
        known = {place for one in self.sentence.parts if one.named or one.has("named_verb") for place in one.places}
        if part.last in known and part.last not in marks:
            return True
        place = part.first - 1
        while place > 0 and self.tokens[place].base in connecting("determiners"):
            place -= 1
        return place > 0 and self.tokens[place].base in connecting("attaching") and place - 1 in known

    def _is_of_money(self, piece: RowPiece) -> bool:
        """Whether a row gives dollars or percentages: no number of things."""
        return any(self.reading.measures.unit(key_of(row.measure)) in _MONEY for row in self.row_of[piece.piece][1])

    def _agrees(self, row: Row, part: Part) -> bool:
        """Whether a qualifier says what a measure is anyway."""
        typed = " ".join(part.bases)
        return any(self.reading.measures.agrees(row, one, typed) for one in part.values("qualifier"))

    def _is_named(self, part: Part, slots: Sequence[tuple[Piece, Role]]) -> bool:
        """Whether words stand in a name of what fills their slot."""
        words = loose(part.stems)
        return bool(words) and any(words <= self._names(piece) for piece, _ in slots if piece in self.row_of)

    def _names(self, piece: Piece) -> frozenset[str]:
        """Every word in the names of what a row is made of."""
        row, _ = self.row_of[piece]
        named = [*row.candidates, *([row.part] if row.part else ())]
        return frozenset().union(*(loose(stems(name)) for one in named for name in (one.label, *one.names)))

    def _is_unnamed(self, part: Part) -> bool | None:
        """Whether words that a model takes for a measure are in no name of another thing: a part, a brand, a person."""
        symbols = {one.symbol.lower() for one in self.reading.refs}
        for place in part.places:
            token = self.tokens[place]
            if token.base in symbols:
                continue
            named = token.capital and place and place not in breaks(self.question, self.tokens)
            if named and not self._is_titled:
                return None
        return True

    @cached_property
    def _is_titled(self) -> bool:
        """Whether capitals tell no names: "What Was Its Revenue"."""
        long = [token for token in self.tokens if len(token.base) >= _LONG and token.base.isalpha()]
        return in_capitals(self.tokens) or (len(long) > 2 and all(token.capital for token in long))

    @cached_property
    def _words_of_parts(self) -> frozenset[str]:
        return frozenset(word for key in self.reading.lexicon.parts for word in key)

    # --- words in no slot ---

    def _is_idle(self, part: Part) -> bool | None:
        """Whether words that a model leaves out change nothing; False where they may, None where they name something."""
        if all(place in self.idle for place in part.places) or (self._may_go(part) and not self._is_term(part)):
            return True
        if part.named:
            return self._is_apart(part) and bool({*part.named.keys} & {key_of(row.measure) for row in self._measures})
        if part.has(*_CHANGING) or part.number:
            return False
        if part.has("operation"):
            return part.values("operation") <= _NEUTRAL or self._is_of_ratios(part)
        if part.has("statement"):
            return all(self._stands_on(part.values("statement"), row) for row in self._measures)
        if part.unknown and self._is_unnamed(part) is None:
            return False if self._is_apart(part) else None
        if part.values("qualifier") & _QUALIFYING or part.has("part", "axis"):
            return self._is_apart(part)
        return not (self._leads(part) or self._is_term(part))

    @property
    def _measures(self) -> list[Row]:
        return [row for _, made in self.rows for row in made]

    def _is_of_ratios(self, part: Part) -> bool:
        """Whether words say that measures are ratios which are so by their formula: "as a multiple"."""
        metrics = all(isinstance(row.measure, Metric) for row in self._measures)
        return metrics and part.values("operation") <= _RATIOS

    def _is_denied(self, part: Part) -> bool:
        """Whether "not" stands before a qualifier that the measures do not have: "not per share", "not the diluted one"."""
        at = self.sentence.parts.index(part)
        before = [one for one in self.sentence.parts[:at] if not set(one.bases) <= connecting("determiners")]
        return bool(before) and before[-1].value("guard") == "not" and self._is_of_another(part)

    def _denies(self, part: Part) -> bool:
        """Whether a guard is a "not" before such a qualifier."""
        at = self.sentence.parts.index(part)
        behind = [one for one in self.sentence.parts[at + 1 :] if not set(one.bases) <= connecting("determiners")]
        return part.value("guard") == "not" and bool(behind) and self._is_of_another(behind[0])

    def _is_of_another(self, part: Part) -> bool:
        """Whether a qualifier or unit is one that the measures do not have."""
        barred = {_UNITS[one] for one in part.values("qualifier") | part.values("unit") if one in _UNITS}
        if barred:
            return not barred & {self.reading.measures.unit(key_of(row.measure)) for row in self._measures}
        told = bool(part.values("qualifier") & _QUALIFYING) or part.has("non_gaap")
        return told and not any(self._agrees(row, part) for row in self._measures)

    def _stands_on(self, statements: frozenset[str], row: Row) -> bool:
        """Whether a measure is a row of one of the statements."""
        return any(self.reading.measures.stands_on(key_of(row.measure), one) for one in statements)

    def _is_apart(self, part: Part) -> bool:
        """Whether a model leaves out the whole clause in which words stand: "it's for a class"."""
        clause = next(one.parts for one in self.sentence.clauses if part in one.parts)
        spans = [one.piece for one in self.said.left_out]
        return all(any(self._overlaps(one, piece) for piece in spans) for one in clause)

    def _says_nothing(self, part: Part) -> bool | None:
        """Whether words that no slot and no reason covers change nothing."""
        if all(place in self.idle for place in part.places):
            return True
        if part.has("verb") and not part.has("qualifier", *_CHANGING):
            return self._agrees_with_verb(part)
        if part.has("named_verb") and not part.has(*_CHANGING):
            return True
        if part.values("operation") and part.values("operation") <= _NEUTRAL and not part.has(*_CHANGING):
            return True
        ever = self.reading.asked.several and part.only_says("of any year")
        if self._joins(part) or self._is_of_part(part) or ever:
            return True
        if part.unknown:
            return False if self._may_go(part) else None
        if part.has("frame") and not part.has("operation", *_CHANGING):
            asked = part.first and self.tokens[part.first - 1].base == "how"
            if asked or not part.values("frame") & _OF_ASKING or not self._leads(part):
                return True
            return False if self._may_go(part) else None
        return True if part.has("scale", "unit", "statement") else None

    def _joins(self, part: Part) -> bool:
        """Whether words stand between two slots of one kind, or are a preposition that no number follows: "22 v 23"."""
        first, last = self.tokens[part.first], self.tokens[part.last - 1]
        before = max(((piece.end, role) for piece, role in self.filled if piece.end <= first.start), default=None)
        behind = min(((piece.start, role) for piece, role in self.filled if piece.start >= last.end), default=None)
        if part.unknown and before and behind and before[1] is behind[1] in {Role.PERIOD, Role.COMPANY}:
            near = first.start - before[0] <= _GAP and behind[0] - last.end <= _GAP
            return near and len(first.base) <= _LETTERS
        if first.base in connecting("other prepositions") and part.unknown:
            return bool(behind and behind[1] is Role.COMPANY and behind[0] - last.end <= _GAP)  # "inside Coca-Cola"
        follows = next((one for one in self.sentence.parts if one.first == part.last), None)
        mark = _is_mark(first.base)
        slight = (part.unknown and mark) or (part.has("comparator") and (mark or part.value("frame") == "function"))
        return slight and not (follows and follows.number)

    def _is_of_part(self, part: Part) -> bool:
        """Whether words name the part of the company that a row is of."""
        words = loose(part.stems)
        named = [piece.part for piece, _ in self.rows if piece.part]
        return bool(words) and any(words <= loose(stems(name)) for one in named for name in (one.part, *one.names))

    def _leads(self, part: Part) -> bool:
        """Whether words may say which measure it is: they stand right before its name, or behind it and a preposition."""
        if part.last in self.starts and part.last not in breaks(self.question, self.tokens):
            return True
        place = part.first - 1
        while place >= 0 and self.tokens[place].base not in connecting("attaching"):
            if place in self.ends or any(
                piece.start <= self.tokens[place].start < piece.end for piece, _ in self.filled
            ):
                return False
            place -= 1
        return place > 0 and place - 1 in self.ends

    def _agrees_with_verb(self, part: Part) -> bool:
        """Whether the measures bear a verb beside them: what is spent is an expense."""
        verb = part.value("verb") or ""
        measures = self.reading.measures
        return all(measures.verbed((), Named((row,)), verb) for row in self._measures) or verb in {
            "report",
            "earn",
            "flow",
        }

    def _may_go(self, part: Part) -> bool:
        """Whether the grammar lets a question be read without words."""
        return bool(self._left(part).dropped())

    def _left(self, part: Part) -> LeftOver:
        ciks = [one.cik for one in self.reading.refs]
        places = range(part.first, part.last)
        return LeftOver(self.question, self.tokens, self.words(), places, self.owners, ciks)

    @cached_property
    def idle(self) -> frozenset[int]:
        """Places of the words of asking, and of binding words."""
        return idle(self.tokens, self.starts)

    @cached_property
    def starts(self) -> frozenset[int]:
        """Places at which a row's words begin."""
        starts = {one.piece.start for one in self.said.rows}
        return frozenset(place for place, token in enumerate(self.tokens) if token.start in starts)

    @cached_property
    def ends(self) -> frozenset[int]:
        """Places of the last words of rows and companies."""
        ends = {one.piece.end for one in self.said.rows} | {one.end for one in self.said.companies}
        return frozenset(place for place, token in enumerate(self.tokens) if token.end in ends)

    # --- what each word was used for ---

    def words(self) -> tuple[Word, ...]:
        """Every word of the question with its slot."""
        kept: list[Word] = []
        for piece, role in self.filled:
            if is_free(piece, [(one.start, one.end) for one in kept]):
                kept.append(Word(start=piece.start, end=piece.end, text=piece.text, role=role))
        return tuple(sorted((*kept, *self._unfilled(kept)), key=lambda one: one.start))

    def _unfilled(self, kept: Sequence[Word]) -> Iterator[Word]:
        why = [(one.piece.start, one.piece.end, one.why) for one in self.said.left_out]
        for place, token in enumerate(self.tokens):
            if any(one.start < token.end and token.start < one.end for one in kept):
                continue
            reason = next((why for start, end, why in why if start < token.end and token.start < end), "")
            role = Role.FRAME if place in self.idle else Role.UNUSED
            yield Word(
                start=token.start,
                end=token.end,
                text=self.question[token.start : token.end],
                role=role,
                meaning=reason,
            )

    def _overlaps(self, part: Part, piece: Piece) -> bool:
        first, last = self.tokens[part.first], self.tokens[part.last - 1]
        return first.start < piece.end and piece.start < last.end


def _is_mark(word: str) -> bool:
    """Whether a word has no letter and no digit."""
    return not any(letter.isalnum() for letter in word)
