"""How a company's reports divide a measure over the years: the same parts in each year, or a break where they change."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.parts.divisions import Division, Part
from agent.numbers.parts.part_facts import divided
from agent.numbers.parts.part_names import cleaned, names_of
from agent.numbers.parts.part_rows import found_divisions
from agent.numbers.parts.printed_parts import printed_divisions
from agent.numbers.registry.registry_schema import normalise
from agent.state.query import Breakdown, Concept, Line
from agent.state.tables import Role
from filings.xbrl.axes import words

# Parts of revenue add up to slightly more than the total, because segments sell to each other.
MOST_OVER = Decimal("1.15")


@dataclass
class PartRow:
    """A part over the years. keys: the dimensions under which reports give it."""

    label: str
    role: Role
    keys: set[tuple[str, ...]] = field(default_factory=set)


@dataclass(frozen=True)
class Column:
    """The parts of a fiscal year, as the report of another year or its own gives them."""

    filed_for: int
    division: Division
    labels: Mapping[tuple[str, ...], str]


@dataclass
class YearsDivided:
    """How the reports of a company divide a measure. printed: whether also by rows of tables that no fact gives."""

    measure: Breakdown
    filings: CompanyFilings
    printed: bool = True
    found: dict[tuple[int, int], list[Column]] = field(default_factory=dict)

    def given(self, filed_for: int, year: int) -> list[Column]:
        """The ways in which the report of `filed_for` divides `year`, the most detailed first."""
        if (filed_for, year) not in self.found:
            divisions = self.divisions(filed_for, year)
            self.found[filed_for, year] = [self._named(filed_for, one) for one in divisions]
        return self.found[filed_for, year]

    def own(self, row: PartRow, year: int) -> Part | None:
        """A row's part as the year's own report tags it; None where it has none."""
        for one in self.given(year, year):
            for part in one.division.rows:
                if part.key in row.keys or normalise(one.labels[part.key]) == normalise(row.label):
                    return part
        return None

    def like(self, column: Column, filed_for: int, year: int) -> Column | None:
        """The way in which a report divides a year that has most parts of a column; None where it has none of them."""
        keys, found = set(column.labels), self.given(filed_for, year)
        best = max(found, key=lambda one: len(keys & set(one.labels)), default=None)
        return best if best and keys & set(best.labels) else None

    def divisions(self, filed_for: int, year: int) -> list[Division]:
        """The ways in which a report divides the measure for a year."""
        of, by_year = self.measure.of, self.filings.by_year
        selection = self.filings.selection(filed_for) if filed_for in by_year else None
        if selection is None or not isinstance(of, Concept | Line) or not self.filings.aligned(year, filed_for):
            return []
        try:
            figure = divided(of, selection, self.filings, filed_for, year - filed_for)
        except Unanswered:
            return []
        revenue = figure.whole.name in self.filings.registry.concepts["revenue"].names
        axis, key = self.measure.axis, of.key if isinstance(of, Concept) else ""
        found = found_divisions(axis, figure, MOST_OVER if revenue else Decimal(2))
        if not self.printed or any(one.adds_up or one.has_small_rest for one in found):
            return found
        filing = selection.filing_figures.filing
        return printed_divisions(axis, figure, filing, key, self.filings.registry) or found

    def _named(self, filed_for: int, division: Division) -> Column:
        selections = filter(None, (self.filings.selection(filed_for), self.filings.annual.selection(filed_for)))
        return Column(filed_for, division, names_of(division, [one.filing_figures.filing for one in selections]))

    def columns(self, years: Iterable[int]) -> tuple[dict[int, Column], dict[int, str]]:
        """The parts of each year, and why the parts of a year and of the year before it are not on one basis."""
        columns: dict[int, Column] = {}
        breaks: dict[int, str] = {}
        after: tuple[int, Column] | None = None
        for year in sorted(years, reverse=True):
            near = after[1].filed_for if after else None
            if (first := next(self._ways(year, near), None)) is None:
                continue
            joined = _closed(
                one for one in self._ways(year, near) if after is None or self._joined((year, one), after)
            )
            columns[year] = joined or _closed(self._ways(year, near)) or first
            if joined is None and after:
                breaks[after[0]] = self._why(year, first, after)
            after = (year, columns[year])
        return columns, breaks

    def _ways(self, year: int, near: int | None) -> Iterator[Column]:
        """The ways in which reports divide a year, by facts before printed rows; of one report, where it is asked which is
        to give it.
        """
        for printed, filed_for in product((False, True), self.filings.printing(year, near)):
            given = [one for one in self.given(filed_for, year) if one.division.is_printed is printed]
            yield from given
            if given and self.filings.basis:
                return

    def _joined(self, before: tuple[int, Column], after: tuple[int, Column]) -> bool:
        """Whether one report divides both years as they are shown, or two reports divide one of the years alike."""
        (year, one), (later, other) = before, after
        if one.filed_for == other.filed_for:
            # A report may give segments with their sales to each other for one year only.
            return bool(one.labels.keys() & other.labels.keys())
        for common in (year, later):
            a, b = self._same(one, year, common), self._same(other, later, common)
            if a and b:
                return alike(a, b)
        return False

    def _same(self, column: Column, year: int, common: int) -> Column | None:
        """A column's own report for another year."""
        return column if year == common else self.like(column, column.filed_for, common)

    def _why(self, year: int, given: Column, after: tuple[int, Column]) -> str:
        later, newer = after
        divides_both = self.given(newer.filed_for, year) or self.given(given.filed_for, later)
        if divides_both or newer.filed_for != later:
            report = self.filings.report(newer.filed_for)
            return f"The {report} divides fiscal {later} otherwise, and no report divides fiscal {year} so."
        return f"No report shows whether the parts of fiscal {year} and fiscal {later} are the same."

    def rows(self, columns: Mapping[int, Column]) -> tuple[list[PartRow], dict[int, dict[int, Part]]]:
        """The parts of all years, and for each year its part by the row's place.

        A part is the same in two years if its element or its name is, or if a report that gives it by another name
        gives the same figure for a year.
        """
        rows: list[PartRow] = []
        parts: dict[int, dict[int, Part]] = {}
        after: Column | None = None
        for year in sorted(columns, reverse=True):
            column, own = columns[year], dict[int, Part]()
            newer = after and self.like(after, after.filed_for, year)
            renamed = _renamed(column, newer) if newer and newer is not column else {}
            new = []
            for part in column.division.rows:
                at = _place(part, column, rows, renamed, own)
                if at is None:
                    new.append(part)
                else:
                    rows[at].keys.add(part.key)
                    own[at] = part
            for part in new:
                own[len(rows)] = part
                rows.append(PartRow(_unused(column.labels[part.key], part, rows), role_of(part), {part.key}))
            parts[year], after = own, column
        return rows, parts


def _closed(given: Iterable[Column]) -> Column | None:
    """The first of several ways to divide a year; where it leaves a large rest, one with the same parts that adds up.

    None where there is none. No more of them are looked at than it takes.
    """
    ways = iter(given)
    first = next(ways, None)
    if first is None or first.division.adds_up or first.division.has_small_rest:
        return first
    return next((one for one in ways if one.division.adds_up and alike(first, one)), first)


def _place(
    part: Part,
    column: Column,
    rows: Sequence[PartRow],
    renamed: Mapping[tuple[str, ...], tuple[str, ...]],
    taken: Collection[int],
) -> int | None:
    """The place of a part's row among those known; None where it has none."""
    label = normalise(column.labels[part.key])
    free = [(at, row) for at, row in enumerate(rows) if at not in taken]
    by_element = [at for at, row in free if part.key in row.keys]
    by_figure = [at for at, row in free if renamed.get(part.key) in row.keys]
    by_name = [at for at, row in free if normalise(row.label) == label]
    return next(iter([*by_element, *by_figure, *by_name]), None)


def _unused(label: str, part: Part, rows: Sequence[PartRow]) -> str:
    """A label that no row has yet: two parts of one name are two rows, the second by its element's words."""
    known = {row.label for row in rows}
    told = [
        label,
        cleaned(words(part.told.rpartition("=")[2])),
        *(f"{label} ({one})" for one in range(2, len(rows) + 3)),
    ]
    return next(one for one in told if one not in known)


def role_of(part: Part) -> Role:
    """What a part's row is in its year."""
    return "reconciling" if part.reconciling else "subtotal" if part.parts else "part"


def _pairs(one: Column, other: Column) -> list[tuple[Part, Part]]:
    """The parts that two reports give for one year, under one element or one name."""
    by_key = {part.key: part for part in other.division.rows}
    by_label = {normalise(other.labels[part.key]): part for part in other.division.rows}
    return [
        (part, same)
        for part in one.division.rows
        if (same := by_key.get(part.key) or by_label.get(normalise(one.labels[part.key])))
    ]


def _equal(a: Part, b: Part) -> bool:
    return abs(a.value - b.value) <= max(a.slack, b.slack)


def _renamed(older: Column, newer: Column) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Parts that a later report gives under another name, with the same figure for one year, which no other part has."""
    pairs = _pairs(older, newer)
    of_older = [one for one in older.division.rows if one.value and all(one is not a for a, _ in pairs)]
    of_newer = [one for one in newer.division.rows if one.value and all(one is not b for _, b in pairs)]
    found = {}
    for part in of_older:
        same = [one for one in of_newer if _equal(part, one)]
        if len(same) == 1 and sum(_equal(one, same[0]) for one in of_older) == 1:
            found[part.key] = same[0].key
    return found


def alike(one: Column, other: Column) -> bool:
    """Whether two reports divide a year into the same parts with the same figures, whatever they are called."""
    pairs, renamed = _pairs(one, other), _renamed(one, other)
    paired = {part.key for part, _ in pairs} | set(renamed)
    known = {part.key for _, part in pairs} | set(renamed.values())
    lost = [part for part in one.division.rows if part.value and part.key not in paired and not part.parts]
    added = [part for part in other.division.rows if part.value and part.key not in known and not part.parts]
    return all(_equal(a, b) for a, b in pairs) and all(part.reconciling for part in (*lost, *added))
