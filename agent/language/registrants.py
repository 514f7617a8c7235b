"""Registrants as stored: what the index of companies is built from, and when to build it again."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Max, Q, Sum


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
    """A cheap stamp of the tables: another one after every change that the index would show."""
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
    """What admin and ingestion say about companies beside the ticker list; few rows have any."""
    from filings.models import Company

    edited = Company.objects.exclude(aliases=[], former_names=[]).order_by("pk")
    return tuple(edited.values_list("pk", "name", "aliases", "former_names"))


def stored() -> Iterator[Registrant]:
    """Every stored company, in SEC's order."""
    from filings.models import Company, Ticker

    symbols: dict[int, list[str]] = {}
    for company, symbol in Ticker.objects.order_by("pk").values_list("company_id", "symbol"):
        symbols.setdefault(company, []).append(symbol)
    rows = Company.objects.order_by("pk").values_list(
        "pk", "cik", "name", "former_names", "aliases", "facts_stored", "active", "foreign"
    )
    for pk, cik, name, former, aliases, facts, active, foreign in rows:
        yield Registrant(
            cik=cik,
            name=name,
            symbols=tuple(symbols.get(pk, ())),
            former=tuple(former or ()),
            aliases=tuple(aliases or ()),
            covered=bool(active and facts),
            foreign=foreign,
        )
