"""The words of a page with the place, size and weight that it prints them in."""

import ctypes
import re
from dataclasses import dataclass
from math import atan2, degrees, hypot
from typing import Any

from filings.document.layout.lines import FOLDED
from filings.document.pdf.opening import Sheet

MOST_CHARACTERS = 200_000  # of a page; one of a printed report has under 15,000
APART = 0.22  # of the size: the gap from which characters belong to two words, where no blank is set between them
OFF_LINE = 0.2  # of the size: how far a baseline may move within a word
SLANT = 12  # degrees from the nearest right angle: text further off is a stamp across the page
INVISIBLE = 3  # the render mode that a scanner's text recognition writes in
STROKED = 2  # filled and stroked: bold made of a regular font
HYPHENS = {"\x02": "-", "\ufffe": "-"}  # PDFium's marks for a hyphen at the end of a line
BOLD = re.compile(r"bold|black|heavy|demi(?!-?condensed)|,b(?:old)?\b|-bd\b", re.IGNORECASE)
ITALIC = re.compile(r"italic|oblique|-it\b", re.IGNORECASE)
DIGIT = re.compile(r"\d")
LAST_DIGIT = re.compile(r"\d(?=\D*$)")
TOKEN = re.compile(r"\S+")
WIDEST = 1.2  # of the size: the width of a character on average, from which a word has gaps


@dataclass(slots=True, eq=False)
class Word:
    """Characters without a gap.

    x0 to x1 run in the direction of reading and top to bottom across it, in points; for upright text x is the page's
    own and y the page's own negated. `base` is the baseline, `edge` where its last digit ends (x1 without digits),
    `turn` the text's direction in right angles counterclockwise.
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    base: float
    edge: float
    size: float
    bold: bool
    italic: bool
    turn: int

    def box(self, sheet: Sheet) -> tuple[float, float, float, float]:
        """Its box as shown: x0, y0, x1, y1 in points from the upper left corner."""
        if self.turn == 1:
            own = self.top, self.x0, self.bottom, self.x1
        elif self.turn == 2:
            own = -self.x1, self.top, -self.x0, self.bottom
        elif self.turn == 3:
            own = -self.bottom, -self.x1, -self.top, -self.x0
        else:
            own = self.x0, -self.bottom, self.x1, -self.top
        return sheet.shown(*own)


@dataclass(frozen=True, slots=True)
class Face:
    """How the text of one object is set."""

    size: float
    bold: bool
    italic: bool
    turn: int
    is_seen: bool
    is_straight: bool

    @property
    def look(self) -> tuple[float, bool, bool, int]:
        return self.size, self.bold, self.italic, self.turn


def page_words(sheet: Sheet) -> list[Word]:
    """The words of a page, in the order the file has them.

    Invisible text counts only on a page without any other, where it is a scanner's reading of the picture.
    """
    import pypdfium2.raw as pdfium

    handle = pdfium.FPDFText_LoadPage(sheet.handle)
    if not handle:
        return []
    try:
        page = Reading(handle, min(pdfium.FPDFText_CountChars(handle), MOST_CHARACTERS))
        page.read()
    finally:
        pdfium.FPDFText_ClosePage(handle)
    return page.seen or page.unseen


class Reading:
    """The reading of one page. Asking PDFium for a character's place is what takes time, so a word asks for its ends."""

    def __init__(self, page: Any, count: int) -> None:
        import pypdfium2.raw as pdfium

        self.pdfium, self.page, self.text = pdfium, page, _text(page, count)
        self.seen: list[Word] = []
        self.unseen: list[Word] = []
        self.faces: dict[int, Face] = {}  # by text object
        self.set: dict[tuple[float, ...], Face] = {}  # by what an object is set with: many have the same
        self.fonts: dict[int, tuple[bool, bool]] = {}
        self.matrix = pdfium.FS_MATRIX()
        self.rect, self.x, self.y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
        self.to_rect, self.to_x, self.to_y = ctypes.byref(self.rect), ctypes.byref(self.x), ctypes.byref(self.y)

    def read(self) -> None:
        for found in TOKEN.finditer(self.text):
            start, end = found.span()
            if not self.whole(found[0], start, end):
                self.by_character(start, end)

    def whole(self, token: str, start: int, end: int) -> bool:
        """Add characters up to a blank as one word; False where its ends are not set alike."""
        if not token.isprintable() or "\u00ad" in token:
            return False
        key = self.object_at(start)
        face = self.face(key, start)
        first = last = self.place(start, face.turn)
        base = self.base(start, face.turn)
        if end - start > 1:
            # Some programs write every character as an object of its own.
            other = self.object_at(end - 1)
            if other != key and (self.face(other, end - 1) != face or self.base(end - 1, face.turn) != base):
                return False
            last = self.place(end - 1, face.turn)
        if first is None or last is None or last[1] - first[0] > WIDEST * face.size * len(token) or last[0] < first[0]:
            return False
        edge = last[1]
        if not token[-1].isdigit() and (digits := LAST_DIGIT.search(token)):
            at = self.place(start + digits.start(), face.turn)
            edge = at[1] if at else edge
        if face.is_straight:
            top, bottom = min(first[2], last[2]), max(first[3], last[3])
            self.add(Word(token, first[0], last[1], top, bottom, base, edge, *face.look), face)
        return True

    def by_character(self, start: int, end: int) -> None:
        """Add characters up to a blank, as the words that their places make."""
        word: Word | None = None
        for index in range(start, end):
            character = self.text[index]
            character = HYPHENS.get(character, character)
            folded = FOLDED.get(ord(character), character)
            face = self.face(self.object_at(index), index)
            place = self.place(index, face.turn)
            if folded is None or not folded.isprintable() or folded.isspace() or not face.is_straight or place is None:
                continue
            x0, x1, top, bottom = place
            base = self.base(index, face.turn)
            if (
                word is not None
                and word.turn == face.turn
                and abs(word.base - base) < OFF_LINE * word.size
                and -word.size < x0 - word.x1 < APART * word.size
                and x0 > word.x0
            ):
                word.edge = x1 if folded.isdigit() or not DIGIT.search(word.text) else word.edge
                word.text += folded
                word.x1 = max(word.x1, x1)
                word.top, word.bottom = min(word.top, top), max(word.bottom, bottom)
                continue
            word = Word(folded, x0, x1, top, bottom, base, x1, *face.look)
            self.add(word, face)

    def add(self, word: Word, face: Face) -> None:
        (self.seen if face.is_seen else self.unseen).append(word)

    def object_at(self, index: int) -> int:
        found = self.pdfium.FPDFText_GetTextObject(self.page, index)
        return ctypes.addressof(found.contents) if found else 0

    def place(self, index: int, turn: int) -> tuple[float, float, float, float] | None:
        """Where a character is set: from and to in the direction of reading, and across it."""
        if not self.pdfium.FPDFText_GetLooseCharBox(self.page, index, self.to_rect):
            return None
        box = self.rect
        if turn == 0:
            return box.left, box.right, -box.top, -box.bottom
        if turn == 1:
            return box.bottom, box.top, box.left, box.right
        if turn == 2:
            return -box.right, -box.left, box.bottom, box.top
        return -box.top, -box.bottom, -box.right, -box.left

    def base(self, index: int, turn: int) -> float:
        self.pdfium.FPDFText_GetCharOrigin(self.page, index, self.to_x, self.to_y)
        x, y = self.x.value, self.y.value
        return (-y, x, y, -x)[turn]

    def face(self, key: int, index: int) -> Face:
        """How the object of a character is set."""
        found = self.faces.get(key)
        if found is None:
            found = self.faces[key] = self.face_of(index)
        return found

    def face_of(self, index: int) -> Face:
        pdfium, matrix = self.pdfium, self.matrix
        text = pdfium.FPDFText_GetTextObject(self.page, index)
        if not pdfium.FPDFText_GetMatrix(self.page, index, matrix):
            matrix.a, matrix.b, matrix.c, matrix.d = 1.0, 0.0, 0.0, 1.0
        font = pdfium.FPDFTextObj_GetFont(text) if text else None
        mode = pdfium.FPDFTextObj_GetTextRenderMode(text) if text else 0
        address = ctypes.addressof(font.contents) if font else 0
        size = pdfium.FPDFText_GetFontSize(self.page, index)
        key = size, matrix.a, matrix.b, matrix.c, matrix.d, mode, address
        if key not in self.set:
            if address not in self.fonts:
                self.fonts[address] = _weight(font)
            self.set[key] = _face(matrix, size, mode, *self.fonts[address])
        return self.set[key]


def _text(page: Any, count: int) -> str:
    """As many characters as the page counts."""
    import pypdfium2.raw as pdfium

    buffer = (ctypes.c_ushort * (count + 1))()
    pdfium.FPDFText_GetText(page, 0, count, buffer)
    text = bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")
    if len(text) != count or "\0" in text:
        # Characters without a code, and those of two units, shift what follows.
        codes = (pdfium.FPDFText_GetUnicode(page, index) for index in range(count))
        text = "".join(
            chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd" for code in codes
        )
    return text


def _face(matrix: Any, size: float, mode: int, bold: bool, italic: bool) -> Face:
    angle = degrees(atan2(matrix.b, matrix.a))
    turn = round(angle / 90)
    return Face(
        round(max(size * hypot(matrix.c, matrix.d), 1.0), 1),
        bold or mode == STROKED,
        italic or (abs(matrix.c) > 0.15 * abs(matrix.d) and turn % 2 == 0),
        turn % 4,
        mode != INVISIBLE,
        abs(angle - 90 * turn) < SLANT,
    )


def _weight(font: Any) -> tuple[bool, bool]:
    """Whether a font is bold, and whether it is italic."""
    import pypdfium2.raw as pdfium

    if not font:
        return False, False
    buffer = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.value.decode("utf-8", "replace")
    flags = max(pdfium.FPDFFont_GetFlags(font), 0)
    return bool(BOLD.search(name)) or bool(flags & 1 << 18), bool(ITALIC.search(name)) or bool(flags & 1 << 6)
