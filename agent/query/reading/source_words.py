"""The documents that a question names ("on the call", "in its latest 10-Q"), and the question without these words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.query.dates.years import is_number, number_of
from agent.query.words.refused_question import Misread, Read
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code
from agent.state.query import MOST_YEARS, Last, Periods, Query, Years
from agent.state.question_words import Role, Word
from agent.state.references import PeriodForm, RelativePeriod
from agent.words.tokens import Token
from filings.models.source_kinds import ANNUAL, CURRENT, QUARTERLY, SourceKind, kinds_placed
from filings.tables.months import MONTHS

# Words among which a preposition makes an everyday word the name of a document: "on the last NVIDIA call".
MOST_BEFORE = 4
# Words of a period that stand within the name of a document: "the October 2025 release", "its Q3 FY24 call".
OF_PERIOD = re.compile(
    rf"(?:fy)?'?(?:20)?\d\d|[1-4]?q[1-4]?|[1-4]q\d\d|h[12]|fiscal|year|quarter|quarterly|first|second|third|fourth|{'|'.join(MONTHS)}"
)


@dataclass(frozen=True, slots=True)
class Named:
    """The words by which a question names one document: "in the", "2025", "proxy". dated: the period that stands within
    the name. count: how many of the newest are meant, 0 where the question does not say.
    """

    kind: SourceKind
    words: range
    dated: range
    before: range
    count: int = 0

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
        opening = _opening(question, tokens, places[0], found[-1].words.stop if found else 0)
        if not (certain or opening.makes_a_name):
            continue  # "What did Apple release in 2024?"
        dated, before = range(opening.dated, places[0]), range(opening.before, opening.dated)
        found.append(Named(kind, range(places[0], places[-1] + 1), dated, before, opening.count))
    return found


@dataclass(frozen=True, slots=True)
class _Opening:
    """Where the words before a document begin that belong to its name: its period, and before this what leads to it.

    count: how many of the newest these words mean, 0 where they do not say. makes_a_name: whether they make an everyday
    word the name of a document.
    """

    dated: int
    before: int
    count: int
    makes_a_name: bool


def _opening(question: str, tokens: Sequence[Token], first: int, free: int) -> _Opening:
    """Read backwards from the first word of a document, down to `free`."""

    def led_to(place: int) -> int:
        return begun(question, tokens, place, free, lambda token: token.base in connecting("before a source"))

    dated = begun(question, tokens, first, free, is_of_period)
    # "3Q24 release", "first quarter call"
    quarterly = any("q" in token.base for token in tokens[dated:first])
    before = led_to(dated)
    if before == dated and not set_apart(question, tokens, dated):
        dated = first  # "revenue 2024 transcript": nothing makes the year one of the name
        before = led_to(dated)
    count, counted = counted_back(tokens, dated, free)
    if count:
        before = led_to(counted)
    near = [token.base for token in tokens[:first] if not is_of_period(token)][-MOST_BEFORE:]
    owned = before > 0 and tokens[before - 1].possessive
    leads = bool(connecting("leading to a source").intersection(near))
    return _Opening(dated, before, count, owned or quarterly or leads)


def counted_back(tokens: Sequence[Token], place: int, free: int) -> tuple[int, int]:
    """How many of the newest documents are named before a place, and where these words begin: "its last three 10-Qs"."""
    first, numbers = place, list[str]()
    while first > free and len(numbers) < 2:
        word = tokens[first - 1].base
        if is_number(word):
            numbers.append(word)
        elif word not in connecting("counting back"):
            break
        first -= 1
    if len(numbers) != 1 or place - first < 2:
        return 0, place
    count = number_of(numbers[0])
    return (int(count), first) if count in range(2, MOST_YEARS + 1) else (0, place)


def set_apart(question: str, tokens: Sequence[Token], place: int) -> bool:
    """Whether what stands at a place begins anew: "(2026 proxy)", "Apple's 2026 proxy"."""
    return place > 0 and (tokens[place - 1].possessive or opens_bracket(question, tokens, place))


def opens_bracket(question: str, tokens: Sequence[Token], place: int) -> bool:
    """Whether a bracket opens between a token and the one before it."""
    return "(" in question[tokens[place - 1].end : tokens[place].start]


def is_of_period(token: Token) -> bool:
    return bool(OF_PERIOD.fullmatch(token.base))


def begun(question: str, tokens: Sequence[Token], place: int, free: int, belongs: Callable[[Token], bool]) -> int:
    """Where the words begin that belong to what stands at a place, at `free` at the earliest."""
    while place > free and belongs(tokens[place - 1]) and not opens_bracket(question, tokens, place):
        place -= 1
    return place


def of_sources(
    question: str,
    tokens: tuple[Token, ...],
    found: Read,
    read: Callable[[tuple[Token, ...], Sequence[tuple[int, int]], SourceKind | None], Query | Misread],
    read_figures: Callable[[tuple[Token, ...]], Read],
) -> Read:
    """The reading as what documents are asked, where the question names any other than the 10-K; else `found`.

    found: how the whole question was read. A figure that it asks for stays: figures of statements are facts, whatever
    document is named beside them. read: reads words as what the text of documents is asked, given where the documents and
    their periods are named, and of which kind the newest are asked for without a subject. read_figures: reads them as a
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
    figures = _figures(tokens, names, periods, read_figures) if {*kinds} <= {CURRENT, QUARTERLY} else None
    # A year is in no 10-Q, and in a release only beside the quarter that is its subject.
    if figures and _of_quarters(figures):
        return (_asked_of(figures, named, question, tokens),)
    beside = [one.with_its_period(tokens) for one in named]
    spans = [(tokens[one.start].start, tokens[one.stop - 1].end) for one in beside]
    newest = kinds[0] if len(kinds) == 1 and kinds[0].newest else None
    again = read(tuple(token for place, token in enumerate(tokens) if place not in names), spans, newest)
    if isinstance(again, Misread):
        return found
    query = _asked_of(again, named, question, tokens)
    if any(topic.newest for topic in query.topics):
        said = tuple(question[tokens[one.words.start].start : tokens[one.words.stop - 1].end] for one in named)
        return (Misread(code=Code.EXTERNAL_DATA, words=said, companies=query.companies, sourced=query),)
    refused = next((half for half in found if isinstance(half, Misread)), None)
    # What is refused stays so where no such document is held.
    return (refused.model_copy(update={"sourced": query}),) if refused is not None else (query,)


def _asked_of(query: Query, named: Sequence[Named], question: str, tokens: Sequence[Token]) -> Query:
    """A query as it is asked of the documents named, with the words that name them."""
    words = [
        Word(start=start, end=end, text=question[start:end], role=Role.SOURCE)
        for one in named
        for start, end in [(tokens[one.first].start, tokens[one.words.stop - 1].end)]
    ]
    counted = next((one.count for one in named if one.count), 0)
    return query.model_copy(
        update={
            "sources": tuple(dict.fromkeys(one.kind.key for one in named)),
            "words": tuple(sorted((*query.words, *words), key=lambda word: word.start)),
            "periods": Last(count=counted, quarters=True) if counted and is_latest(query.periods) else query.periods,
        }
    )


def is_latest(periods: Periods) -> bool:
    """Whether no period is named."""
    return isinstance(periods, Years) and all(one.form is PeriodForm.LATEST for one in periods.periods)


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
