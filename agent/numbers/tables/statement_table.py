"""A statement over fiscal years or quarters: its rows joined over the filings that print them, as amounts, as
percentages of a total, or as changes from the year before.

A row of one filing is the row of another where both have the same element, or where the later filing prints, for the
earlier one's period, the figure that the earlier one gives under another element.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from agent.numbers.cells.cells import UNSAID, BuiltCell, build_cell, empty
from agent.numbers.cells.row_expressions import Version, change, share, versions
from agent.numbers.facts.company_filings import REACH, CompanyFilings
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.selection_result import same
from agent.numbers.facts.statement_lines import LineFinder, candidate, key_of, lines_of, not_stored
from agent.numbers.periods import asked_years
from agent.numbers.periods.asked_years import Asked
from agent.numbers.periods.interim import period_filings
from agent.numbers.registry.concept import WHOLES
from agent.numbers.registry.expressions import Name
from agent.numbers.registry.units import CURRENCY
from agent.refusals.codes import Code
from agent.state.query import Concept, Statement
from agent.state.tables import Cell, Gap
from filings.xbrl.facts import Value
from filings.xbrl.periods import FiscalPeriod, Place


def blank(statement: Statement) -> Version:
    """The row that stands for a whole statement where it has none."""
    return Version(statement.statement, statement.statement, "", Name(statement.statement))


def operand_keys(statement: Statement) -> set[str]:
    """The concepts that a form of a statement needs besides its rows."""
    return {WHOLES[statement.statement]} if statement.form == "common_size" else set()


def statement_cells(
    number: int,
    statement: Statement,
    company_filings: CompanyFilings,
    columns: Sequence[Asked],
    not_loaded: Sequence[int] = (),
) -> Iterator[BuiltCell]:
    """Every row that has a figure, in the order of the newest filing; a row of older ones stands behind the row that is
    above it there. A filing without a figure of a row leaves its cell empty.

    company_filings: those for whole years. not_loaded: fiscal years without a 10-K, which a later one may print.
    """
    columns = sorted(columns, key=_place)
    # Of a year alone whose 10-K is not loaded, the rows are those of the next one.
    later = [company_filings.by_year[one] for one in _printing(not_loaded) if one in company_filings.by_year]
    framed = columns or [Asked(one) for one in later[:1]]
    built = []
    for row in _joined_rows(statement, company_filings, framed):
        cells = _row_cells(number, row, statement, company_filings, framed)
        if any(map(_tells, cells)):
            built.append(cells)
    lacking = {_place(one) for one in columns} - {one.cell.place for cells in built for one in cells if one.evaluated}
    for column in columns:
        if (place := _place(column)) in lacking:
            own, version = period_filings(company_filings, place.period), blank(statement)
            told = [one.cell.gap for cells in built for one in cells if one.cell.place == place and _tells(one)]
            gap = next(filter(None, told), not_stored(statement, own.company.called, own.report(place.year)))
            yield BuiltCell(empty(version, number, own, place.year), version, own).without(gap)
    for cells in built:
        first = cells[0]
        empty_years = [_unprinted(first, year) for year in not_loaded]
        shown = (one for one in cells if columns and one.cell.place not in lacking)
        yield from sorted((*empty_years, *shown), key=lambda one: one.cell.place)


def _printing(years: Sequence[int]) -> range:
    """The years whose 10-Ks print the last of these as a comparative."""
    return range(max(years) + 1, max(years) + REACH + 1) if years else range(0)


# --- rows ---


@dataclass(eq=False)
class _JoinedRow:
    """A row and the periods of the filings that print it, each with its own finder, newest first."""

    finder: LineFinder
    printed: dict[Place, LineFinder]

    def comparative(self, place: Place, company_filings: CompanyFilings) -> Value | None:
        """The figure that the next later filing with this row prints for a period; None where none does."""
        later = min((one for one in self.printed if one.period is place.period and one > place), default=None)
        if later is None or later.year - place.year > REACH:
            return None
        return _value(self.printed[later], later, place.year - later.year, company_filings)


def _joined_rows(statement: Statement, company_filings: CompanyFilings, columns: Sequence[Asked]) -> list[_JoinedRow]:
    rows: list[_JoinedRow] = []
    for column in reversed(columns):
        place = _place(column)
        own = _lines(statement, period_filings(company_filings, place.period), place.year)
        if len(columns) > 1:  # a figure that is printed twice is one row
            own = _first_of(own, _element)
        found = _matches(own, rows, place, company_filings)
        at = 0
        for line, row in zip(own, found, strict=True):
            if row is None:
                rows.insert(at, _JoinedRow(line, {place: line}))
                at += 1
                continue
            row.printed[place] = line
            names = tuple(dict.fromkeys((*row.finder.line.names, *line.line.names)))
            row.finder = replace(row.finder, line=row.finder.line.model_copy(update={"names": names}))
            at = rows.index(row) + 1
    return rows


def _lines(statement: Statement, filings: CompanyFilings, year: int) -> tuple[LineFinder, ...]:
    """The rows that a period's filing prints, each once; of a 10-Q without its statements, those of the nearest
    10-K.
    """
    books = [filings.selection(year)]
    if filings.period is not FiscalPeriod.YEAR:
        books += [filings.annual.selection(near) for near in (year - 1, year, year + 1)]
    printed = (lines_of(one.filing_figures, statement) for one in books if one)
    return _first_of(next(filter(None, printed), ()), lambda one: (*_element(one), one.line.label))


def _first_of(lines: Sequence[LineFinder], key: Callable[[LineFinder], object]) -> tuple[LineFinder, ...]:
    """The first line of each key, in their order."""
    found: dict[object, LineFinder] = {}
    for one in lines:
        found.setdefault(key(one), one)
    return tuple(found.values())


def _matches(
    lines: Sequence[LineFinder], rows: Sequence[_JoinedRow], place: Place, company_filings: CompanyFilings
) -> list[_JoinedRow | None]:
    """For each line of a period's filing the row it belongs to; None for a new one. Each row has one line at most."""
    by_identity = {identity: row for row in rows for identity in _identities(row)}
    counts = Counter(map(_element, lines))
    found: list[_JoinedRow | None] = []
    for line in lines:
        exact, element = (*_element(line), line.line.label), _element(line)
        row = by_identity.get(exact) or (by_identity.get(element) if counts[element] == 1 else None)
        found.append(row if row not in found else None)
    unmatched = [row for row in rows if row not in found]
    printed = {row: row.comparative(place, company_filings) for row in unmatched}
    given = {at: _value(lines[at], place, 0, company_filings) for at, row in enumerate(found) if row is None}
    for row in unmatched:
        alike = [at for at, value in given.items() if _equal(value, printed[row])]
        alike = [at for at in alike if lines[at].opening == row.finder.opening]
        rivals = [other for other in unmatched if other is not row and _equal(printed[other], printed[row])]
        if len(alike) == 1 and not rivals:  # two rows with one figure prove nothing
            found[alike[0]] = row
            del given[alike[0]]
    return found


def _element(line: LineFinder) -> tuple[str, bool]:
    return line.line.names[0], line.opening


def _identities(row: _JoinedRow) -> list[tuple[object, ...]]:
    """What a line of another filing is recognized by: the element, with its label where the filing repeats it."""
    lines = row.printed.values()
    return [*((*_element(one), one.line.label) for one in lines), *(_element(one) for one in lines)]


def _value(line: LineFinder, place: Place, offset: int, company_filings: CompanyFilings) -> Value | None:
    """A line's figure in the filing of a period, `offset` years back; None where it has none."""
    filings = period_filings(company_filings, place.period)
    if filings.selection(place.year) is None:
        return None
    try:
        return line(filings, place.year, offset)[1]
    except Unanswered:
        return None


def _equal(one: Value | None, other: Value | None) -> bool:
    """Whether two figures are one, after rounding; zeros prove nothing."""
    if one is None or other is None or one.value == 0 or one.fact.unit != other.fact.unit:
        return False
    return same(candidate(one), candidate(other))


# --- cells ---


def _row_cells(
    number: int, row: _JoinedRow, statement: Statement, company_filings: CompanyFilings, columns: Sequence[Asked]
) -> list[BuiltCell]:
    """The row in every period, under the label of the newest filing that prints it; none in a form it has no part in."""
    key = key_of(row.finder.line)
    version = Version(row.finder.line.names[0], row.finder.line.label, "", Name(key), lines={key: row.finder})
    cells = [_amount(number, version, company_filings, one) for one in columns]
    given = [one.cell for one in cells if one.evaluated]
    label = given[-1].label if given else version.label
    if statement.form:
        if statement.form == "common_size" and not all(CURRENCY.fullmatch(one.unit) for one in given):
            return []
        formed = _formed(replace(version, label=label), statement, company_filings)
        cells = [
            built if amount.evaluated else built.without(amount.cell.gap or UNSAID)
            for one, amount in zip(columns, cells, strict=True)
            for built in [_build(number, formed, company_filings, one)]
        ]
    return [replace(one, cell=_told(one.cell, label, row)) for one in cells]


def _formed(version: Version, statement: Statement, company_filings: CompanyFilings) -> Version:
    """The row as a percentage of its total, or as the growth from the year before; still under its own label."""
    if statement.form == "growth":
        return replace(change(version, percent=True), label=version.label)
    (whole, *_) = versions(Concept(key=WHOLES[statement.statement]), company_filings.registry)
    return replace(share(version, whole), label=version.label)


def _amount(number: int, version: Version, company_filings: CompanyFilings, column: Asked) -> BuiltCell:
    """A row's figure in a period; none is missing where the filing prints the row without one, or not at all."""
    built = _build(number, version, company_filings, column)
    gap = built.cell.gap
    return built.without(UNSAID) if gap is not None and gap.code is Code.CONCEPT_NOT_REPORTED else built


def _build(number: int, version: Version, company_filings: CompanyFilings, column: Asked) -> BuiltCell:
    place = _place(column)
    filings = period_filings(company_filings, place.period)
    return build_cell(version, number, filings, place.year, reading=column.reading)


def _unprinted(one: BuiltCell, year: int) -> BuiltCell:
    """A row's cell in a year without a 10-K."""
    cell = Cell(
        row=one.cell.row,
        cik=one.cell.cik,
        company=one.cell.company,
        measure=one.version.key,
        label=one.cell.label,
        heading=one.cell.heading,
        fiscal_year=year,
        unit=one.version.unit,
        gap=UNSAID,
    )
    return BuiltCell(cell, one.version, one.company_filings.annual)


def _told(cell: Cell, label: str, row: _JoinedRow) -> Cell:
    """The cell under the row's heading and label, with a note where its own filing has another label and element."""
    own = row.printed.get(cell.place)
    update: dict[str, object] = {"label": label, "heading": row.finder.heading}
    given = own.line if own and cell.value is not None else row.finder.line
    if given.names[0] != row.finder.line.names[0] and given.label != label:
        update["notes"] = (*cell.notes, f"\u201c{label}\u201d was printed as \u201c{given.label}\u201d.")
    return cell.model_copy(update=update)


# --- years ---


def on_basis_of_columns(cells: Sequence[BuiltCell]) -> list[BuiltCell]:
    """The cells of statements without those that a column's basis has no row for, and without empty rows.

    Where a later 10-K restates rows of a year, it divides the whole differently: what only the year's own 10-K prints is
    in other rows there.
    """
    later: dict[tuple[int, int, Place], set[int]] = {}
    for one in cells:
        if one.version.is_statement_row and one.cell.recast:
            later.setdefault((one.cell.row, one.cell.cik, one.cell.place), set()).add(one.cell.recast.fiscal_year)
    found = [
        one.without(_regrouped(max(filed_for)))
        if (filed_for := later.get((one.cell.row, one.cell.cik, one.cell.place)))
        and one.version.is_statement_row
        and one.evaluated
        and not one.cell.recast
        and not any(_prints(one, year) for year in filed_for)
        else one
        for one in cells
    ]
    given = {_row_of(one) for one in found if _tells(one)}
    years = {(*_row_of(one)[:2], one.cell.place) for one in found if one.cell.value is not None}
    return [
        one
        for one in found
        if (not one.version.is_statement_row or _row_of(one) in given)
        and not (one.version.is_blank and (*_row_of(one)[:2], one.cell.place) in years)
    ]


def _tells(one: BuiltCell) -> bool:
    """Whether a cell has a figure, or a reason other than that its filing has no such row."""
    gap = one.cell.gap
    return gap is None or gap.code is not Code.CONCEPT_NOT_REPORTED


def _row_of(one: BuiltCell) -> tuple[int, int, str, tuple[str, ...]]:
    return one.cell.row, one.cell.cik, one.version.key, tuple(one.version.lines)


def _prints(one: BuiltCell, filed_for: int) -> bool:
    """Whether the 10-K of a fiscal year prints a cell's row, as far as its statement is stored."""
    finder = one.version.finder
    selection = one.company_filings.selection(filed_for)
    face = selection.filing_figures.faces.get(finder.statement) if selection and finder else None
    return face is None or finder is None or any(name in face for name in finder.line.names)


def _regrouped(filed_for: int) -> Gap:
    text = f"The fiscal {filed_for} 10-K, which restates this year, has this amount in other rows."
    return Gap(code=Code.CONCEPT_NOT_REPORTED, text=text)


def _place(column: Asked) -> Place:
    return Place(asked_years.label(column.filing)[0], column.period)
