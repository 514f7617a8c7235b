"""Figures of an answer in words, by the rules that every figure on a page obeys: filings.xbrl.number_format, from which facts
are shown too."""

from agent.state import Cell
from filings.xbrl.number_format import (
    COMPUTED,
    MINUS,
    WORDS,
    Scale,
    column_unit,
    decimals,
    exact,
    headline,
    in_table,
    is_money,
    number,
    rounded,
    shown,
)

__all__ = [
    "COMPUTED",
    "MINUS",
    "WORDS",
    "column_unit",
    "decimals",
    "exact",
    "headline",
    "in_table",
    "inline",
    "is_money",
    "number",
    "rounded",
    "shown",
]


def inline(cell: Cell, scale: Scale | None) -> str:
    """As it is put into a sentence behind the name of its measure:  (fiscal 2024: $31,370 million)."""
    if cell.value is None:
        raise ValueError(f"{cell.label} of {cell.place.called} has no value.")
    return f" ({cell.place.called}: {shown(cell.value, cell.unit, scale, reported=cell.fact is not None)})"
