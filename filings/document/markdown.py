"""Reads Markdown (CommonMark with tables): headings, paragraphs, lists, tables and code; its HTML stays text."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from filings.document.layout import UnreadableText
from filings.document.layout.css import Style
from filings.document.layout.lines import Grid, GridCell, Line, folded
from filings.document.layout.segments import Segment, lines_of
from filings.document.layout.tables import unfolded

if TYPE_CHECKING:
    from markdown_it.token import Token

# The parser takes some twenty seconds for a hostile text of this length.
MOST_CHARACTERS = 1_000_000
MOST_NESTED = 100  # quotes and lists in one another; the parser drops what is deeper, and all after it
PLAIN = Style()


def markdown_lines(text: str) -> tuple[list[Line], int]:
    """The lines of a text in Markdown, on one page. Raises UnreadableText for one that is too long or too deep."""
    if len(text) > MOST_CHARACTERS:
        raise UnreadableText(
            f"The Markdown file has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read. Split it."
        )
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MOST_NESTED}).enable("table")
    tokens = parser.parse(text)
    if max((token.level for token in tokens), default=0) >= MOST_NESTED - 1:
        raise UnreadableText(
            f"The Markdown file has quotes or lists in one another, more than {MOST_NESTED // 2} deep."
        )
    return _Reading().run(tokens), 1


class _Reading:
    """Goes once over the tokens of a text."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.begins_entry = False
        self.grid = Grid()
        self.row: list[GridCell] = []

    def run(self, tokens: Iterable["Token"]) -> list[Line]:
        opener = ""
        for token in tokens:
            match token.type:
                case "inline":
                    self.inline(token, opener)
                case "fence" | "code_block":
                    self.code(token.content)
                case "list_item_open":
                    self.begins_entry = True
                case "table_open":
                    self.grid = Grid()
                case "tr_open":
                    self.row = []
                case "tr_close":
                    if any(cell.lines for cell in self.row):
                        self.grid.rows.append([cell for cell in self.row if cell.lines])
                case "table_close":
                    self.lines += unfolded(self.grid)
            if token.nesting == 1:
                opener = token.tag
        return self.lines

    def inline(self, token: "Token", opener: str) -> None:
        lines = lines_of(_segments(token.children or ()), 1, bullet=False)
        if opener in {"th", "td"}:
            place = len(self.row)
            self.row.append(GridCell(place, place + 1, lines, heads=opener == "th"))
            return
        level = int(opener[1]) + 1 if opener[0] == "h" and opener[1:].isdecimal() else 0
        for line in lines:
            line.bullet = not level and (line.bullet or self.begins_entry)
            line.level, line.bold = level, line.bold or level > 0
            self.begins_entry = False
        self.lines += lines

    def code(self, content: str) -> None:
        """Code is read as it is printed, a paragraph for each part between blank lines."""
        for part in content.split("\n\n"):
            text = folded(part)
            if text:
                self.lines.append(Line(text, 1))


def _segments(tokens: Sequence["Token"]) -> list[Segment]:
    """The text of a paragraph with its styles, a segment for each forced line break. Pictures have no text."""
    segments = [Segment()]
    bold = italic = 0
    for token in tokens:
        match token.type:
            case "strong_open" | "strong_close":
                bold += token.nesting
            case "em_open" | "em_close":
                italic += token.nesting
            case "softbreak":
                segments[-1].add(" ", PLAIN)
            case "hardbreak":
                segments.append(Segment())
            case "text" | "code_inline" | "text_special":
                segments[-1].add(token.content, PLAIN._replace(bold=bold > 0, italic=italic > 0))
    return segments
