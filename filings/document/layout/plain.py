"""A document without markup: paragraphs between blank lines, pages between form feeds."""

import re

from filings.document.layout.lines import BLANK_LINE, BULLET_START, Line, folded

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
