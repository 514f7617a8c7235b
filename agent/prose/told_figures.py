"""What a document says of a measure in its own words: the rows that it calls so, and the sentences that give its amount."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from agent.prose.amounts import states_amount
from agent.prose.rows import NOTE, PLAIN, Row
from agent.prose.section_text import SectionText
from agent.words.stems import roots
from agent.words.tokens import stems
from filings.tables.table import PrintedTable

# Powers of ten of the units that figures are printed in.
SCALES = (0, 3, 6, 9)
# What stands in the label of a row beside the name of its measure: a unit, a note, over how long it is.
_ASIDE = re.compile(r"\([^()]*\)|\b(?:non-?gaap|gaap|ttm|trailing twelve months)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TRAILING = re.compile(r"\b(?:trailing|twelve[- ]months?|ttm)\b", re.IGNORECASE)
_FORETOLD = re.compile(r"\b(?:expect\w*|anticipat\w*|outlook|guidance|will|target\w*|plan\w*)\b", re.IGNORECASE)


def told_figures(
    names: Sequence[str], read: Iterable[SectionText], value: Decimal | None, *, trailing: bool
) -> list[Row]:
    """The row and the sentence that give a measure, in the order of a document; none where it prints the value as one.

    names: of the measure, the asked one first. value: the figure that is known; None where none is. trailing: whether the
    twelve months to the end of a quarter are asked; a sentence of these is of no quarter.
    """
    texts = list(read)
    called = {stems(name) for name in names}
    words = roots(names[0]) - PLAIN
    rows = [row for text in texts for row in _rows(words, text)]
    said = (
        [one for text in texts for one in _sentences(names[0], words, text, trailing=trailing)]
        if len(words) > 1
        else []
    )
    if value is not None and any(prints(one, value) for one in (*rows, *said)):
        return []
    # A row of fewer words is of the measure itself: "Net income", and not "Net income of associates".
    own = [row for row in rows if stems(_ASIDE.sub(" ", NOTE.sub("", row.label))) in called]
    own = [row for row in own if _TRAILING.search(row.label)] if trailing else own
    return [*own[:1], *said[:1]]


def _rows(words: frozenset[str], text: SectionText) -> Iterator[Row]:
    for number, stored in enumerate(text.bounds.stored):
        if stored[0] != "table":
            continue
        table = PrintedTable(text.text, text.block(number))
        for place in range(table.block.header, len(table.rows)):
            label = table.label(place)
            figures = table.figures(place)
            if not label or not figures or all("%" in cell.text for cell in figures) or not table.heads(place):
                continue
            if words <= roots(label) and table.is_money(place):
                start, end = table.range_of(place)
                yield Row(text, start, end, 1.0, False)


def _sentences(name: str, words: frozenset[str], text: SectionText, *, trailing: bool) -> Iterator[Row]:
    for number, stored in enumerate(text.bounds.stored):
        if stored[0] not in {"paragraph", "bullet"}:
            continue
        for one in text.sentences(number):
            gives = states_amount(one.text, money=True) and not _FORETOLD.search(one.text)
            if (
                gives
                and bool(_TRAILING.search(one.text)) == trailing
                and words <= one.roots
                and _is_plain(name, one.text)
            ):
                yield Row(text, one.start, one.end, 1.0, False)


def _is_plain(name: str, said: str) -> bool:
    """Whether no word before the name of a measure makes it another one: "adjusted net income"."""
    words = r"[\W_]+".join(map(re.escape, name.split()))
    before = [found[1] for found in re.finditer(rf"(\w*)[^\w.;:,()]*\b{words}", said, re.IGNORECASE)]
    return not before or any(len(word) < 2 or not roots(word) for word in before)


def prints(row: Row, value: Decimal) -> bool:
    """Whether a figure is printed in a row or sentence, in whatever unit, rounded as it is there."""
    for said in _NUMBER.findall(row.text.text[row.start : row.end]):
        number = Decimal(said.replace(",", ""))
        exponent = number.as_tuple().exponent
        half = Decimal(5).scaleb(int(exponent) - 1)
        if any(abs(abs(value).scaleb(-scale) - number) <= half for scale in SCALES):
            return True
    return False
