"""The refusal of a table in which no asked cell has a value."""

from agent.state import Refusal, Target
from agent.state.tables import Cell, Gap, Result, Table
from filings.xbrl.periods import QUARTERS

# Cells whose reasons are listed one by one.
MOST_TOLD = 6


def unanswered(target: Target, table: Table) -> Refusal:
    """The refusal in the words of the first gap; what else was looked for is listed.

    An operation's own reason comes before those of its cells only where all cells have values.
    """
    cells = [one for one in table.cells if one.asked and one.gap and not one.alternative]
    results = [one for one in table.results if one.gap]
    found: list[Cell | Result] = [*cells, *results] if cells else [*results]
    if not found:
        raise ValueError("A table without a gap is answered.")
    gaps = [one.gap for one in found if one.gap]
    first = gaps[0]
    return Refusal(
        target=target.id,
        code=first.code,
        stage=first.code.row.stage,
        text=first.text,
        detail=first.detail,
        looked_for=tuple(dict.fromkeys((*_filings(cells), *first.looked_for, *_others(cells, first)))),
        tags=tuple(dict.fromkeys(tag for gap in gaps for tag in gap.tags)),
        accessions=tuple(dict.fromkeys(one.accession for one in cells if one.accession)),
        candidates=first.candidates,
    )


def _filings(cells: list[Cell]) -> list[tuple[str, str]]:
    return [
        ("Filing", f"{_report(one)} ended {one.period_end:%-d %b %Y}, {one.accession}")
        for one in cells[:MOST_TOLD]
        if one.accession and one.period_end
    ]


def _report(cell: Cell) -> str:
    """The filing that closes the period: a 10-Q, or the 10-K."""
    return "10-K for the year" if cell.fiscal_period.quarter == len(QUARTERS) else "10-Q for the quarter"


def _others(cells: list[Cell], first: Gap) -> list[tuple[str, str]]:
    """The reasons of the other cells, where they differ."""
    rows = []
    for one in cells:
        if one.gap and one.gap.text != first.text:
            year = f", {one.place.called}" if one.fiscal_year else ""
            rows.append((f"{one.company}, {one.label}{year}", one.gap.text))
    return rows[:MOST_TOLD]
