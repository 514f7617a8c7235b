"""Titles of tables, results of operations in words, and whose figures a note or a gap is about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst

from agent.numbers.cells.operation_results import OVER, operation_name
from agent.numbers.tables import table_text
from agent.refusals.grammar import listed, lower_first
from agent.state import Cell
from agent.state.tables import Result
from agent.web.tables.figure_card import signed
from agent.web.tables.formula_words import Piece
from filings.xbrl.periods import Place

# More companies or measures than this are counted in a title rather than named.
MOST_NAMED = 3


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


def measures_said(cells: Iterable[Cell]) -> str:
    """The measures of cells, inside a sentence. Definitions are given with the measure: shares (cover), shares
    (balance).
    """
    labels = list(dict.fromkeys(cell.label for cell in cells))
    stems = {label.partition(" (")[0] for label in labels}
    if len(labels) > 1 and len(stems) == 1:
        labels = list(stems)
    return listed([lower_first(label) for label in labels]) if len(labels) <= MOST_NAMED else f"{len(labels)} measures"


def source_said(companies: Sequence[str], forms: Sequence[str], cells: Iterable[Cell]) -> str:
    """Where cells are from: Source: 10-K filings of Apple, fiscal 2021 to 2025 (XBRL data of the SEC)."""
    named = list(dict.fromkeys(filter(None, companies)))
    who = listed(named) if len(named) <= MOST_NAMED else f"{len(named)} companies"
    years = table_text.places_said(one.place for one in cells if one.fiscal_year)
    return f"Source: {listed(list(dict.fromkeys(forms)))} filings of {who}, {years} (XBRL data of the SEC)."


def result_title(one: Result, names: dict[int, str]) -> str:
    """Apple, compound annual growth rate of total revenue, fiscal 2020 to 2024."""
    when = table_text.span(one.places)
    terms = [names.get(place.cik, "") for place in one.order]
    if one.operation == "difference" and len(set(terms)) > 1:
        return f"{one.label}, {' less '.join(terms)}, {when}"
    over = operation_name(one.operation)
    of = " " if one.operation in ("highest", "lowest") else " of "
    what = f"{over}{of}{lower_first(one.label)}, {when}"
    return f"{names.get(one.cik, '')}, {lower_first(what)}" if one.cik else what


def whose(cells: Sequence[Cell], among: Sequence[Cell]) -> str:
    """Which of some cells these are, in the fewest words: Microsoft, fiscal 2022 to 2024; empty for all of them."""
    if len(cells) == len(among):
        return ""
    companies = list(dict.fromkeys(cell.cik for cell in cells))
    names = {cell.cik: cell.company if len({one.cik for one in among}) > 1 else "" for cell in cells}
    told = []
    for cik in companies:
        own, alike = ([one for one in some if one.cik == cik] for some in (cells, among))
        told += [names[cik]] if len(own) == len(alike) else _of_measures(own, alike, names[cik])
    return "; ".join(dict.fromkeys(filter(None, told)))


def _of_measures(cells: Sequence[Cell], among: Sequence[Cell], company: str) -> list[str]:
    """Which of one company's cells these are: Microsoft, total revenue, fiscal 2022."""
    told = []
    every = dict.fromkeys(map(table_text.measure, among))
    for measure in every:
        own, alike = ([one for one in some if table_text.measure(one) == measure] for some in (cells, among))
        told_of = [one.place for one in own if one.fiscal_year] if len(own) < len(alike) else []
        years = table_text.places_said(told_of)
        label = lower_first(measure) if len(every) > 1 else ""
        told += [", ".join(filter(None, (company, label, years)))] if own else []
    return told


def said_of(note: str, cells: Sequence[Cell], among: Sequence[Cell]) -> str:
    """A note with whose figures it is about, unless it names them itself or is about all."""
    places = {cell.place for cell in cells}
    of_period = len(places) == 1 and note.startswith(capfirst(cells[0].place.called))
    whole = sum(cell.place in places for cell in among) == len(cells)
    named = any(cell.company in note for cell in cells) or (of_period and whole)
    of = "" if named else whose(cells, among)
    return f"{capfirst(of)}: {note}" if of else note


def period_note(cell: Cell) -> str:
    """Which fiscal year a reading means: Nike, fiscal 2024: the fiscal year that began in 2023."""
    year = f", {cell.place.called}"
    told = lower_first(cell.period_reading)
    return f"{cell.company}{'' if told in year or told.startswith(year[2:]) else year}: {told}."
