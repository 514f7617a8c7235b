"""Makes a row for each figure or gap of a table, for CSV files and the history's sheet of figures."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from agent.numbers import table_text
from agent.numbers.operation_results import operation_name
from agent.state import Cell, FactRef, Table
from agent.state.tables import CellOperand, Result
from agent.web.exports.cell_values import Linked, Value, amount
from agent.web.tables.fact_pages import fact_path
from agent.web.tables.formula_words import in_words
from filings.models import Ticker

# Turns a path of this site into a whole address.
Site = Callable[[str], str]
COLUMNS = (
    ("Company", 24.0),
    ("Ticker", 8.0),
    ("CIK", 11.0),
    ("Fiscal year", 10.0),
    ("Period", 8.0),
    ("Period end", 11.0),
    ("Measure", 34.0),
    ("Value", 20.0),
    ("Unit", 10.0),
    ("Asked", 7.0),
    ("Formula", 40.0),
    ("Operands", 40.0),
    ("Why no figure", 30.0),
    ("Tags", 40.0),
    ("Axis", 24.0),
    ("Member", 24.0),
    ("Accessions", 22.0),
    ("Filed", 11.0),
    ("Fact pages", 36.0),
    ("Filings", 36.0),
    ("Basis", 40.0),
    ("Column", 10.0),
)


def fact_page(fact: FactRef, site: Site) -> str:
    return site(fact_path(fact))


def figures(table: Table, tickers: Mapping[int, str], site: Site) -> Iterator[list[Value]]:
    """Every cell of a table, and the results of operations that are figures of their own."""
    names = companies(table)
    for cell in table.cells:
        yield of_cell(cell, tickers, site)
    yield from (of_result(one, names, tickers, site) for one in own_figures(table))


def asserted(table: Table, tickers: Mapping[int, str], site: Site) -> Iterator[list[Value]]:
    """The figures that an answer asserts."""
    names = companies(table)
    yield from (of_cell(cell, tickers, site) for cell in table.asserted)
    yield from (of_result(one, names, tickers, site) for one in own_figures(table))


def own_figures(table: Table) -> list[Result]:
    """The results computed from several cells."""
    return [one for one in table.results if one.value is not None and one.formula]


def called(one: Result) -> str:
    """The name of a result: Compound annual growth rate: Total revenue."""
    return f"{operation_name(one.operation)}: {one.label}"


def years_of(one: Result) -> str:
    """The first and last year of a result: 2020-2024."""
    return "-".join(str(year) for year in dict.fromkeys((*one.fiscal_years[:1], *one.fiscal_years[-1:])))


def part_of(one: Result) -> str:
    """The part of each year of a result, or the first and last: FY, Q3, Q1-Q4."""
    return "-".join((*one.fiscal_periods[:1], *one.fiscal_periods[-1:])) or str(one.fiscal_period)


def companies(table: Table) -> dict[int, str]:
    """CIK -> the company's name in sentences."""
    return {cell.cik: cell.company for cell in table.cells}


def of_cell(cell: Cell, tickers: Mapping[int, str], site: Site) -> list[Value]:
    shown = amount(cell)
    return [
        cell.company,
        tickers.get(cell.cik, ""),
        cell.cik,
        cell.fiscal_year,
        str(cell.fiscal_period),
        cell.period_end,
        table_text.measure(cell),
        Linked(shown, fact_page(cell.fact, site)) if shown and cell.fact else shown,
        cell.unit,
        "yes" if cell.asked and not cell.alternative else "no",
        in_words(cell.formula, cell.unit, cell.operands, cell.place),
        _operands(cell.operands),
        " ".join(filter(None, (cell.gap.text, cell.gap.detail))) if cell.gap else "",
        *_stands_on(cell.facts, site),
        _basis(cell),
        cell.column.short if cell.fiscal_year is not None else "",
    ]


def of_result(one: Result, names: Mapping[int, str], tickers: Mapping[int, str], site: Site) -> list[Value]:
    """The result of an operation: a figure over several years or companies."""
    return [
        names.get(one.cik, "") if one.cik else "",
        tickers.get(one.cik, "") if one.cik else "",
        one.cik,
        years_of(one),
        part_of(one),
        None,
        called(one),
        amount(one),
        one.unit,
        "yes",
        in_words(one.formula, one.unit, one.operands, None, names),
        _operands(one.operands, names),
        "",
        *_stands_on(one.facts, site),
        "",
        max(one.places).short if one.calendar else "",
    ]


def _basis(cell: Cell) -> str:
    """Where a later report's value is shown, which one and what was first reported; and why the basis breaks here."""
    said = []
    if recast := cell.recast:
        first = f"the year's own report {'has no such figure loaded' if recast.own_loaded else 'is not loaded'}"
        if recast.first is not None:
            first = f"first reported: {recast.first:f} {cell.unit}"
        said.append(f"As in {recast.accession}; {first}.")
    return " ".join(filter(None, (*said, cell.basis_break)))


def _operands(of: Sequence[CellOperand], names: Mapping[int, str] | None = None) -> str:
    """The operands of a formula in full: Revenue, fiscal 2024: 391035000000 USD; ..."""
    whose = names if names and len({one.cik for one in of}) > 1 else {}
    said = (
        (
            *filter(None, (whose.get(one.cik), one.label)),
            f"{one.place.called}: {one.fact.value:f} {one.fact.unit}",
        )
        for one in of
    )
    return "; ".join(dict.fromkeys(map(", ".join, said)))


def _stands_on(facts: Sequence[FactRef], site: Site) -> list[str]:
    """Tags, axes and members, accessions, filing dates and pages of facts and filings, separated by semicolons."""
    parts = (
        [fact.name for fact in facts],
        [fact.axis for fact in facts],
        [fact.member for fact in facts],
        [fact.accession for fact in facts],
        [fact.filed.isoformat() for fact in facts],
        [fact_page(fact, site) for fact in facts],
        [fact.url for fact in facts],
    )
    return ["; ".join(dict.fromkeys(filter(None, part))) for part in parts]


class Tickers(dict[int, str]):
    """CIK -> the ticker of a company's main class, cached."""

    def look_up(self, ciks: Iterable[int]) -> "Tickers":
        """Look up these companies, in one query at most."""
        wanted = {*ciks} - self.keys()
        if wanted:
            self.update(dict.fromkeys(wanted, ""))
            found = Ticker.objects.filter(company__cik__in=wanted).order_by("-pk")
            self.update(found.values_list("company__cik", "symbol"))
        return self
