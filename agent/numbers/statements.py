"""The statements of one filing as it files them: its rows in their order, each with the years that stand beside it."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.numbers.book import Book, words
from agent.numbers.cite import fact_ref
from agent.numbers.lines import KINDS, valued
from agent.numbers.registry import Registry
from agent.state import Cell
from filings.models import Element, Filing, StatementKind
from filings.xbrl import facts
from filings.xbrl.facts import FaceLine

# The years of a statement: three of flows, two of balances.
YEARS = 3


@dataclass(frozen=True)
class FiledStatement:
    """One statement. cells: of row 0 the first ones, each year of a row one; headings: what each row stands under."""

    kind: StatementKind
    title: str
    cells: tuple[Cell, ...]
    headings: tuple[str, ...]


def filed_kinds(filing: Filing, registry: Registry) -> tuple[StatementKind, ...]:
    """The statements whose rows are known and have a figure, in their usual order."""
    book = _read(filing, registry)
    return tuple(
        StatementKind(kind)
        for kind in KINDS
        if kind in book.faces and any(_valued(line, kind, book) for line in book.faces[kind].lines)
    )


def filed_statement(filing: Filing, kind: StatementKind, registry: Registry) -> FiledStatement | None:
    """One statement, a row without any figure left out; None where its rows are not known or have none."""
    book = _read(filing, registry)
    face = book.faces.get(kind.value)
    lines = [line for line in (face.lines if face else ()) if _valued(line, kind.value, book)]
    if face is None or not lines:
        return None
    labels = standard_labels({line.name for line in lines if not line.label})
    cells = (cell for row, line in enumerate(lines) for cell in of_line(line, kind.value, row, book, labels))
    return FiledStatement(kind, face.title, tuple(cells), tuple(line.heading for line in lines))


def _read(filing: Filing, registry: Registry) -> Book:
    """The filing with the facts of all of its statements, which are read once."""
    book = Book(filing, registry)
    names = {line.name for kind in KINDS if kind in book.faces for line in book.faces[kind].lines}
    facts.prefetch([filing], names, YEARS)
    return book


def _valued(line: FaceLine, kind: str, book: Book) -> bool:
    """Whether a row has a figure of any year."""
    return not line.aside and any(True for back in range(YEARS) for _ in valued(book, [(kind, line)], -back))


def of_line(line: FaceLine, kind: str, row: int, book: Book, labels: dict[str, str]) -> Iterator[Cell]:
    """The figures of a row, the filing's own year first."""
    filing = book.filing
    for back in range(YEARS):
        if not (printed := next(valued(book, [(kind, line)], -back), None)):
            continue
        fact = printed.held.fact
        yield Cell(
            row=row,
            cik=filing.company.cik,
            company=filing.company.called,
            measure=line.name,
            label=line.label or labels.get(line.name) or words(line.name),
            fiscal_year=(filing.fiscal_year or filing.filed.year) - back,
            # An opening balance is of a day before its column's.
            period_end=fact.end if kind == "balance" or fact.start != fact.end else None,
            accession=filing.accession,
            filed=filing.filed,
            url=filing.url,
            value=printed.held.value,
            unit=fact.unit,
            fact=fact_ref(printed.held, book),
        )


def standard_labels(names: set[str]) -> dict[str, str]:
    """What the taxonomy calls elements: where only a linkbase is held, their rows have no printed label."""
    tags = {name.partition(":")[2] for name in names}
    found = Element.objects.filter(tag__in=tags).order_by("-pk") if tags else ()
    return {one.name: one.label for one in found if one.name in names}
