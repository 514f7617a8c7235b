"""The context that a passage is indexed and embedded with, and never verified against.

Word search has company, year, Item and headings before the text. Embedded text has its headings alone: within one
filing, company and year stand before every window alike and dilute what differs (evidence in the nearest window of the
filing: 45 % of questions, against 55 % with headings alone).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from filings.models import Filing
from filings.models.section import chunk_text
from filings.sections.items import ALL_ITEMS

# Headings use part of the model's window: long captions are cut at a word.
HEADING_LENGTH = 160
HEADINGS = 3

LEGAL = re.compile(
    r"(?:,?\s+(?:&\s+)?(?:inc|incorporated|corp|corporation|co|company|companies|ltd|limited|llc|l\.l\.c|lp|l\.p|plc|"
    r"p\.l\.c|n\.?v|s\.?a|ag|se|holdings?|group)\.?)+$",
    re.IGNORECASE,
)
# SEC marks of a state, and text in brackets: "WELLS FARGO & COMPANY/MN", "Widgets, Inc. (Delaware)".
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
    """The embedded texts of chunks, each given with its section's text: every window in order, after its headings."""
    return [window for chunk, text in chunks for window in window_texts(inner(chunk.headings), text, chunk.windows)]


def contextual_prefix(filing: Filing, chunk: Placed) -> str:
    """The line before a chunk's text: "Microsoft (MSFT) 10-K FY2024 — Item 1A Risk Factors: Supply chain: "."""
    symbols = filing.company.symbols
    return prefix(
        filing.company.name,
        symbols[0] if symbols else "",
        filing.form or filing.kind.label,
        filing.fiscal_year,
        chunk.item,
        chunk.headings,
        filing.fiscal_quarter,
    )


def prefix(
    name: str,
    symbol: str,
    form: str,
    fiscal_year: int | None,
    item: str,
    headings: Sequence[str],
    fiscal_quarter: int | None = None,
) -> str:
    """The line for a company, form, period, Item and sub-headings, outermost first, without empty parts."""
    company = f"{spoken(name)} ({symbol})" if symbol else spoken(name)
    quarter = f" Q{fiscal_quarter}" if fiscal_quarter else ""
    year = f"{quarter} FY{fiscal_year}" if fiscal_year else ""
    part = ALL_ITEMS.get(item)
    place = f" — {part.called} {part.title}".rstrip() if part else ""
    return f"{company} {form}{year}{place}: {inner(headings)}"


def inner(headings: Sequence[str]) -> str:
    """The innermost headings, outermost first: "Supply chain: Sole sources: "."""
    return "".join(f"{cut(heading)}: " for heading in headings[-HEADINGS:])


def window_texts(before: str, text: str, windows: Sequence[Sequence[Sequence[int]]]) -> list[str]:
    """The embedded texts of a chunk: each window after the line of context."""
    return [before + chunk_text(text, [list(pair) for pair in window]) for window in windows]


def spoken(name: str) -> str:
    """A registrant's name without its legal ending, in mixed case: "MICROSOFT CORP" -> "Microsoft"."""
    plain = LEGAL.sub("", MARK.sub("", name)).strip(" ,") or name
    if plain.isupper() and len(plain) > 4:
        return " ".join(word if "&" in word else word.capitalize() for word in plain.split())
    return plain


def cut(heading: str) -> str:
    """A heading on one line, without its end mark, cut to what the model's window can afford."""
    plain = " ".join(heading.split()).rstrip(".:")
    if len(plain) <= HEADING_LENGTH:
        return plain
    return plain[:HEADING_LENGTH].rsplit(" ", 1)[0] + "…"
