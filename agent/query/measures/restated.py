"""What a question says of a measure twice: its formula in brackets, or behind "i.e.", that gives the same figures."""

from collections.abc import Callable, Iterator, Sequence

from agent.query.words.lexicon import Lexicon
from agent.query.words.refused_question import Read
from agent.query.words.sentence import breaks
from agent.query.words.word_classes import connecting
from agent.state.query import Query
from agent.state.question_words import Role, Word
from agent.words.tokens import Token

# Words of a name, at most.
_LONGEST = 6
_SLOTS = frozenset({Role.COMPANY, Role.PERIOD})


def read_once(
    question: str, tokens: tuple[Token, ...], read: Callable[[tuple[Token, ...]], Read]
) -> tuple[Query] | None:
    """The reading of a question without a part that says the same again; None where none does.

    read: reads the question by some of its words. The part is read with the companies and periods of the rest.
    """
    for places in _parts(question, tokens):
        rest = tuple(one for place, one in enumerate(tokens) if place not in places)
        found = read(rest) if rest else ()
        if len(found) != 1 or not isinstance(first := found[0], Query) or not first.rows:
            continue
        slots = [word for word in first.words if word.role in _SLOTS]
        kept = [one for one in rest if any(word.start <= one.start < word.end for word in slots)]
        said_again = [tokens[place] for place in places if tokens[place].base not in connecting("saying again")]
        again = read((*kept, *said_again))
        if len(again) == 1 and isinstance(second := again[0], Query) and _measures(second) == _measures(first):
            start, end = tokens[places.start].start, tokens[places[-1]].end
            said = Word(start=start, end=end, text=question[start:end], role=Role.MEASURE)
            words = tuple(sorted((*first.words, said), key=lambda one: one.start))
            return (first.model_copy(update={"words": words}),)
    return None


def without_doubles(question: str, tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
    """The tokens without what stands in a bracket inside a name and says again what stands before it."""
    again = {place for one in _inside_names(question, tokens, lexicon) for place in one}
    return tuple(token for place, token in enumerate(tokens) if place not in again)


def _inside_names(question: str, tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[range]:
    """Brackets inside a name that say again what stands before them: "depreciation and amortization (D&A from the cash flow
    statement) % margin"."""
    for places in _parts(question, tokens):
        before, behind = tokens[max(places.start - _LONGEST, 0) : places.start], tokens[places.stop : places.stop + 2]
        names = (tuple(token.stem for token in before[at:]) for at in range(len(before)))
        name = next((one for one in names if lexicon.named(one)), ())
        longer = any(
            lexicon.named((*name, *(token.stem for token in behind[:size]))) for size in range(1, len(behind) + 1)
        )
        inside = tuple(tokens[place].stem for place in places)
        again = {one.keys for size in range(1, len(inside) + 1) if (one := lexicon.named(inside[:size]))}
        held = lexicon.named(name)
        if longer and held and held.keys in again:
            yield places


def _measures(query: Query) -> tuple[str, ...]:
    """What is asked, once each."""
    asked = (row.measure.model_dump_json() for row in query.rows if not row.mention)
    return tuple(dict.fromkeys(asked)) if not query.is_nearest else ()


def _parts(question: str, tokens: Sequence[Token]) -> Iterator[range]:
    """Brackets, and clauses that begin with words for saying again."""
    marks = sorted({*breaks(question, tokens), len(tokens)})
    for first in marks:
        last = next((one for one in marks if one > first), 0)
        if not last or not first:
            continue
        bracketed = "(" in question[tokens[first - 1].end : tokens[first].start]
        while bracketed and last < len(tokens) and ")" not in question[tokens[last - 1].end : tokens[last].start]:
            last = next((one for one in marks if one > last), len(tokens))
        if bracketed:
            yield range(first, last)
        elif tokens[first].base in connecting("saying again"):
            # "I.e." ends with a mark of its own.
            last = last if last > first + 1 else next((one for one in marks if one > last), last)
            yield range(first, last)
