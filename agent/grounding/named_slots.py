"""Companies and periods of the slots that a model filled, as code reads the same words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from agent.grounding.slots import Understanding, is_free
from agent.numbers.registry.registry import Registry
from agent.query.companies.named_watchlists import Watched, companies_named
from agent.query.companies.owners import Owners, owner_of, owners_named
from agent.query.dates.years import Stretch, asked, stretches
from agent.query.reading.asked_question import Lines
from agent.query.reading.reader import Reader
from agent.query.reading.reading import Reading
from agent.query.words.lexicon import lexicon_of
from agent.query.words.spelling import spelled_out
from agent.registrants.mentions import Mention, slips
from agent.registrants.registrant_index import Companies
from agent.state.query import MOST_COMPANIES, Query, Years
from agent.state.references import CompanyRef, Period
from agent.words.tokens import Token, tokenise


@dataclass(frozen=True)
class Known:
    """What slots are looked up in."""

    companies: Companies
    registry: Registry
    today: date
    lines: Lines | None = None  # row labels printed on the companies' statements
    lists: Sequence[Watched] = ()  # the asker's watchlists
    owners: Callable[[], Owners] = lambda: Owners({})  # who owns a name that is no company's

    def reading(self, question: str, named: Sequence[Mention], refs: tuple[CompanyRef, ...]) -> Reading:
        """A question under companies that are known."""
        tokens = spelled_out(question, tokenise(question))
        reader = Reader(
            question, tokens, self.companies, self.registry, self.today, self.lines, None, self.lists, self.owners
        )
        return Reading(reader, named, refs)

    def mentioned(self, question: str) -> tuple[CompanyRef, ...]:
        """The companies that words of a question may name, or of whose parts alone they are names."""
        tokens, held = spelled_out(question, tokenise(question)), self.companies.held
        found = companies_named(self.companies, tokens, lexicon_of(self.registry).vocabulary, lists=self.lists)
        sure = [one for one in found if len(one.ciks) == 1 and held.issuperset(one.ciks)]
        sure = [one for one in sure if not one.weak] or sure
        owned = [] if sure else [one for one in owners_named(self.owners().parts, tokens, held) if len(one.ciks) == 1]
        ciks = dict.fromkeys(cik for one in (sure or owned) for cik in one.ciks)
        return tuple(self.companies.ref(self.companies.registrants[cik]) for cik in ciks)[:MOST_COMPANIES]


class NamedSlots:
    """The slots of one question, looked up."""

    def __init__(
        self, question: str, said: Understanding, known: Known, offered: Sequence[int], previous: Query | None
    ) -> None:
        self.question, self.said, self.known, self.previous = question, said, known, previous
        self.index, self.registry, self.today = known.companies, known.registry, known.today
        self.candidates_of = frozenset(offered)
        self.tokens = tokenise(question)
        self.lexicon = lexicon_of(known.registry)

    def companies(self) -> tuple[CompanyRef, ...]:
        """The companies of the slots, each named by a whole piece; none where one of them is not covered."""
        if not self.said.companies and self.previous:
            # "And Zorblat's?" is about somebody else.
            another = self.named(self.tokens) or any(token.possessive for token in self.tokens)
            return () if another else self.previous.companies
        found: dict[int, CompanyRef] = {}
        for piece in self.said.companies:
            tokens = tokenise(piece.text)
            named = self._called(tokens)
            begin = 1 if tokens and tokens[0].stem == "the" else 0
            whole = len(named) == 1 and named[0].first in {0, begin} and named[0].last == len(tokens)
            # A model's opinion does not turn a lower-case everyday word into a name.
            if not whole or named[0].ambiguous or (named[0].weak and not self._is_written_as_name(tokens, named[0])):
                owner = owner_of(self.known.owners(), piece.text, self.index.held, named)
                named = [owner] if owner is not None and not owner.ambiguous else []
            if not named:
                return ()
            found |= {cik: self.index.ref(self.index.registrants[cik]) for cik in named[0].ciks}
        return tuple(found.values())

    def _is_written_as_name(self, tokens: Sequence[Token], mention: Mention) -> bool:
        """Whether an everyday word has a capital, or nothing in the question has one, and the company is held."""
        names = any(token.capital and token.base.isalpha() for token in self.tokens)
        plain = not names and self.index.held.issuperset(mention.ciks)
        return plain or tokens[mention.first].capital

    @property
    def owned(self) -> str:
        """The first piece for a company that only its owner's filings name; empty where each is one's name."""
        return next((one.text for one in self.said.companies if not self._called(tokenise(one.text))), "")

    def _called(self, tokens: Sequence[Token]) -> list[Mention]:
        """The companies that words name, or, where they name none, the one whose name they misspell."""
        return self.named(tokens) or slips(self.index, tokens, range(len(tokens)))

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

    def stretches(self, text: str) -> list[Stretch]:
        """The periods that code finds in a text, outside company names."""
        tokens = tokenise(text)
        names = {place for one in self.mentions(tokens) for place in one.places}
        return [one for one in stretches(text, tokens, self.today) if not names & set(one.places)]

    def mentions(self, tokens: Sequence[Token]) -> list[Mention]:
        """The companies that code is certain of."""
        return [one for one in self.named(tokens) if not one.weak]

    def named(self, tokens: Sequence[Token]) -> list[Mention]:
        """The companies and lists that may be named."""
        return companies_named(self.index, tokens, self.lexicon.vocabulary, lists=self.known.lists)

    def has_all_named(self, companies: Sequence[CompanyRef]) -> bool:
        """Whether the slots include the covered companies that code is certain of, or one where none is covered."""
        named = self.mentions(self.tokens)
        held = [one for one in named if self.index.held.issuperset(one.ciks)]
        ciks = {company.cik for company in companies}
        return all(ciks & set(one.ciks) for one in held) and (not named or any(ciks & set(one.ciks) for one in named))
