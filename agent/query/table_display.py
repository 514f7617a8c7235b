"""In what form a question wants a table shown: as a chart, as a grid."""

from collections.abc import Sequence

from agent.query.word_classes import Key, changing
from agent.state.query import Display
from agent.words.tokens import Token

_DISPLAYS = (("chart", Display.CHART), ("grid", Display.GRID))
# Words that ask for a chart.
CHARTS = frozenset(key[0] for key in changing("chart"))


def display_of(tokens: tuple[Token, ...]) -> Display:
    """The form in which words want a table shown, where they ask for nothing else."""
    words = {token.stem for token in bare(tokens)}
    for name, display in _DISPLAYS:
        told = {key[0] for key in changing(name)}
        if words & told and words <= told | {key[0] for key in changing("showing")}:
            return display
    return Display.TABLE


def bare(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens without courtesy before them, and without "please" or "to the table" behind them."""
    before, behind, found = changing("leading"), changing("trailing"), tokens
    while size := next((size for size in range(len(found), 0, -1) if key_words(found[:size]) in before), 0):
        found = found[size:]
    while size := next((size for size in range(len(found), 0, -1) if key_words(found[-size:]) in behind), 0):
        found = found[:-size]
    return found


def key_words(tokens: Sequence[Token]) -> Key:
    """The folded words of tokens."""
    return tuple(token.stem for token in tokens)
