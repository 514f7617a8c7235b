"""What was computed over a table, in words: the result of an operation, and the first of several companies."""

from dataclasses import dataclass

from agent.numbers.operation_results import OVER
from agent.refusals.grammar import lower_first
from agent.state.tables import Result
from agent.web.tables.figure_card import signed
from agent.web.tables.formula_words import Piece
from filings.xbrl.periods import Place


@dataclass(frozen=True)
class Computed:
    """The result of an operation, in words, with its formula."""

    result: Result
    title: str
    sentence: str
    headline: str
    unit_word: str
    when: str = ""
    formula: str = ""
    figures: tuple[Piece, ...] = ()

    @property
    def movement(self) -> str:
        """A change with its sign: +12.3%, +5.1 points."""
        return signed(" ".join(filter(None, (self.headline, self.unit_word))), self.result.value)

    @property
    def is_figure(self) -> bool:
        """Whether it is a number of its own rather than a ranking or a yes."""
        return self.result.value is not None and self.result.operation in OVER


@dataclass(frozen=True)
class Winner:
    """The first of several companies, with its figure."""

    who: str
    highest: bool
    label: str
    place: Place
    text: str
    among: str = ""

    @property
    def said(self) -> str:
        """Highest operating margin in fiscal 2024, of the 3 with a figure: 54.1%."""
        best = "Highest" if self.highest else "Lowest"
        return f"{best} {lower_first(self.label)} in {self.place.called}{self.among}: {self.text}"
