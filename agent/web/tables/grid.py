"""The grid page's content: companies x fiscal years x measures, read from the address."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.core.cache import cache
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.text import capfirst

from accounts.identity import Identity
from agent.numbers.cells.measure_keys import measure_of
from agent.numbers.cells.row_expressions import Version, versions
from agent.numbers.facts.render import is_money
from agent.numbers.registry import registry as registry_file
from agent.numbers.tables import table_text
from agent.numbers.tables.alignment import named
from agent.query.wording.answer_form import Choice
from agent.refusals.grammar import listed, lower_first
from agent.registrants import index_source
from agent.runs import spending
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import (
    MOST_YEARS,
    Alignment,
    Basis,
    Change,
    Concept,
    Measure,
    Periods,
    Query,
    Row,
    Share,
    Span,
)
from agent.state.tables import Table
from agent.steps.deps import open_to_visitors
from agent.web.tables.grid_parameters import LONGEST_NAME, companies_of, day_of, measures_of, parts_of, year_of
from agent.web.tables.part_lookup import Part, times
from agent.web.tables.verified_tables import asked_cells, ref_of, tabulated
from agent.web.tables.year_table import Order, YearRows
from filings.models import FIRST_YEAR, Company
from filings.xbrl.periods import QUARTERS, TRAILING, FiscalPeriod, Place

MOST_CELLS = 1_000
# How long a counted grid is shown again, for example re-sorted, without being counted.
KEPT_SECONDS = 600
FIRST_YEARS = 5
# Companies in the list to choose from; others are found by name.
MOST_OFFERED = 500
# What rows show: figures, growth, or share of revenue.
LEVELS, GROWTH, SHARES = "levels", "growth", "share"
SHOWS = {LEVELS: "Figures", GROWTH: "Growth", SHARES: "Share of revenue"}
WHOLE = Concept(key="revenue")
# What columns are: fiscal years, quarters, or trailing twelve months.
YEAR, QUARTER, MONTHS = "year", "quarter", "ttm"
PER = {YEAR: "Fiscal years", QUARTER: "Quarters", MONTHS: "Trailing twelve months"}
COLUMNS: dict[str, tuple[FiscalPeriod, ...]] = {
    YEAR: (FiscalPeriod.YEAR,),
    QUARTER: QUARTERS,
    MONTHS: (*TRAILING, FiscalPeriod.YEAR),
}


@dataclass(frozen=True)
class Grid:
    """The content of a grid. problems: sentences on parameters that could not be used."""

    companies: tuple[Company, ...] = ()
    measures: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    first: int = 0
    last: int = 0
    per: str = YEAR
    show: str = LEVELS
    sort: Place | None = None
    highest: bool = True
    by: str = ""
    name: str = ""
    align: Alignment | None = None
    basis: Basis | None = None
    as_of: date | None = None
    problems: tuple[str, ...] = field(default=(), compare=False)

    # --- its address ---

    def address(self, **other: Any) -> str:
        """The address of this grid, or of one that differs from it."""
        one = replace(self, **other)
        chosen: dict[str, Any] = {
            "companies": ",".join(_symbol(company) for company in one.companies),
            "measures": ",".join(one.measures),
            "members": one.members,
            "from": one.first or "",
            "to": one.last or "",
            "per": one.per if one.per != YEAR else "",
            "align": one.align.value if one.align else "",
            "basis": one.basis.value if one.basis else "",
            "as_of": one.as_of.isoformat() if one.as_of else "",
            "show": one.show if one.show != LEVELS else "",
            "sort": one.sort.code if one.sort else "",
            "order": "" if one.highest or not one.sort else "lowest",
            "by": one.by,
            "name": one.name,
        }
        said = {name: value for name, value in chosen.items() if value}
        return f"{reverse('grid')}?{urlencode(said, safe=',:')}" if said else reverse("grid")

    def chosen(self, choice: Choice) -> str:
        """The address of this grid with another alignment or basis."""
        return self.address(**{"align" if isinstance(choice, Alignment) else "basis": choice})

    @property
    def query_string(self) -> str:
        return self.address().partition("?")[2]

    @property
    def members(self) -> str:
        """The names of the parts, separated by commas."""
        return ",".join(one.label for one in self.parts)

    def without_company(self, cik: int) -> str:
        """The address without a company, and without parts that may be its own."""
        return self.address(companies=tuple(one for one in self.companies if one.cik != cik), parts=())

    def without_part(self, label: str) -> str:
        return self.address(parts=tuple(one for one in self.parts if one.label != label))

    def without_measure(self, key: str) -> str:
        return self.address(measures=tuple(one for one in self.measures if one != key))

    def with_companies(self, ciks: Sequence[int]) -> str:
        """The address with further companies, each once."""
        keys = dict.fromkeys([*(one.cik for one in self.companies), *ciks])
        said = {"companies": ",".join(map(str, keys)), "measures": ",".join(self.measures)}
        years = {"from": self.first, "to": self.last} if self.companies else {}
        return f"{reverse('grid')}?{urlencode(said | years, safe=',:')}"

    @property
    def order(self) -> Order:
        """How its rows are sorted, and the addresses of other orders, which keep the table in view."""
        return Order(
            self.sort, self.highest, self.by,
            lambda one: f"{self.address(sort=one.place, highest=one.highest, by=one.measure)}#figures",
        )  # fmt: skip

    # --- what it asks ---

    @property
    def asks(self) -> bool:
        """Whether the grid has companies and measures to show."""
        return bool(self.companies and self.measures and not self.problems)

    @property
    def cells(self) -> int:
        return len(self.companies) * len(self.measures) * max(len(self.parts), 1) * len(self.columns)

    @property
    def columns(self) -> tuple[Place, ...]:
        """The fiscal years, quarters, or twelve months."""
        return tuple(Place(year, one) for year in range(self.first, self.last + 1) for one in COLUMNS[self.per])

    @property
    def periods(self) -> Periods:
        if self.per == YEAR:
            first, last = (Period(form=PeriodForm.FISCAL, year=year) for year in (self.first, self.last))
            return Span(first=first, last=last)
        return named(self.columns)

    @cached_property
    def query(self) -> Query:
        registry = registry_file.load()
        measures = [measure_of(key, registry) for key in self.measures]
        return Query(
            companies=self.refs,
            periods=self.periods,
            align=self.align,
            basis=self.basis,
            as_of=self.as_of,
            rows=tuple(Row(measure=self._row(one)) for one in times(measures, self.parts)),
        )

    @cached_property
    def refs(self) -> tuple[CompanyRef, ...]:
        return tuple(map(ref_of, self.companies))

    def _row(self, measure: Measure) -> Measure:
        """The measure as shown; margins have no share of revenue, and growth has no growth."""
        if self.show == GROWTH and not isinstance(measure, Change):
            return Change(of=measure, percent=True)
        money = is_money(versions(measure, registry_file.load())[0].unit)
        return Share(part=measure, whole=WHOLE) if self.show == SHARES and money and measure != WHOLE else measure

    def table(self, identity: Identity) -> Table:
        """Its verified cells, counted against the asker's quota. Raises accounts.quotas.QuotaExceeded."""
        key = f"grid:{index_source.version()}:{registry_file.load().version}:{identity.key}:{self.query.model_dump_json()}"
        key = f"grid:{hashlib.sha256(key.encode()).hexdigest()}"
        if found := cache.get(key):
            return Table.model_validate_json(found)
        made = spending.counted(
            identity,
            self.title,
            lambda: asked_cells(tabulated(self.query, identity)),
            lambda table: (table_text.markdown(table), table.answered),
            spending.of_cells(self.cells),
        )
        cache.set(key, made.model_dump_json(), KEPT_SECONDS)
        return made

    def order_of(self, table: Table) -> Order:
        """Its order; by default by the newest year with figures of most companies."""
        return replace(self.order, place=self.sort or YearRows(table).newest_with_figures)

    def ordered(self, table: Table) -> Table:
        """The table with its companies in the page's order, for a file."""
        place = YearRows(table).ranked(self.order_of(table))
        cells = sorted(table.cells, key=lambda cell: (cell.row, place([cell])))
        return table.model_copy(update={"cells": tuple(cells)})

    # --- in words ---

    @property
    def labels(self) -> list[tuple[str, str]]:
        """The measures with their labels."""
        return [(key, capfirst(version_of(key).label)) for key in self.measures]

    @property
    def title(self) -> str:
        """Apple and Microsoft: total revenue and gross margin, fiscal 2020 to 2024."""
        names = [company.called for company in self.companies]
        who = listed(names) if len(names) <= 3 else f"{len(names)} companies"
        what = listed([lower_first(label) for _, label in self.labels])
        what += f" of {listed([one.label for one in self.parts])}" if self.parts else ""
        shown = "" if self.show == LEVELS else f" ({SHOWS[self.show].lower()})"
        when = table_text.places_said(self.columns)
        # Of several companies, the table decides whether its years are fiscal or calendar ones.
        when = when if len(names) < 2 or self.align is Alignment.FISCAL else when.replace("fiscal ", "")
        return f"{who}: {what}{shown}, {when}"


def read(given: Mapping[str, str]) -> Grid:
    """The grid of an address or a form: companies and measures by key, and those typed by name."""
    problems: list[str] = []
    companies = companies_of(given.get("companies", ""), given.get("company", ""), problems)
    measures = measures_of(given.get("measures", ""), given.get("measure", ""), problems)
    parts = parts_of(companies, given.get("members", ""), given.get("member", ""), problems)
    newest = max((year for one in companies if (year := one.figures_to)), default=0)  # type: ignore[attr-defined]
    last = year_of("to", given.get("to", ""), newest, problems)
    first = year_of("from", given.get("from", ""), max(last - FIRST_YEARS + 1, FIRST_YEAR) if last else 0, problems)
    if first > last:
        problems.append(f"The years end before they begin: {first} to {last}.")
    per = given.get("per", YEAR)
    per = per if per in PER else YEAR
    if last - first >= MOST_YEARS:
        problems.append(f"A grid has {MOST_YEARS} years at most; these are {last - first + 1}.")
    elif (most := MOST_YEARS // len(COLUMNS[per])) <= last - first:
        problems.append(f"By the quarter, a grid has {most} years at most; these are {last - first + 1}.")
    show, sort = given.get("show", ""), Place.of_code(given.get("sort", ""))
    found = Grid(
        companies=companies,
        measures=measures,
        parts=parts,
        first=first,
        last=last,
        show=show if show in SHOWS else LEVELS,
        per=per,
        sort=sort if sort and first <= sort.year <= last and sort.period in COLUMNS[per] else None,
        highest=given.get("order") != "lowest",
        by=given.get("by", "")[:LONGEST_NAME],
        name=" ".join(given.get("name", "").split())[:LONGEST_NAME],
        align=Alignment(align) if (align := given.get("align", "")) in set(Alignment) else None,
        basis=Basis(basis) if (basis := given.get("basis", "")) in set(Basis) else None,
        as_of=day_of("as_of", given.get("as_of", ""), problems),
    )
    if not problems and found.cells > MOST_CELLS:
        problems.append(f"A grid has {MOST_CELLS:,} cells at most; this one has {found.cells:,}.")
    return replace(found, problems=tuple(problems))


def version_of(key: str) -> Version:
    """A measure in its default reading, by its key."""
    registry = registry_file.load()
    return versions(measure_of(key, registry), registry)[0]


def measures_offered() -> list[str]:
    """The labels of all measures, the frequent ones first."""
    registry = registry_file.load()
    often = [capfirst(version_of(key).label) for key in OFTEN]
    metrics = [one.label for one in registry.metrics.values() if not one.hidden]
    return list(dict.fromkeys([*often, *sorted([*metrics, *(one.label for one in registry.concepts.values())])]))


OFTEN = (
    "revenue", "gross_margin", "operating_income", "operating_margin", "net_income", "net_margin", "eps_diluted", "rnd",
    "cfo", "capex", "fcf", "total_debt", "equity", "roe",
)  # fmt: skip


def companies_offered(identity: Identity) -> QuerySet[Company]:
    """The companies that the viewer may ask about, for a list to choose from."""
    covered = Company.objects.covered().prefetch_related("tickers").order_by("name")
    ciks = open_to_visitors() if identity.user is None else None
    return covered if ciks is None else covered.filter(cik__in=ciks)


def _symbol(company: Company) -> str:
    return company.symbols[0] if company.symbols else str(company.cik)
