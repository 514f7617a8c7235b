"""Walks once over a document's markup and collects its visible lines and tables, page by page.

edgartools' own HTMLParser is not used: it takes 3 seconds and 255 MB for the median filing, where sections and chunks
together have 3 seconds of one core.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from filings.document.cell_spans import cell_span
from filings.document.layout.colors import of_attribute
from filings.document.layout.css import INLINE_XBRL_ONLY, UNSEEN_TAGS, Element, Style, Styles
from filings.document.layout.hidden import SMALLEST
from filings.document.layout.lines import BLANK_LINE, BULLET_START, Grid, GridCell, Line, folded, is_item_title
from filings.document.layout.markup import decoded, is_markup, read_tree
from filings.document.layout.segments import Segment, lines_of
from filings.document.layout.tables import unfolded

MOST_COLUMNS, MOST_ROWS = 200, 500  # the most that one cell may span
MOST_NESTED = 24  # nesting of tables: deeper ones become text in a cell
INK = {"font": "color", "body": "text", "a": "href"}  # attributes that set the color of text; a link has its own


PAGE = re.compile(r"<PAGE>|\f", re.IGNORECASE)


def plain_lines(text: str) -> tuple[list[Line], int]:
    """The lines of a text, and its number of pages."""
    lines: list[Line] = []
    page = 1
    for number, part in enumerate(PAGE.split(text)):
        if number and lines and lines[-1].page == page:
            page += 1
        for paragraph in BLANK_LINE.split(part):
            words = folded(paragraph)
            if words:
                lines.append(Line(words, page, caps=words.isupper(), bullet=bool(BULLET_START.match(words))))
    return lines, page


class UnreadableText(Exception):
    """Raised for a document without readable text. The message is a sentence for people."""


def read_lines(document: bytes) -> tuple[list[Line], int]:
    """The lines of a document in order, and its number of pages. Errors: UnreadableText."""
    text = decoded(document)
    if not is_markup(text):
        return plain_lines(text)
    root = read_tree(text)
    if root is None:
        raise UnreadableText("The document cannot be read as HTML.")
    walk = Walk()
    walk.run(root)
    return walk.lines, walk.page


@dataclass(slots=True)
class Open:
    """An element that is open in the walk."""

    element: etree._Element
    children: Iterator[etree._Element]
    name: str
    style: Style
    around: Style


@dataclass(slots=True)
class Table:
    """A table that is open in the walk, and the lines around it."""

    outer: list[Line]
    grid: Grid = field(default_factory=Grid)
    row: list[GridCell] = field(default_factory=list)
    column: int = 0
    hanging: dict[int, tuple[int, int]] = field(default_factory=dict)  # column: (columns, rows left) of a row span


class Walk:
    """The walk. `lines` receives lines: the document's, or an open cell's."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.page = 1
        self.styles = Styles()
        self.segments: list[Segment] = [Segment()]
        self.anchors: list[str] = []
        self.tables: list[Table] = []
        self.link: tuple[str, int] | None = None
        self.preformatted = 0
        self.too_deep = 0  # open tables that are text in a cell of another
        self.seen_on_page = False
        self._names: dict[str, tuple[str, bool]] = {}

    def run(self, root: etree._Element) -> None:
        """Visit every element once, without recursion."""
        for sheet in root.iter("{*}style"):
            self.styles.read_sheet(sheet.text or "")
        base = Style()
        stack = [Open(root, iter(root), "html", base, base)]
        self.put(root.text, base)
        while stack:
            top = stack[-1]
            child = next(top.children, None)
            if child is None:
                stack.pop()
                self.close(top)
                if stack:
                    self.put(top.element.tail, stack[-1].style)
                continue
            if not isinstance(child.tag, str):
                self.put(child.tail, top.style)
                continue
            name, is_xbrl = self.name(child.tag)
            style = self.style(child, name, top.style)
            if style.hidden or (name in UNSEEN_TAGS and (is_xbrl or name not in INLINE_XBRL_ONLY)):
                self.put(child.tail, top.style)
                continue
            self.open(child, name, is_xbrl, style)
            stack.append(Open(child, iter(child), name, style, top.style))
            self.put(child.text, style)
        self.flush()

    def name(self, tag: str) -> tuple[str, bool]:
        """The local name in lower case, and whether it is of Inline XBRL."""
        known = self._names.get(tag)
        if known is None:
            local = re.split(r"[}:]", tag)[-1].lower()
            is_xbrl = "inlineXBRL" in tag or tag.lower().startswith("ix:")
            known = self._names[tag] = (local, is_xbrl)
        return known

    def style(self, element: etree._Element, name: str, around: Style) -> Style:
        get = element.get
        is_font = name == "font"
        hints = f"background-color:{of_attribute(ground)}" if (ground := get("bgcolor")) else ""
        if get("background"):
            hints += ";background-image:url"
        if get("hidden") is not None:
            hints += ";display:none"
        ink = get(INK[name]) if name in INK else None
        if ink:
            hints += f";color:{of_attribute(ink) if name != 'a' else 'linktext'}"
        return self.styles.of(
            around,
            Element(
                name,
                get("style") or "",
                hints,
                get("class") or "",
                get("id") or "",
                "" if is_font else get("align") or "",
                (get("size") or "") if is_font else "",
            ),
            element,
        )

    def put(self, text: str | None, style: Style) -> None:
        if not text:
            return
        if style.unseen:
            # Invisible text still separates its surroundings, unless it is no more than a speck.
            text = " " if style.size >= SMALLEST else ""
        if self.preformatted and "\n" in text:
            first, *rest = BLANK_LINE.split(text)
            self.segments[-1].add(first, style)
            for part in rest:
                self.flush()
                self.segments[-1].add(part, style)
        else:
            self.segments[-1].add(text, style)

    def open(self, element: etree._Element, name: str, is_xbrl: bool, style: Style) -> None:
        if style.break_before:
            self.turn()
        if is_xbrl:
            return
        if name == "br":
            self.segments.append(Segment())
        elif style.block:
            self.flush()
        anchor = element.get("id") or (element.get("name") if name == "a" else None)
        if anchor:
            self.anchors.append(anchor)
        if name == "a":
            target = element.get("href") or ""
            self.link = (target[1:], len(self.segments[-1].parts)) if target.startswith("#") else None
        elif name == "pre":
            self.preformatted += 1
        elif name == "img" and is_item_title(alternative := folded(element.get("alt") or "")):
            # A heading that is printed as a picture.
            self.put(f" {alternative} ", style)
        elif name == "table" and len(self.tables) == MOST_NESTED:
            self.too_deep += 1
        elif name == "table":
            self.tables.append(Table(self.lines))
            self.lines = []
        elif name == "tr" and self.in_table:
            self.end_row()
        elif name in {"td", "th"} and self.in_table:
            self.end_stray()

    def close(self, opened: Open) -> None:
        name, style = opened.name, opened.style
        if name == "a" and self.link:
            target, since = self.link
            self.link = None
            text = folded("".join(self.segments[-1].parts[since:]))
            if text:
                self.segments[-1].links.append((target, text))
        elif name == "li":
            self.flush(bullet=True)
        elif style.block:
            self.flush()
        if name == "pre":
            self.preformatted = max(0, self.preformatted - 1)
        elif name in {"td", "th"} and self.in_table:
            self.end_cell(opened.element, name == "th")
        elif name == "tr" and self.in_table:
            self.end_row()
        elif name == "table" and self.too_deep:
            self.too_deep -= 1
        elif name == "table":
            self.end_table()
        if style.break_after:
            self.flush()
            self.turn()

    @property
    def in_table(self) -> bool:
        return bool(self.tables) and not self.too_deep

    def turn(self) -> None:
        """Begin a new page, unless the current one is empty."""
        self.flush()
        if self.seen_on_page:
            self.page += 1
            self.seen_on_page = False

    def flush(self, bullet: bool = False) -> None:
        """End the paragraph: its segments become one line, or several where a <br> separates different styles."""
        segments, self.segments = self.segments, [Segment()]
        lines = lines_of(segments, self.page, bullet)
        if lines:
            self.seen_on_page = True
            lines[0].anchors, self.anchors = [*self.anchors, *lines[0].anchors], []
            self.lines += lines

    def end_stray(self) -> None:
        """Text between cells belongs to none: it goes before the table."""
        if self.lines:
            self.tables[-1].outer += self.lines
            self.lines = []

    def end_cell(self, element: etree._Element, heads: bool) -> None:
        table = self.tables[-1]
        columns = cell_span(element.get("colspan"), MOST_COLUMNS)
        rows = cell_span(element.get("rowspan"), MOST_ROWS)
        while table.column in table.hanging:
            table.column += table.hanging[table.column][0]
        if rows > 1 and len(table.hanging) < MOST_COLUMNS:
            table.hanging[table.column] = (columns, rows)
        if self.lines:
            table.row.append(GridCell(table.column, table.column + columns, self.lines, heads))
            self.lines = []
        table.column += columns

    def end_row(self) -> None:
        table = self.tables[-1]
        self.end_stray()
        if table.row:
            table.grid.rows.append(table.row)
        if table.row or table.column:
            table.hanging = {at: (wide, left - 1) for at, (wide, left) in table.hanging.items() if left > 1}
        table.row, table.column = [], 0

    def end_table(self) -> None:
        self.end_row()
        table = self.tables.pop()
        self.lines = table.outer
        self.lines += unfolded(table.grid)
