"""Whether the slots that a model filled hold every word of a question: what they leave out, and what that may change."""

from collections.abc import Collection, Iterable, Sequence

from agent.grounding.operation_words import NEUTRAL, served_by
from agent.grounding.question_words import QuestionWords
from agent.grounding.slots import Piece, RowPiece
from agent.query.words.lexicon import Named, key_of, loose
from agent.query.words.sentence import Part, breaks
from agent.query.words.word_classes import connecting
from agent.state.query import Change, Formula, Metric, Row, Share
from agent.state.question_words import Role
from agent.state.references import QuestionType
from agent.words.tokens import stems

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
_MONEY = frozenset({"USD", "USD/shares", "percent"})


class WordsHeld(QuestionWords):
    """Whether each word of a question is held by a slot, says nothing, or is left out."""

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

    def narrows_to_another(self, names: Iterable[str], members: Collection[str]) -> bool:
        """Whether a question that no figure answers by itself is of something else than these figures: of an adjusted one,
        of a part of the company, or of a name that nobody knows.

        names, members: what the figures are called, and the parts that they are of.
        """
        held = frozenset().union(*(loose(stems(name)) for name in names))
        for part in self.sentence.parts:
            if part.has("non_gaap") and not loose(part.stems) <= held:
                return True
            if part.has("member") and (told := part.company_part) and not {*told.members} & {*members}:
                return True
            of_company = any(self._overlaps(part, piece) for piece in self.said.companies)
            if part.unknown and not of_company and self._is_unnamed(part) is None and not loose(part.stems) <= held:
                return True
        return False

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
            # "By quarter" names no period of its own.
            each = Role.OPERATION in roles and part.stretch.part is not None and part.stretch.part.kind is None
            return (
                True if Role.PERIOD in roles or each or self._is_period_again(part) else self._of_unheld(part, slots)
            )
        if part.mention:
            if Role.COMPANY in roles or part.mention.weak or self._asked.issuperset(part.mention.ciks):
                return True
            return False if self._is_left_out(part) else None
        if part.has("intent") and not self._is_named(part, slots):
            return None
        if slots:
            return self._is_held(part, slots)
        if self._is_left_out(part):
            return self._is_idle(part)
        return self._says_nothing(part)

    def _is_period_again(self, part: Part) -> bool:
        """Whether a period is that of a slot, named once more."""
        own = part.stretch.period.model_copy(update={"text": ""}) if part.stretch and part.stretch.period else None
        held = [piece for piece, role in self.filled if role is Role.PERIOD]
        others = (one for one in self.sentence.parts if any(self._overlaps(one, piece) for piece in held))
        named = [one.stretch.period for one in others if one.stretch and one.stretch.period]
        return own is not None and own in [one.model_copy(update={"text": ""}) for one in named]

    def _of_unheld(self, part: Part, slots: Sequence[tuple[Piece, Role]]) -> bool | None:
        """A period that is in no slot: left out where a model says so, or else another question."""
        return False if self._is_left_out(part) else self._is_named(part, slots) or None

    def _is_held(self, part: Part, slots: Sequence[tuple[Piece, Role]]) -> bool | None:
        """Whether the slots in which words stand hold what they mean."""
        roles = {role for _, role in slots}
        if roles == {Role.TOPIC}:
            return True
        if Role.COMPANY in roles and not part.has(*_CHANGING):
            return True
        if Role.MEASURE not in roles:
            return self._is_of_role(part, roles)
        pieces = [self.row_of[piece][0] for piece, _ in slots if piece in self.row_of]
        counted = part.first and self.tokens[part.first - 1].base == "many" and not part.has("scale", "unit")
        if counted and any(map(self._is_of_money, pieces)):
            return None
        if part.number or part.has(*_CHANGING):
            return self._is_changed(part, slots, pieces)
        if self._is_named(part, slots):
            return True
        if part.has("text", "particular") and self.said.type is not QuestionType.BOTH:
            return False
        if part.named:
            # How a ratio is computed, a model may say; what a report calls so, it prints.
            ratios = all(self.reading.measures.is_formula(key) for key in part.named.keys)
            return self._is_operand(part, pieces) or (ratios and any(map(is_computed, pieces)))
        if part.has("member") and (told := part.company_part):
            held = {member for one in pieces if one.part for member in one.part.members}
            return bool(held & {*told.members})
        if part.has("frame", "verb"):
            return True
        if part.has("qualifier") and self._is_denied(part):
            return True
        if part.has("operation"):
            served = served_by(part, pieces, self.said.operations) or self._is_of_ratios(part)
            return served or any(map(is_computed, pieces))
        if part.has("part", "axis"):
            told_by = {one.by for one in pieces}
            return any(one.part for one in pieces) or bool(part.values("axis") & told_by) or part.has("part")
        if part.has("qualifier") and part.values("qualifier") & _QUALIFYING:
            return any(self._agrees(row, part) for piece in pieces for row in self.row_of[piece.piece][1])
        if part.unknown and is_mark(part.word):
            return True
        unnamed = self._is_unnamed(part)
        if not unnamed or not part.unknown or any(one.part or one.by for one in pieces):
            return unnamed
        known = any(
            (one.named or one.has("named_verb")) and self._overlaps(one, piece.piece)
            for one in self.sentence.parts
            for piece in pieces
        )
        before = self.tokens[part.first - 1].base if part.first else ""
        taken_out = before in connecting("other prepositions") or part.only_says("counting")
        named = self._is_term(part) or self._is_in(part, self._words_of_parts)
        return not (taken_out or (known and self._narrows(part)) or named)

    def _is_of_role(self, part: Part, roles: set[Role]) -> bool:
        """Whether words in the slot of a period, an operation or a company are what such a slot is filled with."""
        if Role.OPERATION not in roles:
            return True  # every word of a period and of a company's name is read, or there is no query
        if part.has("guard", "non_gaap", "currency") and not part.has("operation", "comparator"):
            return False
        if part.has("member") or part.values("qualifier") & _QUALIFYING:
            return False
        return self._is_operand(part, [piece for piece, _ in self.rows])

    def _is_operand(self, part: Part, pieces: Sequence[RowPiece]) -> bool:
        """Whether a measure that code knows by words is one of those that rows are made of, or their formulas."""
        keys = {*part.named.keys} if part.named else set[str]()
        measures = self.reading.measures
        asked = {key_of(one.measure) for piece in pieces for one in piece.candidates if one.measure}
        held = asked | {leaf for key in asked for leaf in (*measures.parts(key), *measures.leaves(key))}
        plain = {one.partition(":")[0] for one in held} | held
        return not keys or bool(keys & plain)

    def _is_changed(self, part: Part, slots: Sequence[tuple[Piece, Role]], pieces: Sequence[RowPiece]) -> bool:
        """Whether the form of a row, or one name of its measure, holds words that make another figure."""
        if part.value("guard") in {"excluding", "not"}:
            taken = [one for one in pieces if one.form == "difference"]
            guards = [one for one in self.sentence.parts if one.has("guard") and self._overlaps(one, slots[0][0])]
            parted = part.value("guard") == "excluding" or any(one.part for one in taken)
            if taken and parted and len(guards) < len(taken[0].candidates) + bool(taken[0].part):
                return True
        if part.value("guard") == "per" and any(one.by for one in pieces):
            return True
        if (
            part.has("comparator", "guard")
            and part.has("operation")
            and part.values("operation") - {"lowest", "highest"}
        ):
            return served_by(part, pieces, self.said.operations)
        return self._denies(part) or self._is_denied(part) or self._is_in_one_name(part, slots)

    def _is_in_one_name(self, part: Part, slots: Sequence[tuple[Piece, Role]]) -> bool:
        """Whether one name of a measure has words with what they govern: "less current portion"."""
        at = self.sentence.parts.index(part)
        behind = [
            one
            for one in self.sentence.parts[at + 1 :]
            if any(self._overlaps(one, piece) for piece, _ in slots) and not one.only_says("determiners")
        ]
        words = loose(part.stems) | (loose(behind[0].stems) if behind and not part.number else frozenset())
        pieces = [self.row_of[piece][0] for piece, _ in slots if piece in self.row_of]
        names = [name for one in pieces for each in one.candidates for name in (each.label, *each.names)]
        return bool(words) and any(words <= loose(stems(name)) for name in names)

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

    def _is_idle(self, part: Part) -> bool | None:
        """Whether words that a model leaves out change nothing; False where they may, None where they name something."""
        context = self._context is not None and not self._context & {*part.places}
        if all(place in self.idle for place in part.places) or context:
            return True
        if self._may_go(part) and not self._is_term(part):
            return True
        if part.named:
            return self._is_apart(part) and bool({*part.named.keys} & {key_of(row.measure) for row in self._measures})
        if part.has(*_CHANGING) or part.number:
            return False
        if part.has("operation"):
            return part.values("operation") <= NEUTRAL or self._is_of_ratios(part)
        if part.has("statement"):
            return all(self._stands_on(part.values("statement"), row) for row in self._measures)
        if part.unknown and self._is_unnamed(part) is None:
            return False if self._is_apart(part) else None
        if part.values("qualifier") & _QUALIFYING or part.has("part", "axis"):
            return self._is_apart(part)
        return not (self._leads(part) or self._is_term(part))

    def _is_of_ratios(self, part: Part) -> bool:
        """Whether words say that measures are ratios which are so by their formula: "as a multiple"."""
        metrics = all(isinstance(row.measure, Metric) for row in self._measures)
        return metrics and part.values("operation") <= _RATIOS

    def _is_denied(self, part: Part) -> bool:
        """Whether "not" stands before a qualifier that the measures do not have: "not per share", "not the diluted one"."""
        at = self.sentence.parts.index(part)
        before = [one for one in self.sentence.parts[:at] if not one.only_says("determiners")]
        return bool(before) and before[-1].value("guard") == "not" and self._is_of_another(part)

    def _denies(self, part: Part) -> bool:
        """Whether a guard is a "not" before such a qualifier."""
        at = self.sentence.parts.index(part)
        behind = [one for one in self.sentence.parts[at + 1 :] if not one.only_says("determiners")]
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
        keys = {*part.named.keys} if part.named else set[str]()
        if len(keys) > 1 and keys <= {key_of(row.measure) for row in self._measures}:
            return True  # one name for several of the measures asked: "cash flow"
        if part.has("verb") and not part.has("qualifier", *_CHANGING):
            return self._agrees_with_verb(part)
        if part.has("named_verb") and not part.has(*_CHANGING):
            key = part.value("named_verb") or ""
            return key in {key_of(row.measure) for row in self._measures} or bool(part.values("frame"))
        if part.values("operation") and part.values("operation") <= NEUTRAL and not part.has(*_CHANGING):
            return True
        ever = self.reading.asked.several and part.only_says("of any year")
        if self._joins(part) or self._is_of_part(part) or ever or part.only_says("determiners"):
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
        mark = is_mark(first.base)
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


def is_computed(piece: RowPiece) -> bool:
    """Whether a row is what a model's expression makes of several figures: then it says how the words are computed."""
    return any(isinstance(one, Formula | Change | Share) for one in piece.made)


def is_mark(word: str) -> bool:
    """Whether a word has no letter and no digit."""
    return not any(letter.isalnum() for letter in word)
