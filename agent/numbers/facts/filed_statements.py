"""The statements of one filing as filed: rows in printed order, with the years that the filing shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.numbers.facts.cited_facts import fact_ref
from agent.numbers.facts.filing_figures import FilingFigures, words
from agent.numbers.facts.statement_lines import KINDS, valued
from agent.numbers.registry.registry import Registry
from agent.state import Cell
from filings.models import Element, Filing, StatementKind
from filings.xbrl import facts
from filings.xbrl.stored_faces import FaceLine

# The years of a statement: three for flows, two for balances.
YEARS = 3


@dataclass(frozen=True)
class FiledStatement:
    """One statement. cells: row by row, each year of a row one cell."""

    kind: StatementKind
    title: str
    cells: tuple[Cell, ...]


def filed_statements(filing: Filing, registry: Registry) -> tuple[FiledStatement, ...]:
    """The statements whose rows are known, in their usual order, without rows that have no figure."""
    filing_figures = FilingFigures(filing, registry)
    faces = {kind: filing_figures.faces[kind] for kind in KINDS if kind in filing_figures.faces}
    names = {line.name for face in faces.values() for line in face.lines}
    facts.prefetch([filing], names, YEARS)
    labels = standard_labels({line.name for face in faces.values() for line in face.lines if not line.label})
    made = []
    for kind, face in faces.items():
        lines = [line for line in face.lines if not line.aside]
        cells = tuple(
            cell for row, line in enumerate(lines) for cell in of_line(line, kind, row, filing_figures, labels)
        )
        if cells:
            made.append(FiledStatement(StatementKind(kind), face.title, cells))
    return tuple(made)


def of_line(
    line: FaceLine, kind: str, row: int, filing_figures: FilingFigures, labels: dict[str, str]
) -> Iterator[Cell]:
    """The figures of a row, the filing's own year first."""
    filing = filing_figures.filing
    for back in range(YEARS):
        if not (printed := next(valued(filing_figures, [(kind, line)], -back), None)):
            continue
        fact = printed.held.fact
        yield Cell(
            row=row,
            cik=filing.company.cik,
            company=filing.company.called,
            measure=line.name,
            label=line.label or labels.get(line.name) or words(line.name),
            heading=line.heading,
            fiscal_year=(filing.fiscal_year or filing.filed.year) - back,
            # An opening balance is dated a day before its column.
            period_end=fact.end if kind == "balance" or fact.start != fact.end else None,
            accession=filing.accession,
            filed=filing.filed,
            url=filing.url,
            value=printed.held.value,
            unit=fact.unit,
            fact=fact_ref(printed.held, filing_figures),
        )


def standard_labels(names: set[str]) -> dict[str, str]:
    """The taxonomy's labels of elements, for rows known only from a linkbase."""
    tags = {name.partition(":")[2] for name in names}
    found = Element.objects.filter(tag__in=tags).order_by("-pk") if tags else ()
    return {one.name: one.label for one in found if one.name in names}
