"""The stored registrants for the index of companies, and when it must be rebuilt."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import Length, Ord, Right


@dataclass(frozen=True, slots=True)
class Registrant:
    """One registrant as the index needs it. `symbols`: first the main class."""

    cik: int
    name: str
    symbols: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    covered: bool = False
    foreign: bool = False


def version() -> str:
    """A cheap stamp of the tables that changes whenever the index would."""
    from filings.models import Company, Ticker

    stamp = (
        *Company.objects.aggregate(
            Count("pk"),
            Max("pk"),
            Max("ingested"),
            Sum("facts_stored"),
            active=Count("pk", filter=Q(active=True)),
            foreign=Count("pk", filter=Q(foreign=True)),
        ).values(),
        *Ticker.objects.aggregate(Count("pk"), Max("pk")).values(),
        _edits(),
    )
    return hashlib.sha256(repr(stamp).encode()).hexdigest()[:12]


def _edits() -> tuple[object, ...]:
    """Names and settings edited by admin or ingestion; of all other names and tickers, only lengths, first and last
    letters.
    """
    from filings.models import Company, Ticker

    edited = Company.objects.filter(~Q(aliases=[], former_names=[]) | Q(facts_stored__gt=0)).order_by("pk")
    names = Company.objects.aggregate(**_letters("name"))
    symbols = Ticker.objects.aggregate(**_letters("symbol"), owners=Sum(F("pk") * F("company_id")))
    return *edited.values_list("pk", "name", "aliases", "former_names", "active"), *names.values(), *symbols.values()


def _letters(field: str) -> dict[str, Sum]:
    return {
        "lengths": Sum(F("pk") * Length(field)),
        "firsts": Sum(F("pk") * Ord(field)),
        "lasts": Sum(F("pk") * Ord(Right(field, 1))),
    }


def stored() -> Iterator[Registrant]:
    """Every stored company, in SEC's order."""
    from filings.models import Company, Ticker

    symbols: dict[int, list[str]] = {}
    for company, symbol in Ticker.objects.order_by("pk").values_list("company_id", "symbol"):
        symbols.setdefault(company, []).append(symbol)
    rows = Company.objects.order_by("pk").values_list("pk", "cik", "name", "former_names", "aliases", "foreign")
    covered = set(Company.objects.covered().values_list("pk", flat=True))
    for pk, cik, name, former, aliases, foreign in rows:
        yield Registrant(
            cik=cik,
            name=name,
            symbols=tuple(symbols.get(pk, ())),
            former=tuple(former or ()),
            aliases=tuple(aliases or ()),
            covered=pk in covered,
            foreign=foreign,
        )
