"""Puts the figures of a row over fiscal years on one basis, or marks where the basis breaks.

A 10-K prints two or three years, so neighbouring years overlap. There is a break between two years where the 10-K of the
second prints another value for the first than the first one's own 10-K did, beyond rounding: a spin-off, another
accounting rule, a share split. A year before a break is shown as the later 10-K prints it, where one does. What no
10-K joins stays a break, across which nothing is computed.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal

from agent.numbers.asked_years import TRANSITION
from agent.numbers.cells import REACH, UNSAID, BuiltCell, filled, from_filing, restated
from agent.numbers.company_filings import CompanyFilings
from agent.numbers.evaluated import Evaluated, FactOperand
from agent.numbers.gaps import Unanswered
from agent.numbers.measure_keys import MOVES
from agent.numbers.measures import Version, changed
from agent.numbers.members import MemberFinder
from agent.numbers.operation_results import merge
from agent.numbers.rounding import half_unit
from agent.numbers.selection_result import Choice
from agent.numbers.statement_lines import LineOf
from agent.refusals.codes import Code
from filings.xbrl.facts import Value
from filings.xbrl.periods import FiscalPeriod

# Percentages and ratios are compared by what two decimals show.
HALF_SHOWN = Decimal("0.005")
# Without operands in common, two amounts are equal within this part of the larger.
NEAR = Decimal("0.0005")

# Filings of fiscal years, by the year of the figure that each gives; and why the basis breaks before a year.
Sources = dict[int, int]
Breaks = dict[int, str]


@dataclass
class Series:
    """The readings of one measure of one company by fiscal year, each from the filing of a fiscal year."""

    version: Version
    filings: CompanyFilings
    found: dict[tuple[int, int], Evaluated | None] = field(default_factory=dict)

    def reading(self, filed_for: int, year: int) -> Evaluated | None:
        """The measure in `year` as the 10-K of `filed_for` gives it alone; None where it does not."""
        if (filed_for, year) not in self.found:
            self.found[filed_for, year] = self._read(filed_for, year)
        return self.found[filed_for, year]

    def _read(self, filed_for: int, year: int) -> Evaluated | None:
        by_year = self.filings.by_year
        if filed_for not in by_year or (year in by_year and not self.filings.aligned(year, filed_for)):
            return None
        try:
            return from_filing(self.version, self.filings, year, filed_for)
        except Unanswered:
            return None

    def agree(self, one: int, other: int, year: int) -> bool | None:
        """Whether two filings give the same figure for a year; None where that is unknown.

        Of a measure that only one of them gives, such as a return on average assets, the operands are compared.
        """
        if one == other:
            return True
        a, b = self.reading(one, year), self.reading(other, year)
        if a and b:
            return same(a, b)
        if a:
            return self._operands_agree(a, other)
        return self._operands_agree(b, one) if b else None

    def _operands_agree(self, given: Evaluated, filed_for: int) -> bool | None:
        """Whether a filing gives the same figures for the operands of a measure; None where it gives none of them."""
        selection = self.filings.selection(filed_for)
        if selection is None:
            return None
        told = [
            abs(choice.value - part.held.value) <= max(choice.half_unit, _slack(part))
            for part in given.parts.values()
            if part.concept and isinstance(choice := selection.annual(part.key, part.year - filed_for), Choice)
        ]
        told += [
            abs(held.value - part.held.value) <= max(half_unit(held.value, held.fact.decimals), _slack(part))
            for part in given.parts.values()
            if (find := self.version.lines.get(part.key)) and (held := self._line(find, part.year, filed_for))
        ]
        return all(told) if told else None

    def _line(self, find: LineOf, year: int, filed_for: int) -> Value | None:
        """A line's figure for a year in the filing of another; None where it has none."""
        with suppress(Unanswered):
            return find(self.filings, filed_for, year - filed_for)[1]
        return None

    def joined(self, before: tuple[int, int], after: tuple[int, int]) -> bool:
        """Whether two figures, each (fiscal year of the filing, fiscal year), are on one basis.

        They are where both filings give the same figure for one of the two years, or a third filing joins them.
        """
        (one, year), (other, later) = before, after
        if one == other:
            return True
        for common in (year, later):
            if (told := self.agree(one, other, common)) is not None:
                return told
        if any(
            self.agree(third, one, year) and self.agree(third, other, later)
            for third in range(later, year + REACH + 1)
        ):
            return True
        # Nothing tells of another basis. Lines and parts, which reports often regroup, must be proven to be on one.
        return other == later <= year + REACH and not self.version.lines

    def sources(self, years: Sequence[int], start: int, given: int) -> tuple[Sources, Breaks]:
        """The filing that gives each year on the basis of `start`, as far as one does, and where the basis breaks.

        Before `start`, a year whose own 10-K is on another basis is given as a later one prints it. years: ascending,
        all of them, `start` among them; of those without a figure nothing is said. given: the filing that gives `start`.
        """
        found: Sources = {start: given}
        breaks: Breaks = {}
        after = (given, start)
        for year in reversed([one for one in years if one < start]):
            first = None
            for one in self._printing(year, after[0], max(years[-1], given)):
                if self.reading(one, year):
                    first = first or one
                    if self.joined((one, year), after):
                        found[year] = one
                        break
            if first is None:
                continue
            if year not in found:
                breaks[after[1]] = self._why(year, after)
            after = (found.setdefault(year, first), year)
        before = (given, start)
        for year in [one for one in years if one > start]:
            if self.reading(year, year) is None:
                continue
            if not self.joined(before, (year, year)):
                breaks[year] = self._why(before[1], (year, year))
            found[year] = year
            before = (year, year)
        return found, breaks

    @staticmethod
    def _printing(year: int, after: int, newest: int) -> list[int]:
        """The filings that may give a year: its own, that of the year after it, and the newest first of the others."""
        return list(dict.fromkeys((year, after, *range(min(year + REACH, newest), year, -1))))

    def _why(self, year: int, after: tuple[int, int]) -> str:
        filed_for, later = after
        newer = self.filings.report(filed_for)
        if filed_for != later:
            return f"The {newer} restates fiscal {later}, not fiscal {year}."
        if self.agree(filed_for, year, year) is False:
            return f"The {newer} restates fiscal {year}."
        return f"No report shows whether fiscal {year} and fiscal {later} are on the same basis."


def on_one_basis(cells: Sequence[BuiltCell], apart: Collection[int] = ()) -> list[BuiltCell]:
    """The cells with each row over fiscal years on one basis where filings give it, and with its breaks marked.

    A row's changes, which stand below it, follow its basis. apart: numbers of rows that are left as they are.
    """
    rows: dict[tuple[object, ...], list[int]] = {}
    key: tuple[object, ...]
    for at, one in enumerate(cells):
        of_year = one.cell.fiscal_year is not None and one.cell.fiscal_period is FiscalPeriod.YEAR
        if of_year and one.cell.row not in apart and not one.version.is_blank:
            # Opening and closing balances of a statement are two rows of one element.
            line = tuple(one.version.lines)
            key = (one.cell.row, one.cell.cik, one.version.key, one.version.reading, one.cell.alternative, line)
            rows.setdefault(key, []).append(at)
    found = list(cells)
    for key, places in rows.items():
        row = [cells[at] for at in places]
        if len({one.cell.fiscal_year for one in row}) < len(row) or any(one.cell.period_reading for one in row):
            continue
        # A row's changes stand below it, and follow it.
        of = [found[at] for at in rows.get(_changed(key), ())] if not row[0].cell.asked else []
        for at, one in zip(places, _called_alike(_changes(row, of) if of else _of_row(row)), strict=True):
            found[at] = one
    return found


def _called_alike(cells: Iterable[BuiltCell]) -> list[BuiltCell]:
    """A row of a part under one name: where its reports tag it inside unlike parts, without these."""
    row = list(cells)
    labels = {one.cell.label for one in row if one.cell.asserted}
    if not labels or not any(isinstance(line, MemberFinder) for line in row[0].version.lines.values()):
        return row
    label = labels.pop() if len(labels) == 1 else row[0].version.label
    return [replace(one, cell=one.cell.model_copy(update={"label": label})) for one in row]


def _changed(key: tuple[object, ...]) -> tuple[object, ...]:
    """The key of the row that a row of changes is of; empty for another row."""
    row, cik, measure, *rest = key
    word = next((word for word in MOVES if str(measure).startswith(word)), "")
    return (row, cik, str(measure).removeprefix(word), *rest) if word else ()


def _changes(row: Sequence[BuiltCell], of: Sequence[BuiltCell]) -> Iterator[BuiltCell]:
    """A row of changes from year to year, of the figures shown above it, and none across a break."""
    shown = {one.cell.fiscal_year or 0: one for one in of}
    for one in row:
        year = one.cell.fiscal_year or 0
        now, before = shown.get(year), shown.get(year - 1)
        if one.evaluated is None or now is None or not (now.cell.basis_break or now.cell.recast):
            yield one
        elif now.cell.basis_break or now.evaluated is None or before is None or before.evaluated is None:
            yield one.without(UNSAID)
        else:
            percent = one.cell.unit == "percent"
            tree, _ = changed(now.evaluated.tree, before.evaluated.tree, now.version.unit, percent=percent)
            merged = merge(tree, (now.evaluated, before.evaluated))
            cell = filled(one.cell, one.version, merged, one.company_filings, year)
            yield replace(one, cell=cell, evaluated=merged)


def _of_row(row: Sequence[BuiltCell]) -> Iterator[BuiltCell]:
    """The cells of one measure of one company, each of another year.

    A year whose own 10-K is not loaded is filled from one that prints it as a comparative.
    """
    held = {one.cell.fiscal_year or 0: one for one in row}
    told = [year for year, one in held.items() if one.evaluated]
    lacking = [year for year, one in held.items() if _is_lacking(one)]
    # A part that its year's own 10-K gives no figure of is there already as a later one gives it.
    given_by = {year: cell.recast.fiscal_year if (cell := held[year].cell).recast else year for year in told}
    known = {(given_by[year], year): held[year].evaluated for year in told}
    series = Series(row[0].version, row[0].company_filings, known)
    asked = [year for year in told if held[year].cell.asked]
    start = max(asked or told or lacking, default=0)
    given = given_by[start] if told else next((one for one in _after(start) if series.reading(one, start)), 0)
    if not given or (len(told) < 2 and not lacking):
        yield from row
        return
    shown = sorted({*told, *lacking})
    last = max(shown[-1], *given_by.values()) if told else shown[-1]
    sources, breaks = series.sources(range(shown[0], last + 1), start, given)
    for one in row:
        year = one.cell.fiscal_year or 0
        before = max((other for other in shown if other < year), default=year)
        said = next((why for at, why in breaks.items() if before < at <= year), "")
        filed_for = sources.get(year, year)
        if filed_for != year and year in shown and (found := series.reading(filed_for, year)):
            one = restated(one, found, filed_for)
        yield replace(one, cell=one.cell.model_copy(update={"basis_break": said})) if said else one


def _is_lacking(one: BuiltCell) -> bool:
    """Whether a year has no figure because its own 10-K is not loaded, or prints no such row of a statement; of a
    transition period there is none.
    """
    gap = one.cell.gap
    if gap is not None and one.version.is_statement_row:
        return gap == UNSAID
    return gap is not None and gap.code is Code.YEAR_NOT_INGESTED and gap.detail != TRANSITION


def _after(year: int) -> range:
    """The years whose 10-Ks print a year as a comparative."""
    return range(year + 1, year + REACH + 1)


def same(a: Evaluated, b: Evaluated) -> bool:
    """Whether two evaluated figures of one year are equal after rounding, operand by operand where they have the same."""
    mine, others = (_by_place(one) for one in (a, b))
    if mine.keys() == others.keys():
        return all(_equal(part, others[place]) for place, part in mine.items())
    try:
        x, y = a.value, b.value
    except ArithmeticError:
        return False
    return abs(x - y) <= max(HALF_SHOWN, NEAR * max(abs(x), abs(y)))


def _by_place(one: Evaluated) -> dict[tuple[str, int], FactOperand]:
    return {(part.key, part.year): part for part in one.parts.values()}


def _equal(a: FactOperand, b: FactOperand) -> bool:
    return abs(a.held.value - b.held.value) <= max(map(_slack, (a, b)))


def _slack(part: FactOperand) -> Decimal:
    """Half of the last digit that the filing gives: a filer may round to millions and still tag tenths of them."""
    value, decimals = part.held.value, part.held.fact.decimals
    given = half_unit(value, decimals)
    return max(given, half_unit(value, None)) if decimals is not None and decimals < 0 else given
