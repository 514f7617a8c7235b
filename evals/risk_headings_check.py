"""Headings of risk factors against the documents' own bold and italics.

    python -m evals.risk_headings_check ../shared/edgar [FILINGS]

The latest 10-K of each company, FILINGS (40) of them. Reads the markup with lxml alone: a paragraph is set apart where
every letter is bold, italic or underlined, by tags and inline styles. Of those in the place of Item 1A with plain text
below, the share that sections mark as headings; of the headings there, the share that is so printed.
"""

import csv
import lzma
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from lxml import etree, html

from diligence.statistics import Share
from evals.sections_check import contents, fold, is_hidden
from filings.sections import SourceDocument, read_sections

BLOCKS = {
    "p",
    "div",
    "td",
    "th",
    "tr",
    "table",
    "li",
    "ul",
    "ol",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "body",
    "br",
    "hr",
}
TAGS = {"b", "strong", "i", "em", "u", "h1", "h2", "h3", "h4", "h5", "h6"}
SET_APART = re.compile(
    r"font-weight:(?:bold|[6-9]00)|font-style:italic|text-decoration:underline|font:[^;]*(?:bold|italic)"
)
PLAIN = re.compile(r"font-weight:(?:normal|[1-5]00)|font-style:normal")
LEAST = 12  # letters and digits of a heading: fewer are a page number, a label or a cell
LONGEST = 480
RUNNING = 3  # times that a line is printed, from which it may head pages


def paragraphs(document: bytes) -> Iterator[tuple[str, bool]]:
    """(letters and digits, set apart) of each paragraph in order."""
    root = html.document_fromstring(document, parser=html.HTMLParser(huge_tree=True))
    marked, plain, hidden = [False], 0, 0
    parts: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end", "comment")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event != "comment" and tag in BLOCKS and parts:
            yield "".join(parts), not plain
            parts, plain = [], 0
        if event == "start":
            style = (element.get("style") or "").replace(" ", "").lower()
            apart = marked[-1] or tag in TAGS
            marked.append(bool(SET_APART.search(style)) or (apart and not PLAIN.search(style)))
            hidden += is_hidden(element)
            text = element.text
        else:
            if event == "end":
                marked.pop()
                hidden -= is_hidden(element)
            text = element.tail
        letters = fold(text or "") if not hidden else ""
        if letters:
            parts.append(letters)
            plain += 0 if marked[-1] else len(letters)


def printed_headings(document: bytes) -> tuple[set[str], set[str]]:
    """(those with plain text below, all that are set apart) in the place of Item 1A, as letters and digits."""
    place = contents(document).places.get("1A")
    if not place:
        return set(), set()
    at = 0
    inside: list[tuple[str, bool]] = []
    read = [*paragraphs(document)]
    said = Counter(letters for letters, _ in read)
    for letters, marked in read:
        if place.start <= at < place.end and said[letters] < RUNNING:
            inside.append((letters, marked))
        at += len(letters)
    apart = {text for text, marked in inside if marked and len(text) >= LEAST}
    followed = {
        text
        for (text, marked), (below, also) in pairwise(inside)
        if marked and not also and LEAST <= len(text) <= LONGEST and len(below) >= LEAST
    }
    return followed, apart


def main(folder: Path, most: int = 40) -> None:
    with (folder / "filings.csv").open(encoding="utf-8") as file:
        latest = {row["ticker"]: row for row in csv.DictReader(file) if row["form"] == "10-K"}
    totals = [0, 0, 0, 0]
    for ticker, filing in [*latest.items()][:most]:
        document = lzma.decompress((folder / "mirror" / (filing["mirror_path"] + ".xz")).read_bytes())
        followed, apart = printed_headings(document)
        if not apart:
            print(f"{ticker:6} not reached by links of its table of contents")
            continue
        sections = read_sections([SourceDocument(Path(filing["mirror_path"]).name, "10-K", document)])
        section = next(section for section in sections if section.item == "1A")
        found = {fold(section.text[block.start : block.end]) for block in section.blocks if block.kind == "heading"}
        counts = len(followed & found), len(followed), len(found & apart), len(found)
        print(
            f"{ticker:6} printed and found {counts[0]:4} of {counts[1]:4}, found and printed {counts[2]:4} of {counts[3]:4}"
        )
        for text in sorted(followed - found)[:3]:
            print(f"       missed: {text[:80]}")
        totals = [one + other for one, other in zip(totals, counts, strict=True)]
    print("Printed and found:", Share(totals[0], totals[1]), "found and printed:", Share(totals[2], totals[3]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]))
