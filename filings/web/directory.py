"""The directory of companies: the covered ones with their years, and a search among all registrants known by name."""

from django.db.models import Case, Count, F, IntegerField, Max, Min, Q, Value, When
from django.db.models.functions import Lower

from filings.edgar.companies import CIK_DIGITS, cik_digits
from filings.models import Company, CompanyQuerySet

OPEN = (Company.Status.QUEUED, Company.Status.RUNNING)


def with_years(companies: CompanyQuerySet) -> CompanyQuerySet:
    """Companies with `years`, `first_year`, `last_year` and `last_filed` of the 10-Ks whose facts are held."""
    held = Q(filings__is_primary=True, filings__facts_stored__gt=0)
    return companies.prefetch_related("tickers").annotate(
        years=Count("filings", filter=held),
        first_year=Min("filings__fiscal_year", filter=held),
        last_year=Max("filings__fiscal_year", filter=held),
        last_filed=Max("filings__filed", filter=held),
    )


def listed() -> CompanyQuerySet:
    """What the directory shows unasked: covered companies, and those that an ingestion concerns."""
    concerned = Q(status__in=[*OPEN, Company.Status.FAILED])
    return with_years(Company.objects.filter(Q(active=True, facts_stored__gt=0) | concerned)).order_by(Lower("name"))


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
