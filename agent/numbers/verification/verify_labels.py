"""Verifies what cells say of their figures: the company, period, unit, measure and definition, against the facts they cite.

Nothing that selected the facts or computed the cells is used: periods are told by the days of the stored reports, measures
by the registry's tags and labels, definitions by the question's and the registry's expressions.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from zlib import crc32

from django.db.models import Q

from agent.numbers.breakdowns.company_parts import for_company
from agent.numbers.cells.row_expressions import Version, change, versions
from agent.numbers.facts.filing_figures import words
from agent.numbers.parts.part_figures import MemberFinder
from agent.numbers.registry import formula
from agent.numbers.registry.concept import Concept, PeriodType
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.registry_schema import qualified
from agent.numbers.registry.units import UnitError, in_currency
from agent.numbers.verification.possible_values import Figures, alike, computed
from agent.state import FactRef
from agent.state.query import Breakdown, Query, Statement
from agent.state.tables import Cell, Table
from filings.models import Fact, Filing
from filings.tables.printed_cells import PrintedPlace
from filings.xbrl.periods import A_YEAR, QUARTERS, FiscalPeriod, Place

# How far a period may end from the day that its name tells, where the report of that year is stored, and else; a quarter.
NEAR, FAR = timedelta(days=20), timedelta(days=45)
A_QUARTER = 91.25  # days
# Days behind the end of the year on which its cover and its second quarter are told.
COVER, SECOND_QUARTER = range(200), range(-260, -90)


Stored = Mapping[int | PrintedPlace, Fact]
ValueOf = Callable[[FactRef], Decimal | None]


@dataclass(frozen=True)
class Reports:
    """The stored reports of the companies of a table: the ends of their years, and who filed what and when."""

    ends: Mapping[int, Mapping[int, set[date]]]
    filed: Mapping[str, tuple[int, date]]

    @classmethod
    def of(cls, table: Table) -> "Reports":
        """Read in one query."""
        ciks = {one.cik for one in table.cells}
        cited = {one.accession for one in table.cells}
        rows = Filing.objects.filter(Q(pk__in=Filing.objects.of_companies(ciks)) | Q(accession__in=cited))
        ends: defaultdict[int, defaultdict[int, set[date]]] = defaultdict(lambda: defaultdict(set))
        filed = {}
        fields = (
            "accession",
            "company__cik",
            "company__successor_cik",
            "filed",
            "fiscal_year",
            "fiscal_quarter",
            "period_end",
        )
        for accession, cik, successor, day, year, quarter, end in rows.values_list(*fields):
            filed[accession] = successor or cik, day
            if year and end and not quarter:
                ends[successor or cik][year].add(end)
        return cls(ends, filed)

    def ends_near(self, cik: int, place: Place, day: date, slack: timedelta = NEAR) -> bool:
        """Whether a period of a company may end on a day; also where no year of the company is stored."""
        return any(abs(day - one) <= near for one, near in self.estimated(cik, place, slack)) or cik not in self.ends

    def estimated(self, cik: int, place: Place, slack: timedelta = NEAR) -> Iterator[tuple[date, timedelta]]:
        """The days on which a period should end, each with how far it may be off."""
        years = self.ends.get(cik, {})
        nearest = min(years, key=lambda one: abs(one - place.year), default=place.year)
        back = timedelta(days=A_QUARTER * (len(QUARTERS) - place.period.quarter))
        for end in years.get(nearest, ()):
            off = timedelta(days=A_YEAR * (place.year - nearest))
            yield end + off - back, FAR if off or back else slack


@dataclass(frozen=True)
class Labels:
    """What the cells of a table may say: by the question, the registry and the stored reports."""

    query: Query
    registry: Registry
    reports: Reports
    stored: Stored
    known: dict[tuple[int, int], tuple[Version, ...]] = field(default_factory=dict)

    def problems(self, table: Table) -> Iterator[str]:
        """Everything that a cell says and its facts do not, in sentences."""
        names = {one.cik: one.called for one in self.query.companies}
        for cell in table.cells:
            if cell.value is None:
                continue
            where = f"{cell.label}, {cell.company}, {cell.place.called}"
            if names.get(cell.cik) != cell.company:
                yield f"{where}: the company is not the one asked about."
            yield from (f"{where}: {said}" for said in (*self._of_period(cell), *self._of_measure(cell)))

    # --- periods and filings ---

    def _of_period(self, cell: Cell) -> Iterator[str]:
        filed = self.reports.filed.get(cell.accession)
        if cell.accession and (filed is None or filed[0] != cell.cik or (cell.filed and cell.filed != filed[1])):
            yield "the filing named is not this company's, or of another day."
        if cell.fiscal_year is None or any(one.is_guidance for one in cell.facts):
            return
        if cell.period_end and not self.reports.ends_near(cell.cik, cell.place, cell.period_end):
            yield f"the period does not end on {cell.period_end}."
        if cell.fact and not self._is_of(cell.fact, cell.cik, cell.place, self._concepts(cell)):
            yield f"a fact of another period is cited, to {cell.fact.end}."
        for one in (*cell.operands, *cell.breakdown):
            concept = self.registry.concepts.get(one.concept)
            if not self._is_of(one.fact, one.cik, one.place, [concept] if concept else []):
                yield f"a fact of another period is cited for {one.name}, to {one.fact.end}."

    def _is_of(self, fact: FactRef, cik: int, place: Place, concepts: Iterable[Concept]) -> bool:
        """Whether the days of a fact are those of a period; a cover's are later, and those of a market value earlier."""
        if fact.start < fact.end:
            known = place.period.days if not fact.as_printed else range(0)
            fitting = not known or (fact.end - fact.start).days in range(known.start - 1, known.stop)
            return fitting and self.reports.ends_near(cik, place, fact.end)
        kinds = {one.period for one in concepts}
        around = {PeriodType.INSTANT_AFTER_FYE: COVER, PeriodType.INSTANT_Q2: SECOND_QUARTER}
        for kind in kinds & around.keys():
            off = [(fact.end - end).days for end, _ in self.reports.estimated(cik, place)]
            if not off or any(one in around[kind] for one in off):
                return True
        opening = place._replace(year=place.year - 1)
        return self.reports.ends_near(cik, place, fact.end) or (
            not kinds and self.reports.ends_near(cik, opening, fact.end)
        )

    # --- measures, units and definitions ---

    def _concepts(self, cell: Cell) -> list[Concept]:
        version = self.version(cell)
        keys = {one.name.key for one in formula.operands(version.expr)} if version else {cell.measure}
        return [self.registry.concepts[key] for key in keys if key in self.registry.concepts]

    def readings(self, row: int, cik: int = 0) -> tuple[Version, ...]:
        """The readings of the measure of a row, of a company's own part if it is named; none for what is read line by line."""
        if (row, cik) not in self.known:
            measure = self.query.rows[row].measure if row < len(self.query.rows) else None
            self.known[row, cik] = ()
            if measure is not None and not isinstance(measure, Breakdown | Statement):
                with suppress(UnitError, KeyError, TypeError):
                    self.known[row, cik] = versions(for_company(measure, cik) if cik else measure, self.registry)
        return self.known[row, cik]

    def version(self, cell: Cell) -> Version | None:
        """The reading that a cell is of, or whose change it shows; None where the question does not tell it."""
        readings = self.readings(cell.row, cell.cik)
        beside = () if cell.asserted else changes(readings[:1])
        found = [one for one in (*readings, *beside) if one.key == cell.measure]
        return next((one for one in found if one.reading == cell.reading), next(iter(found), None))

    def _of_measure(self, cell: Cell) -> Iterator[str]:
        if cell.fact and cell.unit != cell.fact.unit:
            yield f"it is shown in {cell.unit}, the fact is in {cell.fact.unit}."
        yield from self._of_statement(cell)
        version = self.version(cell)
        if version is None:
            readings = self.readings(cell.row, cell.cik)
            # Parts of a company are read in several ways, and a measure may be given as it is printed.
            if readings and not cell.role and not any(one.dimensions or one.as_printed for one in cell.facts):
                yield "it is not the measure asked for."
            return
        if not version.lines and cell.label != version.label:
            yield f"it is called {cell.label}, and not {version.label}."
        if version.unit and cell.unit not in self._units(cell, version):
            yield f"it is shown in {cell.unit}, not in {version.unit}."
        yield from self._of_facts(cell, version)
        beside = bool(cell.alternative and cell.reading and version.reading != cell.reading)
        beside = beside or bool(cell.fact and cell.fact.as_printed)
        if not beside and not self.follows(cell.value, cell, version, self.value):
            yield "the value does not follow from the facts cited by the definition of the measure."
        tried = computed(cell.formula, cell.operands, trial) if cell.formula else None
        if tried is not None and not self.follows(tried, cell, version, trial):
            yield "the formula is not the definition of the measure."

    def follows(self, value: Decimal | None, cell: Cell, version: Version, of: ValueOf) -> bool:
        """Whether a value is one that the definition of a measure has over the facts of a cell."""
        found = self.figures(cell, version, of).values(version.expr, cell.place)
        return value is not None and any(alike(value, one) for one in found)

    def _of_statement(self, cell: Cell) -> Iterator[str]:
        """A line of a whole statement that is not the one of its fact, or called otherwise than it is printed."""
        measure = self.query.rows[cell.row].measure if cell.row < len(self.query.rows) else None
        if not isinstance(measure, Statement) or cell.fact is None:
            return
        if cell.measure != cell.fact.name:
            yield f"{cell.fact.name} is not this line."
        if not cell.label.endswith((cell.fact.label or words(cell.fact.name), words(cell.fact.name))):
            yield f"the line is called {cell.label}."

    def _units(self, cell: Cell, version: Version) -> set[str]:
        """The units that a cell may be in: of an amount, the currency of its facts."""
        moneys = {one.unit.partition("/")[0] for one in cell.facts if one.unit.partition("/")[0].isupper()}
        return {in_currency(version.unit, one) for one in moneys or {"USD"}}

    def _of_facts(self, cell: Cell, version: Version) -> Iterator[str]:
        """Facts under a tag, or of a part, that the measure is not."""
        if cell.fact:
            keys = [one.name.key for one in formula.operands(version.expr)]
            if not any(self.admits(key, version, cell.fact) for key in keys):
                yield f"{cell.fact.element} is not this measure."
        for one in (*cell.operands, *cell.breakdown):
            if not self.admits(one.concept, version, one.fact):
                yield f"{one.fact.element} is not {one.concept}."

    def admits(self, key: str, version: Version, fact: FactRef) -> bool:
        """Whether a fact may be a measure's: by its tag or its row's label, of the whole company or of the part."""
        if line := version.lines.get(key):
            if not isinstance(line, MemberFinder) or fact.as_printed:
                return True
            own = {told for part in line.member.own for told in part.members} or set(line.member.members)
            return bool(own.intersection(fact.dimensions.split(";")))
        concept = self.registry.concepts.get(key)
        if concept is None or fact.dimensions:
            return concept is None
        others = (qualified(tag) for tags in (concept.alike, *concept.variant_tags.values()) for tag in tags)
        tagged = fact.name in {*(one.name for one in concept.candidates), *others}
        return tagged or bool(fact.as_printed) or (bool(fact.label) and concept.accepts(fact.label))

    def figures(self, cell: Cell, version: Version, of: ValueOf) -> Figures:
        """The values of the facts of a cell; a balance at the end of several periods is of each."""
        found = Figures(self.registry)
        cited = [(one.concept, one.place, one.fact) for one in cell.operands]
        if fact := cell.fact:
            cited += [(name.name.key, cell.place, fact) for name in formula.operands(version.expr)]
        for key, place, one in cited:
            ending = [period for period in FiscalPeriod if period.quarter == place.period.quarter]
            for period in ending if one.start == one.end else (place.period,):
                if (value := of(one)) is not None:
                    found.add(key, place._replace(period=period), value)
        return found

    def value(self, fact: FactRef) -> Decimal | None:
        return stored_value(self.stored, fact)


def stored_value(stored: Stored, cited: FactRef) -> Decimal | None:
    """The stored value of a cited fact, with the sign that it is cited with; None where it is not stored."""
    held = stored.get(cited.key)
    value = None if held is None else Decimal(held.value)
    return -value if value is not None and cited.negated else value


def trial(fact: FactRef) -> Decimal:
    """A number for a fact, the same each time and another for each fact, to tell two formulas apart that agree by chance."""
    return Decimal(1009 + crc32(repr(fact.key).encode()) % 90001)


def changes(of: Iterable[Version]) -> list[Version]:
    """The changes over a year and over a quarter that are shown beside a measure."""
    return [
        change(one, percent=percent, sequential=sequential)
        for one in of
        for percent in (True, False)
        for sequential in (False, True)
    ]
