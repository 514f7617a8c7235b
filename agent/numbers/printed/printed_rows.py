"""The rows of figures that documents print, found by what they are called: their label, and what stands above them."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from django.db.models import Count, Max

from agent.words.printed_words import said
from agent.words.stems import STOP, roots
from agent.words.tokens import stems
from filings.models import Filing, Member, PrintedTable
from filings.tables.cell_meanings import LONGEST_HEADING, ReadCell, ReadRow
from filings.tables.column_periods import Period
from filings.tables.stored_tables import rows_of
from filings.xbrl.axes import PARTS

# Filings whose tables are kept decoded in a process: a question about one is often followed by another.
KEPT = 48
# Where a stored row says that it is of guidance.
GUIDANCE = 3
# What a word of the question is worth by where it stands: in the row's own label, in the line that heads it, in the
# headings of its columns, above its table.
LABEL, HEADING, COLUMN, TITLE = 1.0, 0.9, 0.8, 0.7
# A row is as near as its words are the question's, less so much for those of its label that the question lacks.
UNASKED = 0.5


def folded(text: str) -> frozenset[str]:
    """The words of a name in their compared form, in which only plurals are folded; binding words left out."""
    return frozenset(stems(text)) - STOP


@dataclass(frozen=True)
class StoredTable:
    """A stored table, or the figures of a section's sentences, with the words of each row; cells are decoded when asked."""

    filing: int
    section: int
    kind: str
    start: int
    end: int
    page: str
    title: str
    content: dict[str, Any]
    parts: frozenset[frozenset[str]] = frozenset()  # what the company calls its parts, in folded words
    company: frozenset[str] = frozenset()  # and itself

    def names_part(self, line: str, asked: frozenset[str]) -> bool:
        """Whether a line above figures names a part of the company that is not asked for."""
        told = folded(line)
        return any(part <= told and not part <= asked for part in self.parts)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines above a table, the nearest last, without its unit."""
        lines = map(str.strip, self.title.split("\u203a"))
        return tuple(one for one in lines if not one.startswith("("))

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """Those of them that are headings, and no sentences; not of all notes."""
        lines = (one for one in self.lines if len(one) <= LONGEST_HEADING and not one.endswith((".", ":", ";")))
        return tuple(one for one in lines if not one.lower().startswith("notes to"))

    @property
    def nearest(self) -> str:
        """The line right above it, where it is a heading."""
        return self.lines[-1] if self.lines and self.headings[-1:] == self.lines[-1:] else ""

    @cached_property
    def rows(self) -> tuple[ReadRow, ...]:
        return rows_of(self.content, self.start)

    @cached_property
    def guided(self) -> tuple[int, ...]:
        """The places of its rows of guidance."""
        return tuple(place for place, row in enumerate(self.content["rows"]) if row[GUIDANCE:])

    @cached_property
    def title_roots(self) -> frozenset[str]:
        return roots(self.title)

    @cached_property
    def named(self) -> tuple[tuple[frozenset[str], frozenset[str], frozenset[str]], ...]:
        """Of each row the words of its label, of the line that heads it, and of the headings of its columns."""
        columns = [roots(heading) for heading, *_ in self.content["columns"]]
        return tuple(
            (roots(label), roots(heading), frozenset().union(*(columns[cell[0]] for cell in cells)))
            for label, heading, cells, *_ in self.content["rows"]
        )


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row that may be meant. place: its number in the table, from 0. worth: how well its words are those asked for."""

    table: StoredTable
    place: int
    worth: float

    @property
    def filing(self) -> int:
        """Primary key of the filing that prints it."""
        return self.table.filing

    @property
    def section(self) -> int:
        return self.table.section

    @property
    def title(self) -> str:
        return self.table.title

    @property
    def page(self) -> str:
        return self.table.page

    @property
    def row(self) -> ReadRow:
        return self.table.rows[self.place]

    @property
    def label(self) -> str:
        return self.row.label

    @property
    def heading(self) -> str:
        return self.row.heading

    @property
    def cells(self) -> tuple[ReadCell, ...]:
        return self.row.cells

    @property
    def columns(self) -> tuple[tuple[str, Period, str], ...]:
        """The heading, period and unit of each cell."""
        return tuple((one.column, one.period, one.unit) for one in self.cells)


def rows_near(filings: Collection[int], words: str, most: int) -> list[FoundRow]:
    """The stored rows of filings (primary keys) that may be meant by words, the best first.

    Each word counts by how rare it is among the rows of these filings.
    """
    wanted = roots(words)
    tables = [table for filing in dict.fromkeys(filings) for table in tables_of(filing)]
    weights = _weights(wanted, tables)
    found = [one for table in tables for one in _near(table, wanted, weights)]
    found.sort(key=lambda one: (-one.worth, one.filing, one.section, one.table.start, one.place))
    return found[:most]


def _near(table: StoredTable, wanted: frozenset[str], weights: dict[str, float]) -> Iterator[FoundRow]:
    total = sum(weights.values())
    for place, (label, heading, columns) in enumerate(table.named):
        if not wanted & (label | heading | columns):
            continue
        worth = sum(
            weight
            * max(
                LABEL * (word in label),
                HEADING * (word in heading),
                COLUMN * (word in columns),
                TITLE * (word in table.title_roots),
            )
            for word, weight in weights.items()
        )
        unasked = len(label - wanted) / len(label) if label else 0.0
        yield FoundRow(table, place, worth / total - UNASKED * unasked)


def _weights(wanted: frozenset[str], tables: Sequence[StoredTable]) -> dict[str, float]:
    """What each word says: the fewer rows it stands in or above, the more."""
    counts: Counter[str] = Counter()
    every = 0
    for table in tables:
        every += len(table.named)
        above = wanted & table.title_roots
        for label, heading, columns in table.named:
            counts.update(above | (wanted & (label | heading | columns)))
    return {word: math.log(1 + (1 + every) / (1 + counts[word])) for word in wanted}


def tables_of(filing: int, kind: str = "") -> tuple[StoredTable, ...]:
    """What a filing prints, read anew where it was stored anew. kind: only tables, or only sentences."""
    held = PrintedTable.objects.filter(filing=filing, kind__contains=kind)
    stored = held.aggregate(tables=Count("pk"), newest=Max("pk"))
    return read_tables(filing, stored["tables"], stored["newest"] or 0, kind)


@lru_cache(maxsize=KEPT)
def read_tables(filing: int, count: int, newest: int, kind: str = "") -> tuple[StoredTable, ...]:
    """The tables of a filing, as long as these are so many and the newest has this primary key."""
    columns = ("filing_id", "section", "kind", "start", "end", "page", "title", "content")
    held = PrintedTable.objects.filter(filing=filing, kind__contains=kind)
    stored = held.order_by("section", "start", "kind").values_list(*columns)
    parts = _parts_of(filing) if count else frozenset()
    company = folded(Filing.objects.values_list("company__name", flat=True).get(pk=filing)) if count else frozenset()
    return tuple(replace(StoredTable(*one), parts=parts, company=company) for one in stored)


def _parts_of(filing: int) -> frozenset[frozenset[str]]:
    """What the company of a filing calls its segments, products and regions."""
    company = Filing.objects.filter(pk=filing).values("company")
    labels = Member.objects.filter(filing__company__in=company, axis__in=PARTS).values_list("label", flat=True)
    of_any = frozenset(said("any part").split())
    return frozenset(words for label in labels.order_by().distinct() if (words := folded(label) - of_any))
