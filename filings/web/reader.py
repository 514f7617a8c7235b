"""Renders a section's text as HTML, with citations and page numbers marked.

Every character of a filing is escaped here; nothing else of a filing becomes markup.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from urllib.parse import quote

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from filings.document.blocks import Block, Cell, Page
from filings.web.turns import Turn

# The section's text stands below the page's own main heading.
HEADINGS = {0: "h3", 1: "h2", 2: "h3", 3: "h4", 4: "h5"}
# A figure, a dash for none, or a usual abbreviation for "not meaningful" or "not applicable".
FIGURE = re.compile(r"[^A-Za-z]*\d[^A-Za-z]*|[\s—–−-]+|n/?[am]\.?", re.IGNORECASE)  # noqa: RUF001 - as printed
BULLET = re.compile(r"[•·●○◦▪■‣–—*-]\s+")  # noqa: RUF001 - as printed
RANGE = re.compile(r"(\d{1,9})-(\d{1,9})")
LONGEST_FIGURE = 40
# The files of a table, by their endings.
FILES = (("xlsx", "Excel"), ("csv", "CSV"))
MOST_RANGES = 40
LABEL_LENGTH = 80
# For longer passages a text fragment gives only the first and last words: a browser finds what is between.
WHOLE_FRAGMENT = 80
FRAGMENT_WORDS = 6


class BadRange(ValueError):
    """A range outside the text. The message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A range of the text to highlight. `number` 0 is a bare range; `href` is the target of its number."""

    start: int
    end: int
    number: int = 0
    now: bool = False
    href: str = ""

    @property
    def anchor(self) -> str:
        return f"c{self.number}" if self.number else "at"


def read_ranges(text: str, length: int) -> tuple[tuple[int, int], ...]:
    """The ranges of an address, "120-480" or "120-480,900-950", in a text of so many characters."""
    ranges = []
    for part in text.split(",")[: MOST_RANGES + 1]:
        match = RANGE.fullmatch(part.strip())
        if not match:
            raise BadRange("A range is two character offsets, such as 120-480. Separate several ranges with commas.")
        start, end = int(match[1]), int(match[2])
        if not start < end <= length:
            raise BadRange(f"The range {start}-{end} is not in the text, which has {length:,} characters.")
        ranges.append((start, end))
    if len(ranges) > MOST_RANGES:
        raise BadRange(f"At most {MOST_RANGES} ranges can be marked at once.")
    return tuple(ranges)


def text_fragment(passage: str) -> str:
    """The end of a URL by which a browser scrolls to a passage (WICG, Scroll to text fragment); empty for no words."""
    words = re.split(r"\s+", passage.strip())
    if not words[0]:
        return ""
    whole = len(passage) <= WHOLE_FRAGMENT or len(words) <= 2 * FRAGMENT_WORDS
    parts = [words] if whole else [words[:FRAGMENT_WORDS], words[-FRAGMENT_WORDS:]]
    # A hyphen at either end of a term would be read as context syntax.
    return "#:~:text=" + ",".join(quote(" ".join(part), safe="").replace("-", "%2D") for part in parts)


def page_anchor(page: Page) -> str:
    return f"p{page.number}"


def section_html(
    text: str,
    blocks: Sequence[Block],
    pages: Sequence[Page] = (),
    marks: Iterable[Mark] = (),
    files: Callable[[int, str], str] | None = None,
    turns: Iterable[Turn] = (),
    pictures: Callable[[Page], str] | None = None,
) -> SafeString:
    """The complete text as safe HTML: blocks in order, with marks and page numbers.

    files: the address of a file of the table at a position, by the file's ending; without it, tables have no links.
    turns: those of speakers, whose headings can be jumped to. pictures: the address of the picture of a page.
    """
    pieces = Renderer(text, pages, marks, files, turns, pictures).pieces(covering(text, blocks))
    return mark_safe("".join(pieces))  # noqa: S308 - the renderer escapes every character of the text


def covering(text: str, blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks, and a paragraph for any text outside them: nothing is hidden."""
    at = 0
    for block in blocks:
        yield from loose(text, at, block.start)
        yield block
        at = max(at, block.end)
    yield from loose(text, at, len(text))


def loose(text: str, start: int, end: int) -> Iterator[Block]:
    for match in re.finditer(r"\S[^\n]*(?:\n(?!\n)[^\n]+)*", text[start:end]):
        yield Block("paragraph", start + match.start(), start + match.end())


class Renderer:
    """One pass over the blocks of a text."""

    def __init__(
        self,
        text: str,
        pages: Sequence[Page],
        marks: Iterable[Mark],
        files: Callable[[int, str], str] | None = None,
        turns: Iterable[Turn] = (),
        pictures: Callable[[Page], str] | None = None,
    ) -> None:
        self.text, self.files, self.pictures = text, files, pictures
        self.turns = {turn.start: turn for turn in turns}
        self.pages = sorted(pages, key=lambda page: page.start)
        self.page = 0  # the next page number to be shown
        self.marks = sorted(marks, key=lambda mark: (mark.start, mark.end))
        self.anchored: set[str] = set()
        self.tables = 0
        self.heading = ""

    def pieces(self, blocks: Iterable[Block]) -> Iterator[str]:
        """HTML of every block. Consecutive bullets form one list."""
        in_list = False
        for block in blocks:
            due = self.due(block.start)
            if in_list and (due or block.kind != "bullet"):
                yield "</ul>\n"
                in_list = False
            for page in due:
                yield f'<p class="page-mark" id="{page_anchor(page)}">{self.page_name(page)}</p>\n'
            if block.kind == "bullet" and not in_list:
                yield "<ul>\n"
                in_list = True
            yield from self.block(block)
        if in_list:
            yield "</ul>\n"

    def due(self, offset: int) -> list[Page]:
        """Pages that began before an offset and are not shown yet."""
        first = self.page
        while self.page < len(self.pages) and self.pages[self.page].start <= offset:
            self.page += 1
        return self.pages[first : self.page]

    def page_name(self, page: Page) -> str:
        """Page 14; where it has a picture, a link that shows it beside the text."""
        name = f"Page {escape(page.label)}"
        if self.pictures is None:
            return name
        address = escape(self.pictures(page))
        shown = f'hx-get="{address}" hx-target="#picture" hx-swap="outerHTML show:top"'
        return f'<a href="?page={page.number}#picture" {shown}>{name}</a>'

    def block(self, block: Block) -> Iterator[str]:
        match block.kind:
            case "heading":
                self.heading = " ".join(self.text[block.start : block.end].split())
                tag = HEADINGS.get(block.level, "h6")
                inner = self.inline(block.start, block.end)
                if turn := self.turns.get(block.start):
                    yield f'<div class="turn"><{tag} id="{turn.anchor}">{inner}</{tag}>{jump(turn)}</div>\n'
                else:
                    yield f"<{tag}>{inner}</{tag}>\n"
            case "bullet":
                yield self.bullet(block)
            case "table":
                yield from self.table(block)
            case _:
                yield f"<p>{self.inline(block.start, block.end)}</p>\n"

    def bullet(self, block: Block) -> str:
        """A list item; a bullet printed in the text replaces the list's own."""
        printed = BULLET.match(self.text, block.start, block.end)
        kind = ' class="printed-bullet"' if printed else ""
        return f"<li{kind}>{self.inline(block.start, block.end)}</li>\n"

    def table(self, block: Block) -> Iterator[str]:
        self.tables += 1
        label = f"Table {self.tables}" + (f", {self.heading[:LABEL_LENGTH]}" if self.heading else "")
        figures = figure_columns(self.text, block)
        yield f'<div class="scroll" role="region" aria-label="{escape(label)}" tabindex="0"><table class="table printed">\n'
        for place, row in enumerate(block.rows):
            if place == 0:
                yield "<thead>\n" if block.header else "<tbody>\n"
            elif place == block.header:
                yield "</thead>\n<tbody>\n"
            if row:
                yield from self.page_rows(row)
            yield f"<tr>{''.join(self.cells(row, figures, header=place < block.header))}</tr>\n"
        if not block.rows:
            yield f"<tbody><tr><td>{self.inline(block.start, block.end)}</td></tr>\n"
        yield "</thead>\n" if 0 < len(block.rows) <= block.header else "</tbody>\n"
        yield "</table></div>\n"
        if self.files and len(block.rows) > 1:
            links = (f'<a href="{escape(self.files(block.start, end))}" download>{said}</a>' for end, said in FILES)
            yield f'<p class="printed__files small">Table as {", ".join(links)}</p>\n'

    def page_rows(self, row: Sequence[Cell]) -> Iterator[str]:
        width = sum(cell.span for cell in row)
        for page in self.due(row[0].start):
            mark = f'<span class="page-mark" id="{page_anchor(page)}">{self.page_name(page)}</span>'
            yield f'<tr><td colspan="{width}">{mark}</td></tr>\n'

    def cells(self, row: Sequence[Cell], figures: frozenset[int], header: bool) -> Iterator[str]:
        column = 0
        for cell in row:
            printed = self.text[cell.start : cell.end].strip()
            span = f' colspan="{cell.span}"' if cell.span > 1 else ""
            if not printed:
                tag, scope = "td", ""
            elif header:
                tag, scope = "th", ' scope="colgroup"' if cell.span > 1 else ' scope="col"'
            elif column == 0 and len(row) > 1:
                tag, scope = "th", ' scope="row"'
            else:
                tag, scope = "td", ""
            right = column in figures if header else column > 0 and is_figure(printed)
            right = right and (cell.span == 1 or not header)  # a heading over several columns is centered on them
            side = ' class="num"' if right else ""
            yield f"<{tag}{scope}{span}{side}>{self.inline(cell.start, cell.end)}</{tag}>"
            column += cell.span

    def inline(self, start: int, end: int) -> str:
        """A range without blocks: escaped, with its marks and page numbers."""
        marks = [mark for mark in self.marks if mark.start < end and mark.end > start]
        pages = self.due(end - 1) if end > start else []
        if not marks and not pages:
            return escape(self.text[start:end])
        begun: dict[int, list[str]] = {}
        for page in pages:
            shown = f'<span class="page-mark" id="{page_anchor(page)}">{self.page_name(page)}</span>'
            begun.setdefault(max(page.start, start), []).append(shown)
        cuts = {start, end, *begun}
        cuts.update(at for mark in marks for at in (mark.start, mark.end) if start < at < end)
        out: list[str] = []
        for at, until in pairwise(sorted(cuts)):
            out += begun.get(at, [])
            out.append(self.segment(at, until, [mark for mark in marks if mark.start <= at and until <= mark.end]))
        return "".join(out)

    def segment(self, start: int, end: int, marks: Sequence[Mark]) -> str:
        """Text under the same marks throughout."""
        words = escape(self.text[start:end])
        if not marks or not words.strip():
            return words
        fresh = [mark for mark in marks if mark.anchor not in self.anchored]
        self.anchored.update(mark.anchor for mark in fresh)
        numbers = "".join(self.number(mark) for mark in fresh if mark.href)
        # An element has one id; a passage that begins at the same place gets an empty target.
        targets = "".join(f'<span class="passage__at" id="{mark.anchor}"></span>' for mark in fresh[1:])
        anchor = f' id="{fresh[0].anchor}"' if fresh else ""
        now = any(mark.now for mark in marks)
        state = f' passage--now" aria-current="true"{anchor}' if now else f'"{anchor}'
        return f'{numbers}{targets}<mark class="passage{state}>{words}</mark>'

    @staticmethod
    def number(mark: Mark) -> str:
        return format_html(
            '<a class="cite cite--in" href="{}"><span class="vh">Citation </span>{}</a>', mark.href, mark.number
        )


def jump(turn: Turn) -> SafeString:
    """The link from a question to its answer, or back; empty for another turn."""
    if turn.answer:
        return format_html('<a href="#{}">Answer by {}</a>', turn.answer.anchor, turn.answer.name)
    if turn.question:
        return format_html('<a href="#{}">Question by {}</a>', turn.question.anchor, turn.question.name)
    return SafeString("")


def is_figure(printed: str) -> bool:
    """Whether a cell is a figure, which is aligned right."""
    return len(printed) <= LONGEST_FIGURE and FIGURE.fullmatch(printed) is not None


def figure_columns(text: str, block: Block) -> frozenset[int]:
    """Columns whose printed cells are mostly figures; never the first, which names the rows."""
    figures: dict[int, list[bool]] = {}
    for row in block.rows[block.header :]:
        column = 0
        for cell in row:
            printed = text[cell.start : cell.end].strip()
            if printed and column and cell.span == 1:
                figures.setdefault(column, []).append(is_figure(printed))
            column += cell.span
    return frozenset(column for column, seen in figures.items() if sum(seen) * 2 > len(seen))
