"""Whether the offsets of one read document are those of its own characters: its sections, passages, pages and lines.

Each check counts what it has looked at and what held. None knows how sections are cut or chunked: a section's text is
looked for in the whole document's, and a PDF file's lines among the characters that PDFium finds inside their boxes.
"""

import hashlib
import random
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from lxml import html

from agent.prose.text.folding import places
from filings.document.blocks import Page, page_at, read_blocks, read_pages, stored_blocks, stored_pages
from filings.document.layout import Layout
from filings.document.layout.lines import FOLDED
from filings.document.layout.markup import decoded, is_markup, is_typed
from filings.document.page_drawing import page_places
from filings.document.pdf import PdfLayout, read_printed
from filings.document.pdf.characters import HYPHENS
from filings.document.pdf.opening import Sheet, opened
from filings.importing.page_pictures import DrawnPage, Line
from filings.models.section import ChunkKind, chunk_text
from filings.sections import ParsedSection, SourceDocument
from filings.text.chunking import ParsedChunk
from filings.web.page_marks import bare, boxes

CITATIONS, MOST_WORDS = 20, 40  # of a document; of a citation
PAGES = 30  # of a PDF file, whose lines are looked at
SHARE = 12.0  # points: within a line a character stands at its share of the characters, whatever their widths
NEAR, NEXT = 20_000, 2_000  # characters within which a block follows the one before it, and a word of a block the next
LONG = 30  # characters from which a text is looked for further on
BEFORE = 5_000  # characters that a table may stand behind the text between its cells
WORD = re.compile(r"\S*\w\S*")

Range = tuple[int, int]
Held = tuple[ParsedSection, "Own", Range]  # a passage's last range, and where its section stands
Divided = Sequence[tuple[ParsedSection, Sequence[ParsedChunk]]]


@dataclass
class Tally:
    """What was looked at of each check, what held, and a line on each that did not."""

    of: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def see(self, check: str, holds: bool, where: object = "") -> None:
        self.of[check] += 1
        self.held[check] += holds
        if not holds:
            self.failures.append(f"{check}: {where}")

    def add(self, other: "Tally") -> None:
        self.of += other.of
        self.held += other.held
        self.failures += other.failures


@dataclass(frozen=True)
class Own:
    """Where the text of a section stands in its document: (start in the section, start in the document), ascending."""

    starts: tuple[Range, ...]

    def at(self, offset: int) -> int:
        """The document's offset of a character of the section."""
        start, own = self.starts[max(bisect_right(self.starts, offset, key=lambda pair: pair[0]) - 1, 0)]
        return own + offset - start


def own(section: ParsedSection, layout: Layout) -> Own | None:
    """Where the text of a section stands: as a whole, else block by block. None where a part stands nowhere."""
    whole = place_of(section.text, layout, page_at(section.pages, 0), 0)
    if whole is not None:
        return Own(((0, whole),))
    starts: list[Range] = []
    at = 0
    for block in section.blocks:
        text = section.text[block.start : block.end]
        found = place_of(text, layout, page_at(section.pages, block.start), at)
        if found is None:
            return None
        starts.append((block.start, found))
        at = found + len(text)
    return Own(tuple(starts)) if starts else None


def place_of(text: str, layout: Layout, page: Page | None, at: int) -> int | None:
    """Where a text stands: of several places those on its page, and of these the first behind another text."""
    found = [*occurrences(text, layout.text)]
    found = [one for one in found if number(page_at(layout.pages, one)) == number(page)] or found
    return next((one for one in found if one >= at), found[0] if found else None)


def occurrences(words: str, text: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


def number(page: Page | None) -> int | None:
    return page.number if page else None


def check(document: SourceDocument, divided: Divided, seed: str = "") -> Tally:
    """All that must hold of a document and the sections that were read from it."""
    tally, layout, chance = Tally(), document.layout, random.Random(seed or document.filename)  # noqa: S311 - which ranges, not a secret
    check_file(document, tally)
    held: list[Held] = []
    for section, chunks in divided:
        if section.text:
            found = own(section, layout)
            tally.see("section's text is the document's", found is not None, section.item or section.heading)
            check_section(section, chunks, tally)
            if found is not None:
                check_pages(section, chunks, layout, found, tally)
                held += [(section, found, at) for one in chunks if WORD.search(section.text, *(at := one.ranges[-1]))]
    for cited in citations(held, chance):
        check_citation(cited, layout, tally)
    if document.content.startswith(b"%PDF-"):
        printed = read_printed(document.content)
        check_lines(document.content, printed, chance, tally)
        check_boxes(document.content, printed, citations(held, chance), tally)
    return tally


# --- the document ---


def check_file(document: SourceDocument, tally: Tally) -> None:
    """Each block has words of the file, in its order, as another reader of HTML has them."""
    printed = printed_in(document.content)
    if printed is None:
        return
    at = 0
    for block in document.layout.blocks:
        text = document.layout.of(block)
        found = stands(text, printed, max(at - BEFORE, 0))
        tally.see("block's words follow one another in the file", found is not None, text[:80])
        at = found if found is not None else at


def printed_in(content: bytes) -> str | None:
    """The characters of a text or an HTML document, without blanks and hyphens; None of a file of another kind."""
    text = decoded(content)
    if b"%PDF-" in content[:1024] or content.startswith(b"PK"):
        return None
    if is_markup(text) and not is_typed(text):
        root = html.document_fromstring(re.sub(r"^\s*<\?xml[^<>]*\?>", "", text))
        for unseen in [*root.iter("ix:header", "style", "script", "title")]:
            unseen.drop_tree()
        text = "".join(root.itertext())
    return plain(text)


def plain(text: str) -> str:
    return bare(text.translate(FOLDED))


def stands(text: str, printed: str, start: int) -> int | None:
    """Where a text ends among printed characters from a position on: as a whole, else word by word."""
    whole = plain(text)
    at = printed.find(whole, start, start + NEAR + len(whole))
    if at >= 0:
        return at + len(whole)
    if len(whole) >= LONG and whole in printed:
        return start + BEFORE  # moved by its file's markup, as a caption is: what follows does not stand behind it
    words = [word for word in map(plain, text.split()) if word]
    first = printed.find(words[0], start, start + NEAR) if words else -1
    while first >= 0:
        at = first
        for word in words:
            at = printed.find(word, at, at + NEXT + len(word))
            if at < 0:
                break
            at += len(word)
        if at >= 0:
            return at
        first = printed.find(words[0], first + 1, start + NEAR)
    return None


# --- sections and passages ---


def check_section(section: ParsedSection, chunks: Sequence[ParsedChunk], tally: Tally) -> None:
    """A section's blocks and pages are in order and stored as they are; its passages have all of it and nothing else."""
    text, edges = section.text, [0, *(edge for block in section.blocks for edge in (block.start, block.end))]
    gaps = [*zip(edges[::2], edges[1::2], strict=False), (edges[-1], len(text))]
    in_order = edges == sorted(edges) and edges[-1] <= len(text) and not any(text[a:b].strip() for a, b in gaps)
    tally.see("section's blocks have its text in order", in_order, section.item)
    starts = [page.start for page in section.pages]
    tally.see("section's pages are in order", starts == sorted(starts), section.item)
    same = read_blocks(stored_blocks(section.blocks)) == section.blocks
    same = same and read_pages(stored_pages(section.pages)) == section.pages
    tally.see("section is stored as it is", same, section.item)
    held = bytearray(len(text))
    for one in chunks:
        tally.see("passage is of the section's characters", is_inside(one, text), (section.item, one.ranges))
        tally.see("passage keeps to one speaker", keeps_speaker(one, section), (section.item, one.ranges))
        for start, end in one.ranges:
            held[start:end] = b"\1" * (end - start)
    left = [at for at, character in enumerate(text) if not held[at] and not character.isspace()]
    tally.see("passages have all of the section", not left, (section.item, left[:3]))


def is_inside(one: ParsedChunk, text: str) -> bool:
    """Whether a passage's ranges are of the text, in order and with its hash, and its windows within them."""
    ranges = one.ranges
    return (
        bool(ranges)
        and all(0 <= start < end <= len(text) for start, end in ranges)
        and all(before[1] <= after[0] for before, after in pairwise(ranges))
        and hashlib.sha256(chunk_text(text, [list(pair) for pair in ranges]).encode()).hexdigest() == one.sha256
        and all(
            any(first <= start < end <= last for first, last in ranges)
            for window in one.windows
            for start, end in window
        )
    )


def keeps_speaker(one: ParsedChunk, section: ParsedSection) -> bool:
    """Whether no turn begins within a passage after words of another, and its headings name who speaks."""
    openers = [block for block in section.blocks if block.opens]
    if not openers or one.kind != ChunkKind.PROSE:
        return True
    start, end = one.ranges[0]
    within = [block for block in section.blocks if start <= block.start < end]
    first = next((place for place, block in enumerate(within) if block.kind != "heading"), len(within))
    if any(block.opens for block in within[first:]):
        return False
    speaking = [block for block in openers if block.start <= (within[first - 1].start if first else start)]
    return not speaking or section.text[speaking[-1].start : speaking[-1].end] in one.headings


def check_pages(
    section: ParsedSection, chunks: Sequence[ParsedChunk], layout: Layout, found: Own, tally: Tally
) -> None:
    """Pages begin where they do in the document, and a passage stands on those it names."""

    def on(offset: int) -> int | None:
        return number(page_at(layout.pages, found.at(offset)))

    for page in section.pages:
        tally.see("page begins where the document's does", on(page.start) == page.number, (section.item, page))
    for one in chunks:
        start, end = one.ranges[-1] if one.kind == ChunkKind.TABLE else (one.ranges[0][0], one.ranges[-1][1])
        told = one.page_first, one.page_last
        tally.see("passage names its pages", told == (on(start), on(end - 1)), (section.item, start, told))


# --- citations ---


class Cited(NamedTuple):
    """Whole words of a passage: their range of the section's text, and that of the passage around them."""

    section: ParsedSection
    own: Own
    start: int
    end: int
    around: Range


def citations(held: Sequence[Held], chance: random.Random) -> Iterator[Cited]:
    """Some ranges of passages, by chance."""
    for section, found, around in chance.choices(held, k=CITATIONS) if held else ():
        words = [word.span() for word in WORD.finditer(section.text, *around)]
        begin = chance.randrange(len(words))
        until = min(begin + chance.randint(1, MOST_WORDS), len(words)) - 1
        yield Cited(section, found, words[begin][0], words[until][1], around)


def check_citation(one: Cited, layout: Layout, tally: Tally) -> None:
    """A range's words are found again at its place: in the passage, as quotations are verified, and in the document."""
    text, (first, last) = one.section.text, one.around
    quote = text[one.start : one.end]
    again = (one.start - first, one.end - first) in places(quote, text[first:last])
    tally.see("citation is found again in its passage", again, (one.section.item, one.start, quote))
    same = all(layout.text[one.own.at(at)] == text[at] for at in range(one.start, one.end) if not text[at].isspace())
    tally.see("citation is found again in its document", same, (one.section.item, one.start, quote))


# --- PDF files ---


def check_lines(content: bytes, printed: PdfLayout, chance: random.Random, tally: Tally) -> None:
    """The lines of some pages stand in that page's text, and PDFium has their characters inside their boxes."""
    layout = printed.layout
    pages = [page for page in printed.pages if page.places]
    with opened(content) as file:
        for page in sorted(chance.sample(pages, min(PAGES, len(pages))), key=attrgetter("number")):
            with file.sheet(page.number) as sheet:
                characters = centers(sheet)
            for line in page.places:
                text = layout.text[line.start : line.end]
                where = (page.number, text)
                stands_on = number(page_at(layout.pages, line.start))
                tally.see("line is of its page's text", stands_on == page.number, where)
                inside = "".join(c for c, x, y in characters if line.x0 < x < line.x1 and line.y0 < y < line.y1)
                tally.see(
                    "line's box has its characters", Counter(plain(inside)) == Counter(plain(text)), (*where, inside)
                )


def centers(sheet: Sheet) -> list[tuple[str, float, float]]:
    """The characters of a page with the middles of their boxes, in points from the upper left corner."""
    import pypdfium2.raw as pdfium

    handle, box = pdfium.FPDFText_LoadPage(sheet.handle), pdfium.FS_RECTF()
    found = []
    try:
        for index in range(pdfium.FPDFText_CountChars(handle)):
            code = pdfium.FPDFText_GetUnicode(handle, index)
            if code and pdfium.FPDFText_GetLooseCharBox(handle, index, box):
                x0, y0, x1, y1 = sheet.shown(box.left, box.bottom, box.right, box.top)
                found.append((HYPHENS.get(chr(code), chr(code)), (x0 + x1) / 2, (y0 + y1) / 2))
    finally:
        pdfium.FPDFText_ClosePage(handle)
    return found


def check_boxes(content: bytes, printed: PdfLayout, cited: Iterable[Cited], tally: Tally) -> None:
    """The reader marks a citation on the picture of its page where the file was read."""
    of_page = {page.number: page for page in printed.pages}
    for one in cited:
        section, found = one.section, one.own
        page, last = page_at(section.pages, one.start), page_at(section.pages, one.end - 1)
        if page is None or page != last:
            continue
        drawn = page_places(content, page.number)
        lines = tuple(Line(*line) for line in drawn["lines"])
        shown = DrawnPage(drawn["width"], drawn["height"], lines, Path())
        marked = boxes(shown, section.text, section.pages, page.number, [(one.start, one.end)])
        # A lone dash has no place among characters that are compared without hyphens.
        seen = [found.at(at) for at in range(one.start, one.end) if bare(section.text[at])]
        read = [place for at in seen for place in of_page[page.number].boxes(at, at + 1)]
        missed = [
            place
            for place in read
            if not any(
                box.x - SHARE < (place.x0 + place.x1) / 2 < box.x + box.width + SHARE
                and box.y < (place.y0 + place.y1) / 2 < box.y + box.height
                for box in marked
            )
        ]
        tally.see(
            "citation is marked where it is printed",
            bool(read) and not missed,
            (page.number, section.text[one.start : one.end]),
        )
