"""What a quotation is about: the filing's own words above it that it needs to be understood, to be shown with it.

All of it is a function of the section's text and of the range that is quoted, so that whoever verifies a quotation
verifies this by taking it again. A quoted claim and a marked sentence of a passage use it alike.
"""

import re
from collections.abc import Iterator
from itertools import islice

from agent.prose.text.boundaries import OPENS_LIST, Range
from agent.prose.text.quotations import refers
from agent.prose.text.section_text import SectionText
from agent.state import About, FilingRef, PrintedRow
from agent.state.findings import Kind
from filings.document.sentences import sentence_spans
from filings.importing.news_items import is_origin
from filings.tables.table import PrintedTable
from filings.tables.table_units import SCALE
from filings.tables.year_column import figure_of_year

# "Services." and "Foreign Exchange." before the sentences that they name.
LONGEST_LABEL = 8
# What stands between a table and the text above it: its title, or its unit.
LONGEST_CAPTION = 300
# How many sentences back what a sentence refers to is looked for.
MOST_BACK = 3

# Words that make a sentence of a few words of which a label has none.
_SAYS = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|will|would|may|might|can|could|should|must|"
    r"(?:in|de)creased?|rose|fell|grew|declined|remained|decreases|increases|we|it|they|this|these|there)\b",
    re.IGNORECASE,
)


def about(text: SectionText, start: int, end: int) -> tuple[About, ...]:
    """What text[start:end] of a section is about, in the order in which it is printed.

    The headings it stands under, the outermost first; for a sentence its run-in label, the words that open its list and
    the sentence that it refers back to; for rows of a table its caption or unit, its column headings and its group.
    """
    place = text.bounds.place(start)
    if place is None:
        return ()
    found: list[tuple[Kind, Range]] = [
        ("heading", _block(text, number)) for number in reversed(text.heading_places(place))
    ]
    named = (
        _of_rows(text, place, start, end)
        if text.bounds.stored[place][0] == "table"
        else _of_sentence(text, place, start)
    )
    kept = {span: kind for kind, span in (*found, *named) if not (start <= span[0] < end)}
    return tuple(
        About(kind=kind, start=span[0], end=span[1], text=text.text[span[0] : span[1]])
        for span, kind in sorted(kept.items())
        if not is_origin(text.text[span[0] : span[1]])
    )


def printed_row(text: SectionText, start: int, end: int, filing: FilingRef | None) -> PrintedRow | None:
    """The quoted rows of a table below their column headings; None where their columns cannot be told for sure.

    filing: whose fiscal year chooses the column, of one row.
    """
    place = text.bounds.place(start)
    if place is None or text.bounds.stored[place][0] != "table":
        return None
    table = PrintedTable(text.text, text.block(place))
    rows = table.places(start, end)
    heads = table.heads(rows[0]) if rows else []
    if not heads or not all(table.aligned(row) and table.heads(row) == heads for row in rows):
        return None
    chosen = None
    if filing is not None and len(rows) == 1:
        said = " ".join(text.text[slice(*span)] for span in _captions(text, place))
        chosen = figure_of_year(table, rows[0], filing.fiscal_year, filing.period_end, said)
    return PrintedRow(
        rows=tuple(table.printed(row) for row in (*heads, *rows)),
        header=len(heads),
        figure=chosen.figure.text if chosen else "",
        column=" ".join(cell.text for cell in chosen.heads if not SCALE.fullmatch(cell.text)) if chosen else "",
        place=chosen.figure.first if chosen else 0,
    )


def _block(text: SectionText, number: int) -> Range:
    row = text.bounds.stored[number]
    return row[1], row[2]


# --- sentences ---


def _of_sentence(text: SectionText, place: int, start: int) -> Iterator[tuple[Kind, Range]]:
    spans = text.bounds.units(text.block(place))
    order = next((number for number, span in enumerate(spans) if start < span[1]), 0)
    if order and is_label(text.text[slice(*spans[0])]):
        yield "label", spans[0]
    if lead := text.bounds.lead_in(start):
        yield "lead", lead
    elif refers(text.text[start : spans[order][1]]) and (before := _referred(text, place, order)):
        yield "before", before


def is_label(said: str) -> bool:
    """Whether the first words of a paragraph name what follows, and say nothing of it: "Services.", "Grid:"."""
    words = said.split()
    return (
        len(words) <= LONGEST_LABEL and said[-1:] in ".:\u2014\u2013" and said[:1].isupper() and not _SAYS.search(said)
    )


def _referred(text: SectionText, place: int, order: int) -> Range | None:
    """The sentences before one that refers back, from the first that does not itself."""
    end = None
    for start, stop in islice(_preceding(text, place, order), MOST_BACK):
        end = end or stop
        if not refers(text.text[start:stop]):
            return start, end
    return None


def _preceding(text: SectionText, place: int, order: int) -> Iterator[Range]:
    """The sentences before one, the nearest first, through paragraphs and bullets."""
    spans = text.bounds.units(text.block(place))[:order]
    while True:
        yield from reversed(spans)
        place -= 1
        if place < 0 or text.bounds.stored[place][0] not in {"paragraph", "bullet"}:
            return
        spans = text.bounds.units(text.block(place))


# --- rows of tables ---


def _of_rows(text: SectionText, place: int, start: int, end: int) -> Iterator[tuple[Kind, Range]]:
    for span in _captions(text, place):
        yield "caption", span
    table = PrintedTable(text.text, text.block(place))
    rows = table.places(start, end)
    if not rows:
        return
    for head in table.heads(rows[0]):
        if table.rows[head]:
            yield "header", table.range_of(head)
    if (group := table.group(rows[0])) is not None:
        yield "group", table.range_of(group)


def _captions(text: SectionText, place: int) -> list[Range]:
    """The lines right above a table that name it or its unit: "(in millions)", "Stores by region were as follows:"."""
    found: list[Range] = []
    for number in range(place - 1, max(place - 3, -1), -1):
        row = text.bounds.stored[number]
        if row[0] not in {"paragraph", "bullet"}:
            break
        start, end = sentence_spans(text.text, row[1], row[2])[-1:][0] if row[1] < row[2] else (0, 0)
        said = text.text[start:end]
        names = OPENS_LIST.search(said) or SCALE.search(said) or said[-1:] not in ".!?"
        if len(said) > LONGEST_CAPTION or not names:
            break
        found.append((start, end))
        if not SCALE.fullmatch(said.strip()):
            break
    return found[::-1]
