"""What the answer card shows of a table: one figure with what stands around it, readings side by side, or rows of years."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from agent.numbers import table_text
from agent.numbers.render import MINUS, exact, headline, in_table, rounded
from agent.refusals.labels import lower_first
from agent.state import Cell, FactRef, LaterValue, Scale, Table
from agent.state.tables import CellOperand, Result
from filings.models import Fact, StatementKind

SIGNS = {"-": MINUS, "*": "\u00d7", "/": "\u00f7", "+": "+"}
# More readings of one question than this are rows of a table.
MOST_READINGS = 4


@dataclass(frozen=True)
class Printed:
    """One column of a printed line."""

    end: date
    printed: str
    used: bool


@dataclass(frozen=True)
class Line:
    """A row of a statement as the document prints it, newest year first as it stands there."""

    title: str
    label: str
    cells: tuple[Printed, ...]
    instant: bool


@dataclass(frozen=True)
class Figure:
    """A cell with a value, as people read it, and what stands around it."""

    cell: Cell
    scale: Scale | None = None

    @cached_property
    def _headline(self) -> tuple[str, str]:
        value = self.cell.value
        if value is None:
            return "\u2013", ""
        return headline(value if self.cell.fact else rounded(value, self.cell.unit), self.cell.unit, self.scale)

    @property
    def headline(self) -> str:
        return self._headline[0]

    @property
    def unit_word(self) -> str:
        return self._headline[1]

    @property
    def text(self) -> str:
        return " ".join(filter(None, self._headline))

    @property
    def exact(self) -> str:
        """In full: 31,370,000,000 US dollars."""
        return exact(self.cell.value, self.cell.unit) if self.cell.value is not None else ""

    @property
    def says_exact(self) -> bool:
        """Whether the figure in full says more than the headline does; of a computed one, it would say too much."""
        return self.cell.fact is not None and self.exact != self.text

    @property
    def column(self) -> str:
        """As it stands in a column of figures."""
        value = self.cell.value
        if value is None:
            return "\u2013"
        return in_table(value if self.cell.fact else rounded(value, self.cell.unit), self.cell.unit)

    @property
    def name(self) -> str:
        """Return on equity (average equity)."""
        return table_text.measure(self.cell)

    @property
    def reading(self) -> str:
        """What tells it from the readings beside it."""
        return self.cell.period_reading or self.cell.reading or self.cell.label

    @property
    def title(self) -> str:
        """Apple, research and development expense, fiscal 2024."""
        return f"{self.cell.company}, {lower_first(self.cell.label)}, fiscal {self.cell.fiscal_year}"

    @property
    def is_instant(self) -> bool:
        """Whether it is of a day and not of a year."""
        return all(fact.start == fact.end for fact in self.cell.facts)

    @property
    def restated(self) -> LaterValue | None:
        """The first later filing that gives another value of a fact shown as it is filed."""
        return self.cell.restated[0].later if self.cell.fact and self.cell.restated else None

    @cached_property
    def line(self) -> Line | None:
        return printed_line(self.cell.fact) if self.cell.fact else None

    @cached_property
    def formula(self) -> str:
        """The expression in the operands' labels; empty for a fact."""
        return in_words(self.cell.formula, self.cell.operands, self.cell.fiscal_year)

    @cached_property
    def figures(self) -> str:
        """The expression in the operands' figures."""
        return in_figures(self.cell.formula, self.cell.operands)

    @property
    def plain(self) -> str:
        """The figure and its source in a line of text, for pasting."""
        if self.cell.value is None:
            return f"{self.title}: none."
        sources = "; ".join(
            dict.fromkeys(
                f"{fact.name}, {fact.form} {fact.accession}, filed {fact.filed:%-d %b %Y}" for fact in self.cell.facts
            )
        )
        end = self.cell.fact.end if self.cell.fact else self.cell.period_end
        when = f" ({'as of' if self.is_instant else 'year ended'} {end:%-d %b %Y})" if end else ""
        full = f" ({self.exact})" if self.says_exact else ""
        return f"{self.title}{when}: {self.text}{full}. {sources}."


@dataclass(frozen=True)
class Row:
    """One measure of one company over the years of a table; None where a year has no cell."""

    company: str
    cik: int
    label: str
    unit: str
    figures: tuple[Figure | None, ...]
    asked: bool = True


@dataclass(frozen=True)
class Computed:
    """What an operation made of the table, in words, with its formula."""

    result: Result
    sentence: str
    formula: str = ""
    figures: str = ""


@dataclass(frozen=True)
class TableCard:
    """A table as the card shows it."""

    table: Table
    scale: Scale | None

    @cached_property
    def asserted(self) -> tuple[Figure, ...]:
        """The figures that the answer stands for."""
        return tuple(Figure(cell, self.scale) for cell in self.table.asserted)

    @property
    def single(self) -> Figure | None:
        """The one figure that was asked, where it is one."""
        gaps = any(cell.gap and cell.asked and not cell.alternative for cell in self.table.cells)
        alone = len(self.asserted) == 1 and not self.table.results and not gaps
        return self.asserted[0] if alone else None

    @property
    def readings(self) -> tuple[Figure, ...]:
        """The figures side by side, where they are readings of one question and not rows of a table."""
        found = [figure.cell for figure in self.asserted]
        several = 1 < len(found) <= MOST_READINGS and not self.table.results
        if not several or len({cell.cik for cell in found}) > 1:
            return ()
        by_period = all(cell.period_reading for cell in found)
        by_measure = len({cell.fiscal_year for cell in found}) == 1 and len({cell.measure for cell in found}) == len(
            found
        )
        return self.asserted if by_period or by_measure else ()

    @cached_property
    def beside(self) -> tuple[Figure, ...]:
        """Figures shown beside the answer, not asserted by it."""
        cells = [cell for cell in self.table.cells if cell.asked and cell.alternative and cell.value is not None]
        return tuple(Figure(cell, self.scale) for cell in cells)

    @cached_property
    def years(self) -> tuple[int, ...]:
        return tuple(sorted({cell.fiscal_year for cell in self.table.cells if cell.fiscal_year is not None}))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """A row for each company and measure, in the table's order."""
        lines: dict[tuple[int, int, str, str], list[Cell]] = {}
        for cell in self.table.cells:
            lines.setdefault((cell.row, cell.cik, cell.measure, cell.reading), []).append(cell)
        return tuple(self._row(cells) for cells in lines.values())

    def _row(self, cells: Sequence[Cell]) -> Row:
        by_year = {cell.fiscal_year: Figure(cell, self.scale) for cell in cells}
        first = cells[0]
        unit = next((cell.unit for cell in cells if cell.value is not None), first.unit)
        return Row(
            company=first.company,
            cik=first.cik,
            label=table_text.measure(first),
            unit=unit,
            figures=tuple(by_year.get(year) for year in self.years),
            asked=not first.alternative,
        )

    @property
    def several_companies(self) -> bool:
        return len({cell.cik for cell in self.table.cells}) > 1

    @cached_property
    def results(self) -> tuple[Computed, ...]:
        return tuple(
            Computed(
                one,
                table_text.sentence(one, self.table),
                in_words(one.formula, one.operands, None),
                in_figures(one.formula, one.operands),
            )
            for one in self.table.results
        )

    @cached_property
    def derived(self) -> tuple[Figure, ...]:
        """The computed figures that are asserted, each with its formula."""
        return tuple(figure for figure in self.asserted if figure.cell.formula)

    @cached_property
    def gaps(self) -> tuple[Cell, ...]:
        """Asked cells without a figure, each with its reason."""
        return tuple(cell for cell in self.table.cells if cell.asked and cell.gap and not cell.alternative)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the reader must know: of single figures, of results, of the table."""
        cells = (note for cell in self.table.cells if cell.asked and cell.value is not None for note in cell.notes)
        results = (note for one in self.table.results for note in one.notes)
        return tuple(dict.fromkeys((*cells, *results, *self.table.notes)))

    @cached_property
    def checks(self) -> tuple[tuple[bool, str], ...]:
        """The statement's own sums that were tried, each once; those that do not hold first."""
        cells = self.table.asserted
        failed = dict.fromkeys(one for cell in cells for one in cell.failed_checks)
        passed = dict.fromkeys(one for cell in cells for one in cell.passed_checks)
        return (*((False, one) for one in failed), *((True, one) for one in passed))

    @property
    def broken_checks(self) -> int:
        return sum(not ok for ok, _ in self.checks)

    @cached_property
    def filings(self) -> tuple[tuple[str, str, int | None, str, date, str], ...]:
        """Company, form, fiscal year, accession, date and address of every filing that the figures are from."""
        names = {cell.cik: cell.company for cell in self.table.cells}
        found = {
            fact.accession: (
                names.get(fact.cik, ""),
                fact.form,
                cell.fiscal_year,
                fact.accession,
                fact.filed,
                fact.url,
            )
            for cell in self.table.asserted
            for fact in cell.facts
        }
        return tuple(found.values())

    @property
    def plain(self) -> str:
        """The table in lines of text with its sources, for pasting."""
        if self.single or self.readings:
            return "\n".join(figure.plain for figure in self.asserted)
        sources = dict.fromkeys(
            f"{fact.name}, {fact.form} {fact.accession}" for cell in self.table.asserted for fact in cell.facts
        )
        return "\n".join([table_text.markdown(self.table).rstrip(), "", *sources])


# --- formulas in words ---


def in_words(formula: str, operands: Sequence[CellOperand], year: int | None) -> str:
    """A formula in the labels of its operands, with their years where these are not all the year answered."""
    companies = {one.cik for one in operands}
    dated = len({one.fiscal_year for one in operands} | ({year} if year else set())) > 1

    def label(one: CellOperand) -> str:
        when = f" (fiscal {one.fiscal_year})" if dated else ""
        return f"{lower_first(one.label)}{when}{f' [{one.cik}]' if len(companies) > 1 else ''}"

    return _replaced(formula, {one.name: label(one) for one in operands})


def in_figures(formula: str, operands: Sequence[CellOperand]) -> str:
    """A formula in the figures of its operands."""
    return _replaced(formula, {one.name: in_table(one.fact.value, one.fact.unit) for one in operands})


def _replaced(formula: str, by_name: dict[str, str]) -> str:
    if not formula:
        return ""
    # opt(x) is x or nothing, avg and d say what they are: the reader sees operands and signs.
    expression = re.sub(r"(?<=\s)[-+*/](?=\s)", lambda match: SIGNS[match[0]], formula)
    names = sorted(by_name, key=len, reverse=True)
    if not names:
        return expression
    pattern = re.compile(rf"(?<![\w:])(?:{'|'.join(map(re.escape, names))})(?![\w:\[])")
    return pattern.sub(lambda match: by_name[match[0]], expression)


# --- the printed line ---


def printed_line(fact: FactRef) -> Line | None:
    """The row of the statement a fact stands in, with its other columns; None where no document is held."""
    if not (fact.printed and fact.label and fact.statement):
        return None
    columns = (
        Fact.objects.filter(
            company__cik=fact.cik,
            filing__accession=fact.accession,
            source=Fact.Source.DOCUMENT,
            taxonomy=fact.taxonomy,
            tag=fact.tag,
            unit=fact.unit,
            statement=fact.statement,
            label=fact.label,
            dimensions="",
        )
        .exclude(printed="")
        .order_by("-end")
        .values_list("end", "printed")
    )
    cells = tuple(Printed(end, printed, end == fact.end) for end, printed in columns)
    if not any(cell.used for cell in cells):
        cells = (Printed(fact.end, fact.printed, used=True), *cells)
    title = fact.title or StatementKind(fact.statement).label
    return Line(title, fact.label, cells, instant=fact.start == fact.end)
