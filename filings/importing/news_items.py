"""One piece of news, and how it is read from a provider's result: plain text, a date that was said, a digest."""

import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from filings.document.blocks import BLOCK_GAP
from filings.document.layout import UnreadableText, read_layout
from filings.document.layout.markup import is_markup
from filings.importing.news_addresses import article_address, host_of, is_allowed

# Characters: of a title, of a text as it is kept, and of one that is read, which markup makes longer.
MOST_TITLE = 300
MOST_TEXT = 200_000
MOST_READ = 1_000_000
# A text whose longest line is longer was not broken into lines to fit a page: each of its lines is a paragraph.
LONGEST_BROKEN_LINE = 120
# An element without attributes or with values for them, a comment, or a character's name. "a < b" is none.
ELEMENT = re.compile(
    r"</?[a-z][a-z0-9]{0,15}(?:\s+[a-z][\w:.-]*+\s*=\s*(?:\"[^\"<>]*+\"|'[^'<>]*+'|[^\s\"'<>]++))*+\s*/?>|<!--"
    r"|&(?:[a-z][a-z0-9]{1,15}|#[0-9]{1,7}|#x[0-9a-f]{1,6});",
    re.IGNORECASE,
)
BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")

# whole: the page as the provider has it. excerpt: what the provider says of the page, in words that may be its own.
# cut: the beginning of the page, up to the longest text that is kept.
Extent = Literal["whole", "excerpt", "cut"]
EXTENTS: dict[Extent, str] = {
    "whole": "",
    "excerpt": "Text: the news provider's excerpt, not the whole article.",
    "cut": f"Text: the beginning of the article, up to {MOST_TEXT:,} characters.",
}


# What `as_document` and `news_documents.content_of` write beside an article's own words.
ORIGIN = re.compile(
    rf"Published: (?:\d{{4}}-\d\d-\d\d|date not given)|Source: \S+, https?://\S+|Found for: .+, CIK \d+"
    rf"|{'|'.join(re.escape(one) for one in EXTENTS.values() if one)}"
)


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One article. `text` has its paragraphs, two line feeds apart, without markup; `digest` is its SHA-256 in hex."""

    title: str
    address: str
    date: date | None  # published; None where it is not said
    text: str
    digest: str
    extent: Extent = "whole"


def as_document(item: NewsItem) -> bytes:
    """The article as a document in plain text, UTF-8: title, date, source and text, each a paragraph."""
    parts = (
        item.title,
        f"Published: {item.date.isoformat() if item.date else 'date not given'}",
        f"Source: {host_of(item.address)}, {item.address}",
        EXTENTS[item.extent],
        item.text,
    )
    return (BLOCK_GAP.join(part for part in parts if part) + "\n").encode()


def is_origin(line: str) -> bool:
    """Whether a paragraph of a document is one that was put beside an article's own text: where it is from."""
    return bool(ORIGIN.fullmatch(line.strip()))


def news_items(
    results: Iterable[Any], allowed: tuple[str, ...], since: date | None, today: date
) -> tuple[NewsItem, ...]:
    """The usable results, newest first, undated ones last, each address and each text once.

    Left out are results without text, outside the allowed domains, with an address that nobody could open, or dated
    before `since`. Undated ones stay: the provider was asked for the time.
    """
    found = [item for result in results if (item := _item(result, today)) and is_allowed(item.address, allowed)]
    addresses: set[str] = set()
    digests: set[str] = set()
    kept = []
    for item in sorted(found, key=lambda item: -(item.date.toordinal() if item.date else 0)):
        if item.address in addresses or item.digest in digests or (since and item.date and item.date < since):
            continue
        addresses.add(item.address)
        digests.add(item.digest)
        kept.append(item)
    return tuple(kept)


def _item(result: Any, today: date) -> NewsItem | None:
    """The article of one result; None where it has no usable address or no text."""
    if not isinstance(result, dict) or not (address := article_address(result.get("url"))):
        return None
    page = result.get("raw_content")
    if text := plain_text(page):
        extent: Extent = "cut" if len(text) > MOST_TEXT or len(str(page)) > MOST_READ else "whole"
    elif text := plain_text(result.get("content")):
        extent = "excerpt"
    else:
        return None
    text = _beginning(text)
    title = " ".join(plain_text(result.get("title")).split())[:MOST_TITLE].rstrip()
    digest = hashlib.sha256(text.encode()).hexdigest()
    return NewsItem(
        title or host_of(address), address, publication(result.get("published_date"), today), text, digest, extent
    )


def _beginning(text: str) -> str:
    """As many paragraphs as may be kept; of one that is longer, its beginning."""
    if len(text) <= MOST_TEXT:
        return text
    kept = text[:MOST_TEXT]
    return (kept.rpartition(BLOCK_GAP)[0] or kept).rstrip()


def plain_text(value: object) -> str:
    """The visible text of what a provider sent, markup or not; empty where there is none."""
    if not isinstance(value, str):
        return ""
    text = value[:MOST_READ].replace("\r\n", "\n").replace("\r", "\n")
    if not is_markup(text):
        if max(map(len, text.split("\n"))) > LONGEST_BROKEN_LINE:
            text = text.replace("\n", "\n\n")
        if ELEMENT.search(text):
            # The line breaks of a text with a few elements, which HTML would not have kept.
            text = f"<div>{BLANK_LINES.sub('<br><br>', text)}</div>"
    try:
        # Half of a pair of UTF-16, which JSON may hold, is no character.
        return read_layout(text.encode(errors="ignore")).text
    except UnreadableText:
        return ""


def publication(value: object, today: date) -> date | None:
    """The day of publication from an ISO date or time, or one as in mail; None where it is not said or is to come."""
    if not isinstance(value, str):
        return None
    found: date | None = None
    with suppress(ValueError):
        found = datetime.fromisoformat(value.strip()).date()
    if not found:
        with suppress(ValueError, TypeError, OverflowError):
            found = parsedate_to_datetime(value.strip()).date()
    # A day's grace: it is tomorrow already east of here.
    return found if found and found <= today + timedelta(days=1) else None
