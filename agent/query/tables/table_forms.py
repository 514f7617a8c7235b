"""In what form a table is shown: as a chart or a grid, and its rows as amounts, growth or shares."""

from collections.abc import Sequence

from agent.query.words.word_classes import Key, changing
from agent.state.query import Breakdown, Change, Measure, Member, Row, Share
from agent.state.question_words import Display
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


def base_of(measure: Measure) -> Measure:
    """The measure that growth, a share or a part is of."""
    match measure:
        case Change(of=of) | Member(of=of) | Breakdown(of=of):
            return base_of(of)
        case Share(part=part):
            return base_of(part)
    return measure


def level_of(measure: Measure) -> Measure:
    """The measure itself, of the same part of a company, in place of its growth or share."""
    match measure:
        case Change(of=of):
            return level_of(of)
        case Share(part=part):
            return level_of(part)
        case Breakdown(of=of):
            return measure.model_copy(update={"of": level_of(of), "shares": False})
    return measure


def grown(row: Row) -> Row:
    """The growth of a row over the year before, of all parts that of each; of percentages, the change in points."""
    if isinstance(row.measure, Breakdown):
        of = Change(of=level_of(row.measure.of), percent=True)
        return row.of(row.measure.model_copy(update={"of": of, "shares": False}))
    if isinstance(row.measure, Change) and row.measure.percent:
        return row
    return row.of(Change(of=level_of(row.measure), percent=True))
