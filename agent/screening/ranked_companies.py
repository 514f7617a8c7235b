"""Ranks and filters all covered companies by their annual figures."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from django.db.models.functions import Coalesce

from agent.models import AnnualFigure, KeptFigures
from agent.numbers.tables.comparisons import holds
from agent.numbers.tables.table import TableDeps
from agent.screening.annual_figures import figures, is_certain, kept_keys, key_of, rounded_as_kept, selecting_version
from agent.state import CompanyRef
from agent.state.query import Measure
from filings.edgar.registrant_names import everyday_name, is_fictional
from filings.models import Company, Filing

# Companies whose figures are selected while somebody waits; further ones wait until they are kept.
MOST_SELECTED = 200


class Listed(NamedTuple):
    """A covered company: its CIK, and its name in SEC records."""

    cik: int
    name: str

    @property
    def called(self) -> str:
        """The everyday name."""
        return everyday_name(self.cik, self.name)

    @property
    def ref(self) -> CompanyRef:
        return CompanyRef(cik=self.cik, name=self.name, short=self.called, covered=True)


@dataclass(frozen=True)
class Condition:
    """A bound of one measure: `measure` is the place of the measure in the screen. bound: in the figure's unit."""

    measure: int
    comparison: str
    bound: Decimal


@dataclass(frozen=True)
class Screening:
    """What is screened: measures, the calendar year (None: each company's newest), bounds, industry and order.

    sort: the place of the measure that companies are ranked by. sic: the first digits of SIC codes; empty for all.
    """

    measures: tuple[Measure, ...]
    year: int | None = None
    conditions: tuple[Condition, ...] = ()
    sort: int = 0
    highest: bool = True
    sic: str = ""


@dataclass(frozen=True)
class Annual:
    """A company's figure of one measure."""

    value: Decimal
    unit: str


@dataclass(frozen=True)
class Ranked:
    """One company that meets every bound, with its own fiscal year; figures by the measure's place."""

    rank: int
    company: Listed
    fiscal_year: int
    figures: Mapping[int, Annual]
    filing: int


@dataclass(frozen=True)
class Screened:
    """The companies that meet the bounds, in order. unranked: those without a figure that is needed.

    waiting: those whose figures are not kept yet, and too many to select while somebody waits. other_units: ranked by
    nothing, because their figures are in another currency.
    """

    ranked: tuple[Ranked, ...] = ()
    unranked: tuple[Listed, ...] = ()
    waiting: tuple[Listed, ...] = ()
    other_units: tuple[Listed, ...] = ()
    compared: int = 0
    units: Mapping[int, str] = field(default_factory=dict)


@dataclass
class _Held:
    """The figures of one company's year."""

    fiscal_year: int
    filing: int
    figures: dict[int, Annual] = field(default_factory=dict)


def screen(asked: Screening, deps: TableDeps) -> Screened:
    """The covered companies that the asker may ask about, filtered and ranked.

    A company needs a figure, which no check doubts, of the measure ranked by and of every measure with a bound. Figures
    in another unit than that of most companies are not compared.
    """
    companies = covered(asked.sic, deps)
    current = KeptFigures.objects.current(selecting_version(deps.registry.version)).values_list("company", flat=True)
    keys = [key_of(one, deps.registry) for one in asked.measures]
    ready = set(current) if kept_keys(deps.registry).issuperset(keys) else set()
    rest = {pk: one for pk, one in companies.items() if pk not in ready}
    held = dict(_stored(keys, asked.year)) if ready else {}
    held = {pk: one for pk, one in held.items() if pk in ready and pk in companies}
    waiting = tuple(rest.values()) if len(rest) > MOST_SELECTED else ()
    if rest and not waiting:
        by_cik = {one.cik: pk for pk, one in rest.items()}
        for cik, one in _selected([one.ref for one in rest.values()], asked, deps):
            held[by_cik[cik]] = one
    return _ranked(asked, {pk: one for pk, one in companies.items() if not waiting or pk in ready}, held, waiting)


def covered(sic: str, deps: TableDeps) -> dict[int, Listed]:
    """The covered companies by primary key, in the order of their names; a fictional one only where all are."""
    found = Company.objects.covered().with_facts().filter(sic__startswith=sic).order_by("name")
    rows = found.values_list("pk", "cik", "name")
    open_ = {pk: Listed(cik, name) for pk, cik, name in rows if deps.grant.covers(cik)}
    return {pk: one for pk, one in open_.items() if not is_fictional(one.cik)} or open_


def _stored(keys: Sequence[str], year: int | None) -> Iterator[tuple[int, _Held]]:
    """The kept figures of a year by company."""
    found = AnnualFigure.objects.filter(measure__in=keys)
    found = found.filter(latest=True) if year is None else found.filter(calendar_year=year)
    places: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    held: dict[int, _Held] = {}
    rows = found.values_list("company", "measure", "fiscal_year", "filing", "value", "unit")
    for company, measure, fiscal_year, filing, value, unit in rows:
        one = held.setdefault(company, _Held(fiscal_year, filing))
        for place in places[measure]:
            one.figures[place] = Annual(value, unit)
    yield from held.items()


def _selected(companies: Sequence[CompanyRef], asked: Screening, deps: TableDeps) -> Iterator[tuple[int, _Held]]:
    """The figures of companies whose kept figures cannot be used, by CIK."""
    found: dict[int, _Held] = {}
    accessions: dict[str, int] = {}
    cells = list(figures(companies, asked.measures, asked.year, deps))
    named = {one.accession for one in cells if one.accession}
    asked_as = Coalesce("company__successor_cik", "company__cik")
    for pk, accession, cik in Filing.objects.filter(accession__in=named).values_list("pk", "accession", asked_as):
        accessions[f"{cik} {accession}"] = pk
    for cell in cells:
        if not is_certain(cell) or cell.value is None or cell.fiscal_year is None:
            continue
        filing = accessions[f"{cell.cik} {cell.accession}"]
        one = found.setdefault(cell.cik, _Held(cell.fiscal_year, filing))
        one.figures.setdefault(cell.row, Annual(rounded_as_kept(cell.value), cell.unit))
    yield from found.items()


def _ranked(
    asked: Screening,
    companies: Mapping[int, Listed],
    held: Mapping[int, _Held],
    waiting: tuple[Listed, ...],
) -> Screened:
    needed = {asked.sort, *(one.measure for one in asked.conditions)}
    units = {place: _usual(held.values(), place) for place in range(len(asked.measures))}
    unranked, others, meeting = [], [], []
    for pk, company in companies.items():
        one = held.get(pk)
        if one is None or not needed <= set(one.figures):
            unranked.append(company)
        elif any(one.figures[place].unit != units[place] for place in needed):
            others.append(company)
        elif all(holds(one.figures[each.measure].value, each.comparison, each.bound) for each in asked.conditions):
            meeting.append((company, one))
    meeting.sort(key=lambda each: each[1].figures[asked.sort].value, reverse=asked.highest)
    ranks: dict[Decimal, int] = {}
    for number, (_, one) in enumerate(meeting, 1):
        ranks.setdefault(one.figures[asked.sort].value, number)
    return Screened(
        ranked=tuple(
            Ranked(ranks[one.figures[asked.sort].value], company, one.fiscal_year, one.figures, one.filing)
            for company, one in meeting
        ),
        unranked=tuple(unranked),
        waiting=waiting,
        other_units=tuple(others),
        compared=len(companies) - len(unranked) - len(others),
        units=units,
    )


def _usual(held: Iterable[_Held], place: int) -> str:
    """The unit of most figures of a measure; empty without any."""
    counts = Counter(one.figures[place].unit for one in held if place in one.figures)
    return max(counts, key=lambda unit: counts[unit], default="")
