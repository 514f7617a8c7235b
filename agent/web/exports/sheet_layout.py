"""Where every figure of a table stands in its sheet, and its formulas over those cells.

Below the table stand the results of operations, then the operands of formulas that the table itself does not show, each
under its year.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Binary, Call, Expr, Name, Negative, Number, parts_of
from agent.numbers.registry.formula import FormulaError
from agent.numbers.tables import table_text
from agent.state import Cell, FactRef
from agent.state.tables import CellOperand, Result
from agent.web.exports.cell_values import Amount
from agent.web.exports.figure_rows import FigureRow, figures
from agent.web.tables.formula_words import Piece, Written, as_text, spelled_out, without_hundreds, written
from agent.web.tables.table_card import TableCard
from filings.xbrl.periods import Place

# Columns before those of the years: company, measure, unit.
NAMED = 3
# Rows of a table's sheet that stand between its parts.
_BETWEEN = 2
SIGNS = {"+": "+", "-": "-", "*": "*", "/": "/", "**": "^"}


@dataclass
class OperandRow:
    """One operand over the years: the facts of one measure, or those of another filing where they differ, which its
    label then names.
    """

    company: str
    label: str
    operand: str
    unit: str
    facts: dict[Place, FactRef] = field(default_factory=dict)


@dataclass(frozen=True)
class SheetLayout:
    """The layout of one table. first: number of its first row below the headings, as a spreadsheet counts."""

    card: TableCard
    first: int

    @cached_property
    def lines(self) -> list[list[Cell] | str]:
        """The rows: cells, or a heading of a statement."""
        found: list[list[Cell] | str] = []
        heading = ""
        for cells in table_text.lines(self.card.table):
            if self.card.statement and cells[0].heading != heading:
                heading = cells[0].heading
                found += [heading] if heading else []
            found.append(cells)
        return found

    @cached_property
    def results(self) -> list[FigureRow]:
        """The results of operations that are figures of their own."""
        return [one for one in figures(self.card.table) if one.cell is None]

    @property
    def first_result(self) -> int:
        """The row of the first result, below a heading."""
        return self.first + len(self.lines) + _BETWEEN

    @property
    def first_operand(self) -> int:
        """The row of the first operand, below a heading."""
        return self.first_result + (len(self.results) + _BETWEEN if self.results else 0)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The columns: those of the table, then further years of operands."""
        own = self.card.rows.places
        more = {place for row in self.operands for place in row.facts} - set(own)
        return (*own, *sorted(more))

    @cached_property
    def operands(self) -> list[OperandRow]:
        """The operands that are no cells of the table."""
        names = self.card.table.names
        series: dict[tuple[object, ...], list[OperandRow]] = {}
        placed = set(self._shown)
        # The newest label of a measure names it.
        for one in sorted(self._operands, key=lambda one: one.place, reverse=True):
            if (identity := _identity(one.fact)) in placed:
                continue
            placed.add(identity)
            layers = series.setdefault((one.cik, one.concept, one.fact.unit), [])
            column = self._column(one)
            free = [row for row in layers if column not in row.facts]
            alike = [row for row in free if row.operand == one.label] or free
            if not alike:
                again = any(row.operand == one.label for row in layers)
                label = f"{one.label} ({one.fact.form} {one.fact.accession})" if again else one.label
                alike = [OperandRow(names.get(one.cik, ""), label, one.label, one.fact.unit)]
                layers += alike
            alike[0].facts[column] = one.fact
        return [row for layers in series.values() for row in layers]

    def _column(self, operand: CellOperand) -> Place:
        """The column of an operand's period, which is the calendar's where the table is aligned by it."""
        aligned = {(one.cik, one.place): one.column for one in self.card.table.cells if one.fiscal_year is not None}
        if (operand.cik, operand.place) in aligned:
            return aligned[operand.cik, operand.place]
        shifts = {column.year - place.year for (cik, place), column in aligned.items() if cik == operand.cik}
        return operand.place._replace(year=operand.place.year + (shifts.pop() if len(shifts) == 1 else 0))

    @property
    def _operands(self) -> list[CellOperand]:
        cells = [cell for cell in self.card.table.cells if cell.formula and cell.value is not None]
        of_cells = [operand for cell in cells for operand in cell.operands]
        return [*of_cells, *(operand for one in self.results for operand in one.of.operands)]

    @cached_property
    def _shown(self) -> dict[object, str]:
        """The cells of the table by the fact that each shows."""
        found: dict[object, str] = {}
        columns = {place: letters(NAMED + at) for at, place in enumerate(self.card.rows.places)}
        for number, line in enumerate(self.lines, start=self.first):
            for cell in line if not isinstance(line, str) else ():
                if cell.fact and cell.value == cell.fact.value and cell.column in columns and is_kept(cell.fact):
                    found.setdefault(_identity(cell.fact), f"{columns[cell.column]}{number}")
        return found

    @cached_property
    def _references(self) -> Mapping[object, str]:
        """The cell of every fact: of the table, or else among the operands."""
        found = dict(self._shown)
        for number, row in enumerate(self.operands, start=self.first_operand):
            for place, fact in row.facts.items():
                column = letters(NAMED + self.places.index(place))
                if is_kept(fact):
                    found.setdefault(_identity(fact), f"{column}{number}")
        return found

    def formula(self, one: Cell | Result) -> str:
        """A computed figure as a formula over cells, a percentage as a fraction; empty where an operand has no cell."""
        if not one.formula:
            return ""
        cells = {operand.name: self._references.get(_identity(operand.fact)) for operand in one.operands}
        try:
            tree = formula.parse(one.formula)
        except FormulaError:
            return ""
        if one.unit == "percent":
            tree = without_hundreds(tree) or Binary("/", tree, Number(formula.PRECISION.create_decimal(100)))
        tree = spelled_out(tree)
        used = [cells[name] for name in map(str, _names(tree)) if name in cells]
        if not used or None in used:
            return ""
        # An operand without a fact is one that counts as zero where nothing is tagged.
        return in_excel(tree, lambda name: cells.get(str(name)) or "0")


def letters(column: int) -> str:
    """The name of a column counted from 0: A, Z, AA."""
    before, at = divmod(column, 26)
    return f"{letters(before - 1) if before else ''}{chr(ord('A') + at)}"


def is_kept(fact: FactRef) -> bool:
    """Whether a spreadsheet holds all digits of a fact."""
    return not Amount(fact.value, fact.unit).remark


def in_excel(tree: Expr, cell: Callable[[Name], str], above: int = 0) -> str:
    """An expression in Excel's words. cell: of a name. above: the rank of the operator beside it."""

    def said(expr: Expr) -> Written | None:
        match expr:
            case Number(value=value):
                text = format(value, "f") if value >= 0 else f"({value:f})"
            case Name():
                text = cell(expr)
            case Negative(operand=operand):
                # Excel binds a sign more tightly than a power.
                text = f"(-{in_excel(operand, cell, 3)})"
            case Call(function="abs", argument=argument):
                text = f"ABS({in_excel(argument, cell)})"
            case Binary() | Call():
                return None
            case _:
                raise FormulaError(f"{expr} is no arithmetic.")
        return (Piece(text),)

    return as_text(written(tree, said, above, signs=SIGNS))


def _names(tree: Expr) -> list[Name]:
    return [tree] if isinstance(tree, Name) else [name for part in parts_of(tree) for name in _names(part)]


def _identity(fact: FactRef) -> object:
    """What a fact says, in whichever filing."""
    return fact.cik, fact.name, fact.dimensions, fact.unit, fact.start, fact.end, fact.value
