"""Turns a model's slots into a query: code looks each of them up in the companies' own names, and reads the periods.

What code has read and asserts is never changed. For the rest there are four outcomes. A query for figures that is
asserted, where every slot is grounded and every word held; the same as the nearest question, where words are left out that
may change it, or where code reads the question otherwise; for text, the companies, years and topics of the slots; else
proposals, questions to be offered, or nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, product

from pydantic import Field

from agent.grounding.figure_slots import Unfit, is_of_companies, rows_of, with_operations
from agent.grounding.named_slots import Known, NamedSlots
from agent.grounding.operation_words import contradicts, fits
from agent.grounding.reading_chips import chips_of
from agent.grounding.slots import Piece, RowPiece, Understanding, is_free
from agent.grounding.two_readings import asked_of, compared
from agent.grounding.words_held import WordsHeld
from agent.prose.questions.topics import topic_of
from agent.query.companies.asked_companies import meant
from agent.query.measures.measures_of_parts import check_divided
from agent.query.measures.query_rows import distinct
from agent.query.reading.named_periods import named_periods
from agent.query.reading.reading import Reading
from agent.query.words.lexicon import key_of
from agent.query.words.refused_question import Misread, Read, Refused
from agent.query.words.sentence import Part
from agent.refusals.alternatives import MOST
from agent.refusals.codes import Code
from agent.refusals.query_text import heading
from agent.refusals.query_text import measure as in_words
from agent.refusals.query_text import question as asks
from agent.registrants.mentions import Mention
from agent.state.plan import Chip
from agent.state.query import MOST_COMPANIES, MOST_MEASURES, Operation, Query, Row, Years
from agent.state.question_words import Word
from agent.state.references import Alternative, CompanyRef, QuestionType, Record
from agent.words.tokens import tokenise
from filings.models.source_kinds import kinds_placed

MOST_TARGETS = 6
# Documents that are not held, whatever kind.
_NOT_HELD = re.compile(
    r"\b(?:6-?\s?k|s-?[14]|13-?\s?[dfg]|form [345]|prospectus|press releases?|presentations?|websites?)\b",
    re.IGNORECASE,
)
# Refusals after which a question may still be one for text.
_TEXT_AFTER = frozenset(
    {
        Code.NOT_UNDERSTOOD, Code.CONCEPT_UNKNOWN, Code.AMBIGUOUS_CONCEPT, Code.DIMENSIONAL_ONLY, Code.TOO_LONG,
        Code.CROSS_COMPANY, Code.PREDICTION, Code.EXTERNAL_DATA, Code.OFF_TOPIC, Code.AMBIGUOUS_COMPANY, Code.NO_COMPANY,
        Code.UNKNOWN_COMPANY,
    }
)  # fmt: skip

# Refusals for what a question asks, which a model does not overrule: only a name that holds its words does.
_OF_INTENT = frozenset({Code.PREDICTION, Code.ADVICE, Code.PRICE, Code.EXTERNAL_DATA, Code.TRANSCRIPT})


class Grounding(Record):
    """What code makes of a model's reading."""

    halves: tuple[Query, ...] = Field(
        default=(), description="In the place of what code read: figures, then text; empty leaves that."
    )
    chips: tuple[Chip, ...] = Field(default=(), description="How the slots of the figures can be filled otherwise.")
    proposals: tuple[Alternative, ...] = Field(
        default=(), description='"Did you mean": whether they are answered is not known.'
    )
    source: str = Field(default="", description="Another source than the 10-K that the question names itself.")


def ground(
    question: str,
    understanding: Understanding,
    halves: Read,
    known: Known,
    offered: Sequence[int] = (),
    previous: Query | None = None,
) -> Grounding:
    """Queries, proposals, or nothing. Asks no model.

    halves: the code's reading. offered: the companies (CIK) whose lines and parts the model could name. previous: the
    question before, whose companies and periods stand where this one names none.
    """
    source = named_source(understanding)
    one = Grounded(question, understanding, known, offered, previous)
    if understanding.type in {QuestionType.META, QuestionType.REFUSE}:
        return Grounding(source=source)
    first = halves[0]
    asserted = isinstance(first, Query) and (first.rows or first.particulars or first.meta) and not first.is_nearest
    rest = tuple(half for half in halves[1:] if isinstance(half, Query))
    if asserted or len(rest) < len(halves) - 1:
        return Grounding(source=source)
    figures = understanding.type is not QuestionType.PROSE and not one.is_refused(first)
    found = one.figures() if figures else None
    if found is not None:
        asked_for = compared(found, first)
        text = rest or one.beside(first)
        return Grounding(halves=(asked_for, *text), chips=one.chips(asked_for, first), source=source)
    if rest:
        return Grounding(source=source)
    if isinstance(first, Query):
        wider = None if first.rows else one.wider(first)
        offer = one.offered_questions() if first.unheld else ()
        return Grounding(halves=(wider,) if wider else (), proposals=offer, source=source)
    # No text gives a figure for part of a year, or for a future year.
    as_text = understanding.type is QuestionType.PROSE and not first.untimely
    if as_text and first.code in _TEXT_AFTER and (query := one.text()):
        return Grounding(halves=(query,), source=source)
    if as_text and first.told and understanding.topics and one.companies():
        return Grounding(halves=(first.told,), source=source)
    return Grounding(proposals=one.offered_questions(), source=source)


def named_source(understanding: Understanding) -> str:
    """The name of another document, where the words that the model marked do name one."""
    said = understanding.named.text if understanding.named else ""
    if understanding.source == "other":
        return hit.group() if (hit := _NOT_HELD.search(said)) else ""
    placed = kinds_placed(said)
    return next((kind.called for kind, *_ in placed if kind.called == understanding.source), "")


class Grounded(NamedSlots):
    """One reading being checked."""

    # --- text ---

    def text(self) -> Query | None:
        """The text query of the slots; None where a company or year is not confirmed."""
        topic = topic_of(" and ".join(piece.text for piece in self.said.topics))
        companies, periods = self.companies(), self.periods()
        if topic is None or not companies or periods is None or len(companies) * len(periods) > MOST_TARGETS:
            return None
        if not all(company.covered for company in companies) or not self.has_all_named(companies):
            return None
        return Query(
            companies=companies,
            owned=self.owned,
            periods=Years(periods=periods),
            topics=(topic,),
            words=self.words,
        )

    def wider(self, query: Query) -> Query | None:
        """A text query for the same years, with the slots' companies where they are more than code found."""
        companies = self.companies()
        known = {company.cik for company in query.companies}
        more = len(companies) > len(known) and known <= {company.cik for company in companies}
        if not more or not all(company.covered for company in companies):
            return None
        years = [query.periods_of(company.cik) for company in companies]
        targets = sum(len(one.periods) if isinstance(one, Years) else 1 for one in years)
        return query.model_copy(update={"companies": companies}) if targets <= MOST_TARGETS else None

    # --- figures ---

    def is_refused(self, first: Query | Misread) -> bool:
        """Whether code refuses what is asked, and no row is called by the words that say so."""
        if isinstance(first, Query) or first.code not in _OF_INTENT:
            return False
        names = [
            {token.stem for name in (one.label, *one.names) for token in tokenise(name)}
            for row in self.said.rows
            for one in row.candidates
        ]
        words = [{token.stem for token in tokenise(one)} for one in first.words]
        return not words or not all(any(told <= held for held in names) for told in words)

    def figures(self) -> Query | None:
        """The query of the slots; None where one is not grounded, or where it lacks words that make another figure."""
        companies = self.companies()
        if not self.said.rows or not self.said.complete or not companies or not self.has_all_named(companies):
            return None
        if not all(company.covered for company in companies):
            return None
        try:
            return self._figures(companies)
        except (Unfit, Refused):
            return None

    def _figures(self, companies: tuple[CompanyRef, ...]) -> Query | None:
        made = [(piece, rows_of(piece, self.registry)) for piece in self.said.rows]
        rows = tuple(row for _, group in made for row in group)
        ciks = frozenset(company.cik for company in companies)
        if len(rows) > MOST_MEASURES or (any(map(is_of_companies, rows)) and ciks != self.candidates_of):
            return None
        reading = self.reading(companies)
        self._check_spans(reading)
        keys = [key_of(row.measure) for row in rows]
        balances = all(reading.measures.entry(key) and reading.measures.instant(key) for key in keys)
        held = WordsHeld(self.question, self.said, made, reading, self.known.owners)
        left_out = held.left_out()
        if left_out is None:
            return None
        said = [(one.start, one.end) for one in self.said.periods]
        undated = not reading.stretches
        periods = named_periods(reading, said, instant=balances)
        if self.previous and undated and not self.said.operations:
            general, operations = self.previous.periods, tuple[Operation, ...]()
            periods = replace(periods, own=self.previous.own)
        else:
            rows, operations, made_of = with_operations(
                self.said.operations, rows, periods.asked, len(companies), balances=balances
            )
            general = made_of.periods
            periods.check(made_of, operations)
        check_divided(rows, bool(operations), reading.sentence)
        query = Query(
            companies=companies,
            owned=self.owned,
            periods=general,
            own=periods.own,
            align=periods.align,
            basis=periods.basis,
            rows=distinct(rows),
            operations=operations,
            scale=periods.scale,
            left_out=left_out,
            several_meanings=next((group[0].term for _, group in made if len(group) > 1), ""),
            words=held.words,
        )
        return query.model_copy(update={"by_model": heading(query, self.registry)})

    def _check_spans(self, reading: Reading) -> None:
        """Raises Unfit where spans overlap that say different things, an operation is not what its words ask for, or a row
        has no words that name anything.
        """
        said, parts = self.said, reading.sentence.parts
        spans = [one.piece for one in said.rows]
        for place, one in enumerate(spans):
            others = [(other.start, other.end) for other in spans[place + 1 :]]
            telling = [each for each in _inside(reading, one) if not (each.mention or each.stretch)]
            if not is_free(one, others) or all(each.has("frame") and not each.named for each in telling):
                raise Unfit(one.text)
        for row in said.rows:
            if contradicts(row, _inside(reading, row.piece)):
                raise Unfit(row.piece.text)
        for operation in said.operations:
            own = [
                each
                for each in _inside(reading, operation.piece)
                if not (each.named or each.mention or any(each in _inside(reading, one) for one in said.periods))
            ]
            behind = next(
                (each for each in parts if operation.number and each.tokens[0].start >= operation.number.end), None
            )
            if not fits(operation, own, said.rows) or (
                behind is not None and behind.has("scale") and operation.number
            ):
                raise Unfit(operation.piece.text)

    def reading(self, companies: tuple[CompanyRef, ...]) -> Reading:
        """The question under the companies of the slots."""
        found = self.named(self.tokens)
        sure, _ = meant(self.index, self.tokens, found)
        named = [one for one in found if one in sure or any(self._covers(piece, one) for piece in self.said.companies)]
        return self.known.reading(self.question, named, companies)

    def _covers(self, piece: Piece, mention: Mention) -> bool:
        return piece.start < self.tokens[mention.last - 1].end and self.tokens[mention.first].start < piece.end

    def beside(self, first: Query | Misread) -> tuple[Query, ...]:
        """The text that is asked beside figures, as code or the slots name it."""
        if self.said.type is not QuestionType.BOTH:
            return ()
        if isinstance(first, Query) and first.topics:
            return (first.model_copy(update={"unheld": ()}),)
        text = self.text() if self.said.topics else None
        return (text,) if text else ()

    def chips(self, query: Query, first: Query | Misread) -> tuple[Chip, ...]:
        """How each slot was filled, and how else it can be."""
        reading = self.reading(query.companies)
        own = first if isinstance(first, Query) and first.rows and asked_of(first) != asked_of(query) else None
        return chips_of(query, self.said, self.known.registry, self.index, reading.lexicon, own)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Every word of the question with its slot."""
        return WordsHeld(self.question, self.said, (), self.reading(()), self.known.owners).words

    # --- proposals ---

    def offered_questions(self) -> tuple[Alternative, ...]:
        """As many proposals as are shown, each question once."""
        found: dict[str, Alternative] = {}
        for one in self.proposals():
            found.setdefault(one.question, one)
        return tuple(islice(found.values(), MOST))

    def proposals(self) -> Iterator[Alternative]:
        """Possible questions: the slots with the model's proposed measures, then their text."""
        companies, periods = self.companies()[:MOST_COMPANIES], self.periods()
        if not companies or periods is None:
            return
        for one in self.said.rows:
            named = self.lexicon.named(tuple(token.stem for token in tokenise(one.piece.text)))
            rows = [row for row in named.rows if not row.mention] if named else []
            rows += self._offered_rows(one, companies)
            for row in dict.fromkeys(rows):
                query = Query(companies=companies, periods=Years(periods=periods), rows=(row,))
                label = in_words(row.measure, self.registry)
                yield Alternative(
                    question=asks(query, self.registry), why=f"If \u201c{one.piece.text}\u201d means {label}"
                )
        for company, piece in product(companies, self.said.topics):
            year = f" in fiscal {periods[0].year}" if periods[0].year else ""
            yield Alternative(
                question=f"What does {company.called} say about {piece.text}{year}?",
                why="The same subject, looked for in the text",
            )

    def _offered_rows(self, piece: RowPiece, companies: Sequence[CompanyRef]) -> tuple[Row, ...]:
        """The rows of a piece that may be offered."""
        try:
            rows = rows_of(piece, self.registry)
        except Unfit:
            return ()
        theirs = {company.cik for company in companies} == self.candidates_of
        return tuple(
            row.model_copy(update={"text": "", "term": ""}) for row in rows if theirs or not is_of_companies(row)
        )


def _inside(reading: Reading, piece: Piece) -> list[Part]:
    """The parts of the sentence that stand in a piece."""
    return [
        one for one in reading.sentence.parts if one.tokens[0].start < piece.end and piece.start < one.tokens[-1].end
    ]
