"""What an imported document prints for a figure that XBRL gives: said where the two differ."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from agent.numbers.cells.cells import BuiltCell
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.filing_figures import FilingFigures
from agent.numbers.facts.render import headline
from agent.numbers.facts.rounding import same_after_rounding
from agent.numbers.facts.selection_result import Choice
from filings.models import Filing
from filings.tables.column_periods import NEAR


def with_printed(one: BuiltCell) -> BuiltCell:
    """The cell of a fact that is asked for, with a note of each document that prints another figure for its period."""
    only = one.evaluated.only if one.evaluated and one.cell.asked else None
    if only is None or only.concept is None or one.cell.value is None or not one.company_filings.beside:
        return one
    notes = tuple(_said(one, only.concept.key))
    return replace(one, cell=one.cell.model_copy(update={"notes": (*one.cell.notes, *notes)})) if notes else one


def _said(one: BuiltCell, key: str) -> Iterator[str]:
    decimals = one.cell.fact.decimals if one.cell.fact else None
    for filing in _of_its_period(one):
        choice = Selection(FilingFigures(filing, one.company_filings.registry)).annual(key)
        if not isinstance(choice, Choice) or choice.candidate is None or one.cell.value is None:
            continue
        if not same_after_rounding(one.cell.value, decimals, choice.value, choice.candidate.decimals):
            page = f" on page {choice.candidate.fact.page}" if choice.candidate.fact.page else ""
            figure = " ".join(filter(None, headline(choice.value, choice.candidate.fact.unit)))
            yield f"The imported {filing.called} prints {figure}{page} for the same period; the figure shown is from XBRL."


def _of_its_period(one: BuiltCell) -> Iterator[Filing]:
    """The documents that print the figures of a cell's period, each for its length."""
    days, end = one.company_filings.period.days, one.cell.period_end
    for filing in one.company_filings.beside if days else ():
        if end and filing.period_end and abs(filing.period_end - end) <= NEAR:
            own = copy(filing)
            own.days = days
            yield own
