"""The Excel workbook of an answer: a sheet for each table, then formulas and sources.

A computed figure is a formula over the cells of its operands, so that it follows what is typed over them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO

from django.utils.text import capfirst

from agent.numbers.facts.render import is_money
from agent.numbers.tables import table_text
from agent.state import Cell, FactRef, Scale, Table
from agent.state.tables import Result
from agent.web.exports.cell_values import (
    Amount,
    Formula,
    Linked,
    Remarked,
    Value,
    amount,
    unit_in_full,
    unit_shown,
)
from agent.web.exports.figure_rows import Site, fact_page, figures
from agent.web.exports.provenance import About, remarks
from agent.web.exports.sheet_chart import draw
from agent.web.exports.sheet_layout import SheetLayout
from agent.web.exports.xlsx_writer import Book, Sheet
from agent.web.tables.figure_card import Figure
from agent.web.tables.formula_words import as_text, in_figures, of_one_money
from agent.web.tables.table_card import TableCard
from filings.xbrl.periods import Place

FORMULAS, SOURCES = "Formulas", "Sources"
MARKS = (
    "Marked r: as a later report restates it. Line on the left: not on the same basis as the year before. The comments say "
    "which."
)
TOTAL = "Total "
# Wider columns would leave no room for figures.
MOST_WIDE = 48
OF_FORMULAS = (
    ("Company", 24.0),
    ("Fiscal year", 12.0),
    ("Period", 9.0),
    ("Measure", 34.0),
    ("Value", 18.0),
    ("Unit", 14.0),
    ("Formula", 60.0),
    ("In figures", 44.0),
)
OF_SOURCES = (
    ("Company", 24.0),
    ("Fiscal year", 11.0),
    ("Period", 9.0),
    ("Measure", 34.0),
    ("Role", 9.0),
    ("Operand", 30.0),
    ("Printed label", 34.0),
    ("Tag", 46.0),
    ("Axis", 24.0),
    ("Member", 24.0),
    ("Value as filed", 20.0),
    ("Unit", 11.0),
    ("Period start", 12.0),
    ("Period end", 12.0),
    ("Form", 8.0),
    ("Accession", 21.0),
    ("Filed", 12.0),
    ("Fact page", 38.0),
    ("Filing", 60.0),
)


def write(file: IO[bytes], tables: Sequence[TableCard], about: About, site: Site) -> None:
    """The tables, then formulas, then facts."""
    formulas = [row for card in tables for row in _formulas(card.table)]
    # Excel row numbers, below the headings.
    places = {id(of): number for number, (of, _) in enumerate(formulas, start=2)}
    title = about.title or tables[0].title
    with Book(file, title) as book:
        for number, card in enumerate(tables, start=1):
            _table(book, "Figures" if len(tables) == 1 else f"Figures {number}", card, about, places, site)
        if formulas:
            sheet = Sheet(book, FORMULAS, OF_FORMULAS, frozen=1)
            for _, values in formulas:
                sheet.write(values)
            sheet.filtered(0)
        sheet = Sheet(book, SOURCES, OF_SOURCES, frozen=1)
        for card in tables:
            for values in _sources(card.table, site):
                sheet.write(values)
        sheet.filtered(0)


# --- figures ---


@dataclass(frozen=True)
class FigureSheet:
    """The sheet of one table. links: rows of the sheet of formulas, by the identity of the figure."""

    layout: SheetLayout
    links: Mapping[int, int]
    site: Site

    @property
    def card(self) -> TableCard:
        return self.layout.card

    @property
    def scale(self) -> Scale:
        """The unit in which money is shown."""
        return self.card.scale or Scale.MILLIONS

    def row(self, cells: Sequence[Cell]) -> list[Value]:
        """A measure of a company over the columns."""
        by_place = {cell.column: cell for cell in cells}
        unit = next((cell.unit for cell in cells if cell.value is not None), "")
        beside = " (also computed)" if cells[0].alternative else ""
        label = f"{cells[0].part or capfirst(table_text.measure(cells[0]))}{beside}"
        if self.card.statement and cells[0].heading:
            label = label.removeprefix(f"{cells[0].heading} ")
        figures = [self.figure(by_place.get(one)) for one in self.card.rows.places]
        return [cells[0].company, label, unit_shown(unit, self.scale), *figures]

    def figure(self, cell: Cell | None) -> Value:
        """A year's figure, linked to its fact or formula; or why there is none. A comment says why it is marked."""
        if cell is None or (cell.gap and not cell.gap.text):
            return None
        if cell.gap:
            return Remarked(cell.gap.code.row.title, f"{cell.gap.text} {cell.gap.detail}".strip())
        given = amount(cell)
        if given is None:
            return None
        places = self.card.rows.decimals(cell) or 0
        given = replace(self.shown(given), places=places, restated=cell.recast is not None)
        shown: Amount | Formula | Linked = self.computed(given, cell)
        if cell.fact:
            shown = Linked(given, fact_page(cell.fact, self.site))
        elif place := self.links.get(id(cell)):
            shown = Linked(self.computed(given, cell), f"internal:'{FORMULAS}'!A{place}")
        said = " ".join(filter(None, (given.remark, Figure(cell, self.card.scale).restated_said, cell.basis_break)))
        return Remarked(shown, said, breaks=bool(cell.basis_break)) if said else shown

    def result(self, one: Cell | Result) -> Value:
        """A result of an operation, as a formula linked to its words."""
        given = amount(one)
        if given is None:
            return None
        place = self.links.get(id(one))
        shown = self.computed(self.shown(given), one)
        return Linked(shown, f"internal:'{FORMULAS}'!A{place}") if place else shown

    def operand(self, fact: FactRef) -> Value:
        given = self.shown(Amount(fact.value, fact.unit))
        shown = Linked(given, fact_page(fact, self.site))
        return Remarked(shown, given.remark) if given.remark else shown

    def shown(self, given: Amount) -> Amount:
        return replace(given, scale=self.scale) if is_money(given.unit) and "/" not in given.unit else given

    def computed(self, given: Amount, of: Cell | Result) -> Amount | Formula:
        text = self.layout.formula(of)
        return Formula(text, given) if text else given


def _table(book: Book, name: str, card: TableCard, about: About, links: Mapping[int, int], site: Site) -> None:
    address = [Linked(about.url, about.url)] if about.url else []
    above: list[Value] = [about.title or card.title, *about.lines, *address]
    layout = SheetLayout(card, len(above) + 2)
    sheet_figures = FigureSheet(layout, links, site)
    rows = [one for one in layout.lines if not isinstance(one, str)]
    columns = (
        ("Company", _width(["Company", *(cells[0].company for cells in rows)])),
        (
            "Measure",
            _width(
                [
                    "Over the years",
                    *(one.measure for one in layout.results),
                    *(table_text.row_label(cells[0]) for cells in rows),
                ]
            ),
        ),
        ("Unit", 24.0),
        *((one.short, 18.0) for one in card.rows.places),
    )
    sheet = Sheet(book, name, columns, above, frozen=2)
    for line in layout.lines:
        if isinstance(line, str):
            sheet.write(["", line], bold=True)
        else:
            values = sheet_figures.row(line)
            sheet.write(values, **({"bold": True} if card.statement and str(values[1]).startswith(TOTAL) else {}))
    if layout.results:
        sheet.write([])
        sheet.write(["Company", "Over the years", "Unit", "Value", "Fiscal years"], bold=True)
        for one in layout.results:
            unit = unit_shown(one.of.unit, sheet_figures.scale)
            sheet.write([one.company, one.measure, unit, sheet_figures.result(one.of), one.year])
    if layout.operands:
        sheet.write([])
        sheet.write(["Company", "Operands", "Unit", *(one.short for one in layout.places)], bold=True)
        for row in layout.operands:
            of_years = (row.facts.get(one) for one in layout.places)
            values = [sheet_figures.operand(fact) if fact else None for fact in of_years]
            sheet.write([row.company, row.label, unit_shown(row.unit, sheet_figures.scale), *values])
    sheet.write([])
    for company, periods in _own_periods(card):
        sheet.write([company, "Own period", "", *periods])
    marked = [MARKS] if any(cell.recast or cell.basis_break for cell in card.table.cells) else []
    for said in (*marked, *remarks(card)):
        sheet.write([said])
    draw(sheet, layout, sheet_figures.shown)


def _own_periods(card: TableCard) -> Iterator[tuple[str, list[str]]]:
    """Each company with its own period in each column, where the columns are the calendar's."""
    companies: dict[str, dict[Place, str]] = {}
    for cell in card.table.cells:
        if said := table_text.own_period(cell).strip(" ()"):
            companies.setdefault(cell.company, {})[cell.column] = said
    for company, periods in companies.items():
        yield company, [periods.get(one, "") for one in card.rows.places]


def _width(texts: Iterable[str]) -> float:
    return float(min(max(map(len, texts)), MOST_WIDE) + 2)


# --- formulas and sources ---


def _formulas(table: Table) -> Iterator[tuple[Cell | Result, list[Value]]]:
    """Each computed figure with its formula, in words and in its operands' figures."""
    for one in figures(table):
        of = one.of
        if of.formula and of.value is not None:
            worked = as_text(in_figures(of.formula, of.unit, of.operands))
            millions = " (money in millions)" if worked and of_one_money(of.operands) else ""
            named = [one.company, one.year, one.period, one.measure, amount(of), unit_in_full(of.unit)]
            yield of, [*named, one.formula, f"{worked}{millions}"]


def _sources(table: Table, site: Site) -> Iterator[list[Value]]:
    """A row for each fact of each figure."""
    for one in figures(table):
        if one.cell and one.cell.fact:
            yield [one.company, one.year, one.period, one.measure, "Value", "", *_filed(one.cell.fact, site)]
            continue
        for operand in one.of.operands:
            who = one.names.get(operand.cik, "")
            period = str(operand.fiscal_period)
            yield [
                who,
                operand.fiscal_year,
                period,
                one.measure,
                "Operand",
                operand.label,
                *_filed(operand.fact, site),
            ]


def _filed(fact: FactRef, site: Site) -> list[Value]:
    """A fact as filed. A balance has no first day."""
    page = fact_page(fact, site)
    return [
        fact.label,
        fact.name,
        fact.axis,
        fact.member,
        Amount(fact.value, fact.unit),
        fact.unit,
        fact.start if fact.start != fact.end else None,
        fact.end,
        fact.form,
        fact.accession,
        fact.filed,
        Linked(page, page),
        Linked(fact.url, fact.url) if fact.url else None,
    ]
