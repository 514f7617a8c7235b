"""The stored registrants for the index of companies, and when it must be rebuilt."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import Length, Ord, Right

from filings.edgar.registrant_names import CURATED_NAMES

if TYPE_CHECKING:
    from filings.models import FilingQuerySet


@dataclass(frozen=True, slots=True)
class Registrant:
    """One registrant as the index needs it. `symbols`: first the main class, last those that it had before.

    predecessors: CIKs of the registrants whose filings are its history; their names and tickers are among its own.
    covered: whether figures or text of its 10-Ks are held. readable: whether these, or the text of any other document.
    """

    cik: int
    name: str
    symbols: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    covered: bool = False
    readable: bool = False
    foreign: bool = False
    predecessors: tuple[int, ...] = ()


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
        *Ticker.objects.aggregate(Count("pk"), Max("pk"), former=Count("pk", filter=Q(former=True))).values(),
        *_documents().aggregate(Count("pk"), Max("pk"), Sum("chunks_stored")).values(),
        _edits(),
    )
    return hashlib.sha256(repr(stamp).encode()).hexdigest()[:12]


def _documents() -> "FilingQuerySet":
    """The documents other than 10-Ks that can be searched."""
    from filings.models import Filing
    from filings.models.source_kinds import ANNUAL

    return Filing.objects.searched().exclude(source=ANNUAL.key).order_by()


def _edits() -> tuple[object, ...]:
    """Names and settings edited by admin or ingestion; of all other names and tickers, only lengths, first and last
    letters.
    """
    from filings.models import Company, Ticker

    edited = Company.objects.filter(
        ~Q(aliases=[], former_names=[]) | Q(facts_stored__gt=0) | ~Q(successor_cik=None)
    ).order_by("pk")
    names = Company.objects.aggregate(**_letters("name"))
    symbols = Ticker.objects.aggregate(**_letters("symbol"), owners=Sum(F("pk") * F("company_id")))
    return (
        *edited.values_list("pk", "name", "aliases", "former_names", "active", "successor_cik"),
        *names.values(),
        *symbols.values(),
    )


def _letters(field: str) -> dict[str, Sum]:
    return {
        "lengths": Sum(F("pk") * Length(field)),
        "firsts": Sum(F("pk") * Ord(field)),
        "lasts": Sum(F("pk") * Ord(Right(field, 1))),
    }


def stored() -> Iterator[Registrant]:
    """Every stored company, in SEC's order; a predecessor as its successor, where that is stored."""
    from filings.models import Company, Ticker

    symbols: dict[int, list[str]] = {}
    for company, symbol in Ticker.objects.order_by("former", "pk").values_list("company_id", "symbol"):
        symbols.setdefault(company, []).append(symbol)
    rows = Company.objects.order_by("pk").values_list("pk", "cik", "name", "former_names", "aliases", "foreign")
    covered = set(Company.objects.covered().values_list("pk", flat=True))
    readable = set(Company.objects.askable().values_list("pk", flat=True))
    ciks = {cik for _, cik, *_ in rows}
    before: dict[int, list[Registrant]] = {}
    for old in Company.objects.filter(successor_cik__in=ciks).order_by("-pk"):
        before.setdefault(old.asked_as, []).append(
            Registrant(
                cik=old.cik,
                name=old.name,
                symbols=tuple(symbols.get(old.pk, ())),
                former=tuple(old.former_names or ()),
                aliases=(*CURATED_NAMES.get(old.cik, ()), *(old.aliases or ())),
            )
        )
    inherited = {one.cik for several in before.values() for one in several}
    for pk, cik, name, former, aliases, foreign in rows:
        if cik in inherited:
            continue
        past = before.get(cik, ())
        yield Registrant(
            cik=cik,
            name=name,
            symbols=(*symbols.get(pk, ()), *(one for old in past for one in old.symbols)),
            former=(*(former or ()), *(one for old in past for one in (old.name, *old.former))),
            aliases=(*(aliases or ()), *(one for old in past for one in old.aliases)),
            covered=pk in covered,
            readable=pk in readable,
            foreign=foreign,
            predecessors=tuple(old.cik for old in past),
        )
