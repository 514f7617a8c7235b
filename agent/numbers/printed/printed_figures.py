"""The figure that documents print under a name: one value of one row and column, none, or several that differ."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from agent.numbers.facts.rounding import same_after_rounding
from agent.numbers.printed.printed_rows import StoredTable, folded, read_tables, tables_of
from agent.numbers.registry.concept import PeriodType
from agent.numbers.registry.registry import load
from agent.numbers.registry.registry_schema import normalise
from agent.numbers.registry.units import in_formulas
from agent.state.query import Printed
from agent.words.printed_words import names_nothing, said
from agent.words.stems import roots
from filings.models import Filing, PrintedTable
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import NEAR
from filings.tables.printed_cells import fact_of
from filings.tables.table_units import PERCENT
from filings.tables.table_words import table_words
from filings.xbrl.facts import Value

_WHOLE = "consolidated"
_COLUMN = folded(said("columns"))
_ADJUSTED = folded(said("again"))
_MEASURING = folded(table_words()["measuring"].replace("|", " "))
_COMPARING, _WHOLES = folded(said("comparing columns")), folded(said("of the whole"))
_EITHER_SIGN = folded(said("either sign")) | roots(said("either sign")) | {"/"}
_BRACKETED = re.compile(r"/?\s*\([^()]*\)")
_OPENING = folded(said("opening"))
YEAR_DIGITS = 4
_YEAR = re.compile(r"(?:fy)?(?:19|20)\d\d|[1-4]q\d\d|q[1-4]|fy\d\d")


@dataclass(frozen=True, slots=True)
class Form:
    """One compared form of words, by which a row is told from others. Roots are quick, and folded words exact."""

    of: Callable[[str], frozenset[str]]
    counting: frozenset[str]
    plain: frozenset[str]
    heading: frozenset[str]
    title: frozenset[str]
    part: frozenset[str]

    def is_called(self, words: str, row: ReadRow, heading: str, title: str, above: str, *, of_part: bool) -> bool:
        """Whether a row is called by these words: it and what stands above it have all of them that tell, and its label
        and heading none that they lack; nor is it of a part of the company, unless they name one.

        title: what names the table. above: all that stands above it.
        """
        asked, own, head, titled = self.of(words), self.of(row.label), self.of(heading), self.of(title)
        told = asked - self.counting
        near = own | head | self.of(" ".join(dict.fromkeys(cell.column for cell in row.cells)))
        if not told & (own | head) or not told <= near | titled:
            return False
        if not told <= near and (titled - self.title) - asked:
            return False  # a title of several things names none of them
        bracketed = _BRACKETED.findall(f"{row.label} {heading}")
        either = self.of(" ".join(bracketed)) & _EITHER_SIGN if bracketed else frozenset[str]()
        adjusting, repeating = _adjusting(self.of)
        again = repeating if asked & adjusting else frozenset[str]()
        if (own - self.plain) - asked - either or (head - self.heading) - asked - either - again:
            return False
        return of_part or bool(self.part & asked) or not self.part & (head | self.of(above))


@cache
def _adjusting(of: Callable[[str], frozenset[str]]) -> tuple[frozenset[str], frozenset[str]]:
    """The words of an adjusted figure, and those that beside them only say so again, in the form that is compared."""
    return of(said("adjusting")), of(said("again"))


# "Corporation" and "corporate" are of one root.
_ROOTS = Form(
    roots, roots(said("counting")), roots(said("plain")), roots(said("headings")), roots(said("titles")), frozenset()
)
_FOLDED = Form(
    folded, folded(said("counting")), folded(said("plain")), folded(said("headings")), folded(said("titles")),
    folded(said("parts")),
)  # fmt: skip


# Of guidance, words of outlooks and of periods narrow nothing: the period is read, and every figure of it is to come.
_GUIDED_LABELS = said("guided_labels")
_GUIDED_HEADS = said("guided_headings")


def _dateless(of: Callable[[str], frozenset[str]]) -> Callable[[str], frozenset[str]]:
    return lambda text: frozenset(one for one in of(text) if not _YEAR.fullmatch(one))


_GUIDED = tuple(
    Form(
        _dateless(of), of(f"{said('counting')} {said('deeds')}"), of(_GUIDED_LABELS), of(_GUIDED_HEADS), frozenset(), form.part,
    )
    for of, form in ((roots, _ROOTS), (folded, _FOLDED))
)  # fmt: skip


def guided_words(name: str) -> frozenset[str]:
    """The words by which guidance is told apart, in the form in which they are compared."""
    return _GUIDED[0].of(name) - _GUIDED[0].counting - _GUIDED[0].plain


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
    """A cell that prints the figure named, with its row. by_label: whether no more than the label of the row is as asked."""

    filing: Filing
    table: StoredTable
    row: ReadRow
    cell: ReadCell
    by_label: bool = False

    @property
    def label(self) -> str:
        """What the row is called, with the line that heads it where that tells what it is of."""
        heading = _scope(self.table, self.row)[1]
        form = _GUIDED[1] if self.row.guidance else _FOLDED
        return f"{heading}: {self.row.label}" if form.of(heading) - form.heading else self.row.label

    def called(self, words: str) -> str:
        """What the row is called for these words, with the line above it that has those of them that it lacks: "Operating
        margin (Aeronautics)".
        """
        missing = folded(words) - _FOLDED.counting - folded(f"{self.label} {self.row.heading} {self.cell.column}")
        line = next((one for one in reversed(self.table.headings) if missing & folded(one)), "")
        return f"{self.label} ({line})" if line else self.label

    @property
    def within(self) -> str:
        """The line above it that tells it from another of its name; empty where none does."""
        return next(filter(None, (self.row.heading, self.table.nearest, *reversed(self.table.headings))), "")

    @property
    def is_of_whole(self) -> bool:
        """Whether it says itself that it is of the whole company."""
        above = " ".join(self.table.headings)
        return _WHOLE in folded(f"{self.row.label} {self.row.heading} {above} {self.cell.column}")

    @property
    def held(self) -> Value:
        """The figure as a value that is in no table of facts: it is found again at its place; of a payment what was paid."""
        fact = fact_of(self.filing, self.table.section, self.table.page, self.row, self.cell)
        return Value(fact, negated=fact.value < 0 and not self.row.guidance and load().is_payment(self.row.label))


def printed_figures(
    filings: Iterable[Filing], names: Sequence[Printed], wanted: Wanted, *, of_part: bool = False
) -> list[PrintedFigure]:
    """The figure of a period in the first of these documents that prints it under any of these names: several where its
    values differ.

    Equal values are one, with the most digits that are printed. of_part: whether the names are of a part of the company.
    Those that are found by their label alone come last: they say that another measure may be meant, and are no answer.
    """
    for filing in filings:
        found = [
            one for asked in names for one in figures_called(filing, asked, of_part=of_part) if wanted.has(one.cell)
        ]
        whole = [one for one in found if one.is_of_whole and not of_part]
        if found := _unlike(whole or found):
            return found if of_part else _unlike([*found, *_other_measures(filing, found, names, wanted)])
    return []


def _other_measures(
    filing: Filing, found: Sequence[PrintedFigure], names: Sequence[Printed], wanted: Wanted
) -> Iterator[PrintedFigure]:
    """The figures of the same period beside rows that are called the same, where neither their label nor the name asked
    names a measure: what is measured stands above them, and may be another.
    """
    labels = {folded(one.row.label) for one in found if not folded(one.row.label) & _MEASURING}
    units = {one.cell.unit for one in found}
    if not labels or any(one.start is not None or one.guidance or folded(one.words) & _MEASURING for one in names):
        return
    for table in tables_of(filing.pk):
        for row in table.rows:
            if row.guidance or folded(row.label) not in labels:
                continue
            yield from (
                PrintedFigure(filing, table, row, cell, by_label=True)
                for cell in row.cells
                if cell.unit in units and wanted.has(cell)
            )


def figures_called(filing: Filing, asked: Printed, *, of_part: bool = False) -> Iterator[PrintedFigure]:
    """The cells of a document that are called as asked: of results, or of guidance where that is asked."""
    known = {} if asked.guidance else vars(filing)
    kind = PrintedTable.Kind.SENTENCES if asked.guidance else ""
    tables = (
        read_tables(filing.pk, known["tables"], known["newest"]) if "newest" in known else tables_of(filing.pk, kind)
    )
    for table in tables:
        if asked.section not in (None, table.section):
            continue
        for place in _rows(table, asked, of_part=of_part):
            row = table.rows[place]
            if row.guidance and not asked.guidance:
                continue
            for cell in row.cells:
                if cell.value < 0 and cell.unit in {"count", "shares"}:
                    continue  # taken from a number, in brackets
                if not row.guidance and _may_be_of_a_group(row, cell):
                    continue
                if cell.period.start != cell.period.end and cell.unit != PERCENT and _is_balance(row.label):
                    continue  # of the first or of the last day: the head of a flow does not say
                if asked.start is None and cell.period.start == cell.period.end and _OPENING & folded(row.label):
                    continue  # dated by the last day of the year before, whose balance it is
                if asked.unit in ("", in_formulas(cell.unit)) and (row.guidance or _fits(cell.column, asked.words)):
                    yield PrintedFigure(filing, table, row, cell)


def _rows(table: StoredTable, asked: Printed, *, of_part: bool) -> Iterator[int]:
    """The rows of a table that are called so; the one chosen exactly, where one is."""
    forms = _GUIDED if asked.guidance else (_ROOTS, _FOLDED)
    words = roots(asked.words) - forms[0].counting
    for place in table.guided if asked.guidance else range(len(table.content["rows"])):
        label, heading, columns = table.named[place]
        if asked.start is not None:
            if any(asked.start == table.start + cell[1] for cell in table.content["rows"][place][2]):
                yield place
            continue
        near = words & (label | heading) and words <= label | heading | columns | table.title_roots
        if not near or (asked.unit == "count" and _is_narrowed(table, table.rows[place], asked.words)):
            continue
        if _is_row(table, table.rows[place], asked.words, forms, of_part=of_part):
            yield place


def _is_narrowed(table: StoredTable, row: ReadRow, words: str) -> bool:
    """Whether the heading right above a table tells which of the things counted are meant: claims for asbestos."""
    known = _FOLDED.of(f"{words} {row.label} {row.heading}") | _FOLDED.heading | _FOLDED.title
    return table.kind != PrintedTable.Kind.SENTENCES and bool(_FOLDED.of(table.nearest) - known - table.company)


def _is_row(table: StoredTable, row: ReadRow, words: str, forms: Iterable[Form], *, of_part: bool) -> bool:
    nearest, heading = _scope(table, row)
    title = nearest or table.title
    asked = folded(words)
    if not of_part and any(table.names_part(line, asked) for line in (nearest, *table.lines)):
        return False
    if _ADJUSTED & folded(f"{row.heading} {nearest}") and not _ADJUSTED & asked and is_tagged(words):
        return False  # under "Non-GAAP" it is an adjusted one
    if names_nothing(row.label) and not (asked - folded(row.label) - _FOLDED.counting):
        return False  # "Additions": of what, only its table says
    above = " ".join((*table.lines, row.heading))
    return all(form.is_called(words, row, heading, title, above, of_part=of_part) for form in forms)


def is_tagged(words: str) -> bool:
    """Whether words are a name of a measure that filers report under a tag."""
    registry = load()
    return any(map(registry.is_tagged, registry.aliases.get(normalise(words), ())))


@lru_cache(maxsize=1024)
def _is_balance(label: str) -> bool:
    """Whether a label is that of balances alone, as the registry knows them."""
    instants = {one.period is not PeriodType.DURATION for one in load().concepts.values() if one.accepts(label)}
    return instants == {True}


def _scope(table: StoredTable, row: ReadRow) -> tuple[str, str]:
    """The heading that a row stands under, and the line that heads it: of a sentence, of which part of the company it is."""
    if row.guidance:
        return "", " ".join(word for word in row.heading.split() if not folded(word) <= table.company)
    if table.kind != PrintedTable.Kind.SENTENCES:
        return table.nearest, row.heading
    heading, _, scope = row.heading.rpartition(", ") if ", " in row.heading else (row.heading, "", "")
    return heading, "" if folded(scope) <= table.company else scope


def _may_be_of_a_group(row: ReadRow, cell: ReadCell) -> bool:
    """Whether a heading over some columns of a row may be this one's too, which has nothing but a year: "2022 | Pension 2021 |
    2020", where it stands over the middle.
    """
    if _telling(cell.column):
        return False
    years = {one.period.end for one in row.cells if one is not cell}
    return any(_telling(one.column) - _COMPARING for one in row.cells if len(years) > 1 and _has_year(one.column))


@lru_cache(maxsize=4096)
def _telling(column: str) -> frozenset[str]:
    """The words of a column's heading that tell more than its period."""
    told = _FOLDED.of(column) - (_FOLDED.plain - _WHOLES) - _COLUMN
    return frozenset(word for word in told if not word.isdigit())


def _has_year(column: str) -> bool:
    return any(word.isdigit() and len(word) == YEAR_DIGITS for word in _FOLDED.of(column))


def _fits(column: str, words: str) -> bool:
    """Whether a column is of what is asked: it has no telling word that the question lacks."""
    told = _FOLDED.of(column) - _FOLDED.plain - _COLUMN - _FOLDED.of(words)
    return all(word.isdigit() for word in told)


def _unlike(found: Sequence[PrintedFigure]) -> list[PrintedFigure]:
    kept: list[PrintedFigure] = []
    for one in sorted(found, key=lambda one: (one.by_label, -one.cell.decimals, one.table.section, one.cell.start)):
        alike = (
            one.cell.unit == other.cell.unit
            and same_after_rounding(one.cell.value, one.cell.decimals, other.cell.value, other.cell.decimals)
            for other in kept
        )
        if not any(alike):
            kept.append(one)
    return kept
