"""The table before a question: what words behind it name, and the query or the refusal that a change of it makes."""

from collections.abc import Callable, Sequence
from typing import Any

from agent.query.measures.accounting_words import Measures
from agent.query.measures.named_parts import LISTING
from agent.query.reading.follow_up import CHANGE, is_single
from agent.query.reading.reader import Reader
from agent.query.tables.table_forms import base_of, key_words
from agent.query.words.company_lexicon import of_faces
from agent.query.words.lexicon import key_of
from agent.query.words.refused_question import Misread
from agent.query.words.word_classes import changing
from agent.refusals.codes import Code
from agent.registrants.mentions import Mention
from agent.state.query import (
    Breakdown,
    Change,
    Concept,
    Difference,
    Line,
    Measure,
    Member,
    Metric,
    Operation,
    Over,
    OverYears,
    Query,
    Row,
    Share,
    Threshold,
)
from agent.state.question_words import Display, Role, Word
from agent.words.tokens import Token

Open = Callable[[tuple[Token, ...], Query | None], Reader]
# Slots that a change names something for.
_SLOTS = frozenset({Role.COMPANY, Role.MEASURE, Role.PERIOD})
# Misreadings of what is to be added or removed that say more than that it was not understood.
_TELLING = frozenset(
    {Code.AMBIGUOUS_COMPANY, Code.AMBIGUOUS_CONCEPT, Code.CONCEPT_UNKNOWN, Code.NON_GAAP, Code.UNKNOWN_COMPANY}
)


class ChangedTable:
    """The table before a question that changes it."""

    def __init__(self, question: str, tokens: tuple[Token, ...], previous: Query, opened: Open) -> None:
        """opened: a reader of some of the tokens, behind the table."""
        self.question, self.previous, self.opened = question, previous, opened
        self.tokens = tokens
        self.named: tuple[Word, ...] = ()  # the words that name what is added, removed or left
        reader = opened(tokens, previous)
        self.measures, self.today = Measures(reader.registry, reader.shared), reader.today
        ciks = [company.cik for company in previous.companies]
        faced = reader.lines is not None and len(ciks) == 1
        self.parts = of_faces(reader.shared, reader.lines(ciks)) if faced and reader.lines else None

    # --- what is named ---

    def operand(self, tokens: tuple[Token, ...]) -> tuple[Query | Misread | None, set[Role]]:
        """What words that are added or removed name, read behind the table; and which slots they name something for.

        None where they name none, or ask for more than that.
        """
        if not tokens or tokens[0].base in {key[0] for key in changing("binding")}:
            return None, set()
        if rows := self.of_parts(tokens):
            self.named = (self._word(tokens, Role.MEASURE),)
            return self.previous.model_copy(update={"rows": rows}), {Role.MEASURE}
        reader = self.opened(tokens, self.previous)
        found = reader.read()
        if isinstance(found, Misread):
            return (self.refused(found.code, tokens, found) if found.code in _TELLING else None), set()
        self.named, named = found.words, {word.role for word in found.words} & _SLOTS
        if found.topics:
            return self._of_nobody(reader, tokens), set()
        plain = not (found.topics or found.particulars or found.unheld or found.meta) and found.rows
        made = any(word.role is Role.OPERATION for word in found.words)
        return (found, named) if plain and named and not made else (None, set())

    def of_parts(self, tokens: Sequence[Token]) -> tuple[Row, ...]:
        """The measure of the table, of each part of the one company that words name; empty where they name none."""
        if self.parts is None or (base := self.divisible()) is None:
            return ()
        if self.parts.named(key_words(tokens)):
            return ()  # a measure, too: is advertising what is sold, or what is paid for?
        if part := self.parts.part(key_words(tokens)):
            return (Row(measure=Member(of=base, label=part.label, members=part.members)),)
        place = next((place for place, token in enumerate(tokens) if token.base in LISTING), 0)
        first, rest = tokens[:place], tokens[place + 1 :]
        one, others = (self.of_parts(first), self.of_parts(rest)) if first and rest else ((), ())
        return (*one, *others) if one and others else ()

    def divisible(self) -> Concept | Metric | Line | None:
        """The one measure of the table, where it may be divided into parts."""
        bases = {base_of(row.measure) for row in self.previous.rows if not row.mention}
        one = next(iter(bases), None)
        return one if len(bases) == 1 and isinstance(one, Concept | Metric | Line) else None

    def _of_nobody(self, reader: Reader, tokens: tuple[Token, ...]) -> Misread | None:
        """Words nobody knows, written as a name: of no company. None for other words, which may ask for text."""
        free = all(part.unknown or part.has("frame") for part in reader.sentence.parts)
        if not free or not tokens[0].capital:
            return None
        word = reader.text(Mention(0, len(reader.tokens), ()))
        near = Misread(code=Code.UNKNOWN_COMPANY, words=(word,), companies=reader.companies.near(word))
        return self.refused(Code.UNKNOWN_COMPANY, tokens, near)

    # --- the query ---

    def having(self, ranking: tuple[Operation, ...] = (), **update: Any) -> Query:
        """The query of the table with another part, and what is made of it where it still can be."""
        found = self.previous.model_copy(update={"topics": (), "particulars": (), **update})
        if "operations" not in update:
            kept = _kept(self.previous, found)
            found = found.model_copy(update={"operations": kept or ranking})
        if "display" not in update:
            found = found.model_copy(update={"display": Display.TABLE})
        return found.model_copy(update={"words": self.words()})

    def refused(
        self, code: Code, tokens: Sequence[Token], near: Misread | None = None, measures: tuple[str, ...] = ()
    ) -> Misread:
        """Why a change is not made: the words that decided, and the table as it stays. near: what the words are near to."""
        text = self.question[tokens[0].start : tokens[-1].end]
        return Misread(
            code=code,
            words=near.words if near and near.words else (text,),
            companies=near.companies if near else self.previous.companies,
            measures=near.measures if near else measures,
            table=self.previous,
            read=self.words(),
        )

    def not_in_table(self, tokens: Sequence[Token]) -> Misread:
        """Why what words name is not removed: the table shows other measures, companies or years."""
        bases = [base_of(row.measure) for row in self.previous.rows if not row.mention]
        shown = dict.fromkeys(key_of(one) for one in bases if one.kind in {"concept", "metric"})
        return self.refused(Code.NOT_IN_TABLE, tokens, measures=tuple(shown))

    def words(self) -> tuple[Word, ...]:
        """The words of the question: those that say how the table changes, and those that name what."""
        start, end = self.tokens[0].start, self.tokens[-1].end
        if not self.named:
            return (self._change(start, end),)
        first, last = self.named[0].start, self.named[-1].end
        before = (self._change(start, first),) if start < first else ()
        return (*before, *self.named, *((self._change(last, end),) if last < end else ()))

    def _change(self, start: int, end: int) -> Word:
        text = self.question[start:end].strip()
        return Word(start=start, end=end, text=text, role=Role.OPERATION, meaning=CHANGE)

    def _word(self, tokens: Sequence[Token], role: Role) -> Word:
        start, end = tokens[0].start, tokens[-1].end
        return Word(start=start, end=end, text=self.question[start:end], role=role)

    def unit(self, measure: Measure) -> str:
        """USD, percent, …; empty for one without a unit of the registry."""
        match measure:
            case Change(percent=True) | Share():
                return "percent"
            case Change(of=of) | Member(of=of) | Breakdown(of=of):
                return self.unit(of)
        return self.measures.unit(key_of(measure)) or ""


def _kept(before: Query, after: Query) -> tuple[Operation, ...]:
    """What was made of the table before, where it still can be of the table after: a rank of several companies, a sum
    of several years. A difference is of what was set against each other.
    """
    companies = (len(before.companies) > 1) == (len(after.companies) > 1)
    years = is_single(before.periods) == is_single(after.periods)
    same = (before.companies, before.rows) == (after.companies, after.rows)

    def stays(one: Operation) -> bool:
        match one:
            case Threshold():
                return True
            case OverYears(over=over):
                return years and (companies or over not in {Over.HIGHEST, Over.LOWEST})
        return companies and years and (same or not isinstance(one, Difference))

    return tuple(filter(stays, before.operations))
