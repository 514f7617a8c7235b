"""Shows tables with a row for each measure and a column for each year, on every page that has tables."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

from django.utils.text import capfirst

from agent.numbers.cells.measure_keys import MOVES
from agent.numbers.facts.render import column_unit, is_money
from agent.numbers.tables import table_text
from agent.state import Cell, Scale, Table
from agent.web.tables.figure_card import GAP, Figure, is_amount
from filings.xbrl.periods import FiscalPeriod, Place

# Units that figures carry themselves: 46.2%, 1.23x.
CARRIED = {"percent", "ratio", "pure"}
# The first words of a statement's totals.
TOTAL = "Total "
# Digits that an amount keeps, however small it is beside others.
TOLD = 2
UNKNOWN = "n/a"


@dataclass(frozen=True)
class Column:
    """A fiscal year, or a day. sorts: the address that sorts rows by it; sorted: ascending, descending or empty."""

    label: str
    below: str = ""
    sorts: str = ""
    sorted: str = ""


@dataclass(frozen=True)
class Shown:
    """The content of a cell.

    kind: asked, context or gap. reason: of a gap, in a few words. full: the text with all digits, and exact: the figure
    in words, where the text is rounded. restated: where a later report's value is shown, which one, and the first value.
    basis_break: why it is not on one basis with the year before. own: the company's own name of its period and when it
    ends, where the column is a calendar period.
    """

    text: str
    href: str = ""
    kind: str = "context"
    reason: str = ""
    full: str = ""
    exact: str = ""
    restated: str = ""
    basis_break: str = ""
    own: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One measure of one company; None where a column has no cell.

    unit: where the table does not give it for all rows. below: a second line. total: whether it is printed as a
    statement's total.
    """

    label: str
    shown: tuple[Shown | None, ...]
    unit: str = ""
    below: str = ""
    asked: bool = True
    total: bool = False

    @property
    def gap(self) -> str:
        """The common reason where all of its cells are empty for the same one."""
        reasons = {one.reason for one in self.shown if one}
        return reasons.pop() if len(reasons) == 1 and len(self.shown) > 1 else ""


@dataclass(frozen=True)
class Group:
    """Rows under a heading, which may be empty. sorts: the address that sorts by these rows."""

    label: str
    rows: tuple[Row, ...]
    sorts: str = ""


@dataclass(frozen=True)
class YearTable:
    """Rows over columns. corner: what the rows are. unit: of most rows."""

    title: str
    corner: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    unit: str = ""

    @cached_property
    def has_other_units(self) -> bool:
        return any(row.unit for group in self.groups for row in group.rows)

    @cached_property
    def has_context(self) -> bool:
        """Whether there are context figures beside the asked ones."""
        return any(one.kind == "context" for one in self.shown)

    @cached_property
    def is_rounded(self) -> bool:
        """Whether any figure has more digits than shown."""
        return any(one.full for one in self.shown)

    @cached_property
    def shown(self) -> tuple[Shown, ...]:
        """The content of all its cells."""
        return tuple(one for group in self.groups for row in group.rows for one in row.shown if one)

    @cached_property
    def has_restated(self) -> bool:
        return any(one.restated for one in self.shown)

    @cached_property
    def has_breaks(self) -> bool:
        return any(one.basis_break for one in self.shown)

    @property
    def width(self) -> int:
        return len(self.columns) + 1


@dataclass(frozen=True)
class Order:
    """The column and measure (by default the first) that rows are sorted by, and the direction.

    address: of the page sorted so. places: of companies by CIK, where the answer gives an order that no single column
    has.
    """

    place: Place | None = None
    highest: bool = True
    measure: str = ""
    address: Callable[["Order"], str] | None = None
    places: Mapping[int, int] = field(default_factory=dict)

    def to(self, **other: Any) -> str:
        """The address of another order."""
        return self.address(replace(self, **other)) if self.address else ""


@dataclass(frozen=True)
class YearRows:
    """A table's cells as rows over fiscal years.

    id: of the answer's part, for links to formulas; empty where each has its own page. alternatives: whether context
    rows are included.
    """

    table: Table
    scale: Scale | None = None
    id: str = ""
    alternatives: bool = True

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The years, or parts of years, asked; around a single figure every year, with or without data."""
        found = {cell.column for cell in self.table.cells if cell.fiscal_year is not None}
        if self._context and {one.period for one in found} == {FiscalPeriod.YEAR}:
            years = [one.year for one in found]
            return tuple(map(Place, range(min(years), max(years) + 1)))
        return tuple(sorted(found))

    @staticmethod
    def _moves(cell: Cell) -> bool:
        """Whether it is the change of the row above it."""
        return not cell.asked and cell.measure.startswith(tuple(MOVES))

    @cached_property
    def _context(self) -> bool:
        return any(not cell.asked and not self._moves(cell) for cell in self.table.cells)

    @cached_property
    def lines(self) -> list[list[Cell]]:
        return [one for one in table_text.lines(self.table) if self.alternatives or not one[0].alternative]

    @property
    def asked(self) -> list[list[Cell]]:
        """The rows that the question asks for."""
        return [cells for cells in self.lines if any(cell.asked and not cell.alternative for cell in cells)]

    @cached_property
    def companies(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(cell.cik for cell in self.table.cells))

    @cached_property
    def unit(self) -> str:
        """The unit of most asked rows: US$ millions."""
        asked = [cells for cells in self.lines if any(cell.asked for cell in cells)]
        units = Counter(map(self._unit, asked))
        return max(units, key=lambda unit: (units[unit], bool(unit)), default="")

    def _unit(self, cells: Sequence[Cell]) -> str:
        unit = next((cell.unit for cell in cells if cell.value is not None), "")
        return "" if unit in CARRIED or not unit else column_unit(unit, self.scale)

    def view(self, title: str, order: Order | None = None) -> YearTable:
        """The table for pages. With several companies, each measure has its group, sorted by a year."""
        several = len(self.companies) > 1
        sorting = order or (Order(self.newest_with_figures) if several else Order())
        if several:
            groups = self._by_measure(sorting)
            if len(groups) == 1:
                groups = (replace(groups[0], label=""),)
        else:
            groups = (Group("", tuple(self._row(cells, _label(cells[0])) for cells in self.lines)),)
        return YearTable(title, "Company" if several else "Measure", self._columns(sorting), groups, self.unit)

    def statement(self, title: str) -> YearTable:
        """The lines of a company's statement, under their headings, with totals set apart."""
        groups: list[tuple[str, list[Row]]] = []
        for cells in self.lines:
            heading = cells[0].heading
            label = _label(cells[0]).removeprefix(f"{heading} ")
            if not groups or groups[-1][0] != heading:
                groups.append((heading, []))
            groups[-1][1].append(replace(self._row(cells, label), total=label.startswith(TOTAL)))
        shown = tuple(Group(heading, tuple(rows)) for heading, rows in groups)
        return YearTable(title, "Line", self._columns(Order()), shown, self.unit)

    @property
    def newest_with_figures(self) -> Place | None:
        """The newest year, or part of one, with figures of most companies."""
        counts = Counter(cell.column for cell in self.table.cells if cell.value is not None and cell.fiscal_year)
        told = [one for one in counts if counts[one] * 2 > len(self.lines)]
        return max(told or counts, default=None)

    def _columns(self, order: Order) -> tuple[Column, ...]:
        def column(place: Place) -> Column:
            own = order.place is not None and place[:2] == order.place[:2]
            way = ("descending" if order.highest else "ascending") if own and order.address else ""
            sorts = order.to(place=place, highest=not (own and order.highest))
            return Column(place.short, self._ends.get(place, ""), sorts, way)

        return tuple(map(column, self.places))

    @cached_property
    def _ends(self) -> dict[Place, str]:
        """When the periods of a column end: in one month, or from the first to the last."""
        ends: dict[Place, set[date]] = {}
        for cell in self.table.cells:
            if cell.fiscal_year is not None and cell.period_end:
                ends.setdefault(cell.column, set()).add(cell.period_end)
        return {place: _ends_said(days) for place, days in ends.items() if place.calendar or len(days) == 1}

    def _by_measure(self, order: Order) -> tuple[Group, ...]:
        """A group for each measure, companies in the first one's order."""
        groups: dict[str, list[list[Cell]]] = {}
        for cells in self.lines:
            groups.setdefault(_label(cells[0]), []).append(cells)
        ranked, by = self.ranked(order), self._sorting(order)
        return tuple(
            Group(
                label,
                tuple(self._row(cells, cells[0].company) for cells in sorted(found, key=ranked)),
                order.to(measure=found[0][0].measure) if label != by else "",
            )
            for label, found in groups.items()
        )

    def _sorting(self, order: Order) -> str:
        """The label of the measure that rows are sorted by."""
        labels = {cells[0].measure: _label(cells[0]) for cells in reversed(self.lines)}
        return labels.get(order.measure) or next((_label(cells[0]) for cells in self.lines), "")

    def ranked(self, order: Order) -> Callable[[Sequence[Cell]], int]:
        """The rank of a company's rows by one measure in a year; those without a figure last, in their order."""
        if order.places:
            return lambda cells: order.places.get(cells[0].cik, len(order.places))
        first = self._sorting(order)
        values = {
            cells[0].cik: cell.value
            for cells in self.lines
            for cell in cells
            if _label(cells[0]) == first and cell.value is not None
            if order.place is not None and cell.column[:2] == order.place[:2]
        }
        best = sorted(values, key=lambda cik: values[cik], reverse=order.highest)
        place = {cik: number for number, cik in enumerate(best)}
        return lambda cells: place.get(cells[0].cik, len(place))

    def _row(self, cells: Sequence[Cell], label: str) -> Row:
        by_place = {cell.column: cell for cell in cells if cell.fiscal_year is not None}
        # A gap in all years needs no row of changes.
        whole = next((cell for cell in cells if cell.fiscal_year is None), None)
        unit = self._unit(cells)
        first = cells[0]
        # Directly below its row, whose title names the measure.
        below = self._moves(first)
        return Row(
            label=label.partition(" of ")[0] if below else label,
            shown=tuple(self._shown(by_place.get(one, whole), around=below or self._context) for one in self.places),
            unit="" if unit == self.unit else unit,
            below="See also" if first.alternative else "",
            asked=first.asked and not first.alternative,
        )

    def _shown(self, cell: Cell | None, *, around: bool) -> Shown | None:
        if cell is None:
            return Shown(GAP, kind="gap", reason=UNKNOWN) if around else None
        figure = Figure(cell, self.scale, self.decimals(cell))
        if cell.value is None:
            return Shown(figure.column, kind="gap", reason=figure.reason, own=_own_period(cell))
        anchor = f"#formula-{self.id}-{figure.anchor}" if self.id and cell.asked and not cell.fact else ""
        full = figure.full
        kind = "asked" if cell.asserted else "context"
        return Shown(
            figure.column,
            anchor or figure.href,
            kind,
            full=full,
            exact=figure.exact if full else "",
            restated=figure.restated_said,
            basis_break=cell.basis_break,
            own=_own_period(cell),
        )

    def _column(self, cell: Cell) -> object:
        """The amounts it is compared with: those of its company; with several companies, those of its measure."""
        if len(self.companies) > 1:
            return _label(cell) if cell.value is not None and is_money(cell.unit) else None
        return cell.cik if is_amount(cell) else None

    def decimals(self, cell: Cell) -> int | None:
        """Decimals of an amount in its column; None for other figures."""
        return self._places.get(self._column(cell))

    @cached_property
    def _places(self) -> dict[object, int]:
        """Decimals of amounts in one column.

        For one company as many as the longest has; for several as many as the company with the largest unit, or two
        digits of the smallest figure need.
        """
        columns: dict[object, dict[int, list[Figure]]] = {}
        for cell in self.table.cells:
            if (column := self._column(cell)) is not None:
                columns.setdefault(column, {}).setdefault(cell.cik, []).append(Figure(cell, self.scale))
        return {column: _decimals(list(found.values())) for column, found in columns.items()}


def _decimals(companies: Sequence[Sequence[Figure]]) -> int:
    """The decimals of amounts in a column, by company."""
    least = min(max(one.decimals() for one in figures) for figures in companies)
    return max(least, *(one.decimals(TOLD) for figures in companies for one in figures))


def order_of(table: Table) -> Order | None:
    """The order of companies that an answer gives, if it gives one."""
    newest = max(table.rankings, key=lambda one: one.places, default=None)
    return Order(places={one.cik: place for place, one in enumerate(newest.order)}) if newest else None


def _ends_said(days: Collection[date]) -> str:
    """The months of some days: Dec 2024, or Sep 2024 to Jan 2025."""
    first, last = f"{min(days):%b %Y}", f"{max(days):%b %Y}"
    return first if first == last else f"{first} to {last}"


def _own_period(cell: Cell) -> tuple[str, ...]:
    """The company's own name of a period under a calendar one, and the month it ends in: FY2025 and Jan 2025."""
    if cell.calendar_year is None or not cell.fiscal_year:
        return ()
    return tuple(filter(None, (cell.place.short, f"{cell.period_end:%b %Y}" if cell.period_end else "")))


def _label(cell: Cell) -> str:
    return cell.part or capfirst(table_text.measure(cell))
