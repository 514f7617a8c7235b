"""A measure by segment, product or region: one row for each part, one for the remainder, one for the total.

Each year has the parts of one report, so that its column adds up. The report is the year's own, unless a later one
divides the year otherwise, as the years after it are divided; where none does, the row breaks there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from agent.numbers.basis.series import same
from agent.numbers.breakdowns.schedules import scheduled
from agent.numbers.breakdowns.undivided_figures import no_parts, nothing, other_parts
from agent.numbers.cells.cells import BuiltCell, build_cell, empty, from_filing, restated
from agent.numbers.cells.row_expressions import Version, of_part, share, versions
from agent.numbers.facts.company_filings import REACH, CompanyFilings
from agent.numbers.facts.evaluated import Evaluated
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.render import headline
from agent.numbers.facts.share_classes import names_of_classes
from agent.numbers.parts.divisions import Division, Part
from agent.numbers.parts.parts_over_years import Column, PartRow, YearsDivided, role_of
from agent.numbers.parts.printed_parts import printed_together
from agent.numbers.registry.expressions import Binary, Expr
from agent.numbers.registry.formula import operands
from agent.numbers.registry.registry import Registry, Unit
from agent.refusals.grammar import capitalized, lower_first
from agent.state.query import Breakdown, Change, Combined, Concept, Measure, Member, Metric
from agent.state.tables import Role
from filings.xbrl.axes import words
from filings.xbrl.periods import Place

# Members for all products together, which are no product.
ALL_OF_A_KIND = frozenset({"ProductOrServiceAxis=ProductMember"})
# Words in element names that stand for what is left besides the parts.
REMAINDERS = frozenset({"Corporate", "Eliminations", "Non", "Other", "Outside", "Rest", "Unallocated"})
ABROAD = {"region": frozenset({"International", "Foreign"}), "segment": frozenset[str](), "product": frozenset[str]()}
# What a small rest is called: not eliminations, unless parts come to more than the whole or are reconciled with it.
LEFT = {"product": "Other products", "region": "Other regions", "segment": "Other"}
LEFT_OVER = "Other / eliminations"

# The cell of a year whose own report is not loaded.
Unread = Callable[[Version], BuiltCell]


def broken_down(
    number: int,
    measure: Breakdown,
    company_filings: CompanyFilings,
    years: Sequence[int],
    registry: Registry,
    unread: Mapping[int, Unread],
) -> Iterator[BuiltCell]:
    """The cells of every part in these fiscal years, then the remainder, then the total.

    With `shares`, each part's share of the total follows. Where the largest or smallest parts are asked for,
    these alone are asked, for each year, before the others. unread: the cells of years whose own report is not
    loaded, which later reports may divide.
    """
    whole = versions(measure.of, registry)[0]
    if measure.axis == "class":
        yield from _by_class(number, measure, whole, company_filings, years, registry)
        return
    if measure.axis == "year":
        due = {year: list(scheduled(number, whole, company_filings, year)) for year in sorted(years)}
        yield from (nothing(number, measure, whole, company_filings, year) for year, cells in due.items() if not cells)
        yield from sorted((one for cells in due.values() for one in cells), key=lambda one: not one.cell.part)
        return
    yield from _Divided(number, measure, whole, company_filings, years, unread).cells()


class _Divided:
    """The cells of a measure by segment, product or region; parameters as of `broken_down`."""

    def __init__(
        self,
        number: int,
        measure: Breakdown,
        whole: Version,
        company_filings: CompanyFilings,
        years: Sequence[int],
        unread: Mapping[int, Unread],
    ) -> None:
        self.measure, self.whole, self.filings = measure, whole, company_filings
        # Ratios and growth have the same parts as their operands, and no total.
        self.is_ratio = isinstance(measure.of, Metric | Change)
        divided_of = measure.of.of if isinstance(measure.of, Change) else measure.of
        if isinstance(divided_of, Metric):
            divided_of = Concept(key=operands(whole.expr)[0].name.key)
        # A printed row has one figure, and no ratio of two.
        printed = not isinstance(measure.of, Metric) and not isinstance(getattr(measure.of, "of", None), Metric)
        self.found = YearsDivided(measure.model_copy(update={"of": divided_of}), company_filings, printed)
        self.columns, self.breaks = self.found.columns((*years, *unread))
        self.rows, self.parts = self.found.rows(self.columns)
        self.built = _Built(number, measure.of, whole, company_filings, unread)
        self.years = sorted({*years, *(year for year in unread if year in self.columns)})
        self.of_year: dict[int, dict[int, BuiltCell]] = {year: {} for year in self.years}  # by number of the row

    def cells(self) -> Iterator[BuiltCell]:
        """The parts asked alone, every part, what is left, the total, and the shares."""
        if self.measure.extreme:
            filed = {year: self.columns[year].filed_for if year in self.columns else year for year in self.years}
            yield from _extreme(self.built, self.measure, self.found, filed)
        elif not self.rows:
            yield from (
                nothing(self.built.number, self.measure, self.whole, self.filings, year) for year in self.years
            )
        if not self.rows:
            return
        for at, row in enumerate(self.rows):
            if row.role == "reconciling" and isinstance(self.measure.of, Metric):
                continue  # eliminations have no margin
            for one in self._of_row(at, row):
                if one.cell.value is not None or not self.measure.extreme:
                    yield one
        left = dict(self._left())
        yield from (left[year] for year in sorted(left))
        yield from self._totals()
        if self.measure.shares and not self.measure.extreme:
            yield from self._shares(left)

    def _of_row(self, at: int, row: PartRow) -> Iterator[BuiltCell]:
        """The cells of one part, year by year, which are kept for what is left and for the shares."""
        of_row = {year: of[at] for year, of in self.parts.items() if at in of}
        # The sum of others in some years may be a part in those before.
        label = f"{row.label}, subtotal" if all(one.parts for one in of_row.values()) else row.label
        for year in self.years:
            part = of_row.get(year)
            if part is None:
                lacking = other_parts if year in self.parts else no_parts
                one = self.built.blank(self.built.version(label, next(iter(of_row.values()))), year)
                yield marked(one.without(lacking(self.measure, self.whole, self.filings, year)), row.role, "", label)
                continue
            column = self.columns[year]
            own = self.found.own(row, year) if column.filed_for != year and not part.reconciling else None
            tagged = self.built.version(label, own) if own else None
            version = self.built.version(label, part)
            one = self.built.cell(version, year, column.filed_for, tagged, asked=not self.measure.extreme)
            one = one if self.of_year[year] or self.is_ratio else _with_sum(one, column.division, self.measure)
            self.of_year[year][at] = one
            one = self.of_year[year][at] = marked(one, role_of(part), self._broken(self.of_year, at, year), label)
            yield one

    def _broken(self, rows: Mapping[int, Mapping[int, BuiltCell]], at: int, year: int) -> str:
        """Why a row breaks before a year; empty where it does not."""
        why = self.breaks.get(year, "")
        return why and self.built.broken(rows, at, year, why)

    def _left(self) -> Iterator[tuple[int, BuiltCell]]:
        """What is left of each year besides its parts."""
        over = any(one.division.is_over or one.division.is_reconciled for one in self.columns.values())
        name = LEFT_OVER if over else LEFT[self.measure.axis]
        for year, column in self.columns.items() if not self.is_ratio else ():
            if rest := self.built.left(name, column, self.parts[year], self.of_year[year], year):
                yield year, rest

    def _totals(self) -> Iterator[BuiltCell]:
        totals: dict[int, dict[int, BuiltCell]] = {}
        for year in sorted(self.columns):
            one = self.built.cell(self.whole, year, self.columns[year].filed_for, asked=False)
            totals[year] = {0: one}
            yield marked(one, "", self._broken(totals, 0, year))

    def _shares(self, left: Mapping[int, BuiltCell]) -> Iterator[BuiltCell]:
        """Each part's share, and that of what is left, of the years with a figure."""
        for year, cells in self.of_year.items():
            if all(one.cell.value is None for one in cells.values()):
                continue
            for one in (*cells.values(), *filter(None, [left.get(year)])):
                part_of_whole = self.built.cell(share(one.version, self.whole), year, self.columns[year].filed_for)
                # What is to be noted of the whole is noted of the parts, or of none of them.
                noted = replace(part_of_whole, cell=part_of_whole.cell.model_copy(update={"notes": one.cell.notes}))
                yield marked(noted, one.cell.role, "", f"{one.cell.part}, share")


@dataclass(frozen=True)
class _Built:
    """Builds the cells of a measure's parts. whole: the measure; unread: the cells of years without their own report."""

    number: int
    of: Measure
    whole: Version
    filings: CompanyFilings
    unread: Mapping[int, Unread]

    def version(self, label: str, part: Part) -> Version:
        return of_part(self.of, self.whole, label, part.facts)

    def blank(self, version: Version, year: int) -> BuiltCell:
        """A cell of a year before its value is known."""
        if year in self.unread:
            return self.unread[year](version)
        return BuiltCell(empty(version, self.number, self.filings, year), version, self.filings)

    def cell(
        self, version: Version, year: int, filed_for: int, tagged: Version | None = None, *, asked: bool = True
    ) -> BuiltCell:
        """The cell of a year as the report of another year or its own gives it; as its own, where both give the same.

        tagged: as its own report tags it, if otherwise.
        """
        if year in self.unread:
            one = self.blank(version, year)
            own = replace(one, cell=one.cell.model_copy(update={"asked": asked}))
        else:
            own = build_cell(tagged or version, self.number, self.filings, year, asked=asked)
        if filed_for == year:
            return own
        found = self._given(version, year, filed_for)
        if found is None or (own.evaluated and same(own.evaluated, found)):
            return own
        return restated(replace(own, version=version), found, filed_for)

    def broken(self, rows: Mapping[int, Mapping[int, BuiltCell]], at: int, year: int, why: str) -> str:
        """Why a row breaks before a year; empty where it has no figure before, or one report gives both figures."""
        now, earlier = rows[year].get(at), max((one for one in rows if one < year and at in rows[one]), default=0)
        before = rows[earlier].get(at) if earlier else None
        if now is None or before is None or now.evaluated is None or before.evaluated is None:
            return ""
        for filed_for in range(year, year + REACH + 1):
            given = [self._given(now.version, one, filed_for) for one in (earlier, year)]
            if given[0] and given[1] and same(given[0], before.evaluated) and same(given[1], now.evaluated):
                return ""
        return why

    def _given(self, version: Version, year: int, filed_for: int) -> Evaluated | None:
        """The figure of a year as one report gives it; None where it does not."""
        known = filed_for in self.filings.by_year and self.filings.aligned(year, filed_for)
        with suppress(Unanswered):
            return from_filing(version, self.filings, year, filed_for) if known else None
        return None

    def left(
        self, name: str, column: Column, parts: Mapping[int, Part], cells: Mapping[int, BuiltCell], year: int
    ) -> BuiltCell | None:
        """The remainder of one year after its parts; None where it is rounding, large, or a part has no figure."""
        division = column.division
        top = [cells[at] for at, part in parts.items() if part in division.top]
        if division.adds_up or not division.has_small_rest or any(one.cell.value is None for one in top):
            return None
        expr: Expr = self.whole.expr
        for one in top:
            expr = Binary("-", expr, one.version.expr)
        lines = {name: line for one in top for name, line in one.version.lines.items()}
        rest = replace(
            self.whole,
            key=f"{self.whole.key}_left",
            label=f"{name} of {lower_first(self.whole.label)}",
            expr=expr,
            lines=lines,
            crosscheck="",
        )
        return marked(self.cell(rest, year, column.filed_for), "rest", "", name)


def marked(one: BuiltCell, role: Role, basis_break: str, part: str = "") -> BuiltCell:
    """The cell with its row's role and name, and with the break of its row before its year, if there is one."""
    return replace(one, cell=one.cell.model_copy(update={"role": role, "basis_break": basis_break, "part": part}))


def _with_sum(one: BuiltCell, division: Division, measure: Breakdown) -> BuiltCell:
    """The first part of a year with a note on their sum, where a large rest is not divided, or they are only printed."""
    year = Place(one.cell.fiscal_year or 0, one.company_filings.period).called
    if division.is_printed:
        return noted(one, printed_together(division.rows[0].facts[0], year))
    if division.adds_up or division.has_small_rest:
        return one
    come_to = " ".join(filter(None, headline(division.whole.value - division.left, division.whole.unit)))
    note = f"{capitalized(year)}: the {measure.axis}s add up to {come_to}, not to the total; the report does not divide the rest."
    return noted(one, note)


def noted(one: BuiltCell, note: str) -> BuiltCell:
    """The cell with one more note."""
    return replace(one, cell=one.cell.model_copy(update={"notes": (*one.cell.notes, note)}))


def _by_class(
    number: int,
    measure: Breakdown,
    whole: Version,
    company_filings: CompanyFilings,
    years: Sequence[int],
    registry: Registry,
) -> Iterator[BuiltCell]:
    """The cells of every share class, and of share counts of several classes their sum; earnings per share have none."""
    found: dict[str, str] = {}
    for year in sorted(years, reverse=True):
        selection = company_filings.selection(year)
        if selection and isinstance(measure.of, Concept):
            found = names_of_classes(measure.of, selection) | found
    classes = [
        Member(of=measure.of, label=label, members=(told,))
        for told, label in sorted(found.items(), key=lambda one: one[1])
    ]
    rows = {
        one: [build_cell(versions(one, registry)[0], number, company_filings, year) for year in sorted(years)]
        for one in classes
    }
    yield from (cell for row in rows.values() for cell in row)
    if not classes:
        yield from (nothing(number, measure, whole, company_filings, year) for year in sorted(years))
    elif len(classes) > 1 and whole.unit == Unit.SHARES and len(set(found.values())) == len(classes):
        (total,) = versions(Combined(sign="+", parts=tuple(classes)), registry)
        total = replace(total, label=f"{whole.label}, all classes")
        for place, year in enumerate(sorted(years)):
            if all(row[place].cell.value is not None for row in rows.values()):
                yield build_cell(total, number, company_filings, year)


def _extreme(built: _Built, measure: Breakdown, found: YearsDivided, years: Mapping[int, int]) -> Iterator[BuiltCell]:
    """The largest or smallest parts of each year, or the reason why there is none; with `shares`, each with its share.

    years: each with the year whose report divides it.
    """
    for year, filed_for in sorted(years.items()):
        filed_for = year if found.given(year, year) else filed_for
        given = found.given(filed_for, year)
        if (first := _first(measure, given)) is None:
            yield nothing(built.number, measure, built.whole, built.filings, year, divided=bool(given))
            continue
        column, parts = first
        for part in parts:
            one = built.cell(built.version(column.labels[part.key], part), year, filed_for)
            label = f"{one.version.label} ({measure.first})" if measure.top == 1 else one.version.label
            yield replace(one, cell=one.cell.model_copy(update={"label": label}))
            if measure.shares:
                yield built.cell(share(one.version, built.whole), year, filed_for)


def _first(measure: Breakdown, columns: Sequence[Column]) -> tuple[Column, list[Part]] | None:
    """The largest or smallest parts; None where the ways in which the report divides the year do not agree on them."""
    given = [one for one in columns if one.division.adds_up or one.division.has_small_rest]
    plain = [one for one in given if not any(part.told in ALL_OF_A_KIND for part in one.division.rows)]
    firsts = []
    for one in plain or given:
        parts = [part for part in one.division.rows if not part.parts and not part.reconciling]
        ordered = sorted(parts, key=lambda part: part.value, reverse=measure.extreme == "highest")
        firsts.append((one, ordered[: measure.top]))
    if len({tuple(part.key for part in parts) for _, parts in firsts}) != 1:
        return None
    column, parts = firsts[0]
    unnamed = REMAINDERS | ABROAD[measure.axis]
    rest = any(unnamed & set(words(part.told.rpartition("=")[2]).split()) for part in parts)
    return None if rest else (column, parts)
