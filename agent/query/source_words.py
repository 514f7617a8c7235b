"""The documents that a question names ("on the call", "in its latest 10-Q"), and the question without these words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.query.dates import MONTHS
from agent.query.refused_question import Misread, Read
from agent.query.word_classes import connecting
from agent.state.query import Last, Query, Years
from agent.state.question_words import Role, Word
from agent.state.references import RelativePeriod
from agent.words.tokens import Token
from filings.models.source_kinds import ANNUAL, CURRENT, QUARTERLY, SourceKind, kinds_placed

# Words among which a preposition makes an everyday word the name of a document: "on the last NVIDIA call".
MOST_BEFORE = 4
# Words of a period that stand within the name of a document: "the October 2025 release", "its Q3 FY24 call".
OF_PERIOD = re.compile(
    rf"(?:fy)?'?(?:20)?\d\d|[1-4]?q[1-4]?|h[12]|fiscal|year|quarter|quarterly|first|second|third|fourth|{'|'.join(MONTHS)}"
)


@dataclass(frozen=True, slots=True)
class Named:
    """The words by which a question names one document: "in the", "2025", "proxy". dated: the period that stands within
    the name.
    """

    kind: SourceKind
    words: range
    dated: range
    before: range

    @property
    def first(self) -> int:
        """Where the name begins: a period within it is used as one, and stands apart."""
        return self.words.start if self.dated else self.before.start

    def with_its_period(self, tokens: Sequence[Token]) -> range:
        """The places of the name and of the period within it or right behind it: "the 10-Q for the quarter ended ..."."""
        last = self.words.stop
        while last < len(tokens) and (
            tokens[last].base in connecting("before the period of a source") or OF_PERIOD.fullmatch(tokens[last].base)
        ):
            last += 1
        return range(self.dated.start if self.dated else self.words.start, last)

    @property
    def places(self) -> frozenset[int]:
        """The places of the name, without its period."""
        return frozenset((*self.words, *self.before))


def sources_named(question: str, tokens: Sequence[Token]) -> list[Named]:
    """The documents that a question names, in its order, with "on the", "in its latest", "according to" before them."""
    found: list[Named] = []
    for kind, start, end, certain in kinds_placed(question):
        places = [place for place, token in enumerate(tokens) if token.start < end and start < token.end]
        if not places:
            continue
        free = found[-1].words.stop if found else 0
        dated = begun(tokens, places[0], free, lambda token: bool(OF_PERIOD.fullmatch(token.base)))
        before = begun(tokens, dated, free, lambda token: token.base in connecting("before a source"))
        if before == dated:
            dated = places[0]  # "revenue 2024 transcript": nothing makes the year one of the name
            before = begun(tokens, dated, free, lambda token: token.base in connecting("before a source"))
        led = {token.base for token in tokens[max(places[0] - MOST_BEFORE, 0) : places[0]]}
        owned = before > 0 and tokens[before - 1].possessive
        if not (certain or owned or connecting("leading to a source") & led):
            continue  # "What did Apple release in 2024?"
        found.append(Named(kind, range(places[0], places[-1] + 1), range(dated, places[0]), range(before, dated)))
    return found


def begun(tokens: Sequence[Token], place: int, free: int, belongs: Callable[[Token], bool]) -> int:
    """Where the words begin that belong to what stands at a place, at `free` at the earliest."""
    while place > free and belongs(tokens[place - 1]):
        place -= 1
    return place


def of_sources(
    question: str,
    tokens: tuple[Token, ...],
    found: Read,
    read: Callable[[tuple[Token, ...], Sequence[tuple[int, int]]], Query | Misread],
    read_figures: Callable[[tuple[Token, ...]], Read],
) -> Read:
    """The reading as what documents are asked, where the question names any other than the 10-K; else `found`.

    found: how the whole question was read. A figure that it asks for stays: figures of statements are facts, whatever
    document is named beside them. read: reads words as what the text of documents is asked, given where the documents and their
    periods are named. read_figures: reads them as a
    question of their own.
    """
    named = sources_named(question, tokens)
    kinds = tuple(dict.fromkeys(one.kind for one in named))
    if (
        not kinds
        or kinds == (ANNUAL,)
        or any(isinstance(half, Query) and half.rows and not half.is_nearest for half in found)
    ):
        return found
    names = {place for one in named for place in one.places}
    periods = {place for one in named for place in one.dated}
    words = tuple(
        Word(start=start, end=end, text=question[start:end], role=Role.SOURCE)
        for one in named
        for start, end in [(tokens[one.first].start, tokens[one.words.stop - 1].end)]
    )

    def of_kinds(query: Query) -> Query:
        both = tuple(sorted((*query.words, *words), key=lambda word: word.start))
        return query.model_copy(update={"sources": tuple(kind.key for kind in kinds), "words": both})

    figures = _figures(tokens, names, periods, read_figures) if {*kinds} <= {CURRENT, QUARTERLY} else None
    # A year is in no 10-Q, and in a release only beside the quarter that is its subject.
    if figures and _of_quarters(figures):
        return (of_kinds(figures),)
    beside = [one.with_its_period(tokens) for one in named]
    spans = [(tokens[one.start].start, tokens[one.stop - 1].end) for one in beside]
    again = read(tuple(token for place, token in enumerate(tokens) if place not in names), spans)
    if isinstance(again, Misread):
        return found
    query = of_kinds(again)
    refused = next((half for half in found if isinstance(half, Misread)), None)
    # What is refused stays so where no such document is held.
    return (refused.model_copy(update={"sourced": query}),) if refused is not None else (query,)


def _of_quarters(figures: Query) -> bool:
    """Whether every period is a stretch within a year: what a balance is of, a year's end may be as well."""
    match figures.periods:
        case Years(periods=named):
            return all(one.part not in (None, RelativePeriod.DAY) for one in named)
        case Last(quarters=quarters):
            return quarters
    return False


def _figures(
    tokens: Sequence[Token], names: set[int], periods: set[int], read: Callable[[tuple[Token, ...]], Read]
) -> Query | None:
    """The question for figures that is left without the names of documents, and without their own periods; None where
    there is none.
    """
    for dropped in dict.fromkeys((frozenset(names), frozenset(names | periods))):
        left = tuple(token for place, token in enumerate(tokens) if place not in dropped)
        reading = read(left) if left else ()
        if len(reading) != 1 or not isinstance(only := reading[0], Query) or only.is_nearest:
            continue
        if only.rows and any(word.role is Role.MEASURE for word in only.words):
            return only
    return None
