"""Writes a plain PDF file: headings, paragraphs, bullets and tables in Helvetica on letter paper, the same bytes each time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evals.sample.fictional.source import Piece

WIDE, HIGH = 612, 792
LEFT, TOP, BOTTOM = 72, 72, 72
STEP = 1.3  # from one line to the next, in sizes
INDENT = 14
REGULAR, BOLD = "F1", "F2"
FONTS = {REGULAR: "Helvetica", BOLD: "Helvetica-Bold"}
SIZES = {"part": (BOLD, 20), "item": (BOLD, 13), "head": (BOLD, 11)}
BODY = 10
# Widths of Helvetica from the space to the tilde, in thousandths of the size, as Adobe's font metrics have them.
WIDTHS = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
    556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]  # fmt: skip
OTHER_WIDTH = 556  # of a character beyond these
WIDER = 1.08  # bold is up to so much wider


def width(text: str, size: float, font: str = REGULAR) -> float:
    """The width of a text in points; of bold text at most."""
    units = sum(WIDTHS[ord(one) - 32] if 32 <= ord(one) < 127 else OTHER_WIDTH for one in text)
    return units * size / 1000 * (WIDER if font == BOLD else 1)


@dataclass
class _Pages:
    """Lays lines out from top to bottom; `y` is the next line's top, from the upper edge."""

    pages: list[list[str]] = field(default_factory=lambda: [[]])
    y: float = TOP

    def new(self) -> None:
        self.pages.append([])
        self.y = TOP

    def room(self, points: float) -> None:
        if self.y + points > HIGH - BOTTOM:
            self.new()

    def put(self, x: float, size: float, text: str, font: str = REGULAR) -> None:
        text = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.pages[-1].append(f"BT /{font} {size} Tf {x:.2f} {HIGH - self.y - size:.2f} Td ({text}) Tj ET")

    def write(self, text: str, size: float, font: str = REGULAR, left: float = LEFT) -> None:
        for line in _lines(text, WIDE - LEFT - left, size, font):
            self.room(size * STEP)
            self.put(left, size, line, font)
            self.y += size * STEP


def pdf_file(pieces: Iterable[Piece]) -> bytes:
    """A PDF file of source blocks. Tables have cells of their own, a head first; `:page` begins a page."""
    laid = _Pages()
    for piece in pieces:
        if piece.kind == "directive" and piece.text == "page":
            laid.new()
        elif piece.kind in SIZES:
            font, size = SIZES[piece.kind]
            laid.room(6 * size)
            laid.y += 0.5 * size
            laid.write(piece.text, size, font)
            laid.y += 0.3 * size
        elif piece.kind == "table":
            _table(laid, piece.rows)
        elif piece.kind == "bullet":
            laid.room(BODY * STEP)
            laid.put(LEFT, BODY, "\u2022")
            laid.write(piece.text, BODY, left=LEFT + INDENT)
            laid.y += 0.2 * BODY
        else:
            laid.write(piece.text, BODY)
            laid.y += 0.6 * BODY
    return _file(laid.pages)


def _table(laid: _Pages, rows: Sequence[str]) -> None:
    """Rows with the label to the left and the cells to the right of their columns."""
    laid.room(len(rows) * BODY * 1.6)
    laid.y += 0.4 * BODY
    for row in rows:
        label, *cells = (cell.strip() for cell in row.lstrip("#").split("|"))
        font = BOLD if row.startswith("#") else REGULAR
        laid.put(LEFT, BODY, label, font)
        column = (WIDE - 2 * LEFT) / (len(cells) + 3)
        for place, cell in enumerate(cells):
            laid.put(LEFT + column * (place + 4) - width(cell, BODY), BODY, cell, font)
        laid.y += BODY * 1.6
    laid.y += 0.6 * BODY


def _lines(text: str, most: float, size: float, font: str) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and width(f"{line} {word}", size, font) > most:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def _file(pages: Sequence[Sequence[str]]) -> bytes:
    """The objects of the file and where each begins (ISO 32000-1, 7.5)."""
    first = 3 + len(FONTS)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    fonts = " ".join(f"/{name} {3 + number} 0 R" for number, name in enumerate(FONTS))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()]
    objects += [
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()
        for name in FONTS.values()
    ]
    for number, page in enumerate(pages):
        stream = "\n".join(page).encode("cp1252")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDE} {HIGH}] /Resources << /Font << {fonts} >> >> "
            f"/Contents {first + 2 * number + 1} 0 R >>".encode()
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream")
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return body + end.encode() + f"startxref\n{len(body)}\n%%EOF\n".encode()
