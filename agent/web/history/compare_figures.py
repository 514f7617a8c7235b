"""Compares the figures of two answers: asserted figures and gaps, results, context, and later values."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from agent.numbers.render import exact, shown
from agent.numbers.table_text import measure, sentence
from agent.refusals.grammar import capitalized, lower_first
from agent.state import Answer, Cell, Scale
from agent.state.fact_findings import FactRef, LaterValue
from agent.state.tables import Result, Table
from agent.web.history.comparison_rows import Kind, Row, rows


@dataclass(frozen=True)
class GivenFigure:
    """A figure of an answer. place: its company and measure, which may have several readings."""

    cell: Cell
    scale: Scale | None
    place: Hashable
    title: str

    @property
    def reading(self) -> Hashable:
        """Identifies the figure within its measure, in any year: tags, kind of period, and unit."""
        return self.place, tuple(fact.name for fact in self.cell.facts), self.cell.unit

    @property
    def dated(self) -> Hashable:
        """The reading of its year."""
        return self.reading, self.cell.place, self.cell.period_end


def figures(old: Answer, new: Answer) -> Iterator[Row]:
    """Rows of the asserted figures with their later values, then of context figures."""
    before, after = given_figures(old), given_figures(new)
    yield from given("Figure", before, after)
    yield from results(old, new)
    yield from later_values(before, after)
    yield from given("Related figure", given_figures(old, beside=True), given_figures(new, beside=True))


def given_figures(answer: Answer, beside: bool = False) -> list[GivenFigure]:
    """The figures or gaps that an answer asserts; with `beside`, its context figures."""
    cells = [cell for block in answer.blocks if block.table for cell in block.table.cells if cell.asked]
    return [
        GivenFigure(
            cell,
            answer.plan.scale,
            (cell.cik, cell.measure, cell.reading),
            ", ".join((cell.company, lower_first(measure(cell)))),
        )
        for cell in cells
        if (cell.value is not None or cell.gap) and cell.alternative is beside
    ]


def given(kind: Kind, old: Sequence[GivenFigure], new: Sequence[GivenFigure]) -> Iterator[Row]:
    """Match figures by subject, then by order: a figure of another year counts as changed, not as new."""
    return rows(
        kind,
        old,
        new,
        key=lambda one: one.place,
        closer=(lambda one: one.dated, lambda one: one.reading),
        title=lambda one: one.title,
        text=figure,
        said=lambda one: said(one.cell),
        source=lambda one: source(one.cell.facts),
    )


def said(cell: Cell) -> Hashable:
    return cell.value, cell.unit, cell.place, cell.period_end, cell.gap and cell.gap.text


def figure(one: GivenFigure) -> str:
    """Fiscal 2024: $31,370 million (31,370,000,000 US dollars)."""
    cell = one.cell
    reading = f", {lower_first(cell.period_reading)}" if cell.period_reading else ""
    year = f"{capitalized(cell.place.called)}{reading}: " if cell.fiscal_year else ""
    if cell.value is None:
        return f"{year}none. {cell.gap.text if cell.gap else ''}".rstrip()
    headline = shown(cell.value, cell.unit, one.scale, reported=cell.fact is not None)
    full = exact(cell.value, cell.unit) if cell.fact else ""
    in_full = f" ({full})" if full and full != headline else ""
    return f"{year}{headline}{in_full}"


def source(facts: Sequence[FactRef]) -> str:
    return "; ".join(
        dict.fromkeys(f"{fact.form} {fact.accession}, {fact.element.partition(':')[2]}" for fact in facts)
    )


def results(old: Answer, new: Answer) -> Iterator[Row]:
    """Results of operations, by subject."""

    def every(answer: Answer) -> list[tuple[Result, Table, Scale | None]]:
        tables = [block.table for block in answer.blocks if block.table]
        return [(one, table, answer.plan.scale) for table in tables for one in table.results]

    return rows(
        "Result",
        every(old),
        every(new),
        key=lambda one: (one[0].operation, one[0].row, one[0].cik),
        title=lambda one: one[0].label,
        text=lambda one: sentence(*one),
        source=lambda one: source(one[0].facts),
    )


# --- later values ---


def later_values(old: Sequence[GivenFigure], new: Sequence[GivenFigure]) -> Iterator[Row]:
    """Later 10-Ks' values of the figures, by figure and filing."""

    def every(figures: Sequence[GivenFigure]) -> list[tuple[GivenFigure, LaterValue]]:
        return [(one, found.later) for one in figures for found in one.cell.restated]

    return rows(
        "Later value",
        every(old),
        every(new),
        key=lambda one: (one[0].reading, one[1].fact.accession),
        closer=(lambda one: (one[0].dated, one[1].fact.accession),),
        title=lambda one: one[0].title,
        text=lambda one: later_value(one[1]),
        source=lambda one: source([one[1].fact]),
    )


def later_value(one: LaterValue) -> str:
    """10-K fiscal 2025: 0.17 US dollars per share, restated."""
    year = f" fiscal {one.fiscal_year}" if one.fiscal_year else ""
    restated = ", restated" if one.change else ", not restated"
    return f"{one.fact.form}{year}: {exact(one.fact.value, one.fact.unit)}{restated}"
