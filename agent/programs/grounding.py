"""Turns a model's slots into a query: each slot is looked up in the same lexicon, by the same reader.

What code has read completely is never changed. For the rest there are three outcomes. A query, where the question reads
as a whole once the words outside the slots are left out, and none of these could change what is asked; or, for text
alone, the companies, years and topics of the slots. Else proposals: questions to be offered. Else nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cached_property
from itertools import islice, product

from pydantic import Field

from agent.numbers.registry import Registry
from agent.programs.ignorable_words import idle
from agent.programs.question_slots import Piece, Understanding, is_free
from agent.prose.topics import topic_of
from agent.query.lexicon import lexicon_of, measure_of
from agent.query.owners import Owners, owner_of
from agent.query.periods import Asked, asked, stretches
from agent.query.periods import Stretch as RelativePeriod
from agent.query.refused_question import Read
from agent.query.watchlists import Watched, companies_named
from agent.refusals.alternatives import MOST
from agent.refusals.codes import Code
from agent.refusals.query_text import measure as in_words
from agent.refusals.query_text import question as asks
from agent.registrants.companies import Companies
from agent.registrants.mentions import Mention
from agent.state.query import MOST_COMPANIES, Query, Role, Row, Word, Years
from agent.state.references import Alternative, CompanyRef, Period, QuestionType, Record
from agent.words.tokens import Token, tokenise

MOST_TARGETS = 6
_SOURCES = {
    "10-Q": r"10-?\s?q|quarterly (?:report|filing)s?",
    "8-K": r"8-?\s?k|current reports?",
    "proxy statement": r"proxy|def\s?14a",
    "earnings call": r"calls?|transcripts?",
    "other": r"(?:20-?\s?f|40-?\s?f|6-?\s?k|s-?[14]|13-?\s?[dfg]|form [345]|prospectus|press releases?|news|presentations?|websites?)",
}
# Refusals after which a question may still be one for text.
_TEXT_AFTER = frozenset(
    {
        Code.NOT_UNDERSTOOD, Code.CONCEPT_UNKNOWN, Code.AMBIGUOUS_CONCEPT, Code.DIMENSIONAL_ONLY, Code.TOO_LONG,
        Code.CROSS_COMPANY, Code.PREDICTION, Code.EXTERNAL_DATA, Code.OFF_TOPIC, Code.AMBIGUOUS_COMPANY, Code.NO_COMPANY,
        Code.UNKNOWN_COMPANY,
    }
)  # fmt: skip

Reads = Callable[[str], Read]


class Grounding(Record):
    """What code makes of a model's reading."""

    query: Query | None = Field(default=None, description="In the place of what code read; None leaves that.")
    proposals: tuple[Alternative, ...] = Field(
        default=(), description='"Did you mean": whether they are answered is not known.'
    )
    source: str = Field(default="", description="Another source than the 10-K that the question names itself.")


def ground(
    question: str,
    understanding: Understanding,
    halves: Read,
    companies: Companies,
    registry: Registry,
    today: date,
    read: Reads,
    lists: Sequence[Watched] = (),
    owners: Callable[[], Owners] = lambda: Owners({}),
) -> Grounding:
    """A query, proposals, or nothing. Asks no model.

    halves: the code's reading. read: reads another question in the same way. lists: the asker's watchlists. owners: who
    owns a name that is no company's.
    """
    source = named_source(understanding)
    one = _Grounded(question, understanding, companies, registry, today, read, lists, owners)
    if understanding.type in {QuestionType.META, QuestionType.REFUSE}:
        return Grounding(source=source)
    first = halves[0]
    if len(halves) > 1 or (isinstance(first, Query) and (first.rows or first.particulars or first.meta)):
        return Grounding(source=source)
    if isinstance(first, Query):
        return Grounding(query=one.wider(first), proposals=one.offered() if first.unheld else (), source=source)
    # No text gives a figure for part of a year, or for a future year.
    as_text = understanding.type is QuestionType.PROSE and not first.untimely
    if as_text and first.code in _TEXT_AFTER and (query := one.text()):
        return Grounding(query=query, source=source)
    if understanding.type is not QuestionType.PROSE and (query := one.figures()):
        return Grounding(query=query, source=source)
    if as_text and first.told and understanding.topics and one.companies():
        return Grounding(query=first.told, source=source)
    return Grounding(proposals=one.offered(), source=source)


def named_source(understanding: Understanding) -> str:
    """The name of another document, where the words that the model marked do name one."""
    said = understanding.named.text if understanding.named else ""
    hit = re.search(rf"\b(?:{_SOURCES.get(understanding.source, '(?!)')})\b", said, re.IGNORECASE)
    if not hit:
        return ""
    return hit.group() if understanding.source == "other" else str(understanding.source)


class _Grounded:
    """One reading being checked."""

    def __init__(
        self,
        question: str,
        said: Understanding,
        companies: Companies,
        registry: Registry,
        today: date,
        read: Reads,
        lists: Sequence[Watched],
        owners: Callable[[], Owners],
    ) -> None:
        self.owners = owners
        self.question, self.said, self.index, self.registry, self.today, self.read = (
            question,
            said,
            companies,
            registry,
            today,
            read,
        )
        self.tokens, self.lists = tokenise(question), lists
        self.lexicon = lexicon_of(registry)

    # --- slots ---

    def companies(self) -> tuple[CompanyRef, ...]:
        """The companies of the slots, each named by a whole piece; none where one of them is not covered."""
        found: dict[int, CompanyRef] = {}
        for piece in self.said.companies:
            tokens = tokenise(piece.text)
            named = self.named(tokens)
            begin = 1 if tokens and tokens[0].stem == "the" else 0
            whole = len(named) == 1 and named[0].first in {0, begin} and named[0].last == len(tokens)
            # A model's opinion does not turn a lower-case everyday word into a name.
            if not whole or named[0].ambiguous or (named[0].weak and not tokens[named[0].first].capital):
                owner = owner_of(self.owners(), piece.text, self.index.held, named)
                named = [owner] if owner is not None and not owner.ambiguous else []
            if not named:
                return ()
            found |= {cik: self.index.ref(self.index.registrants[cik]) for cik in named[0].ciks}
        return tuple(found.values())

    @property
    def owned(self) -> str:
        """The first piece for a company that only its owner's filings name; empty where each is one's name."""
        return next((one.text for one in self.said.companies if not self.named(tokenise(one.text))), "")

    def periods(self) -> tuple[Period, ...] | None:
        """The years of the question; None where the slots omit one, name none, or there are too many."""
        named, said = self.stretches(self.question), self.said.periods
        places = [(self.tokens[one.first].start, self.tokens[one.last - 1].end) for one in named]
        if not all(any(one.start < end and start < one.end for one in said) for start, end in places):
            return None
        if any(is_free(one, places) for one in said) or any(one.interim or one.month for one in named):
            return None
        periods = asked(named).periods
        return periods.periods if isinstance(periods, Years) else None

    def stretches(self, text: str) -> list[RelativePeriod]:
        """The periods that code finds in a text, outside company names."""
        tokens = tokenise(text)
        names = {place for one in self.mentions(tokens) for place in one.places}
        return [one for one in stretches(text, tokens, self.today) if not names & set(one.places)]

    def mentions(self, tokens: Sequence[Token]) -> list[Mention]:
        """The companies that code is certain of."""
        return [one for one in self.named(tokens) if not one.weak]

    def named(self, tokens: Sequence[Token]) -> list[Mention]:
        """The companies and lists that may be named."""
        return companies_named(self.index, tokens, self.lexicon.vocabulary, lists=self.lists)

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
            words=self.words(),
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

    def has_all_named(self, companies: Sequence[CompanyRef]) -> bool:
        """Whether the slots include the covered companies that code is certain of, or one where none is covered."""
        named = self.mentions(self.tokens)
        held = [one for one in named if self.index.held.issuperset(one.ciks)]
        ciks = {company.cik for company in companies}
        return all(ciks & set(one.ciks) for one in held) and (not named or any(ciks & set(one.ciks) for one in named))

    # --- figures ---

    def figures(self) -> Query | None:
        """The query of the pieces alone, where what is left out could not change it."""
        pieces = self.figure_pieces()
        if not pieces or not all(place in self.idle for place in self.left(pieces)):
            return None
        text = " ".join(piece.text for piece in pieces)
        # Between two years a word may make them a span: "2019 through 2023".
        if self.asked(text) != self.asked(self.question):
            return None
        found = self.read(text)
        query = found[0] if len(found) == 1 else None
        if not isinstance(query, Query) or not query.rows or query.topics:
            return None
        return query.model_copy(update={"words": self.words()})

    def asked(self, text: str) -> Asked:
        """The periods that a text asks of."""
        return asked(self.stretches(text))

    def figure_pieces(self) -> list[Piece]:
        """The pieces of a query for figures, in the question's order.

        None where there are two measures: next to each other they read as one name, and apart they may be a ratio.
        """
        said = self.said
        measures = [one.piece for one in said.measures]
        found = [*said.companies, *said.periods, *measures, *said.operations]
        return sorted(found, key=lambda one: one.start) if len(measures) == 1 else []

    def left(self, pieces: Sequence[Piece]) -> list[int]:
        """Indexes of the words outside the pieces."""
        ranges = [(one.start, one.end) for one in pieces]
        return [
            place
            for place, token in enumerate(self.tokens)
            if all(token.end <= start or end <= token.start for start, end in ranges)
        ]

    @cached_property
    def idle(self) -> frozenset[int]:
        """Indexes of the words without influence on what is asked."""
        starts = {one.piece.start for one in self.said.measures}
        return idle(self.tokens, {place for place, token in enumerate(self.tokens) if token.start in starts})

    def words(self) -> tuple[Word, ...]:
        """Every word of the question with its slot."""
        said = self.said
        slots = [(piece, Role.COMPANY) for piece in said.companies]
        slots += [(piece, Role.PERIOD) for piece in said.periods]
        slots += [(one.piece, Role.MEASURE) for one in said.measures]
        slots += [(piece, Role.OPERATION) for piece in said.operations]
        slots += [(piece, Role.TOPIC) for piece in said.topics]
        kept: list[Word] = []
        for piece, role in slots:
            if all(piece.end <= one.start or one.end <= piece.start for one in kept):
                kept.append(Word(start=piece.start, end=piece.end, text=piece.text, role=role))
        kept += [
            Word(
                start=token.start,
                end=token.end,
                text=token.text,
                role=Role.FRAME if place in self.idle else Role.UNUSED,
            )
            for place, token in enumerate(self.tokens)
            if all(token.end <= one.start or one.end <= token.start for one in kept)
        ]
        return tuple(sorted(kept, key=lambda one: one.start))

    # --- proposals ---

    def offered(self) -> tuple[Alternative, ...]:
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
        for one in self.said.measures:
            named = self.lexicon.named(tuple(token.stem for token in tokenise(one.piece.text)))
            rows = [row for row in named.rows if not row.mention] if named else []
            rows += [Row(measure=measure_of(self.registry, key)) for key in one.keys]
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
