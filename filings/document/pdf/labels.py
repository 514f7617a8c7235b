"""Joins the labels of a table's rows that are printed on several lines."""

from collections.abc import Sequence

from filings.document.layout.joining import CONNECTED
from filings.document.pdf.pieces import Piece
from filings.document.pdf.rows import Row
from filings.document.pdf.tables import TableRow, pitch

BLANK = 0.25  # of the size: the width of a blank
LINES_APART = 1.7  # of the size: the most from one line of a label to the next
TIGHT = 0.9  # of the usual distance of rows, from which two lines are nearer than rows
ROOM = 1.0  # points that a label may lack to the longest


def with_whole_labels(rows: Sequence[TableRow]) -> list[TableRow]:
    """Rows of which each has its whole label. Figures beside any line of a label are its row's."""
    usual = pitch(rows)
    edge = min((piece.x0 for one in rows for piece in one.figures), default=0.0)
    limit = max((one.pieces[0].x1 for one in rows if one.pieces[0].x1 <= edge), default=edge)
    whole: list[TableRow] = []
    for one in rows:
        last = whole[-1] if whole else None
        if last is not None and _goes_on(last, one, edge, limit, usual):
            whole[-1] = _joined(last, one)
        else:
            whole.append(one)
    return whole


def _goes_on(last: TableRow, one: TableRow, edge: float, limit: float, usual: float) -> bool:
    """Whether a row's label continues the label above it: the next word had no room there."""
    over, label = last.pieces[0], one.pieces[0]
    if (
        over.figure
        or (label.figure and not one.labelled and len(one.pieces) > 1)
        or (len(last.pieces) > 1 and len(one.pieces) > 1)
    ):
        return False
    lowest = max(last.row.words, key=lambda word: word.base)
    step = one.row.base - lowest.base
    size = max(one.row.size, 1.0)
    if step > LINES_APART * size or label.x0 < over.x0 - size or over.text.endswith(":"):
        return False
    if over.words[-1].bold != label.words[0].bold or abs(over.words[-1].size - label.words[0].size) > 1:
        return False
    if label.text[0].islower() and len(last.pieces) == 1:
        return True
    line = [word for word in over.words if word.base == over.words[-1].base]
    if line[-1].x1 + BLANK * size + label.words[0].x1 - label.words[0].x0 <= limit + ROOM:
        return False
    runs_on = label.text[0].islower() or label.text[0] in "($" or CONNECTED.search(over.text) is not None
    # Beside figures on the first line, a label alone may as well be the next row's.
    return runs_on or bool(len(last.pieces) == 1 and usual and step < TIGHT * usual)


def _joined(last: TableRow, one: TableRow) -> TableRow:
    over, label = last.pieces[0], one.pieces[0]
    gap = "" if over.text.endswith("-") and label.text[0].islower() else " "
    whole = Piece([*over.words, *label.words], over.text + gap + label.text, False)
    rest = [*last.pieces[1:], *one.pieces[1:]]
    return TableRow(Row([*last.row.words, *one.row.words]), [whole, *rest])
