"""Builds paragraphs from text between <br>, with the share of each style, and splits them into lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from filings.document.layout.css import Style
from filings.document.layout.lines import BULLET_START, Line, folded

LONGEST_JOINED = 20_000  # the longest paragraph that lines separated by <br> make
WHOLE = 0.93  # share of characters from which a line has a style


@dataclass(slots=True)
class Segment:
    """Text up to the next <br>, with the number of characters of each style."""

    parts: list[str] = field(default_factory=list)
    total: int = 0
    bold: int = 0
    italic: int = 0
    underline: int = 0
    caps: int = 0
    centered: int = 0
    size: float = 0.0
    links: list[tuple[str, str]] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)

    def add(self, text: str, style: Style) -> None:
        self.parts.append(text)
        length = len(text) - text.count(" ")
        if not length or text.isspace():
            return
        self.total += length
        if style.bold:
            self.bold += length
        if style.italic:
            self.italic += length
        if style.underline:
            self.underline += length
        if style.caps:
            self.caps += length
        if style.centered:
            self.centered += length
        self.size = max(self.size, style.size)

    def line(self, page: int) -> Line | None:
        """The line; None where it has no text."""
        text = folded("".join(self.parts))
        if not text:
            return None
        mark = BULLET_START.match(text)
        if mark and not mark[0][-1].isspace():
            text = f"{mark[0]} {text[mark.end() :]}"
        whole = WHOLE * self.total
        return Line(
            text=text,
            page=page,
            bold=self.bold >= whole,
            italic=self.italic >= whole,
            underline=self.underline >= whole,
            caps=self.caps >= whole or text.isupper(),
            centered=self.centered >= whole,
            size=self.size,
            bullet=mark is not None,
            anchors=self.anchors,
            links=self.links,
        )


def lines_of(segments: Sequence[Segment], page: int, bullet: bool) -> list[Line]:
    """The lines of a paragraph: one, or several where a <br> separates different styles."""
    lines: list[Line] = []
    blank = 0
    for segment in segments:
        line = segment.line(page) if segment.parts else None
        if line is None:
            blank += 1
            continue
        line.bullet = line.bullet or bullet
        last = lines[-1] if lines else None
        if last is None or blank or line.bullet or _look(last) != _look(line) or len(last.text) > LONGEST_JOINED:
            lines.append(line)
        else:
            last.text += " " + line.text
            last.caps = last.caps and line.caps
            last.centered = last.centered and line.centered
            last.links += line.links
            last.anchors += line.anchors
        blank = 0
    return lines


def _look(line: Line) -> tuple[bool, bool, bool]:
    return line.bold, line.italic, line.underline
