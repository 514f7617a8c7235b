"""The units that two texts are compared by: headings, sentences, bullets and rows of tables, with their places."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from filings.document.blocks import ROW_GAP, Block, Kind
from filings.document.sentences import sentence_spans
from filings.redline.rolling import rolling
from filings.tables.months import MONTHS

# Characters that typesetting changes without changing a word, and the signs before bullets.
_TYPESET = str.maketrans({**dict.fromkeys("\u2018\u2019`", "'"), **dict.fromkeys("\u201c\u201d", '"')} | {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"), **dict.fromkeys("\u00ad\u200b\u2022\u25cf\u25aa\u25a0\u25e6")
})  # fmt: skip
_NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
# A token that is only a figure, with its signs: "$(1,234)", "31%", "2024.", an empty cell's dash.
_FIGURE = re.compile(r"[$(€£¥]*[-+~]?#(?:%|st|nd|rd|th)?[)%]*|[-$%()]+")
_FIGURES = re.compile(r"#(?:,? #)+")
_EDGES = ".,;:"


@dataclass(frozen=True, slots=True)
class Unit:
    """One heading, sentence, bullet or table row. Positions are of its section's text.

    key: its words as they are compared. bare: the same with a sign in the place of every figure, date and year.
    """

    kind: Kind
    start: int
    end: int
    block: int
    key: str
    bare: str


def units_of(text: str, blocks: Sequence[Block]) -> list[Unit]:
    """The units of a section, in order."""
    return [_unit(text, block, place, *span) for place, block in enumerate(blocks) for span in _spans(text, block)]


def _spans(text: str, block: Block) -> Iterator[tuple[int, int]]:
    if block.kind == "heading":
        yield block.start, block.end
    elif block.kind != "table":
        yield from sentence_spans(text, block.start, block.end)
    else:
        at = block.start
        for row in text[block.start : block.end].split(ROW_GAP):
            if row.strip():
                yield at, at + len(row)
            at += len(row) + len(ROW_GAP)


def _unit(text: str, block: Block, place: int, start: int, end: int) -> Unit:
    key = compared(text[start:end])
    return Unit(block.kind, start, end, place, key, without_figures(key))


def compared(text: str) -> str:
    """A text as it is compared: without case, and with one form of each quotation mark, dash and space."""
    return " ".join(text.translate(_TYPESET).lower().split())


def without_figures(key: str) -> str:
    """A compared text with # in the place of figures, dates and years, one after the other as one."""
    found = (_figure(token) for token in _NUMBER.sub("#", key).split())
    return _FIGURES.sub("#", " ".join(found))


def _figure(token: str) -> str:
    word = token.rstrip(_EDGES)
    is_figure = word in _rolling() or (bool(word) and _FIGURE.fullmatch(word) is not None)
    return f"#{token[len(word) :]}" if is_figure else token


@cache
def _rolling() -> frozenset[str]:
    """Words that are figures or parts of dates."""
    return frozenset((*MONTHS, *(word for words in rolling().values() for word in words)))
