"""The words of a question against the slots that a model filled: in which slot each stands, and what it may name."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property

from agent.grounding.slots import Piece, RowPiece, Understanding, is_free
from agent.query.companies.owners import Owners
from agent.query.nearest.context import without_context
from agent.query.nearest.left_over import LeftOver
from agent.query.reading.reading import Reading
from agent.query.words.lexicon import loose
from agent.query.words.sentence import ARTICLES, FIRST_PERSON, Part, breaks
from agent.query.words.word_classes import classes, connecting
from agent.state.query import Row
from agent.state.question_words import Role, Word
from agent.state.references import QuestionType
from agent.words.tokens import Token, in_capitals, stems

# Frame words that are never names of things.
_BARE = frozenset({"function", "aux", "polite", "time"})
_SPEAKING = FIRST_PERSON | {"you", "your", "u", "me", "us"}
_JOINING = frozenset({"and", "or", "to", "then"})
# Letters of words that titles begin with a capital.
_LONG = 4


class QuestionWords:
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
            *((one, Role.TOPIC) for one in (() if said.type is QuestionType.NUMERIC else said.topics)),
        ]

    @cached_property
    def _asked(self) -> frozenset[int]:
        return frozenset(one.cik for one in self.reading.refs)

    def _is_left_out(self, part: Part) -> bool:
        return any(self._overlaps(part, one.piece) for one in self.said.left_out)

    def _is_term(self, part: Part) -> bool:
        """Whether an unknown word stands in the name of some company's part."""
        return part.unknown and any(self._is_in(part, name) for name in self.owners().parts)

    def _is_in(self, part: Part, words: Collection[str]) -> bool:
        return any(self.tokens[place].stem in words for place in part.places)

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

    @property
    def _measures(self) -> list[Row]:
        return [row for _, made in self.rows for row in made]

    def _may_go(self, part: Part) -> bool:
        """Whether the grammar lets a question be read without words."""
        return bool(self._left(part).dropped())

    def _left(self, part: Part) -> LeftOver:
        ciks = [one.cik for one in self.reading.refs]
        places = range(part.first, part.last)
        return LeftOver(self.question, self.tokens, self.words, places, self.owners, ciks)

    @cached_property
    def _context(self) -> frozenset[int] | None:
        """Places of the words that are left where the clauses that only tell why it is asked are taken out; None for none."""
        ciks = [one.cik for one in self.reading.refs]
        found = without_context(self.question, self.tokens, self.words, self.owners, ciks)
        if found is None:
            return None
        return frozenset(place for place, token in enumerate(self.tokens) if token in found.kept)

    @cached_property
    def idle(self) -> frozenset[int]:
        """Places of the words of asking, and of binding words."""
        return idle(self.tokens, self.starts, {0, *breaks(self.question, self.tokens)})

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

    @cached_property
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


def idle(
    tokens: Sequence[Token], measures: Collection[int], begins: Collection[int] = frozenset({0})
) -> frozenset[int]:
    """Indexes of the words of asking and about the asker, where they cannot name a part of what is asked.

    "Need", "paper" and "data" mean nothing in "I need it for a paper", and everything in "paper revenue" or "revenue from
    data": the words before them decide. measures: indexes at which a measure's name begins; begins: at which a clause does.
    """
    found: set[int] = set()
    led: set[int] = set()  # words of asking, and what the asker says about himself
    for place, token in enumerate(tokens):
        values = _frame(token)
        before = tokens[place - 1].base if place else ""
        if not values:
            continue
        if values <= _BARE or token.base in _SPEAKING | connecting("interrogative"):
            found.add(place)
        elif "ask" in values:
            follows = before in _SPEAKING | _JOINING or (place > 0 and _frame(tokens[place - 1]) <= {"aux", "polite"})
            if place in begins or place - 1 in led or (follows and place - 1 in found):
                led.add(place)
        elif place + 1 not in measures:
            article = before in ARTICLES and place > 1
            owned = tokens[place - 2].base == "for" or place - 2 in led if article else place - 1 in led
            if owned or before in _SPEAKING:
                led.add(place)
    return frozenset(found | led)


def _frame(token: Token) -> frozenset[str]:
    """The kind of a word of asking; none where it has another meaning too."""
    meanings = classes().get((token.stem,), ())
    return frozenset(one.value for one in meanings) if {one.kind for one in meanings} == {"frame"} else frozenset()
