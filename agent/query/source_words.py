"""The documents that a question names ("on the call", "in its latest 10-Q"), and the question without these words."""

from collections.abc import Callable, Sequence

from agent.query.refused_question import Misread, Read
from agent.query.word_classes import connecting
from agent.refusals.codes import Code
from agent.state.query import Query, Role, Word
from agent.words.tokens import Token
from filings.models.source_kinds import ANNUAL, SourceKind, kinds_placed

# What is asked of a document that a question names is looked for in it, whatever it is.
_ASKED_OF_IT = frozenset(
    {
        Code.INTERIM_PERIOD, Code.TRANSCRIPT, Code.EXTERNAL_DATA, Code.PREDICTION, Code.NON_GAAP, Code.CONCEPT_UNKNOWN,
        Code.DIMENSIONAL_ONLY, Code.AMBIGUOUS_CONCEPT, Code.NOT_UNDERSTOOD,
    }
)  # fmt: skip


def without_sources(question: str, tokens: Sequence[Token]) -> tuple[tuple[SourceKind, ...], list[range]]:
    """The kinds of documents that a question names, in its order, and the runs of words that do: with "on the", "in its
    latest", "according to" before them.
    """
    kinds: list[SourceKind] = []
    runs: list[range] = []
    for kind, start, end in kinds_placed(question):
        places = [place for place, token in enumerate(tokens) if token.start < end and start < token.end]
        if not places:
            continue
        first, last = places[0], places[-1] + 1
        while first and tokens[first - 1].base in connecting("before a source"):
            first -= 1
        if runs and runs[-1].stop > first:
            first = runs[-1].stop
        kinds.append(kind)
        runs.append(range(first, last))
    return tuple(dict.fromkeys(kinds)), runs


def of_sources(
    question: str, tokens: tuple[Token, ...], found: Read, read: Callable[[tuple[Token, ...]], Read]
) -> Read:
    """The reading with what other documents than the 10-K are asked, where the question names any; else `found`.

    found: how the whole question was read. A figure that it asks for stays: figures of statements are facts, whatever
    document is named beside them.
    """
    kinds, runs = without_sources(question, tokens)
    if not kinds or kinds == (ANNUAL,) or any(isinstance(half, Query) and half.rows for half in found):
        return found
    dropped = {place for run in runs for place in run}
    left = tuple(token for place, token in enumerate(tokens) if place not in dropped)
    if not left:
        return found
    words = tuple(
        Word(
            start=tokens[run.start].start,
            end=tokens[run.stop - 1].end,
            text=question[tokens[run.start].start : tokens[run.stop - 1].end],
            role=Role.SOURCE,
        )
        for run in runs
    )
    again = [asked_of(half, kinds, words) for half in read(left)]
    if len(again) == 1 and again[0] is not None:
        only = found[0]
        if len(found) == 1 and isinstance(only, Misread):
            return (only.model_copy(update={"sourced": again[0]}),)
        return (again[0],)
    return found


def asked_of(half: Query | Misread, kinds: Sequence[SourceKind], words: Sequence[Word]) -> Query | None:
    """What is asked of documents of these kinds; None where nothing is left to look for."""
    query = half if isinstance(half, Query) else None
    if isinstance(half, Misread) and half.code in _ASKED_OF_IT:
        query = half.sourced or half.told
    if query is None or query.meta:
        return None
    both = tuple(sorted((*query.words, *words), key=lambda word: word.start))
    return query.model_copy(update={"sources": tuple(kind.key for kind in kinds), "words": both})
