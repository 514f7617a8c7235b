"""Verifies that a query asks for what the words of its question say: whom, when, what, and what is made of it.

The words are told when the question is read. Only what they say for certain is compared, so that a question that goes on
with the one before may leave out the rest.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import partial

from agent.numbers.registry import Registry
from agent.state.measures import leaves
from agent.state.query import (
    Breakdown,
    Change,
    Concept,
    Last,
    Measure,
    Member,
    Metric,
    OverYears,
    Query,
    Rank,
    Span,
    Threshold,
    Years,
)
from agent.state.question_words import CHANGE, Role, Word
from agent.state.references import Period

EXTREMES = frozenset({"highest", "lowest"})
# Operations that are asked for by no other word than their own.
NAMED = frozenset({"average", "sum", "cagr"})
MOVING = frozenset({"growth", "difference"})
# Words of so many letters, "of" and "the", tell no measure.
SHORT = 3
# Bounds that are asked for without a number: positive, negative, and to cover.
UNSAID = {"positive": (">", Decimal(0)), "negative": ("<", Decimal(0)), "share": (">=", Decimal(1))}
COMPARISONS = frozenset({">", ">=", "<", "<="})
_YEAR = re.compile(r"\d{4}|\d{2}")
_NUMBER = re.compile(r"\d[\d,.]*")


def problems(query: Query, registry: Registry) -> Iterator[str]:
    """Everything that the words ask for otherwise, in sentences; nothing of words that change a table before them."""
    if any(word.meaning == CHANGE for word in query.words):
        return
    yield from _of_periods(query)
    asked = {one.cik for one in query.companies}
    strangers = [word for word in query.words if word.ciks and not asked.intersection(word.ciks)]
    # A text may be about another company, and its words of order and growth tell no operation.
    named = not query.topics or not any(asked.intersection(word.ciks) for word in query.words)
    if named and not query.everyone:
        yield from (f"“{word.text}” is none of the companies asked about." for word in strangers)
    yield from _of_measures(query, registry)
    if not query.topics:
        yield from _of_operations(query)


def _of_measures(query: Query, registry: Registry) -> Iterator[str]:
    """A row that is of no measure which its word means, or which all do where they are several."""
    measuring = [word for word in query.words if word.role is Role.MEASURE]
    known = {*registry.concepts, *registry.metrics}
    # "Equity per share", "earn per diluted share": several words are one measure.
    several = any(word.typed and word.meaning and not _meant(word) & known for word in measuring)
    for row in query.rows if any(word.meaning for word in measuring) else ():
        own = next((word for word in measuring if word.text == row.text and word.meaning and not several), None)
        keys = _keys(row.measure) if not row.mention else set()
        if own and own.typed:
            # "Income taxes that it paid" is called by both words.
            told, others = _told([own]), _told([word for word in query.words if word is not own])
            fits = any(told <= names and names & others for names in map(partial(_names, registry), keys))
        else:
            told = _told([own] if own else measuring)
            least = {key: 1 if key in registry.metrics else min(2, len(told)) for key in keys}
            fits = any(len(told & _names(registry, key)) >= least[key] for key in keys)
        if keys and not fits and not keys & {key for word in ([own] if own else measuring) for key in _meant(word)}:
            yield f"“{row.text}” is not the measure asked for."


def _meant(word: Word) -> set[str]:
    """The keys that a word of a measure means."""
    return {one.partition(":")[0] for one in word.meaning.split(", ")}


def _told(words: Iterable[Word]) -> set[str]:
    """What words say, as typed or as read where they are misspelt."""
    said = (word.text if word.typed else word.meaning for word in words)
    return {one for text in said for one in text.lower().split() if len(one) > SHORT}


def _names(registry: Registry, key: str) -> set[str]:
    """The words of a measure's names: income taxes, and paid."""
    entry = registry.concepts.get(key) or registry.metrics.get(key)
    return set(" ".join((entry.label, *entry.aliases)).lower().split()) if entry else set()


def _keys(measure: Measure) -> set[str]:
    """The keys of the registry that a measure is made of, whatever parts of a company it is of."""
    of = [one.of if isinstance(one, Member | Breakdown) else one for one in leaves(measure)]
    return {one.key for one in of if isinstance(one, Concept | Metric)}


def _of_periods(query: Query) -> Iterator[str]:
    """A period of another year than its own words have in figures, or than any of the question's."""
    words = " ".join(word.text for word in query.words if word.role is Role.PERIOD)
    for one in (period for each in (query.periods, *(own.periods for own in query.own)) for period in _named(each)):
        said = {int(year) % 100 for year in _YEAR.findall(one.text) or _YEAR.findall(words)}
        year = one.end.year if one.end else one.year
        if said and year and year % 100 not in said:
            yield f"{year} is not the period asked for."


def _named(periods: Years | Span | Last) -> list[Period]:
    match periods:
        case Years(periods=named):
            return list(named)
        case Span(first=first, last=last):
            return [one for one in (first, last) if one]
    return [periods.until] if periods.until else []


def _of_operations(query: Query) -> Iterator[str]:
    """An operation, direction or bound that is asked for and not computed, or computed otherwise."""
    words = [word for word in query.words if word.role is Role.OPERATION]
    # "Total liabilities less cash" is one measure.
    words = [word for word in words if not any(word.text in row.text for row in query.rows)]
    asked = {word.meaning for word in words}
    overs = {one.over.value for one in query.operations if isinstance(one, OverYears)}
    moved = any(isinstance(row.measure, Change) for row in query.rows) or bool(query.operations)
    yield from (
        f"The {one} is asked for." for one in sorted(asked & NAMED - overs | (asked & MOVING if not moved else set()))
    )
    ranked = {"highest" if one.highest else "lowest" for one in query.operations if isinstance(one, Rank)}
    parts = {one.extreme for row in query.rows for one in leaves(row.measure) if isinstance(one, Breakdown)}
    thresholds = [one for one in query.operations if isinstance(one, Threshold)]
    computed = (overs | ranked | parts) & EXTREMES
    # "Who is better, and by how much" is a difference; "high and low" both.
    served = computed & asked if computed else query.operations
    if len(asked & EXTREMES) == 1 and not served:
        yield f"The {next(iter(asked & EXTREMES))} is asked for."
    signs = asked & COMPARISONS
    if signs and (thresholds or not query.operations) and signs != {one.comparison for one in thresholds}:
        yield f"{', '.join(sorted(signs))} is the comparison asked for."
    numbers = {_digits(one) for word in words for one in _NUMBER.findall(word.text)}
    unsaid = (
        {UNSAID[one] for one in asked & UNSAID.keys()} if thresholds or asked & {"positive", "negative"} else set()
    )
    if unsaid and not numbers | signs and unsaid != {(str(one.comparison), one.bound) for one in thresholds}:
        yield "The comparison asked for is another."
    for bound in (one.bound for one in thresholds if numbers):
        if _digits(format(bound, "f")) not in numbers:
            yield f"{bound} is not the bound asked for."


def _digits(number: str) -> str:
    """The digits of a number that tell it in any scale: 25 of 25bn and of 25,000,000,000."""
    return re.sub(r"[.,]", "", number).strip("0")
