"""The cells of one row and company: each fiscal year or part of one that is asked, and those around it."""

from collections.abc import Iterator, Sequence
from functools import partial

from agent.numbers.breakdowns.breakdowns import broken_down
from agent.numbers.cells.cells import BuiltCell, build_cell, empty, variant_cell
from agent.numbers.cells.computed_quarters import of_years_only
from agent.numbers.cells.row_expressions import Version, versions
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.gaps import meaningless, of_company
from agent.numbers.facts.rounding import same_after_rounding
from agent.numbers.periods import asked_years
from agent.numbers.periods.asked_years import Asked, Missing
from agent.numbers.periods.interim import period_filings
from agent.numbers.registry.expressions import Name
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.units import UnitError
from agent.numbers.tables.statement_table import blank, statement_cells
from agent.refusals.codes import Code
from agent.state.query import Breakdown, Row, Statement
from agent.state.tables import Cell
from filings.xbrl.periods import FiscalPeriod, Place


def held_places(columns: Sequence[Asked | Missing]) -> list[Place]:
    """The places of the periods that a filing answers."""
    return [Place(asked_years.label(one.filing)[0], one.period) for one in columns if isinstance(one, Asked)]


def cells_of(
    number: int,
    row: Row,
    company_filings: CompanyFilings,
    columns: Sequence[Asked | Missing],
    around: Sequence[Place],
    registry: Registry,
    apart: tuple[Version, ...],
) -> Iterator[BuiltCell]:
    """The cells of one row and company, oldest year first, each year's alternatives after its default.

    apart: the readings of a member whose name has several meanings.
    """
    if isinstance(row.measure, Statement | Breakdown):
        yield from _whole(number, row.measure, company_filings, columns, registry)
        return
    try:
        found = apart or versions(row.measure, registry)
    except UnitError as error:
        gap = meaningless("Figures in different units cannot be combined.", str(error))
        cell = Cell(
            row=number,
            cik=company_filings.company.cik,
            company=company_filings.company.called,
            measure="",
            label=row.text,
            gap=gap,
        )
        yield BuiltCell(cell, Version("", row.text, "", Name("")), company_filings)
        return
    # A measure that is only mentioned has no other years.
    columned: list[tuple[Place, Asked | Missing | None]] = [] if row.mention else [(one, None) for one in around]
    columned += [(Place(one.year_of or 0, one.period), one) for one in columns]
    for place, column in sorted(columned, key=lambda one: one[0]):
        if column is None:
            yield build_cell(found[0], number, period_filings(company_filings, place.period), place.year, asked=False)
        elif isinstance(column, Missing):
            yield _missing(number, found[0], company_filings=company_filings, column=column)
        else:
            yield from _year_cells(number, row, found, period_filings(company_filings, column.period), column)


def _year_cells(
    number: int, row: Row, found: Sequence[Version], company_filings: CompanyFilings, column: Asked
) -> Iterator[BuiltCell]:
    """The default and its alternatives in one year: of equal values the first, and no alternative without a value."""
    year = asked_years.label(column.filing)[0]
    first = build_cell(found[0], number, company_filings, year, reading=column.reading)
    if row.mention:
        first = BuiltCell(
            first.cell.model_copy(update={"alternative": True}), first.version, first.company_filings, first.evaluated
        )
    shown = [first]
    for version in found[1:]:
        one = build_cell(version, number, company_filings, year, reading=column.reading)
        unlike = version.part or not any(_are_same(one.cell, other.cell) for other in shown)
        if one.cell.value is not None and unlike:
            shown.append(one)
    other = variant_cell(found[0], number, company_filings, year)
    if other and other.cell.value != first.cell.value:
        shown.append(other)
    yield from shown


def _are_same(one: Cell, other: Cell) -> bool:
    """Whether two figures are one, a printed one as far as it is rounded."""
    if one.value is None or other.value is None or one.fact is None or one.fact.place is None:
        return one.value == other.value
    return same_after_rounding(one.value, one.fact.decimals, other.value, None)


def _missing(number: int, version: Version, *, company_filings: CompanyFilings, column: Missing) -> BuiltCell:
    gap = of_company(column.code, company_filings.company, **column.words)
    cell = Cell(
        row=number,
        cik=company_filings.company.cik,
        company=company_filings.company.called,
        measure=version.key,
        label=version.label,
        fiscal_year=column.year,
        fiscal_period=column.period,
        reading=version.reading,
        unit=version.unit,
        gap=gap.model_copy(update={"detail": column.detail or gap.detail}),
    )
    return BuiltCell(cell, version, company_filings)


def _whole(
    number: int,
    measure: Statement | Breakdown,
    company_filings: CompanyFilings,
    columns: Sequence[Asked | Missing],
    registry: Registry,
) -> Iterator[BuiltCell]:
    """The rows of a statement, or of a measure's parts, in these years or the same part of each."""
    of = versions(measure.of, registry)[0] if isinstance(measure, Breakdown) else blank(measure)
    missing = [
        (one, partial(_missing, number, company_filings=company_filings, column=one))
        for one in columns
        if isinstance(one, Missing)
    ]
    # A later report may print or divide a year whose own is not loaded.
    absent = [(one, cell) for one, cell in missing if one.code is Code.YEAR_NOT_INGESTED]
    shown: list[Asked] = []
    cells: list[BuiltCell] = []
    for column in (one for one in columns if isinstance(one, Asked)):
        stretch, year = period_filings(company_filings, column.period), asked_years.label(column.filing)[0]
        if _has_such_rows(measure, stretch):
            shown.append(column)
        else:
            without = BuiltCell(empty(of, number, stretch, year), of, stretch)
            cells.append(without.without(of_years_only(stretch, year).gap()))
    if isinstance(measure, Statement):
        yield from (cell(of) for _, cell in missing)
        years = [one.year for one, _ in absent if one.year and one.period is FiscalPeriod.YEAR]
        yield from (*cells, *statement_cells(number, measure, company_filings, shown, years))
        return
    for period in dict.fromkeys((*(one.period for one in shown), *(one.period for one, _ in absent))):
        unread = {one.year: cell for one, cell in absent if one.year and one.period is period}
        years = [one.year for one in held_places([one for one in shown if one.period is period])]
        stretch = period_filings(company_filings, period)
        cells += broken_down(number, measure, stretch, years, registry, unread)
    told = {one.cell.place for one in cells}
    yield from (cell(of) for one, cell in missing if Place(one.year or 0, one.period) not in told)
    yield from cells


def _has_such_rows(measure: Statement | Breakdown, company_filings: CompanyFilings) -> bool:
    """Whether a period can have this row: not equity of several quarters, which only dates tell apart, nor the largest
    part for a period without its own filing.
    """
    if isinstance(measure, Statement):
        return measure.statement != "equity" or company_filings.period is FiscalPeriod.YEAR
    return bool(company_filings.period.days) or not measure.extreme
