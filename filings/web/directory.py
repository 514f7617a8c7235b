"""The directory of companies: the covered ones with their years, and a search among all registrants known by name."""

from django.db.models import Case, Count, F, IntegerField, Max, Min, Q, Value, When
from django.db.models.functions import Lower

from filings.edgar.companies import CIK_DIGITS, cik_digits
from filings.models import FIRST_YEAR, Company, CompanyQuerySet, Filing

OPEN = (Company.Status.QUEUED, Company.Status.RUNNING)


def with_years(companies: CompanyQuerySet) -> CompanyQuerySet:
    """Companies with what is held of their 10-Ks, in one query.

    `years`, `first_year`, `last_year` and `last_filed` of those whose facts are held. Of the fiscal years that can be asked:
    `figures`, how many there are, with `figures_from` and `figures_to`; likewise `texts`, of those whose text is held.
    """
    held = Q(filings__is_primary=True, filings__facts_stored__gt=0)
    asked = Q(filings__is_primary=True, filings__fiscal_year__gte=FIRST_YEAR)
    figures, texts = held & asked, asked & Q(filings__chunks_stored__gt=0)
    return companies.prefetch_related("tickers").annotate(
        years=Count("filings", filter=held),
        first_year=Min("filings__fiscal_year", filter=held),
        last_year=Max("filings__fiscal_year", filter=held),
        last_filed=Max("filings__filed", filter=held),
        figures=Count("filings", filter=figures),
        figures_from=Min("filings__fiscal_year", filter=figures),
        figures_to=Max("filings__fiscal_year", filter=figures),
        texts=Count("filings", filter=texts),
        texts_from=Min("filings__fiscal_year", filter=texts),
        texts_to=Max("filings__fiscal_year", filter=texts),
    )


def covered() -> CompanyQuerySet:
    """Companies that can be asked about, by name, with what is held of each."""
    return with_years(Company.objects.covered()).order_by(Lower("name"))


def with_text() -> CompanyQuerySet:
    """Companies whose text can be searched, by name, with what is held of each but for their tickers."""
    read = Filing.objects.filter(chunks_stored__gt=0).values("company")
    return with_years(Company.objects.filter(pk__in=read)).prefetch_related(None).order_by(Lower("name"))


def spanned(first: int | None, last: int | None) -> str:
    """2015 to 2025; empty where nothing is held."""
    return f"{first} to {last}" if first != last else str(first or "")


def listed() -> CompanyQuerySet:
    """What the directory shows unasked: covered companies, and those that an ingestion concerns."""
    concerned = Q(status__in=[*OPEN, Company.Status.FAILED])
    asked = Q(pk__in=Company.objects.covered().values("pk"))
    return with_years(Company.objects.filter(asked | concerned)).order_by(Lower("name"))


def search(text: str) -> CompanyQuerySet:
    """Registrants by ticker, CIK, name or former name; covered ones first, then an exact ticker, then by name."""
    text = " ".join(text.split())
    symbol = text.upper().replace(".", "-").replace("/", "-")
    found = Q(tickers__symbol=symbol) | Q(name__icontains=text) | Q(former_names__icontains=text)
    if digits := cik_digits(text):
        found |= Q(cik=int(digits[:CIK_DIGITS]))
    companies = Company.objects.filter(pk__in=Company.objects.filter(found).values("pk"))
    exact = Company.objects.filter(tickers__symbol=symbol).values("pk")
    rank = Case(
        When(pk__in=exact, then=Value(0)),
        When(active=True, facts_stored__gt=0, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    return with_years(companies).annotate(rank=rank).order_by("rank", F("facts_stored").desc(), Lower("name"))
