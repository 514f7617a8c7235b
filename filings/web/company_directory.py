"""The directory of companies: those that can be asked about with their years, and a search among all registrants known by name."""

from django.db.models import (
    Aggregate,
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Lower

from filings.edgar.registrants import CIK_DIGITS, as_symbol, cik_digits
from filings.models import Company, CompanyQuerySet, Filing, FilingQuerySet
from filings.models.source_kinds import YEARLY

OPEN = (Company.Status.QUEUED, Company.Status.RUNNING)


def with_held(companies: CompanyQuerySet) -> CompanyQuerySet:
    """Companies annotated with their available data, their predecessors' included, in one query.

    `figures`: how many fiscal years with figures can be asked about, with `figures_from` and `figures_to`; likewise
    `texts`: fiscal years whose annual report has searchable text, including those before the first available year. `last_filed`: of its
    10-Ks with any data; `held`: whether it is covered; `documents`: how many others than annual reports can be searched.
    """
    tagged, texts = Q(facts_stored__gt=0), Q(chunks_stored__gt=0, withdrawn=None)
    annual = Filing.objects.answering()
    reports = Filing.objects.filter(source__in=[kind.key for kind in YEARLY])
    figures, told, filed = annual.filter(tagged), reports.filter(texts), annual.filter(tagged | texts)
    return companies.prefetch_related("tickers").annotate(
        figures=of_all(figures, Count("pk")),
        figures_from=of_all(figures, Min("fiscal_year")),
        figures_to=of_all(figures, Max("fiscal_year")),
        texts=of_all(told, Count("fiscal_year", distinct=True)),
        texts_from=of_all(told, Min("fiscal_year")),
        texts_to=of_all(told, Max("fiscal_year")),
        last_filed=of_all(filed, Max("filed")),
        held=Exists(Company.objects.covered().filter(pk=OuterRef("pk"))),
        documents=of_all(Filing.objects.searched().exclude(source__in=[kind.key for kind in YEARLY]), Count("pk")),
    )


def of_all(filings: FilingQuerySet, aggregate: Aggregate) -> Subquery:
    """An aggregate over the filings of a company and of its predecessors."""
    own = Q(pk=OuterRef(OuterRef("pk"))) | Q(successor_cik=OuterRef(OuterRef("cik")))
    found = filings.filter(company__in=Company.objects.filter(own)).order_by()
    return Subquery(found.annotate(all=Value(1)).values("all").annotate(found=aggregate).values("found"))


def askable() -> CompanyQuerySet:
    """Companies that can be asked about, by name, with their available data."""
    return with_held(Company.objects.askable()).order_by(Lower("name"))


def with_text() -> CompanyQuerySet:
    """Companies with searchable text, by name, with their data except tickers."""
    read = Filing.objects.searched().values("company")
    return with_held(Company.objects.filter(pk__in=read)).prefetch_related(None).order_by(Lower("name"))


def spanned(first: int | None, last: int | None) -> str:
    """A range of years in words: "2015 to 2025"; empty without years."""
    return f"{first} to {last}" if first != last else str(first or "")


def unread() -> CompanyQuerySet:
    """Companies that cannot be asked about yet and whose ingestion waits, runs or failed, by name."""
    concerned = Company.objects.filter(status__in=[*OPEN, Company.Status.FAILED])
    return with_held(concerned.exclude(pk__in=Company.objects.askable().values("pk"))).order_by(Lower("name"))


def search(text: str) -> CompanyQuerySet:
    """Registrants by ticker, CIK, name or former name: an exact ticker first, those covered, those with other documents."""
    text = " ".join(text.split())
    symbol = as_symbol(text)
    found = Q(tickers__symbol=symbol) | Q(name__icontains=text) | Q(former_names__icontains=text)
    if digits := cik_digits(text):
        found |= Q(cik=int(digits[:CIK_DIGITS]))
    companies = Company.objects.filter(pk__in=Company.objects.filter(found).values("pk"))
    exact = Company.objects.filter(tickers__symbol=symbol).values("pk")
    rank = Case(
        When(pk__in=exact, then=Value(0)),
        When(active=True, facts_stored__gt=0, then=Value(1)),
        When(pk__in=Company.objects.askable().values("pk"), then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )
    return with_held(companies).annotate(rank=rank).order_by("rank", F("facts_stored").desc(), Lower("name"))
