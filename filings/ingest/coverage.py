"""The data available for a company, year by year, and its anomalies."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.db.models import Q

from filings.models import Anomaly, Company, Fact, Filing
from filings.models.report import READ
from filings.models.source_kinds import KINDS
from filings.xbrl.periods import is_year

ASSETS = "Assets"
LIABILITIES_AND_EQUITY = "LiabilitiesAndStockholdersEquity"
# No going concern's amount grows by 300 in a year: such a jump is a figure filed in the wrong scale.
LEVELS = (
    ASSETS,
    LIABILITIES_AND_EQUITY,
    "Revenues",
    "RevenueFromContractWithCustomerExcludingAssessedTax",
    "SalesRevenueNet",
    "WeightedAverageNumberOfSharesOutstandingBasic",
    "WeightedAverageNumberOfDilutedSharesOutstanding",
    "CommonStockSharesOutstanding",
    "EntityCommonStockSharesOutstanding",
)
JUMP = 300
# Printed balance sheets add up to the last digit; smaller differences are filers' rounding.
TOLERANCE = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class CoveredYear:
    """One fiscal year of a company: its primary 10-K, and what is loaded of it."""

    fiscal_year: int | None
    filing: Filing
    facts: int
    faces: tuple[str, ...]  # statement kinds
    basis: str  # linkbase, inline, both as "inline, linkbase", or empty
    document: str  # a Filing.DocumentStatus value
    others: tuple[Filing, ...] = ()  # amendments, transition reports and later copies of the same year
    anomalies: tuple[Anomaly, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """An anomaly before it is stored."""

    kind: str
    fiscal_year: int | None
    detail: str


@dataclass(slots=True)
class Levels:
    """Values of one tag and unit by date, each with its filing, oldest filing first."""

    by_end: dict[date, list[tuple[Decimal, Filing]]] = field(default_factory=lambda: defaultdict(list))


def coverage(company: Company) -> list[CoveredYear]:
    """A company's years, newest first; years without a primary filing show another filing of theirs."""
    filings = list(
        Filing.objects.of_companies([company.cik]).annual().select_related("company").prefetch_related("statements")
    )
    anomalies = defaultdict(list)
    for anomaly in company.anomalies.all():
        anomalies[anomaly.fiscal_year].append(anomaly)
    by_year: dict[int | None, list[Filing]] = defaultdict(list)
    for filing in filings:
        by_year[filing.fiscal_year].append(filing)
    years = []
    for year, of_year in sorted(by_year.items(), key=lambda item: (item[0] is None, -(item[0] or 0))):
        main = next((filing for filing in of_year if filing.is_primary), of_year[0])
        statements = list(main.statements.all())
        years.append(
            CoveredYear(
                fiscal_year=year,
                filing=main,
                facts=main.facts_stored,
                faces=tuple(statement.kind for statement in statements),
                basis=", ".join(sorted({statement.basis for statement in statements})),
                document=main.document_status,
                others=tuple(filing for filing in of_year if filing is not main),
                anomalies=tuple(anomalies.get(year, ())),
            )
        )
    return years


def store_anomalies(company: Company) -> None:
    """Replace a company's stored anomalies by those found."""
    found = set(find_anomalies(company))
    held = {Found(row.kind, row.fiscal_year, row.detail): row for row in company.anomalies.all()}
    Anomaly.objects.filter(pk__in=[row.pk for key, row in held.items() if key not in found]).delete()
    new = sorted(found - held.keys(), key=lambda key: (key.kind, key.fiscal_year or 0, key.detail))
    Anomaly.objects.bulk_create(
        Anomaly(company=company, kind=key.kind, fiscal_year=key.fiscal_year, detail=key.detail[:300]) for key in new
    )


def find_anomalies(company: Company) -> Iterator[Found]:
    """All anomalies of a company's stored primary filings, and its transition periods."""
    filings = list(company.filings.annual().filter(facts_stored__gt=0).order_by("filed", "accession"))
    primary = {filing.pk: filing for filing in filings if filing.is_primary}
    yield from missing_years(primary.values())
    for filing in filings:
        if filing.is_transition:
            yield Found(
                Anomaly.Kind.TRANSITION,
                filing.fiscal_year,
                f"{filing.form} {filing.accession} covers a period other than a year, to {filing.period_end}.",
            )
    levels = read_levels(primary)
    yield from broken_identities(primary.values(), levels)
    yield from jumps(levels)


def missing_years(primary: Iterable[Filing]) -> Iterator[Found]:
    held = {filing.fiscal_year for filing in primary if filing.fiscal_year}
    for year in range(min(held), max(held)) if held else ():
        if year not in held:
            yield Found(Anomaly.Kind.MISSING_YEAR, year, f"No 10-K with facts between {min(held)} and {max(held)}.")


def read_levels(primary: dict[int, Filing]) -> dict[tuple[str, str], Levels]:
    """Balances and annual values of the checked tags in primary filings, by (tag, unit)."""
    levels: dict[tuple[str, str], Levels] = defaultdict(Levels)
    rows = (
        Fact.objects.filter(filing__in=list(primary), tag__in=LEVELS, taxonomy__in=["us-gaap", "dei"], dimensions="")
        .order_by("filed", "filing_id", "source")
        .values_list("filing_id", "tag", "unit", "start", "end", "value")
    )
    for filing, tag, unit, start, end, value in rows:
        if start == end or is_year(start, end):
            levels[tag, unit].by_end[end].append((value, primary[filing]))
    return levels


def broken_identities(primary: Iterable[Filing], levels: dict[tuple[str, str], Levels]) -> Iterator[Found]:
    """Filings whose assets differ from liabilities plus equity at the period end."""
    for filing in primary:
        if filing.period_end is None:
            continue
        sides = []
        for tag in (ASSETS, LIABILITIES_AND_EQUITY):
            known = levels[tag, "USD"].by_end.get(filing.period_end, [])
            sides.append(next((value for value, by in known if by.pk == filing.pk), None))
        assets, total = sides
        if assets is not None and total is not None and abs(assets - total) > TOLERANCE * max(abs(assets), abs(total)):
            yield Found(
                Anomaly.Kind.IDENTITY, filing.fiscal_year, f"Assets {assets:,f}, liabilities and equity {total:,f}."
            )


def jumps(levels: dict[tuple[str, str], Levels]) -> Iterator[Found]:
    """Values that differ by a factor of 300 from the year before, or from another filing's value for the date."""
    for (tag, _), level in levels.items():
        before: Decimal | None = None
        for end, known in sorted(level.by_end.items()):
            first, filing = known[0]
            for value, other in known[1:]:
                if apart(first, value):
                    yield Found(
                        Anomaly.Kind.SCALE,
                        other.fiscal_year,
                        f"{tag} of {end} is {value:,f} in {other.accession}, {first:,f} in {filing.accession}.",
                    )
                    break
            if before is not None and apart(before, first):
                yield Found(
                    Anomaly.Kind.SCALE, filing.fiscal_year, f"{tag} goes from {before:,f} to {first:,f} at {end}."
                )
            before = first


def apart(one: Decimal, other: Decimal) -> bool:
    """Whether two amounts differ by a factor of 300 or more; zero is no level."""
    small, large = sorted((abs(one), abs(other)))
    return small > 0 and large >= JUMP * small


def held_in_words(company: Company) -> str:
    """How many documents of each kind of form are loaded: 11 10-Ks, 30 10-Qs, 1 8-K; empty where none is."""
    held = company.filings.filter(READ | Q(document_status=Filing.DocumentStatus.HELD)).order_by()
    of = Counter(held.values_list("source", flat=True))
    kinds = [kind for kind in KINDS.values() if not kind.imported and of[kind.key]]
    return ", ".join(f"{of[kind.key]} {kind.called if of[kind.key] == 1 else kind.plural}" for kind in kinds)
