"""Lines of text and tables as grids of cells, as the walk over a document finds them; folding of characters."""

import re
from dataclasses import dataclass, field

BULLETS = "•●▪◦‣∙·■□►▶✓✔➢❖○◆♦\uf0b7\uf0a7\uf0d8\uf0fc"
BULLET_START = re.compile(rf"[{BULLETS}]\s*(?=\S)|[\u2013—§*]\s+(?=[A-Za-z“\"(])")
LETTERS = re.compile(r"[A-Za-z]{2}")
BLANK_LINE = re.compile(r"\n[ \t\r\xa0]*\n")
ITEM_WORD = r"i\s?t\s?e\s?m\s?s?"  # its letters may be set apart, or the first one larger than the others
# "Item 1A", "Item 2.02" of an 8-K, "Item 3.D" of a 20-F.
ITEM_START = re.compile(
    rf"(?:part\s+[iv]+[\s,.\u2013—-]*)?{ITEM_WORD}\s*\d{{1,2}}(?:\.(?:\d{{2}}|[a-k])\b)?\s*(?:\([a-c]\)|[a-c]?\b)",
    re.IGNORECASE,
)
WORD = re.compile(r"[A-Za-z\u2019']+")
# Zero-width characters are dropped; blanks of every width are blanks; C1 controls are Windows characters, as browsers
# read &#146;.
FOLDED: dict[int, str | None] = {
    **dict.fromkeys([*map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"), *range(9), *range(14, 32), 127]),
    **dict.fromkeys(map(ord, "\u00a0\u1680\u202f\u205f\u3000\u2028\u2029"), " "),
    **dict.fromkeys(range(0x2000, 0x200B), " "),
    **{code: bytes([code]).decode("cp1252", "ignore") or None for code in range(0x80, 0xA0)},
}


def folded(text: str) -> str:
    """Text in its frozen form: runs of blanks as one, no soft hyphens or zero-width characters; quotes as filed."""
    return " ".join((text if text.isascii() else text.translate(FOLDED)).split())


def is_title(text: str) -> bool:
    """Whether the longer words of a text begin with capitals, as those of titles do."""
    words = [word for word in WORD.findall(text) if len(word) > 3]
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.7 * len(words)


def is_item_title(text: str) -> bool:
    """Whether a text is an Item's label and title; anything may follow in parentheses, such as "(in thousands)"."""
    return ITEM_START.match(text) is not None and is_title(text.partition(" (")[0])


@dataclass(slots=True, eq=False)
class Line:
    """A paragraph, a list entry or a table.

    `breaks` are (offset, place) of later pages that begin in it. A style applies where (nearly) all characters have it.
    `level` is that of a heading which its author made one, from 2; 0 where only its look may tell.
    """

    text: str
    page: int
    bold: bool = False
    italic: bool = False
    underline: bool = False
    caps: bool = False
    centered: bool = False
    size: float = 0.0
    bullet: bool = False
    anchors: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)  # (anchor it goes to, its text)
    grid: "Grid | None" = None
    breaks: list[tuple[int, int]] = field(default_factory=list)
    level: int = 0

    @property
    def last_page(self) -> int:
        """The page where it ends; `page` is where it begins."""
        return self.breaks[-1][1] if self.breaks else self.page

    @property
    def is_marked(self) -> bool:
        """Whether it is set apart from running text by weight, slant or underline."""
        return self.bold or self.italic or self.underline


@dataclass(slots=True, eq=False)
class GridCell:
    """A cell of a table: its lines, and the columns it covers from `start` to before `end`."""

    start: int
    end: int
    lines: list[Line]
    heads: bool = False  # <th>

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@dataclass(slots=True, eq=False)
class Grid:
    """The rows of a table, without empty cells and rows."""

    rows: list[list[GridCell]] = field(default_factory=list)
