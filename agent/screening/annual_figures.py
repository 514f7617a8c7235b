"""Annual figures of many companies: selected in batches, and kept in the database so that thousands can be ranked."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal, localcontext
from functools import lru_cache
from pathlib import Path
from threading import Event
from time import monotonic

from django.conf import settings
from django.db import transaction

from agent.models import AnnualFigure, KeptFigures
from agent.models.screening import KEPT_DECIMALS
from agent.numbers.cells.row_expressions import change, versions
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.registry.registry import Registry
from agent.numbers.tables.table import Grant, TableDeps, filings_by_company, tabulate
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import MOST_IN_TABLE, Change, Concept, Measure, Metric, Own, Query, Row, Years
from agent.state.tables import Cell
from filings.models import Company, Filing
from filings.xbrl.periods import calendar_year

# The folders whose code decides which figure answers.
SELECTING = ("agent/numbers", "agent/screening", "filings/xbrl")
DIGITS = 12
# Digits that a kept figure may have in all.
MOST_DIGITS = 40
AT_ONCE = 2_000
_keys: dict[str, frozenset[str]] = {}


class Everyone:
    """A grant for every company: kept figures belong to nobody."""

    def covers(self, cik: int) -> bool:
        return True


@dataclass(frozen=True)
class FigureDeps:
    """What selecting figures needs outside a run."""

    registry: Registry
    today: date
    selections: dict[int, Selection]
    grant: Grant


@lru_cache(maxsize=4)
def selecting_version(registry_version: str) -> str:
    """The first 12 hex digits of a SHA-256 over the code and registry that select figures."""
    found = hashlib.sha256(registry_version.encode())
    root = Path(settings.BASE_DIR)
    for folder in SELECTING:
        for path in sorted(one for one in (root / folder).rglob("*") if one.suffix in {".py", ".lark"}):
            found.update(path.read_bytes())
    return found.hexdigest()[:DIGITS]


def key_of(measure: Measure, registry: Registry) -> str:
    """The key of a measure's cells, with its default definition: roe:average."""
    return versions(measure, registry)[0].key


def kept_measures(registry: Registry) -> tuple[Measure, ...]:
    """The measures whose figures are kept: every concept with its growth, and every metric."""
    concepts = [Concept(key=key) for key in registry.concepts]
    return (
        *concepts,
        *(Change(of=one, percent=True) for one in concepts if can_grow(one, registry)),
        *(Metric(key=key) for key, one in registry.metrics.items() if not one.hidden),
    )


def kept_keys(registry: Registry) -> frozenset[str]:
    """The keys of the measures whose figures are kept."""
    if registry.version not in _keys:
        _keys.clear()
        _keys[registry.version] = frozenset(key_of(one, registry) for one in kept_measures(registry))
    return _keys[registry.version]


def can_grow(measure: Measure, registry: Registry) -> bool:
    """Whether a measure's change can be given in percent."""
    return change(versions(measure, registry)[0], percent=True).unit == "percent"


def figures(
    companies: Sequence[CompanyRef], measures: Sequence[Measure], year: int | None, deps: TableDeps
) -> Iterator[Cell]:
    """The cells of these measures for each company's own fiscal year in a calendar year, or its newest one.

    Selected and checked as every table's cells, a batch of companies at a time; a company without such a year has none.
    """
    for first in range(0, len(companies), MOST_IN_TABLE):
        batch = companies[first : first + MOST_IN_TABLE]
        own = {
            cik: filing.fiscal_year
            for cik, held in filings_by_company(batch, deps).items()
            if (filing := filing_for(held.filings, year)) is not None
        }
        if query := query_of([one for one in batch if one.cik in own], measures, own):
            yield from (cell for cell in tabulate(query, deps).cells if cell.asked and not cell.alternative)


def query_of(
    companies: Iterable[CompanyRef], measures: Sequence[Measure], years: Mapping[int, int | None]
) -> Query | None:
    """The query for each company's own fiscal year, by CIK; None without companies."""
    asked = tuple(companies)
    own = tuple(Own(cik=one.cik, periods=fiscal(years[one.cik])) for one in asked)
    if not own:
        return None
    return Query(companies=asked, periods=own[0].periods, own=own, rows=tuple(Row(measure=one) for one in measures))


def fiscal(year: int | None) -> Years:
    """One fiscal year by the company's own label."""
    return Years(periods=(Period(form=PeriodForm.FISCAL, year=year),))


def is_certain(cell: Cell) -> bool:
    """Whether a cell has a value that no check of its filing doubts."""
    return cell.value is not None and not cell.failed_checks


def rounded_as_kept(value: Decimal) -> Decimal:
    """A value as it is kept, rounded to 12 decimals."""
    with localcontext(prec=MOST_DIGITS + KEPT_DECIMALS):
        return value.quantize(Decimal(1).scaleb(-KEPT_DECIMALS))


# --- keeping them ---


def keep(company: Company, registry: Registry, today: date, measures: Sequence[Measure] = ()) -> int:
    """Select and store the annual figures of every fiscal year of a company; returns how many.

    They are selected year by year, as a page of one figure does. An ingestion that begins meanwhile outdates them.
    measures: those to keep, by default all of `kept_measures`.
    """
    ref = CompanyRef(cik=company.cik, name=company.name, short=company.called, covered=True)
    measures = measures or kept_measures(registry)
    deps = FigureDeps(registry, today, {}, Everyone())
    state = Company.objects.values("attempt", "ingested").get(pk=company.pk)
    filings = filings_by_company([ref], deps)[ref.cik].filings
    newest = filing_for(filings, None)
    years = {calendar_year(one.period_end) for one in filings if one.period_end}
    chosen = [one for year in sorted(years) if (one := filing_for(filings, year)) is not None]
    rows = [row for one in chosen for row in _of_year(company, ref, one, measures, one is newest, deps)]
    with transaction.atomic():
        # Two workers that keep the same company's figures take turns.
        Company.objects.select_for_update().get(pk=company.pk)
        company.annual_figures.all().delete()
        AnnualFigure.objects.bulk_create(rows, batch_size=AT_ONCE)
        version = selecting_version(registry.version)
        KeptFigures.objects.update_or_create(company=company, defaults={**state, "version": version})
    return len(rows)


def _of_year(
    company: Company, ref: CompanyRef, filing: Filing, measures: Sequence[Measure], latest: bool, deps: FigureDeps
) -> Iterator[AnnualFigure]:
    query = query_of([ref], measures, {ref.cik: filing.fiscal_year})
    if query is None or filing.period_end is None or filing.fiscal_year is None:
        return
    seen: set[str] = set()
    for cell in tabulate(query, deps).cells:
        usable = cell.asked and not cell.alternative and is_certain(cell) and cell.measure not in seen
        if usable and cell.value is not None and cell.value.adjusted() < MOST_DIGITS - KEPT_DECIMALS:
            seen.add(cell.measure)
            yield AnnualFigure(
                company=company,
                filing=filing,
                measure=cell.measure,
                fiscal_year=filing.fiscal_year,
                calendar_year=calendar_year(filing.period_end),
                latest=latest,
                value=rounded_as_kept(cell.value),
                unit=cell.unit,
            )


def today() -> date:
    """The date by which figures are selected."""
    return datetime.now(UTC).date()


def keep_outdated(registry: Registry, seconds: float, stopping: Event) -> int:
    """Bring kept figures up to date for so many seconds, or until told to stop; returns of how many companies."""
    until, done = monotonic() + seconds, 0
    for company in outdated(registry):
        if monotonic() > until or stopping.is_set():
            break
        keep(company, registry, today())
        done += 1
    return done


def outdated(registry: Registry) -> "list[Company]":
    """The covered companies whose kept figures are missing or outdated, except those being ingested."""
    current = KeptFigures.objects.current(selecting_version(registry.version)).values("company")
    busy = [Company.Status.QUEUED, Company.Status.RUNNING]
    return list(Company.objects.covered().exclude(pk__in=current).exclude(status__in=busy).order_by("pk"))


def filing_for(filings: Iterable[Filing], year: int | None) -> Filing | None:
    """A company's filing of the fiscal year whose middle lies in a calendar year; without a year, the newest one.

    filings: of one company, newest first. None where there is none.
    """
    for one in filings:
        dated = one.fiscal_year is not None and one.period_end is not None
        if dated and (year is None or calendar_year(one.period_end) == year):  # type: ignore[arg-type] # checked before
            return one
    return None
