"""Small PDF files: text at given places in Courier, whose characters are all 0.6 of their size wide."""

from collections.abc import Sequence
from dataclasses import dataclass, field

FONTS = {"F1": "Courier", "F2": "Courier-Bold", "F3": "Courier-Oblique"}
LETTER = (612.0, 792.0)
WIDE = 0.6


def width(text: str, size: float) -> float:
    return WIDE * size * len(text)


@dataclass
class PdfPage:
    """A page. Places are in points from the upper left corner, y that of the baseline."""

    size: tuple[float, float] = LETTER
    turned: int = 0  # degrees clockwise that a viewer turns it
    origin: tuple[float, float] = (0.0, 0.0)  # the page's lower left corner in its own coordinates
    parts: list[str] = field(default_factory=list)

    def put(self, x: float, y: float, text: str, size: float = 10, font: str = "F1", mode: int = 0) -> None:
        """Print a text from x."""
        left, bottom = x + self.origin[0], self.size[1] - y + self.origin[1]
        self.parts.append(
            f"BT /{font} {size} Tf {mode} Tr 1 0 0 1 {left:.2f} {bottom:.2f} Tm ({_escaped(text)}) Tj ET"
        )

    def end(self, x: float, y: float, text: str, size: float = 10, font: str = "F1") -> None:
        """Print a text up to x."""
        self.put(x - width(text, size), y, text, size, font)

    def middle(self, x: float, y: float, text: str, size: float = 10, font: str = "F1") -> None:
        """Print a text with its middle at x."""
        self.put(x - width(text, size) / 2, y, text, size, font)

    def upwards(self, x: float, y: float, text: str, size: float = 10) -> None:
        """Print a text that runs from the bottom of the page to its top."""
        self.parts.append(f"BT /F1 {size} Tf 0 1 -1 0 {x:.2f} {self.size[1] - y:.2f} Tm ({_escaped(text)}) Tj ET")

    def write(
        self, x: float, y: float, text: str, wide: int, size: float = 10, step: float = 12, font: str = "F1"
    ) -> float:
        """Print a paragraph in lines of at most `wide` characters; returns the next line's y."""
        line = ""
        for word in text.split():
            if line and len(line) + 1 + len(word) > wide:
                self.put(x, y, line, size, font)
                y, line = y + step, word
            else:
                line = f"{line} {word}".strip()
        self.put(x, y, line, size, font)
        return y + step


def pdf(pages: Sequence[PdfPage], trailer: str = "") -> bytes:
    """The file. `trailer` is added to its trailer."""
    fonts = {name: 3 + number for number, name in enumerate(FONTS)}
    first = 3 + len(FONTS)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>"]
    objects += [
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>" for name in FONTS.values()
    ]
    resources = "<< /Font << " + " ".join(f"/{name} {number} 0 R" for name, number in fonts.items()) + " >> >>"
    for number, page in enumerate(pages):
        x, y = page.origin
        box = f"[{x} {y} {x + page.size[0]} {y + page.size[1]}]"
        stream = "\n".join(page.parts)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Rotate {page.turned} /Resources {resources} "
            f"/Contents {first + 2 * number + 1} 0 R >>",
            f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream",
        ]
    body = b"%PDF-1.4\n"
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode("cp1252")
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(
        f"{place:010d} 00000 n \n" for place in places
    )
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{len(body)}\n%%EOF\n"
    return body + table.encode() + end.encode()


def encrypted() -> bytes:
    """A file that asks for a password."""
    page = PdfPage()
    page.put(72, 72, "Confidential")
    key = "00" * 32
    return pdf(
        [page],
        f"/ID [<{'11' * 16}> <{'11' * 16}>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <{key}> /U <{key}> /P -4 >>",
    )


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
