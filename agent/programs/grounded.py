"""The pieces of a reading as what code knows: registrants, periods and measures; and the lists they stand in."""

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from agent.language.bystanders import companies_meant
from agent.registrants.companies import Companies
from agent.language.concepts import Measure, measures_of
from agent.registrants.mentions import mentions
from agent.language.misread import Misread
from agent.language.parsing import Sentence
from agent.query.dates import find_periods
from agent.language.texts import QUANTITY, words_of
from agent.words.tokens import plain, tokenise
from agent.numbers.registry import Registry
from agent.programs.spans import Piece
from agent.programs.understand import Understanding
from agent.refusals.codes import Code
from agent.state.planned import CompanyRef, Period, PeriodForm

# Filings that one question may search.
MOST_TARGETS = 6
# What joins the members of a list. "To" and a dash join the ends of a range, whose middle nobody wrote.
COMPANIES_JOIN = re.compile(
    r"(?:['\u2019]s)?(?:\s*[,;]\s*(?:(?:and|or|&)\s+)?|\s+(?:and|or|&|as well as|vs\.?|versus)\s+)", re.IGNORECASE
)
JOINS = re.compile(r"\s*,\s*(?:(?:and|&)\s+)?|\s+(?:and|&|as well as)\s+", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:both|between|either)\s+(?:of\s+)?$", re.IGNORECASE)


class Grounded:
    """One reading, with what each of its pieces is."""

    def __init__(
        self, question: str, understanding: Understanding, companies: Companies, registry: Registry, today: date
    ) -> None:
        self.question, self.read_as, self.registry, self.today = question, understanding, registry, today
        self.index, self.measures = companies, measures_of(registry)
        self.tokens = tokenise(question)
        self.companies = [(piece, self.companies_of(piece)) for piece in understanding.companies]
        self.periods = [
            (piece, period) for piece in understanding.periods if (period := period_of(piece.text, today)) is not None
        ]

    def companies_of(self, piece: Piece) -> tuple[CompanyRef, ...]:
        """The registrants that a piece names as a whole; several where the name is that of several."""
        tokens = tokenise(piece.text)
        found = mentions(self.index, tokens, self.measures.vocabulary)
        begin = 1 if tokens and tokens[0].stem == "the" else 0
        if len(found) != 1 or found[0].first not in {0, begin} or found[0].last != len(tokens):
            return ()
        # An everyday word in small letters is no name because a model takes it for one.
        if found[0].weak and not tokens[found[0].first].capital:
            return ()
        return tuple(ref for cik in found[0].ciks[:MOST_TARGETS] if (ref := self.index.get(cik)))

    @property
    def sure(self) -> list[tuple[Piece, CompanyRef]]:
        """Pieces that name one company that is held."""
        return [(piece, refs[0]) for piece, refs in self.companies if len(refs) == 1 and refs[0].covered]

    def measure_of(self, text: str) -> Measure | None:
        """The measure that a text names by an alias, all of its words."""
        tokens = tokenise(text)
        found = [match for match in self.measures.matches(tokens, ()) if len(match) == len(tokens)]
        return found[0].meanings[0].value if found else None

    def all_named(self) -> bool:
        """Whether the reading has every company and every period that code finds in the question by itself."""
        sentence = Sentence.of(self.question, self.tokens, self.today)
        phrases = [match for match in self.measures.matches(self.tokens, ()) if len(match) > 1]
        measured = {place for match in phrases for place in range(match.first, match.last)}
        found = mentions(self.index, self.tokens, self.measures.vocabulary, measured)
        meant = companies_meant([mention for mention in found if not mention.weak], sentence)
        ciks = {ref.cik for _, refs in self.companies for ref in refs}
        if len(self.sure) != len(self.companies) or not all(ciks & set(mention.ciks) for mention in meant):
            return False
        when = {same(period) for _, period in self.periods}
        return len(self.periods) == len(self.read_as.periods) and all(
            match.period is not None and same(match.period) in when for _, match in sentence.periods
        )

    def companies_once(self) -> list[tuple[Piece, CompanyRef]]:
        return list({company.cik: (piece, company) for piece, company in reversed(self.sure)}.values())[::-1]

    def when(self) -> list[tuple[Piece | None, Period | None]]:
        """Each period named, with its piece; once nothing where none is."""
        return [*self.periods] or [(None, None)]

    def topics(self) -> list[Piece]:
        """Pieces of the subject that share no character with a company or a period."""
        other = [(piece.start, piece.end) for piece in (*self.read_as.companies, *self.read_as.periods)]
        return [
            piece
            for piece in self.read_as.topics
            if all(piece.end <= start or end <= piece.start for start, end in other)
        ]

    def is_of_text(self, read: Misread) -> bool:
        """Whether what is asked can be asked of text in other words, none of them of a figure, none of them lost."""
        if read.code is Code.CROSS_COMPANY:
            return len(self.companies_once()) > 1
        if read.code is Code.YEAR_OVER_YEAR:
            return len(self.periods) > 1
        told = [token.stem for token in self.tokens]
        measured = self.measures.matches(self.tokens, self.company_places())
        counted = any(pair in QUANTITY for pair in pairwise(told)) or words_of("quantities") & set(told)
        return read.code in {Code.NOT_UNDERSTOOD, Code.CONCEPT_UNKNOWN} and not measured and not counted

    def company_places(self) -> set[int]:
        pieces = self.read_as.companies
        return {
            place
            for place, token in enumerate(self.tokens)
            if any(piece.start <= token.start and token.end <= piece.end for piece in pieces)
        }

    def list_of(self, members: Sequence[Piece], joins: re.Pattern[str]) -> tuple[int, int] | None:
        """The stretch of a list, its "both" included; None where other words stand between its members."""
        if not members:
            return None
        gaps = (self.question[one.end : other.start] for one, other in pairwise(members))
        if not all(map(joins.fullmatch, gaps)):
            return None
        start = members[0].start
        both = _BOTH.search(self.question[:start]) if len(members) > 1 else None
        return (both.start() if both else start), members[-1].end

    def with_one(self, stretch: tuple[int, int], words: str, text: str = "") -> str:
        text = text or self.question
        return f"{text[: stretch[0]]}{words}{text[stretch[1] :]}"


def period_of(text: str, today: date) -> Period | None:
    """The one period that a text names; None for several, for a part of a year, and for a series."""
    found = find_periods(plain(text), today)
    return found[0].period if len(found) == 1 else None


def same(period: Period) -> tuple[PeriodForm, int | None, date | None]:
    return period.form, period.year, period.end


def is_period(found: Period, wanted: Period | None) -> bool:
    """Whether a plan has the period that was meant; none named is the latest."""
    return same(found) == same(wanted) if wanted else found.form is PeriodForm.LATEST


def in_words(period: Period) -> str:
    """A period as the planner reads it; empty for the latest."""
    if period.form is PeriodForm.ENDED and period.end:
        return f"the year ended {period.end:%B} {period.end.day}, {period.end.year}"
    if period.form is PeriodForm.PREVIOUS:
        return "the last fiscal year"
    form = {PeriodForm.FISCAL: "fiscal ", PeriodForm.CALENDAR: "calendar "}.get(period.form, "")
    return f"{form}{period.year}" if period.form in (PeriodForm.FISCAL, PeriodForm.BARE, PeriodForm.CALENDAR) else ""
