"""The Excel workbook of an answer: a sheet for each table, then formulas and sources."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO

from django.utils.text import capfirst

from agent.numbers import table_text
from agent.state import Cell, FactRef, Table
from agent.state.tables import CellOperand, Result
from agent.web.exports.cell_values import Amount, Linked, Remarked, Value, amount, unit_in_full
from agent.web.exports.figure_rows import Site, called, companies, fact_page, own_figures, part_of, years_of
from agent.web.exports.provenance import About, remarks
from agent.web.exports.xlsx_writer import Book, Sheet
from agent.web.tables.formula_words import in_figures, in_words, of_one_money
from agent.web.tables.table_card import TableCard

FORMULAS, SOURCES = "Formulas", "Sources"
COMPUTED = "Computed figures have 15 digits here; the CSV file has all digits."
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


def _table(book: Book, name: str, card: TableCard, about: About, places: Mapping[int, int], site: Site) -> None:
    lines = table_text.lines(card.table)
    columns = (
        ("Company", _width(cells[0].company for cells in lines)),
        ("Measure", _width(table_text.measure(cells[0]) for cells in lines)),
        ("Unit", 14.0),
        *((one.short, 18.0) for one in card.rows.places),
    )
    address = [Linked(about.url, about.url)] if about.url else []
    sheet = Sheet(book, name, columns, [about.title or card.title, *about.lines, *address], frozen=2)
    for cells in lines:
        by_place = {cell.column: cell for cell in cells}
        unit = next((cell.unit for cell in cells if cell.value is not None), "")
        figures = [_figure(by_place.get(one), places, site) for one in card.rows.places]
        beside = " (also computed)" if cells[0].alternative else ""
        label = f"{capfirst(table_text.measure(cells[0]))}{beside}"
        sheet.write([cells[0].company, label, unit_in_full(unit), *figures])
        own = [
            table_text.own_period(by_place[one]).strip(" ()") if one in by_place else "" for one in card.rows.places
        ]
        if any(own):
            sheet.write(["", "Own period", "", *own])
    sheet.write([])
    if computed := own_figures(card.table):
        sheet.write(["Company", "Over the years", "Unit", "Value", "Fiscal years"], bold=True)
        names = companies(card.table)
        for one in computed:
            figure = _leading(amount(one), one, places)
            sheet.write([names.get(one.cik or 0, ""), called(one), unit_in_full(one.unit), figure, years_of(one)])
        sheet.write([])
    for line in (*remarks(card), *([COMPUTED] if card.shows_work else [])):
        sheet.write([line])


def _figure(cell: Cell | None, places: Mapping[int, int], site: Site) -> Value:
    """The value of a year's column: a figure linked to its fact or formula, or the reason for a gap."""
    if cell is None:
        return None
    if cell.gap:
        return Remarked(cell.gap.code.row.title, f"{cell.gap.text} {cell.gap.detail}".strip())
    shown = amount(cell)
    return Linked(shown, fact_page(cell.fact, site)) if shown and cell.fact else _leading(shown, cell, places)


def _leading(shown: Amount | None, of: Cell | Result, places: Mapping[int, int]) -> Value:
    place = places.get(id(of))
    return Linked(shown, f"internal:'{FORMULAS}'!A{place}") if shown and place else shown


def _width(texts: Iterable[str]) -> float:
    return float(min(max((len(text) for text in texts), default=0), MOST_WIDE) + 2)


# --- formulas and sources ---


def _formulas(table: Table) -> Iterator[tuple[Cell | Result, list[Value]]]:
    """Each computed figure with its formula, in words and in its operands' figures."""
    names = companies(table)
    for cell in table.cells:
        if cell.formula and cell.value is not None:
            words = in_words(cell.formula, cell.unit, cell.operands, cell.place, names)
            period = str(cell.fiscal_period)
            yield cell, [cell.company, cell.fiscal_year, period, table_text.measure(cell), *_worked(cell, words)]
    for one in own_figures(table):
        words = in_words(one.formula, one.unit, one.operands, None, names)
        yield (
            one,
            [names.get(one.cik or 0, ""), years_of(one), part_of(one), called(one), *_worked(one, words)],
        )


def _worked(one: Cell | Result, words: str) -> list[Value]:
    figures = "".join(piece.text for piece in in_figures(one.formula, one.unit, one.operands))
    millions = " (money in millions)" if figures and of_one_money(one.operands) else ""
    return [amount(one), unit_in_full(one.unit), words, f"{figures}{millions}"]


def _sources(table: Table, site: Site) -> Iterator[list[Value]]:
    """A row for each fact of each figure."""
    names = companies(table)
    for cell in table.cells:
        measure = table_text.measure(cell)
        if cell.fact:
            yield [cell.company, *_when(cell), measure, "Value", "", *_filed(cell.fact, site)]
        else:
            yield from (_operand(one, measure, names, site) for one in cell.operands)
    for result in own_figures(table):
        yield from (_operand(one, called(result), names, site) for one in result.operands)


def _operand(one: CellOperand, measure: str, names: Mapping[int, str], site: Site) -> list[Value]:
    who = names.get(one.cik, "")
    return [who, *_when(one), measure, "Operand", one.label, *_filed(one.fact, site)]


def _when(one: Cell | CellOperand) -> tuple[int | None, str]:
    """Fiscal year, and the part of it: FY where it is the whole."""
    return one.fiscal_year, str(one.fiscal_period)


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
