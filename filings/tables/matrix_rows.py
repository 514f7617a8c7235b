"""Rows of tables whose columns name measures: below "EBITDA" and "Net income" a row "Adjusted" has two figures of two names."""

import re
from collections.abc import Collection, Iterable

from filings.tables.column_periods import said_of
from filings.tables.table import Cell
from filings.tables.table_units import SCALE
from filings.tables.table_words import any_of, word_of

LEAST = 2  # measures of columns that a label lists
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_MEASURING = re.compile(rf"\b{any_of('measuring')}s?\b", re.IGNORECASE)
_BASIS, _BESIDE = (re.compile(word_of(name), re.IGNORECASE) for name in ("bases", "beside bases"))
_WORD = re.compile(r"[^\W_]")
_ENDS = " ,;:-\u2013\u2014/&"


def measure_of(stack: Iterable[Cell]) -> str:
    """The measure that the lowest of the headings above a cell names which tells no period; empty where it names none."""
    for head in reversed([*stack]):
        words = _BRACKETS.sub("", SCALE.sub("", " ".join(head.text.split()))).strip()
        if _WORD.search(words) and not said_of(words).tells:
            return words if _MEASURING.search(words) else ""
    return ""


def is_basis(words: str) -> bool:
    """Whether words say on which basis figures are, and nothing else: "Adjusted non-GAAP results"."""
    return bool(_BASIS.search(words)) and not _WORD.search(_BESIDE.sub("", _BASIS.sub("", words)))


def names_of(label: str, measures: Collection[str]) -> dict[str, str]:
    """What each column's measure is called in a row that names a basis alone, or lists all of them behind one: "Adjusted
    EBITDA" for "Adjusted EBITDA and net income"; nothing where a row says anything else or a column names no measure.
    """
    if "" in measures:
        return {}
    left = label
    for measure in sorted(measures, key=len, reverse=True):
        left = re.sub(rf"(?<!\w){re.escape(measure)}(?!\w)", "", left, flags=re.IGNORECASE)
    is_list = len(measures) >= LEAST and all(measure.lower() in label.lower() for measure in measures)
    if not (is_basis(left) or (is_list and not _WORD.search(_BESIDE.sub("", left)))) or (
        left != label and not is_list
    ):
        return {}
    outside = _BRACKETS.sub("", left)  # "Core (non-GAAP)" is core
    basis = _BESIDE.sub("", outside if _WORD.search(outside) else left)
    plain = " ".join(re.sub(r"[(),]", " ", basis).split()).strip(_ENDS)
    return {one: f"{plain} {_inside(one)}" if plain else one for one in measures}


def _inside(measure: str) -> str:
    """A measure behind other words; "EBITDA" and "R&D" keep their capitals."""
    first = measure.partition(" ")[0]
    return measure if first[1:] != first[1:].lower() else measure[:1].lower() + measure[1:]
