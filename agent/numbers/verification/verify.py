"""Verifies a table against the database: every fact is read again and every formula computed again, to the digit."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from decimal import Decimal
from functools import partial

from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.registry import Registry
from agent.numbers.tables.comparisons import holds
from agent.numbers.verification import verify_results
from agent.numbers.verification.possible_values import computed
from agent.numbers.verification.verify_labels import Labels, Reports, Stored, stored_value
from agent.state import FactRef, Period, PeriodForm
from agent.state.query import Last, Query, Span, Years
from agent.state.tables import Cell, Result, Table
from filings.models import Fact
from filings.tables.column_periods import NEAR
from filings.tables.printed_cells import PrintedPlace, read_at
from filings.tables.read_again import unlike
from filings.xbrl.periods import Place

A_MONTH, HALF_A_YEAR = timedelta(days=31), timedelta(days=182)
# The columns that identify the cited fact.
COMPARED = (
    "taxonomy", "tag", "unit", "start", "end", "raw", "value", "dimensions", "filing__accession",
    "filing__company__cik", "filing__company__successor_cik",
)  # fmt: skip
# Those by which a printed figure is read again.
PRINTED = (
    "source", "label", "printed", "section", "text_start", "text_end", "filing__source", "filing__period_end",
    "filing__fiscal_year", "filing__fiscal_quarter",
)  # fmt: skip
Values = Mapping[tuple[int, int, Place], frozenset[Decimal]]


def verify(table: Table, query: Query | None = None, registry: Registry | None = None) -> tuple[str, ...]:
    """The differences between the cells and results and the database, one sentence each; empty where there are none.
    A printed figure is also read again from the document.

    query: the question; what cells say of their figures is then verified as well. registry: the file's by default.
    Other years and the parts of a figure are shown too, so they are verified too. All facts are read in one query, and
    nothing that computed the table is used.
    """
    cells = [one for one in table.cells if one.value is not None]
    results = [one for one in (*table.results, *table.moved) if one.gap is None]
    cited = [fact for one in cells for fact in (*_shown(one), *_otherwise(one))]
    cited += [fact for one in results for fact in one.facts]
    stored = stored_facts(cited)
    values = values_of(cells, results)
    found = [problem for one in cells for problem in of_cell(one, stored)]
    found += [problem for one in results for problem in of_result(one, stored, values)]
    if query is not None:
        labels = Labels(query, registry or registry_file.load(), Reports.of(table), stored)
        found += [
            *labels.problems(table),
            *verify_results.problems(table, labels),
            *not_asked(table, query),
        ]
    found += unlike(one for one in stored.values() if one.pk and one.source == Fact.Source.PRINTED).values()
    return tuple(found)


def stored_facts(cited: Iterable[FactRef]) -> Stored:
    """The facts that are cited as they are stored; printed figures that no fact stores as they are read again."""
    keys = {one.key for one in cited}
    placed = {one.place for one in cited if one.place}
    facts = Fact.objects.select_related("filing__company").only(*COMPARED, *PRINTED)
    stored: dict[int | PrintedPlace, Fact] = {**facts.in_bulk([key for key in keys if isinstance(key, int)])}
    return stored | read_at(placed)


def difference(cited: FactRef, stored: Fact | None) -> str:
    """How a cited fact differs from the database, in words; empty where it does not."""
    if stored is None and cited.place:
        return f"The document does not print {cited.printed} at its place."
    if stored is None:
        return f"The fact {cited.name} is no longer stored."
    same = (
        stored.taxonomy == cited.taxonomy
        and stored.tag == cited.tag
        and stored.unit == cited.unit
        and _same_days(cited, stored)
        and stored.raw == cited.raw
        and stored.value == (-cited.value if cited.negated else cited.value)
        and stored.dimensions == cited.dimensions
        and stored.filing.accession == cited.accession
        and (not cited.place or (stored.label, stored.printed) == (cited.label, cited.printed))
    )
    return "" if same else f"The stored fact {stored} differs from the cited {cited.name} {cited.raw}."


def _same_days(cited: FactRef, stored: Fact) -> bool:
    """Whether a fact is of the period cited; of a printed figure the company's reports tell the days, and more may be loaded
    since.
    """
    off = (abs(stored.start - cited.start), abs(stored.end - cited.end))
    return max(off) <= (NEAR if cited.place else timedelta())


def _shown(cell: Cell) -> tuple[FactRef, ...]:
    """The facts of a cell, and those of the parts shown beside it."""
    return (*cell.facts, *(one.fact for one in cell.breakdown))


def _otherwise(cell: Cell) -> tuple[FactRef, ...]:
    """The facts by which other reports give a cell: restated later, or first reported."""
    first = (cell.recast.fact,) if cell.recast and cell.recast.fact else ()
    return (*(one.later.fact for one in cell.restated), *first)


def of_cell(cell: Cell, stored: Stored) -> Iterator[str]:
    """The differences of one cell, in sentences."""
    yield from _cited((*_shown(cell), *_otherwise(cell)), stored)
    yield from _of_reports(cell, stored)
    where = f"{cell.label}, {cell.company}, {cell.place.called}"
    for fact in _shown(cell):
        if not _is_of(fact, cell, stored) or fact.accession not in {cell.accession, *cell.seams}:
            yield f"{where}: a fact of another company or filing is cited."
    value = (
        stored_value(stored, cell.fact)
        if cell.fact
        else computed(cell.formula, cell.operands, partial(stored_value, stored))
    )
    if value != cell.value:
        yield f"{where}: {cell.value} is shown where {value} is stored."
    if cell.fact and cell.fact.place and cell.unit != cell.fact.unit:
        yield f"{where}: {cell.unit} is shown where {cell.fact.unit} is printed."


def _of_reports(cell: Cell, stored: Stored) -> Iterator[str]:
    """What is said of other reports' figures and is not so."""
    used = {stored_value(stored, one) for one in (*cell.facts, *(part.fact for part in cell.breakdown))}
    for one in cell.restated:
        if one.used not in used or one.later.fact.value - one.used != one.later.change:
            yield f"{cell.label}, {cell.company}: {one.used} is not what was restated by {one.later.change}."
    first = cell.recast
    if first and first.fact and first.first != stored_value(stored, first.fact):
        yield f"{cell.label}, {cell.company}: {first.first} is not what was reported first."


def _is_of(fact: FactRef, cell: Cell, stored: Stored) -> bool:
    """Whether a fact is the cell's company's, or was filed by a predecessor."""
    held = stored.get(fact.key)
    return fact.cik == cell.cik or (held is not None and held.filing.company.asked_as == cell.cik)


def of_result(result: Result, stored: Stored, values: Values) -> Iterator[str]:
    """The differences of one result, in sentences. values: of the cells and results of its table."""
    where = f"{result.operation} of {result.label}"
    yield from _cited(result.facts, stored)
    if result.formula:
        value = computed(result.formula, result.operands, partial(stored_value, stored))
        if value != result.value:
            yield f"{where}: {result.value} is shown where {value} follows from what is stored."
    for one in result.order:
        if one.value not in values.get((one.row, one.cik, result.place_of(one)), ()):
            yield f"{where}: {one.value} stands in no cell."
    if result.operation in ("rank", "highest", "lowest"):
        yield from _in_order(result, where)
    if result.holds is not None:
        known = values.get((result.row, result.cik or 0, result.places[-1]), ())
        if result.value is None or result.bound is None or result.value not in known:
            yield f"{where}: {result.value} stands in no cell."
        elif holds(result.value, result.comparison, result.bound) is not result.holds:
            yield f"{where}: the comparison with {result.bound} is not so."


def _in_order(result: Result, where: str) -> Iterator[str]:
    given = [one.value for one in result.order]
    if not given or result.value != given[0] or given != sorted(given, reverse=result.highest):
        yield f"{where}: the order is not that of the values."
    ranks = [one.rank for one in result.order]
    if ranks != [1 + given.index(value) for value in given]:
        yield f"{where}: the ranks are not those of the values."


def _cited(facts: Iterable[FactRef], stored: Stored) -> Iterator[str]:
    for fact in facts:
        if said := difference(fact, stored.get(fact.key)):
            yield said


def values_of(cells: Iterable[Cell], results: Iterable[Result]) -> Values:
    """The values of each row, company and year, by cells and by operations over years."""
    found: dict[tuple[int, int, Place], set[Decimal]] = {}
    for cell in cells:
        if cell.value is not None:
            found.setdefault((cell.row, cell.cik, cell.place), set()).add(cell.value)
    for one in results:
        if one.value is not None and one.cik is not None and one.fiscal_years and one.formula:
            found.setdefault((one.row, one.cik, one.places[-1]), set()).add(one.value)
    return {key: frozenset(values) for key, values in found.items()}


def not_asked(table: Table, query: Query) -> Iterator[str]:
    """Each asserted figure that is of a period not asked for, in a sentence."""
    asserted = [one for one in table.asserted if one.fiscal_year is not None and not is_foretold(one)]
    for cell in asserted:
        row = [one for one in table.cells if (one.row, one.cik, one.measure) == (cell.row, cell.cik, cell.measure)]
        if not is_asked(cell, row, query.periods_of(cell.cik)):
            yield f"{cell.label}, {cell.company}, {cell.place.called}: a figure of another period than asked for is asserted."


def is_foretold(cell: Cell) -> bool:
    """Whether a figure is expected: the period in a question may be that of the document which tells it."""
    return any(one.is_guidance for one in cell.facts)


def is_asked(cell: Cell, row: Iterable[Cell], periods: Years | Span | Last) -> bool:
    """Whether a period is asked for. row: all figures of the measure, of which the newest answer a question without a year."""
    newer = {one.place for one in row if one.value is not None and one.period_end and is_newer(one, cell)}
    match periods:
        case Years(periods=named):
            return any(is_named(cell, one) if one.year or one.end else not newer for one in named)
        case Span(first=first, last=last):
            years = names(cell, first.form)
            return (not first.year or max(years) >= first.year) and (
                last is None or not last.year or min(years) <= last.year
            )
        case Last(count=count, until=until):
            if until and until.year:
                return (
                    min(names(cell, until.form)) <= until.year
                    and len({one for one in newer if one.year <= until.year}) < count
                )
            return len(newer) < count
    return True


def is_newer(one: Cell, other: Cell) -> bool:
    return bool(one.period_end and other.period_end and one.period_end > other.period_end)


def is_named(cell: Cell, period: Period) -> bool:
    """Whether a period is the one named by its last day, or by its year."""
    if period.end:
        return cell.period_end is not None and abs(cell.period_end - period.end) <= A_MONTH
    return period.year in names(cell, period.form)


def names(cell: Cell, form: PeriodForm) -> set[int]:
    """The years that a period may be called by: a fiscal one is the company's own, or the column's."""
    own = {year for year in (cell.fiscal_year, cell.calendar_year) if year is not None}
    if form is PeriodForm.FISCAL or cell.period_end is None:
        return own
    return own | {cell.period_end.year, (cell.period_end - HALF_A_YEAR).year}
