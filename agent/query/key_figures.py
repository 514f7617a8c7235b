"""The key figures of companies, which are shown where nothing but a company and a year or a report is named."""

from agent.query.lexicon import Lexicon, measure_of
from agent.query.sentence import Part, Sentence
from agent.state.query import Row

# Words beside a company that ask for nothing of it: "Apple 10-K 2025", "Apple vs Microsoft".
_NAMING = frozenset({"source", "time", "function", "polite"})


def key_figures(sentence: Sentence, lexicon: Lexicon) -> tuple[Row, ...]:
    """The registry's key figures, where a question names companies, years and reports alone; else none."""
    if not all(map(_names, sentence.parts)) or sentence.passed:
        return ()
    return tuple(Row(measure=measure_of(lexicon.registry, key)) for key in lexicon.registry.key_figures.concepts)


def _names(part: Part) -> bool:
    if part.stretch is not None:
        return part.stretch.month is None  # of a month there are balances alone
    return part.mention is not None or part.value("frame") in _NAMING or part.value("operation") == "compare"
