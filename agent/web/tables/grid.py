"""The grid page's content: companies x fiscal years x measures, read from the address."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.text import capfirst

from accounts.identity import Identity
from agent.numbers import registry as registry_file
from agent.numbers import table_text
from agent.numbers.measure_keys import known, measure_of
from agent.numbers.measures import versions
from agent.numbers.registry import Registry, normalise
from agent.numbers.render import is_money
from agent.query.other_choice import Choice
from agent.refusals.grammar import listed, lower_first
from agent.registrants import index_source
from agent.registrants.companies import Companies
from agent.registrants.company_lists import NotListedError, companies_listed
from agent.runs import spending
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import (
    MOST_COMPANIES,
    MOST_MEASURES,
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
    Years,
)
from agent.state.tables import Table
from agent.steps.deps import open_to_visitors
from agent.web.tables.members import MOST_MEMBERS, Part, Parts, times
from agent.web.tables.verified_tables import asked_cells, ref_of, tabulated
from agent.web.tables.year_table import Order, YearRows
from filings.models import FIRST_YEAR, Company
from filings.web import company_directory
from filings.xbrl.periods import QUARTERS, TRAILING, FiscalPeriod, Place

MOST_CELLS = 1_000
# How long a counted grid is shown again, for example re-sorted, without being counted.
KEPT_SECONDS = 600
FIRST_YEARS = 5
# Companies in the list to choose from; others are found by name.
MOST_OFFERED = 500
LONGEST_NAME = 120
# Characters of names typed at once.
LONGEST_TYPED = 600
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
        whole = FiscalPeriod.YEAR
        return Years(
            periods=tuple(
                Period(form=PeriodForm.FISCAL, year=one.year, part=None if one.period is whole else one.period)
                for one in self.columns
            )
        )

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
        registry = registry_file.load()
        return [(key, capfirst(versions(measure_of(key, registry), registry)[0].label)) for key in self.measures]

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


def companies_of(symbols: str, typed: str, problems: list[str]) -> tuple[Company, ...]:
    """The companies of tickers or CIKs, then those typed, each once."""
    wanted = [one.strip().upper() for one in symbols.split(",") if one.strip()]
    ciks = [int(one) for one in wanted if one.isascii() and one.isdecimal() and len(one) <= 10]
    typed_ciks = ciks_typed(typed, problems)
    meant = Company.objects.filter(Q(tickers__symbol__in=wanted) | Q(cik__in=[*ciks, *typed_ciks])).values("pk")
    held = company_directory.with_held(Company.objects.filter(pk__in=meant))
    by_name = {name: one for one in held for name in (*one.symbols, str(one.cik))}
    named = {one: by_name.get(one) or by_name.get(one.lstrip("0")) for one in wanted}
    found = {one.cik: one for one in (*named.values(), *(by_name.get(str(cik)) for cik in typed_ciks)) if one}
    if unknown := [text for text, one in named.items() if one is None]:
        problems.append(f"No such company: {', '.join(unknown[:5])}. Give tickers or names.")
    if len(found) > MOST_COMPANIES:
        problems.append(f"A grid has {MOST_COMPANIES} companies at most; these are {len(found)}.")
    return tuple(found.values())


def ciks_typed(text: str, problems: list[str]) -> list[int]:
    """The CIKs of companies by name or ticker; none, with the reason, where one is unknown."""
    if len(text) > LONGEST_TYPED:
        problems.append(f"Type up to {LONGEST_TYPED} characters of companies at once; these are {len(text)}.")
    elif text.strip():
        try:
            return [one.cik for one in companies_listed(Companies.current(), text)]
        except NotListedError as error:
            problems.append(str(error))
    return []


def measures_of(keys: str, typed: str, problems: list[str]) -> tuple[str, ...]:
    """Measure keys, then measures typed by name, each once."""
    registry = registry_file.load()
    # A label may contain a comma: Accounts receivable, net.
    texts = [typed] if known(measure_called(typed, registry), registry) else typed.split(",")
    named = [measure_called(text, registry) for text in map(str.strip, texts) if text]
    wanted = dict.fromkeys([*(one.strip().lower() for one in keys.split(",") if one.strip()), *named])
    found = []
    for key in wanted:
        if known(key, registry):
            found.append(key)
        else:
            problems.append(f"There is no such measure: {key[:LONGEST_NAME]}.")
    if len(found) > MOST_MEASURES:
        problems.append(f"A grid has {MOST_MEASURES} measures at most; these are {len(found)}.")
    return tuple(found)


def parts_of(companies: Sequence[Company], names: str, typed: str, problems: list[str]) -> tuple[Part, ...]:
    """The parts of the single company by name, each once."""
    text = f"{names},{typed}"
    if not text.strip(", "):
        return ()
    if len(companies) != 1:
        problems.append("Parts are of one company: choose one alone, or remove the parts.")
        return ()
    if len(text) > LONGEST_TYPED:
        problems.append(f"Type up to {LONGEST_TYPED} characters of parts at once; these are {len(text)}.")
        return ()
    found, unknown = Parts(companies[0]).named(text)
    if unknown:
        problems.append(unknown)
    if len(found) > MOST_MEMBERS:
        problems.append(f"A grid has {MOST_MEMBERS} parts at most; these are {len(found)}.")
    return found


def measure_called(text: str, registry: Registry) -> str:
    """The key of a measure by its label or an unambiguous name; any other text unchanged."""
    words = normalise(text)
    labels = {normalise(one.label): key for key, one in registry.metrics.items() if not one.hidden}
    labels |= {normalise(one.label): key for key, one in registry.concepts.items()}
    keys = registry.aliases.get(words, ())
    return labels.get(words) or (keys[0] if len(keys) == 1 else text.lower())


def year_of(name: str, text: str, otherwise: int, problems: list[str]) -> int:
    """A fiscal year; `otherwise` where none is given."""
    if not text:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) == 4):
        problems.append(f"“{name}” is a fiscal year of four digits.")
        return otherwise
    return int(text)


def day_of(name: str, text: str, problems: list[str]) -> date | None:
    """A day as 2024-03-31; None where none is given."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        problems.append(f"“{name}” is a day such as 2024-03-31.")
    return None


def measures_offered() -> list[str]:
    """The labels of all measures, the frequent ones first."""
    registry = registry_file.load()
    often = [capfirst(versions(measure_of(key, registry), registry)[0].label) for key in OFTEN]
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
