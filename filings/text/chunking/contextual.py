"""The context that a passage is indexed and embedded with, and never verified against.

Words are looked for with company, year, Item and headings before them. What is embedded has its headings alone: inside
one filing the company and the year stand before every window alike, and take meaning from what differs (evidence in
the nearest window of the filing: 45 % of questions, against 55 % with headings alone).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from filings.models import Filing
from filings.models.section import chunk_text
from filings.sections.items import ITEMS

# Headings take a part of the model's window: long captions are cut at a word.
HEADING_LENGTH = 160
HEADINGS = 3

LEGAL = re.compile(
    r"(?:,?\s+(?:&\s+)?(?:inc|incorporated|corp|corporation|co|company|companies|ltd|limited|llc|l\.l\.c|lp|l\.p|plc|"
    r"p\.l\.c|n\.?v|s\.?a|ag|se|holdings?|group)\.?)+$",
    re.IGNORECASE,
)
# SEC's marks of a state, and what stands in brackets: "WELLS FARGO & COMPANY/MN", "Widgets, Inc. (Delaware)".
MARK = re.compile(r"\s*/[A-Za-z .]{0,12}/?\s*$|\s*\([^()]*\)\s*$")


class Placed(Protocol):
    """What stands in an Item under headings: a parsed or a stored chunk."""

    @property
    def item(self) -> str: ...

    @property
    def headings(self) -> Sequence[str]: ...


class Cut(Placed, Protocol):
    """A parsed or a stored chunk with its windows, ranges of its section's text."""

    @property
    def windows(self) -> Sequence[Sequence[Sequence[int]]]: ...


def embedded_texts(chunks: Iterable[tuple[Cut, str]]) -> list[str]:
    """Texts to embed for chunks: every window in order, each preceded by its headings."""
    return [window for chunk, text in chunks for window in window_texts(inner(chunk.headings), text, chunk.windows)]


def contextual_prefix(filing: Filing, chunk: Placed) -> str:
    """As "Microsoft (MSFT) 10-K FY2024 — Item 1A Risk Factors: Supply chain: ", to stand before a chunk's text."""
    symbols = filing.company.symbols
    return prefix(
        filing.company.name, symbols[0] if symbols else "", filing.form, filing.fiscal_year, chunk.item, chunk.headings
    )


def prefix(name: str, symbol: str, form: str, fiscal_year: int | None, item: str, headings: Sequence[str]) -> str:
    """The line for a company, a form, a year, an Item and sub-headings, outermost first; what is empty is left out."""
    company = f"{spoken(name)} ({symbol})" if symbol else spoken(name)
    year = f" FY{fiscal_year}" if fiscal_year else ""
    place = f" — Item {item} {ITEMS[item].title}" if item in ITEMS else ""
    return f"{company} {form}{year}{place}: {inner(headings)}"


def inner(headings: Sequence[str]) -> str:
    """As "Supply chain: Sole sources: ", the innermost headings, outermost first."""
    return "".join(f"{cut(heading)}: " for heading in headings[-HEADINGS:])


def window_texts(before: str, text: str, windows: Sequence[Sequence[Sequence[int]]]) -> list[str]:
    """What is embedded of a chunk: each of its windows, ranges of the section's text, after the line of context."""
    return [before + chunk_text(text, [list(pair) for pair in window]) for window in windows]


def spoken(name: str) -> str:
    """A registrant's name without its legal ending, in mixed case: "MICROSOFT CORP" -> "Microsoft"."""
    plain = LEGAL.sub("", MARK.sub("", name)).strip(" ,") or name
    if plain.isupper() and len(plain) > 4:
        return " ".join(word if "&" in word else word.capitalize() for word in plain.split())
    return plain


def cut(heading: str) -> str:
    """A heading on one line, without its end mark, and not longer than the model's window can afford."""
    plain = " ".join(heading.split()).rstrip(".:")
    if len(plain) <= HEADING_LENGTH:
        return plain
    return plain[:HEADING_LENGTH].rsplit(" ", 1)[0] + "…"
