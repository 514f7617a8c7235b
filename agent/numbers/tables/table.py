"""Turns a query into a table: every row in every fiscal year of every company, each cell a value with facts or a gap."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Protocol

from agent.numbers.basis.one_basis import on_one_basis
from agent.numbers.basis.restatements import (
    about_comparatives,
    basis_of,
    checked_against_later_filings,
    doubtful,
    reports,
)
from agent.numbers.breakdowns.ambiguous_members import split_by_kind
from agent.numbers.breakdowns.company_parts import for_company, named_as_row
from agent.numbers.cells.cells import BuiltCell, build_cell
from agent.numbers.cells.operation_results import Outcome, items_of
from agent.numbers.cells.row_expressions import Version, change, versions
from agent.numbers.facts.company_filings import REACH, CompanyFilings, by_rank, prefetch
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.gaps import broken
from agent.numbers.facts.share_classes import split_by_class
from agent.numbers.facts.statement_lines import KINDS
from agent.numbers.periods.asked_years import Asked, Missing
from agent.numbers.periods.interim import period_filings, read_for
from agent.numbers.registry.formula import operands
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.units import UnitError
from agent.numbers.tables import alignment
from agent.numbers.tables.aggregates import from_first_to_last
from agent.numbers.tables.alignment import two_readings
from agent.numbers.tables.comparisons import apply_operations
from agent.numbers.tables.printed_beside import with_printed
from agent.numbers.tables.row_cells import cells_of, held_places
from agent.numbers.tables.statement_table import on_basis_of_columns, operand_keys
from agent.numbers.tables.table_notes import notes_of, rounded_as_asked
from agent.state import CompanyRef
from agent.state.query import Basis, Breakdown, Change, Formula, OverYears, Query, Row, Statement
from agent.state.tables import Table
from filings.models import Filing
from filings.xbrl.periods import QUARTERS, Place

# Years shown around a single figure: ten with its own.
CONTEXT = 9
# Quarters shown before a single quarter: eight with its own.
QUARTERS_AROUND = 7


class Grant(Protocol):
    """The companies that the person who asks may ask about."""

    def covers(self, cik: int) -> bool: ...


class TableDeps(Protocol):
    """What a table needs: `agent.steps.deps.Deps` has it."""

    @property
    def registry(self) -> Registry: ...
    @property
    def today(self) -> date: ...
    @property
    def selections(self) -> dict[int, Selection]: ...
    @property
    def grant(self) -> Grant: ...


def tabulate(query: Query, deps: TableDeps) -> Table:
    """The table of a query.

    Cells run row by row, company by company, year by year; surrounding years are not counted as asked. A period,
    company or measure that cannot be answered is a gap in its cells, never an exception.
    """
    by_company = filings_by_company(query.companies, deps, interim=query.interim, basis=query.basis, as_of=query.as_of)
    today = min(deps.today, query.as_of or deps.today)
    under = alignment.aligned(query, by_company, today, deps.grant.covers)
    columns = under.columns
    around = {cik: _context(query, by_company[cik], found) for cik, found in columns.items()}
    apart: dict[int, tuple[Version, ...]] = {}
    for cik in columns if len(columns) == 1 else ():
        held = held_places(columns[cik])
        if len({one.period for one in held}) == 1:
            stretch = period_filings(by_company[cik], held[0].period)
            query, apart = split_by_kind(query, stretch, [one.year for one in held])
            query = query if query.operations else split_by_class(query, stretch, [one.year for one in held])
    moved = [
        _moves(row, query, apart.get(number) or _versions(row, deps.registry)) for number, row in enumerate(query.rows)
    ]
    _read(query, by_company, columns, around, deps, back=1 + any(moved))
    cells: list[BuiltCell] = []
    for number, row in enumerate(query.rows):
        for company in query.companies:
            company_filings = by_company[company.cik]
            own = columns[company.cik], around[company.cik]
            asked_of_it = row.model_copy(update={"measure": for_company(row.measure, company.cik)})
            cells += cells_of(number, asked_of_it, company_filings, *own, deps.registry, apart.get(number, ()))
            if version := moved[number]:
                cells += [
                    build_cell(version, number, period_filings(company_filings, one.period), one.year, asked=False)
                    for one in sorted({*held_places(own[0]), *own[1]})
                ]
    # Parts of one year come from one report, so that they add up.
    divided = [number for number, row in enumerate(query.rows) if isinstance(row.measure, Breakdown)]
    if len({str(row.measure.of) for row in query.rows if isinstance(row.measure, Breakdown)}) > 1:
        # Parts of several measures are told apart by their measures.
        cells = [replace(one, cell=one.cell.model_copy(update={"part": ""})) for one in cells]
    whole = checked_against_later_filings(on_basis_of_columns(on_one_basis(cells, divided)))
    whole = _collapsed(whole, query, deps.registry)
    whole = [with_printed(under.of(one)) for one in whole]
    # Of parts as shares, the shares are compared with a bound; and never what is a sum of parts or stands between them.
    asked = items_of(one for one in whole if one.cell.role in ("", "part") or not query.operations)
    shared = {
        number for number, row in enumerate(query.rows) if isinstance(row.measure, Breakdown) and row.measure.shares
    }
    if query.operations and shared:
        asked = [one for one in asked if one.row not in shared or one.unit == "percent"]
    # A quarter's change is shown only where it is asked for, because of seasons.
    alike = len({one.company_filings.period for one in asked}) < 2
    rows = [[one for one in asked if one.row == number] for number, version in enumerate(moved) if version and alike]
    outcomes = _checked(apply_operations(query.operations, asked)) if query.operations else []
    if divided:
        outcomes = sorted(outcomes, key=lambda one: not one.result.holds)  # parts that are above a bound first
    results = [named_as_row(one.result, query.rows[one.result.row].measure, deps.registry) for one in outcomes]
    return Table(
        cells=tuple(one.cell for one in whole if one.cell.asked or one.cell.value is not None),
        results=tuple(results),
        moved=tuple(one for row in rows if len(row) > 1 and (one := from_first_to_last(row))),
        notes=(
            *(query.screened.notes if query.screened else ()),
            *notes_of(query, by_company, under, whole, today),
            *rounded_as_asked(query, (one.cell for one in whole), results),
        ),
        aligned=under.by,
        basis=query.basis or basis_of(whole),
    )


def filings_by_company(
    companies: Iterable[CompanyRef],
    deps: TableDeps,
    *,
    interim: bool = False,
    basis: Basis | None = None,
    as_of: date | None = None,
) -> dict[int, CompanyFilings]:
    """The filings of every company, read in one query; with `interim`, their 10-Qs in a second one.

    as_of: the day by which they were filed.
    """
    day = as_of or date.max
    wanted = list(companies)
    filings: dict[int, list[Filing]] = {one.cik: [] for one in wanted}
    quarterly: dict[int, list[Filing]] = {one.cik: [] for one in wanted}
    open_ = [one.cik for one in wanted if one.covered and deps.grant.covers(one.cik)]
    for filing in Filing.objects.with_figures(open_):
        filings[filing.company.asked_as].append(filing)
    for filing in Filing.objects.interim_with_figures(open_) if interim else ():
        quarterly[filing.company.asked_as].append(filing)
    found = {}
    for one in wanted:
        every = [*filings[one.cik], *quarterly[one.cik]]
        yearly, behind = by_rank([filing for filing in filings[one.cik] if filing.filed <= day])
        quarters, below = by_rank([filing for filing in quarterly[one.cik] if filing.filed <= day], quarterly=True)
        found[one.cik] = CompanyFilings(
            one,
            yearly,
            deps.registry,
            deps.selections,
            interim=quarters,
            basis=basis,
            as_of=as_of,
            not_filed=[filing for filing in every if filing.filed > day],
            beside=[*behind, *below],
        )
    return found


def _context(query: Query, company_filings: CompanyFilings, columns: Sequence[Asked | Missing]) -> tuple[Place, ...]:
    """The years shown around a single figure: the nearest, and of two equally near the earlier; or the quarters before."""
    asked = held_places(columns)
    one_column = len(columns) == 1 or two_readings(columns)
    single = _few(query) and one_column and asked and not query.operations
    if not single or any(isinstance(row.measure, Statement | Breakdown) or _is_dated(row) for row in query.rows):
        return ()
    period = asked[0].period
    if period.of_quarter:
        held = [Place(year, one) for one in QUARTERS for year in period_filings(company_filings, one).by_year]
        return tuple(sorted(one for one in held if one < asked[0])[-QUARTERS_AROUND:])
    others = (Place(year, period) for year in period_filings(company_filings, period).by_year)
    near = sorted((one for one in others if one not in asked), key=lambda one: (abs(one.year - asked[0].year), one))
    return tuple(sorted(near[:CONTEXT]))


def _is_dated(row: Row) -> bool:
    """Whether a row is a formula that names its own years: of no other year is it the one asked."""
    return isinstance(row.measure, Formula) and row.measure.dated


def _few(query: Query) -> bool:
    """Whether one or two measures of one company are asked, without those only mentioned."""
    return len(query.companies) == 1 and sum(not row.mention for row in query.rows) <= 2


def _moves(row: Row, query: Query, of: Sequence[Version]) -> Version | None:
    """The changes of one company's row from year to year, which are shown below it. of: its readings."""
    alone = _few(query) and not query.operations and not row.mention
    if not alone or isinstance(row.measure, Statement | Change | Breakdown):
        return None
    if not of or of[0].unit in ("ratio", "days"):
        return change(of[0], percent=False) if of else None
    return change(of[0], percent=True)


# --- reading everything at once ---


def _read(
    query: Query,
    by_company: dict[int, CompanyFilings],
    columns: dict[int, tuple[Asked | Missing, ...]],
    around: dict[int, tuple[Place, ...]],
    deps: TableDeps,
    back: int,
) -> None:
    keys: set[str] = set()
    kinds: set[str] = set()
    earliest = 0
    back += any(isinstance(one, OverYears) for one in query.operations)
    for row in query.rows:
        if isinstance(row.measure, Statement):
            kinds.add(row.measure.statement)
            keys |= operand_keys(row.measure)
            earliest = min(earliest, -(row.measure.form == "growth"))
        for version in _versions(row, deps.registry):
            if version.lines:
                kinds |= set(KINDS)
            keys |= {one.name.key for one in operands(version.expr) if one.name.key in deps.registry.concepts}
            earliest = min([earliest, *(one.offset for one in operands(version.expr))])
    wanted = [
        # Figures first reported by earlier filings are shown beside what a later filing says.
        (near, [one.year + shift + offset for offset in range(0, earliest - 1, -1)])
        for cik, company_filings in by_company.items()
        for one in (*held_places(columns[cik]), *around[cik])
        for near, shift in read_for(company_filings, one.period)
    ]
    # A row over years is compared with what later filings say of each of them.
    over_years = any(len(columns[cik]) + len(around[cik]) > 1 for cik in columns)
    back = REACH if over_years else max(back, 1 - earliest)
    prefetch(wanted, keys, kinds, deps.registry, min(REACH, back) + 1)


def _versions(row: Row, registry: Registry) -> tuple[Version, ...]:
    if isinstance(row.measure, Statement):
        return ()
    try:
        return versions(row.measure.of if isinstance(row.measure, Breakdown) else row.measure, registry)
    except UnitError:
        return ()


def _collapsed(cells: list[BuiltCell], query: Query, registry: Registry) -> list[BuiltCell]:
    """The cells without equal readings, and without mentions that are equal or empty."""
    kept: list[BuiltCell] = []
    given: dict[tuple[int, object], list[tuple[str, object]]] = {}
    for one in cells:
        cell = one.cell
        row = query.rows[cell.row]
        term = registry.ambiguous_terms.get(row.term)
        before = given.setdefault((cell.cik, cell.place), [])
        if row.mention and (cell.value is None or any(value == cell.value for _, value in before)):
            continue
        if term and term.collapse_if_equal and cell.value is not None and (row.term, cell.value) in before:
            continue
        if cell.value is not None:
            before.append((row.term, cell.value))
        kept.append(one)
    return kept


def _checked(outcomes: list[Outcome]) -> list[Outcome]:
    """The results without those whose facts later filings contradict."""
    known = reports(one.item.evaluated for one in outcomes if one.item and one.item.evaluated)
    found = []
    for one in outcomes:
        evaluated = one.item.evaluated if one.item else None
        said = [
            (part, why) for part in (evaluated.parts.values() if evaluated else ()) if (why := doubtful(part, known))
        ]
        if said:
            part, why = said[0]
            gap = broken(part.label, why, [part.held], part.selection.filing_figures).gap()
            update: dict[str, Any] = {"value": None, "gap": gap}
        else:
            update = {"notes": (*one.result.notes, *(about_comparatives(evaluated) if evaluated else ()))}
        found.append(replace(one, result=one.result.model_copy(update=update)))
    return found
