"""The pieces of a row of a table: its label, and each figure with the signs that belong to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from filings.document.layout.tables import CLOSING, LONGEST_SIGN, MARK, OPENING, YEAR, is_figure
from filings.document.pdf.characters import Word
from filings.document.pdf.rows import SMALL, WIDE, Row, parts

DASH = re.compile(r"[\u2010-\u2015-]")
RANGE = 0.5  # of the size: the gaps around the dash of a range
CLOSE = 0.35  # of the size: a small mark so near belongs to the word before it
LEADER = re.compile(r"(?:[.\u2026]\s?){4,}$|^(?:[.\u2026]\s?){2,}$")
UNIT = re.compile(r"\s*(?:x|bps|pts?\.?|points|pp)$")
DIGIT_OR_DASH = re.compile(r"\d|^[(\s$€£¥]*[\u2012-\u2015-]+[\s%)]*$|^n/?[am]$|^nm$", re.IGNORECASE)


@dataclass(slots=True, eq=False)
class Piece:
    """Words of a row that are one cell of a table. `edge` is where the last digit of a figure ends."""

    words: list[Word]
    text: str
    figure: bool

    x0: float = field(init=False)
    x1: float = field(init=False)

    def __post_init__(self) -> None:
        self.x0, self.x1 = min(word.x0 for word in self.words), max(word.x1 for word in self.words)

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def edge(self) -> float:
        return next((word.edge for word in reversed(self.words) if any(map(str.isdigit, word.text))), self.x1)

    @property
    def is_year(self) -> bool:
        return YEAR.fullmatch(self.text) is not None


def pieces(row: Row) -> list[Piece]:
    """A row's pieces from left to right, without leading dots."""
    words = _without_leaders(row.words)
    if not words:
        return []
    size = row.size
    found: list[Piece] = []
    for part in parts(words, WIDE * size):
        if len(part) > 1 and OPENING.fullmatch(part[-1].text) and not _figures(part, size):
            # A long label ends close to the sign of the first figure.
            found += [_piece(part[:-1]), _piece(part[-1:])]
        else:
            found += _figures(part, size) or [_piece(part)]
    return _with_signs(found)


def is_plain_figure(text: str) -> bool:
    """Whether a text is a figure or a dash in its place, not a sign alone."""
    bare = UNIT.sub("", text) if text[:1] in "$(-.0123456789" else text
    return is_figure(bare) and DIGIT_OR_DASH.search(bare) is not None


def _piece(words: list[Word]) -> Piece:
    text = words[0].text
    for word in words[1:]:
        text += word.text if text.endswith("(") or word.text.startswith(")") else f" {word.text}"
    return Piece(words, text, is_plain_figure(text))


def _figures(part: Sequence[Word], size: float) -> list[Piece]:
    """The figures of words that are nothing else, each a piece; empty for a text."""
    if not all(is_figure(word.text) or _is_mark(word, size) or OPENING.fullmatch(word.text) for word in part):
        return []
    if any(DASH.fullmatch(word.text) for word in part[1:-1]) and len(parts(part, RANGE * size)) == 1:
        return [_piece(list(part))]
    found: list[Piece] = []
    for word in part:
        if found and _is_mark(word, size) and word.x0 - found[-1].x1 < CLOSE * size:
            last = found[-1]
            found[-1] = Piece([*last.words, word], f"{last.text} {word.text}", last.figure)
        else:
            found.append(_piece([word]))
    return found


def _is_mark(word: Word, size: float) -> bool:
    return word.size < SMALL * size


def _with_signs(found: list[Piece]) -> list[Piece]:
    """Pieces with "$", "(" and ")", "%" joined to the figure between them."""
    kept: list[Piece] = []
    for piece in found:
        last = kept[-1] if kept else None
        if last is None:
            kept.append(piece)
        elif piece.figure and not last.figure and len(last.text) <= LONGEST_SIGN and OPENING.fullmatch(last.text):
            gap = "" if last.text.endswith("(") else " "
            kept[-1] = Piece([*last.words, *piece.words], last.text + gap + piece.text, True)
        elif last.figure and len(piece.text) <= LONGEST_SIGN and CLOSING.fullmatch(piece.text) and not piece.figure:
            gap = "" if piece.text.startswith(")") else " "
            kept[-1] = Piece([*last.words, *piece.words], last.text + gap + piece.text, True)
        elif len(kept) == 1 and not piece.figure and MARK.fullmatch(last.text):
            kept[-1] = Piece([*last.words, *piece.words], f"{last.text} {piece.text}", False)
        else:
            kept.append(piece)
    return kept


def _without_leaders(words: Sequence[Word]) -> list[Word]:
    """Words without the dots that lead from a label to its figure."""
    kept = []
    for word in words:
        if len(word.text) > 3 and (bare := LEADER.sub("", word.text).rstrip()) != word.text:
            if not bare:
                continue
            word.x1 -= (word.x1 - word.x0) * (len(word.text) - len(bare)) / len(word.text)
            word.text = bare
        kept.append(word)
    dots = sum(word.text in {".", "\u2026", ".."} for word in kept)
    return [word for word in kept if word.text not in {".", "\u2026", ".."}] if dots > 3 else kept
