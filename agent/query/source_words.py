"""The documents that a question names ("on the call", "in its latest 10-Q"), and the question without these words."""

from collections.abc import Callable, Sequence

from agent.query.refused_question import Misread, Read
from agent.query.word_classes import connecting
from agent.state.query import Query, Role, Word
from agent.words.tokens import Token
from filings.models.source_kinds import ANNUAL, SourceKind, kinds_placed


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
    question: str, tokens: tuple[Token, ...], found: Read, read: Callable[[tuple[Token, ...]], Query | Misread]
) -> Read:
    """The reading as what documents are asked, where the question names any other than the 10-K; else `found`.

    found: how the whole question was read. A figure that it asks for stays: figures of statements are facts, whatever
    document is named beside them. read: reads words as what the text of documents is asked.
    """
    kinds, runs = without_sources(question, tokens)
    if not kinds or kinds == (ANNUAL,) or any(isinstance(half, Query) and half.rows for half in found):
        return found
    dropped = {place for run in runs for place in run}
    again = read(tuple(token for place, token in enumerate(tokens) if place not in dropped))
    if isinstance(again, Misread):
        return found
    words = [
        Word(start=start, end=end, text=question[start:end], role=Role.SOURCE)
        for run in runs
        for start, end in [(tokens[run.start].start, tokens[run.stop - 1].end)]
    ]
    both = tuple(sorted((*again.words, *words), key=lambda word: word.start))
    query = again.model_copy(update={"sources": tuple(kind.key for kind in kinds), "words": both})
    refused = next((half for half in found if isinstance(half, Misread)), None)
    # What is refused stays so where no such document is held.
    return (refused.model_copy(update={"sourced": query}),) if refused is not None else (query,)
