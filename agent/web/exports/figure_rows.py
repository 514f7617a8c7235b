"""Makes a row for each figure or gap of a table, for CSV files and the history's sheet of figures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.numbers.cells.operation_results import operation_name
from agent.numbers.tables import table_text
from agent.state import Cell, FactRef, Table
from agent.state.tables import CellOperand, Result
from agent.web.exports.cell_values import Linked, Value, amount
from agent.web.tables.figure_card import fact_path
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


@dataclass(frozen=True)
class FigureRow:
    """A cell of a table, or the result of an operation that is a figure of its own, as a row of a file.

    names: CIK -> the company's name in sentences.
    """

    of: Cell | Result
    names: Mapping[int, str]

    @property
    def cell(self) -> Cell | None:
        return self.of if isinstance(self.of, Cell) else None

    @property
    def company(self) -> str:
        """Its company; empty for a result of several."""
        return self.cell.company if self.cell else self.names.get(self.of.cik or 0, "")

    @property
    def year(self) -> int | str | None:
        """Its fiscal year; of a result the first and last: 2020-2024."""
        if isinstance(self.of, Cell):
            return self.of.fiscal_year
        return "-".join(str(year) for year in dict.fromkeys((*self.of.fiscal_years[:1], *self.of.fiscal_years[-1:])))

    @property
    def period(self) -> str:
        """The part of its year; of a result of each year, or the first and last: FY, Q3, Q1-Q4."""
        periods = () if isinstance(self.of, Cell) else self.of.fiscal_periods
        return "-".join((*periods[:1], *periods[-1:])) or str(self.of.fiscal_period)

    @property
    def measure(self) -> str:
        """Total revenue; Compound annual growth rate: Total revenue."""
        if isinstance(self.of, Cell):
            return table_text.measure(self.of)
        return f"{operation_name(self.of.operation)}: {self.of.label}"

    @property
    def formula(self) -> str:
        """Its formula with the operands' labels; empty for a fact."""
        place = self.cell.place if self.cell else None
        return in_words(self.of.formula, self.of.unit, self.of.operands, place, self.names)

    def values(self, tickers: Mapping[int, str], site: Site) -> list[Value]:
        """What stands under the columns."""
        of, cell, shown = self.of, self.cell, amount(self.of)
        column = max(of.places) if isinstance(of, Result) and of.calendar else None
        if cell and cell.fiscal_year is not None:
            column = cell.column
        return [
            self.company,
            tickers.get(of.cik, "") if of.cik else "",
            of.cik,
            self.year,
            self.period,
            cell.period_end if cell else None,
            self.measure,
            Linked(shown, fact_page(cell.fact, site)) if shown and cell and cell.fact else shown,
            of.unit,
            "no" if cell and (cell.alternative or not cell.asked) else "yes",
            self.formula,
            _operands(of.operands, self.names),
            " ".join(filter(None, (of.gap.text, of.gap.detail))) if of.gap else "",
            *_stands_on(of.facts, site),
            _basis(cell) if cell else "",
            column.short if column else "",
        ]


def figures(table: Table) -> list[FigureRow]:
    """Every cell of a table, then the results of operations that are figures of their own."""
    names = table.names
    own = (FigureRow(one, names) for one in table.results if one.value is not None and one.formula)
    return [*(FigureRow(one, names) for one in table.cells), *own]


def asserted(table: Table) -> list[FigureRow]:
    """The figures that an answer asserts."""
    return [one for one in figures(table) if one.cell is None or one.cell.asserted]


def _basis(cell: Cell) -> str:
    """Where a later report's value is shown, which one and what was first reported; and why the basis breaks here."""
    said = []
    if recast := cell.recast:
        first = f"the year's own report {'has no such figure loaded' if recast.own_loaded else 'is not loaded'}"
        if recast.first is not None:
            first = f"first reported: {recast.first:f} {cell.unit}"
        said.append(f"As in {recast.accession}; {first}.")
    return " ".join(filter(None, (*said, cell.basis_break)))


def _operands(of: Sequence[CellOperand], names: Mapping[int, str]) -> str:
    """The operands of a formula in full: Revenue, fiscal 2024: 391035000000 USD; ..."""
    whose = names if len({one.cik for one in of}) > 1 else {}
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
