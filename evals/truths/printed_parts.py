"""Figures of parts of a company as the tables of the filings print them: the truth of the goldens about parts.

Shares nothing with the ingestion. A figure is found by the words that are printed: in a table with such a row, in a
column under such a head, below such a heading; its scale by "in millions" in the table, or else the last time before
it. Every table that answers must print the same number. Only then is the filing's inline XBRL read, as a second
check: the fact of the pointer's element, period and members must be that number.
"""

import csv
import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from html import unescape
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from lxml import html

from agent.state import FactRef
from evals.golden import Golden, Printed, Value

SHARED = Path(__file__).resolve().parents[2] / "../shared/edgar"
SCALES = {"thousands": 3, "millions": 6, "billions": 9}
# How many letters may separate two scales, the second being an exception.
SAME = 120
_SCALE = re.compile(rf"(?:\bin\s+|\(\s*)({'|'.join(SCALES)})\b", re.IGNORECASE)
_TABLE = re.compile(r"<table\b.*?</table>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_BREAK = re.compile(r"<br\b[^>]*>|</(?:div|p)>", re.IGNORECASE)
_FIGURE = re.compile(r"(?P<open>[(\-\u2212\u2013]?)\s*\$?\s*\(?\s*(?P<figure>\d[\d,]*(?:\.\d+)?|\.\d+)\s*\)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
# A footnote's number or letter after a label, and what ends a heading.
_NOTE = re.compile(r"\s*\((?:\d{1,2}|[a-z])\)|(?<=[a-z\u00e9])\d$|[:\u2014]\s*$", re.IGNORECASE)

Key = tuple[str, frozenset[str], str, date, date]


class Cell(NamedTuple):
    """A printed figure and the words that identify it."""

    figure: str
    row: str
    under: str
    heads: tuple[str, ...]


class Reading(NamedTuple):
    """A figure as one table prints it, and its power of ten."""

    figure: str
    scale: int


@dataclass(frozen=True)
class Table:
    """A filing's table: cells with figures, and the scale given by it or the text before it."""

    cells: tuple[Cell, ...]
    scale: int

    def find(self, printed: Printed) -> Iterator[Reading]:
        """The figures of a row and column, in a table that also has the other row asked for."""
        if printed.beside and folded(printed.beside) not in {cell.row for cell in self.cells}:
            return
        for cell in self.cells:
            if cell.row != folded(printed.row) or (printed.under and cell.under != folded(printed.under)):
                continue
            if all(any(_said(words, head) for head in cell.heads) for words in printed.column.split(" | ")):
                yield Reading(cell.figure, self.scale)


def folded(text: str) -> str:
    """Printed words without their footnotes, case and breaks."""
    return _NOTE.sub("", " ".join(unescape(text).split())).strip(" ,:").casefold()


def _said(words: str, head: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(folded(words))}(?!\w)", head) is not None


def tables(document: str) -> Iterator[Table]:
    """Every table of a filing with figures in it, in the order of the document."""
    scale, behind = 0, 0
    for match in _TABLE.finditer(document):
        between = _words(document[behind : match.start()])
        scale = _scale(between) or scale
        behind = match.end()
        scale = _scale(_words(match[0])) or scale
        if cells := tuple(_cells(html.fromstring(_BREAK.sub(r" \g<0>", match[0])))):
            yield Table(cells, scale)


def _words(markup: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", markup)).split())


def _scale(text: str) -> int:
    """The power of ten that a text names last; 0 where it names none. "In millions, except shares, in thousands" is
    one.
    """
    named, behind = "", -SAME
    for match in _SCALE.finditer(text):
        named = named if match.start() - behind < SAME else match[1].lower()
        behind = match.end()
    return SCALES.get(named, 0)


def _cells(table: html.HtmlElement) -> Iterator[Cell]:
    heads: list[list[tuple[int, int, str]]] = []
    under, dated, fresh = "", "", True
    for row in table.iter("tr"):
        spans = [one for one in _spans(row) if one[2]]
        # Percentages are not among the figures looked for.
        behind = [text for _, _, text in spans[1:]]
        figures = [
            one
            for one, after in zip_longest(spans, behind, fillvalue="")
            if one[0] and _FIGURE.fullmatch(one[2]) and not _YEAR.fullmatch(one[2]) and not after.startswith("%")
        ]
        if figures:
            first = spans[0]
            label = "" if first in figures else folded(first[2])
            own = tuple(folded(text) for _, _, text in spans[1:] if _YEAR.fullmatch(text))
            for start, end, text in figures:
                above = tuple(
                    folded(told) for line in heads for left, right, told in line if left < end and start < right
                )
                match = _FIGURE.fullmatch(text)
                if match:
                    yield Cell(match["figure"], label, under, (*above, *own, *filter(None, [dated])))
            fresh = True
        elif len(spans) == 1 and not spans[0][0]:
            under = folded(spans[0][2])
            # Above the rows of a year, which have headings of their own.
            dated = under if _YEAR.search(under) else dated
        elif told := [one for one in spans if one[0]]:
            # A heading below figures starts new headings; further ones are below it.
            heads = [told] if fresh else [*heads, told]
            fresh = False


def _spans(row: html.HtmlElement) -> Iterator[tuple[int, int, str]]:
    """First column, column behind the last, and text of each cell of a row."""
    place = 0
    for cell in row.iter("td", "th"):
        told = cell.get("colspan") or "1"
        width = max(int(told) if told.isdigit() else 1, 1)
        yield place, place + width, " ".join(cell.text_content().split())
        place += width


def facts(document: bytes) -> dict[Key, set[Decimal]]:
    """A filing's inline facts by (taxonomy:element, {Axis=Member}, unit, start, end); an instant starts at its end."""
    root = html.fromstring(document)
    units = {one.get("id"): _unit(one) for one in root.iter("xbrli:unit", "unit")}
    contexts = {one.get("id"): _context(one) for one in root.iter("xbrli:context", "context")}
    found: dict[Key, set[Decimal]] = {}
    for one in root.iter("ix:nonfraction"):
        context = contexts.get(one.get("contextref"))
        digits = re.sub(r"[^\d.]", "", one.text_content()) or "0"
        if context is None or digits.count(".") > 1:
            continue
        members, start, end = context
        value = Decimal(digits).scaleb(int(one.get("scale") or 0)) * (-1 if one.get("sign") == "-" else 1)
        found.setdefault((one.get("name"), members, units[one.get("unitref")], start, end), set()).add(value)
    return found


def _unit(element: html.HtmlElement) -> str:
    return "/".join(one.text.strip().partition(":")[2] or one.text.strip() for one in _named(element, "measure"))


def _context(element: html.HtmlElement) -> tuple[frozenset[str], date, date] | None:
    """None of a context with a typed member."""
    if list(_named(element, "typedmember")):
        return None
    members = frozenset(
        f"{one.get('dimension').partition(':')[2]}={one.text.strip().partition(':')[2]}"
        for one in _named(element, "explicitmember")
    )
    end = date.fromisoformat(next(_named(element, "enddate", "instant")).text.strip()[:10])
    start = next((date.fromisoformat(one.text.strip()[:10]) for one in _named(element, "startdate")), end)
    return members, start, end


def _named(element: html.HtmlElement, *names: str) -> Iterator[html.HtmlElement]:
    """The elements below one, of these names in whatever namespace."""
    return (one for one in element.iter() if isinstance(one.tag, str) and one.tag.rpartition(":")[2] in names)


class Documents:
    """The annual reports of ../shared/edgar."""

    def __init__(self, root: Path = SHARED) -> None:
        with (root / "filings.csv").open(encoding="utf-8") as file:
            self.paths = {
                row["accession"]: root / "mirror" / f"{row['mirror_path']}.xz" for row in csv.DictReader(file)
            }
        self.tables = lru_cache(maxsize=None)(lambda accession: tuple(tables(self._text(accession))))
        self.facts = lru_cache(maxsize=None)(
            lambda accession: facts(lzma.decompress(self.paths[accession].read_bytes()))
        )

    def _text(self, accession: str) -> str:
        return lzma.decompress(self.paths[accession].read_bytes()).decode("utf-8", "replace")

    def has(self, fact: FactRef) -> bool:
        """Whether the filing itself has a cited fact, to the digit."""
        key = (fact.name, _members(fact.dimensions), fact.unit, fact.start, fact.end)
        return fact.accession in self.paths and fact.value in self.facts(fact.accession).get(key, ())

    def disagreements(self, row: Golden) -> Iterator[str]:
        """What the filings do not print or tag as a golden says, in words."""
        for value in row.values:
            at = value.pointer
            where = f"{row.id}: {value.literal.row} {value.literal.column} of {at.accession}"
            if at.accession not in self.paths:
                yield f"{where} is not held"
                continue
            yield from (f"{where}: {fault}" for fault in (*self._not_printed(value), *self._not_tagged(value)))

    def _not_printed(self, value: Value) -> Iterator[str]:
        printed = value.literal
        found = {one for table in self.tables(value.pointer.accession) for one in table.find(printed)}
        if found != {Reading(printed.figure, printed.scale)}:
            said = ", ".join(f"{one.figure} e{one.scale}" for one in sorted(found)) or "nothing"
            yield f"prints {said}, not {printed.figure} e{printed.scale}"
        if printed.size != abs(value.value):
            yield f"{printed.figure} is not {value.value}"

    def _not_tagged(self, value: Value) -> Iterator[str]:
        at = value.pointer
        key = (f"{at.taxonomy}:{at.tag}", _members(at.dimensions), at.unit, at.start or at.end, at.end)
        tagged = self.facts(at.accession).get(key, set())
        if tagged != {value.value}:
            said = ", ".join(f"{one:f}" for one in sorted(tagged)) or "nothing"
            yield f"tags {said} with {at.dimensions}, not {value.value}"


def _members(dimensions: str) -> frozenset[str]:
    return frozenset(filter(None, dimensions.split(";")))


def disagreements(rows: Iterable[Golden], documents: Documents) -> Sequence[str]:
    """What any of the goldens has that its filing does not print or tag."""
    return [said for row in rows for said in documents.disagreements(row)]
