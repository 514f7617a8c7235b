"""The figure that documents print under a name: one value of one row and column, none, or several that differ."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from agent.numbers.printed_rows import StoredTable, read_tables, tables_of
from agent.numbers.rounding import same_after_rounding
from agent.state.query import Printed
from agent.words.stems import roots
from filings.models import Filing
from filings.tables.column_periods import NEAR
from filings.tables.months import MONTHS
from filings.tables.printed_cells import fact_of
from filings.tables.reading import ReadCell, ReadRow
from filings.xbrl.facts import Value

# Words of a question that say how much is asked, and not of what: what answers need not have them.
COUNTING = roots(
    "number count total amount figure size level many much quantity value sum overall consolidated company"
)
# Words of a label, or of what stands above it, that make no other figure of what it names.
PLAIN = roots(
    f"total totals overall consolidated company number count amount figure end ending ended beginning year years annual "
    f"fiscal period quarter quarters month months week weeks day days balance at of in the our as for and three six nine "
    f"twelve first second third fourth full half unaudited audited actual reported million thousand billion dollar "
    f"{' '.join(MONTHS)}"
)
# Lines above rows that say what sort of table they stand in.
_HEADING = PLAIN | roots(
    "other key selected additional supplemental supplementary financial operating operations business data information "
    "metric measure statistic highlight summary result performance indicator non gaap reconciliation detail table "
    "statement following except per share cash flow income balance sheet"
)
_PART = roots("segment division region geography")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The period of a figure. days: the length of a duration; a balance is one at its end. end: None for any."""

    end: date | None
    days: range

    def has(self, cell: ReadCell) -> bool:
        """Whether a cell is of this period."""
        first, last = cell.period.start, cell.period.end
        near = self.end is None or abs(last - self.end) <= NEAR
        return near and (first == last or (last - first).days + 1 in self.days)


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A cell that prints the figure named, with its row."""

    filing: Filing
    table: StoredTable
    row: ReadRow
    cell: ReadCell

    @property
    def label(self) -> str:
        """What the row is called, with the line that heads it."""
        return f"{self.row.heading}: {self.row.label}" if self.row.heading else self.row.label

    @property
    def held(self) -> Value:
        """The figure as a value that is in no table of facts: it is found again at its place."""
        return Value(fact_of(self.filing, self.table.section, self.table.page, self.row, self.cell))


def printed_figures(filings: Iterable[Filing], asked: Printed, wanted: Wanted) -> list[PrintedFigure]:
    """The figure of a period in the first of these documents that prints it: several where its values differ.

    Equal values are one, with the most digits that are printed.
    """
    for filing in filings:
        found = [one for one in _of(filing, asked) if wanted.has(one.cell)]
        if found := _unlike(found):
            return found
    return []


def _of(filing: Filing, asked: Printed) -> Iterator[PrintedFigure]:
    """The cells of a document that are called as asked."""
    words = roots(asked.words)
    known = vars(filing)
    tables = read_tables(filing.pk, known["tables"], known["newest"]) if "newest" in known else tables_of(filing.pk)
    for table in tables:
        if asked.section not in (None, table.section):
            continue
        for place in _rows(table, words, asked):
            row = table.rows[place]
            cells = [cell for cell in row.cells if asked.unit in ("", _unit(cell))]
            title = table.title_roots | roots(row.label) | roots(row.heading)
            of_columns = [(cell, _telling(cell.column, title, words)) for cell in cells]
            yield from (PrintedFigure(filing, table, row, cell) for cell, fits in of_columns if fits)


def _rows(table: StoredTable, words: frozenset[str], asked: Printed) -> Iterator[int]:
    """The rows of a table that are called so; the one chosen exactly, where one is."""
    for place, (label, heading, columns) in enumerate(table.named):
        if asked.start is not None:
            if any(asked.start == table.start + cell[1] for cell in table.content["rows"][place][2]):
                yield place
        elif is_called(words, label, heading, columns, table.title_roots):
            yield place


def is_called(
    words: frozenset[str],
    label: frozenset[str],
    heading: frozenset[str],
    columns: frozenset[str],
    title: frozenset[str],
) -> bool:
    """Whether a row is called by these words: it and what stands above it have all of them that tell, and its label none
    that they lack.

    A row is of what its own label or heading says; a heading of other words is that of a part.
    """
    own = label | heading
    asked = words - COUNTING
    if not asked & own or not asked <= own | columns | title:
        return False
    if (label - PLAIN) - words or (heading - _HEADING) - words:
        return False
    return bool(_PART & words) or not _PART & (heading | title)


def _telling(column: str, above: frozenset[str], words: frozenset[str]) -> bool:
    """Whether a column is of what is asked: it has no telling word that the question lacks, and not of another column."""
    told = roots(column) - PLAIN
    told = frozenset(word for word in told if not word.isdigit())
    return not (told - words - above)


def _unit(cell: ReadCell) -> str:
    """The unit of a cell as a formula has it, amounts of whatever currency as USD."""
    money, per, shares = cell.unit.partition("/")
    return f"USD{per}{shares}" if money.isupper() else cell.unit


def _unlike(found: Sequence[PrintedFigure]) -> list[PrintedFigure]:
    kept: list[PrintedFigure] = []
    for one in sorted(found, key=lambda one: (-one.cell.decimals, one.table.section, one.cell.start)):
        alike = (
            one.cell.unit == other.cell.unit
            and same_after_rounding(one.cell.value, one.cell.decimals, other.cell.value, other.cell.decimals)
            for other in kept
        )
        if not any(alike):
            kept.append(one)
    return kept
