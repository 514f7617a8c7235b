"""`GET /companies` and `/coverage`: companies and the data available for each."""

from collections.abc import Sequence
from datetime import date
from typing import Literal

from django.db.models import Count, Max, Min, Q, Sum
from django.db.models.functions import Lower
from django.urls import reverse
from ninja import P, PathEx, Query, Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.state.conversion import converted
from agent.web.api.openapi import errors
from agent.web.api.paging import Page, Paged, Rows
from agent.web.api.problems import NotFound
from filings.edgar.registrants import CIK_DIGITS, as_symbol, cik_digits, close_matches
from filings.ingest.coverage import CoveredYear, coverage
from filings.models import Company as Stored
from filings.models import CompanyQuerySet, Filing, by_name
from filings.sections import item_coverage
from filings.web import company_directory

router = Router(tags=["Companies and filings"])

NAMED = "Ticker, CIK or exact name of a company."


class CompaniesWanted(Paged):
    """Filters of the list of companies."""

    q: str = Field(default="", max_length=100, description="Words of the name, a ticker, or a CIK.")
    covered: Literal["yes", "all"] = Field(
        default="yes",
        description="yes: only companies you can ask about, also those of which only other documents than 10-Ks are held; all: also companies of which nothing is loaded.",
    )


class Company(BaseModel):
    """A company that files with the SEC."""

    cik: int = Field(description="Its CIK, the company's number at the SEC.")
    name: str = Field(description="Name in SEC records.")
    symbols: list[str] = Field(description="Ticker symbols, the main one first.")
    covered: bool = Field(description="Whether figures or text of its 10-Ks are loaded.")
    documents: int = Field(
        description="Number of other documents than annual reports whose text can be searched; such a company can be asked about without being covered."
    )
    fictional: bool = Field(description="Whether it is an invented company from the bundled sample.")
    years: int = Field(description="Number of fiscal years with figures.")
    first_year: int | None = Field(description="Oldest fiscal year with figures; null if there is none.")
    last_year: int | None = Field(description="Newest fiscal year with figures; null if there is none.")
    last_filed: date | None = Field(
        description="Day on which its newest loaded 10-K was filed; null if there is none."
    )
    url: str = Field(description="Address of the company in this API.")
    page: str = Field(description="Address of the company's page on this site.")


class Companies(Page[Company]):
    """A page of companies, ordered by name."""


class CoverageYear(BaseModel):
    """One fiscal year of a company: its 10-K and the data loaded from it."""

    fiscal_year: int | None = Field(description="Fiscal year as the company names it; null if it is not known.")
    accession: str = Field(description="Accession number of the 10-K.")
    form: str = Field(description="Form type: 10-K, 10-KT, ...")
    filed: date = Field(description="Day on which it was filed.")
    period_end: date | None = Field(description="Last day of the fiscal year; null if it is not known.")
    facts: int = Field(description="Number of figures loaded from it.")
    statements: list[str] = Field(description="Statements loaded line by line: income, balance, cashflow, ...")
    passages: int = Field(description="Number of text passages that can be searched.")
    sections: dict[str, int] = Field(description="Number of Items by their status: extracted, unverified, ...")
    anomalies: list[str] = Field(description="Problems found in the filing, in sentences.")


class CompanyDetail(Company):
    """A company with the data available for each year, the newest first."""

    sic: str = Field(description="Code of its industry (SIC); empty if it is not known.")
    industry: str = Field(description="Name of its industry.")
    fiscal_year_end: str = Field(description="Month and day on which its fiscal year usually ends, as MMDD.")
    coverage: list[CoverageYear] = Field(description="The data available for each year.")


class Coverage(BaseModel):
    """Totals of the data available."""

    companies: int = Field(description="Number of companies you can ask about.")
    filings: int = Field(description="Number of 10-Ks with figures.")
    filings_with_text: int = Field(description="Number of 10-Ks whose text can be searched.")
    facts: int = Field(description="Number of figures loaded.")
    passages: int = Field(description="Number of text passages that can be searched.")
    first_year: int | None = Field(description="Oldest fiscal year with figures; null if there are none.")
    last_year: int | None = Field(description="Newest fiscal year with figures; null if there are none.")


@router.get("/companies", operation_id="list_companies", response={200: Companies, **errors(422)})
def companies(request: Request, wanted: Query[CompaniesWanted]) -> Companies:
    """List the companies you can ask about; with `covered=all` also those whose filings are not loaded."""
    rows = Rows(matching(wanted.q, wanted.covered == "yes"), wanted)
    return Companies(items=shown(rows.rows), **rows.fields(request))


@router.get("/companies/{company}", operation_id="get_company", response={200: CompanyDetail, **errors(404)})
def company(request: Request, company: PathEx[str, P(description=NAMED)]) -> CompanyDetail:
    """Get one company by ticker, CIK or exact name, with the data available for each year."""
    found = company_named(company)
    years = coverage(found)
    lines = item_coverage.lines(year.filing for year in years)
    return CompanyDetail(
        **shown([found])[0].model_dump(),
        sic=found.sic,
        industry=found.sic_description,
        fiscal_year_end=found.fiscal_year_end,
        coverage=[covered_year(year, lines.get(year.filing.pk)) for year in years],
    )


@router.get("/coverage", operation_id="get_coverage", response={200: Coverage, **errors()})
def coverage_of_all(request: Request) -> Coverage:
    """Get totals of the data available; /companies/{company} lists one company's data by year."""
    held = Filing.objects.primary().filter(company__active=True)
    sums = held.aggregate(
        filings=Count("pk", filter=Q(facts_stored__gt=0)),
        filings_with_text=Count("pk", filter=Q(chunks_stored__gt=0)),
        facts=Sum("facts_stored", default=0),
        passages=Sum("chunks_stored", default=0),
        first_year=Min("fiscal_year", filter=Q(facts_stored__gt=0)),
        last_year=Max("fiscal_year", filter=Q(facts_stored__gt=0)),
    )
    return Coverage(companies=Stored.objects.covered().count(), **sums)


def matching(text: str = "", covered: bool = True) -> CompanyQuerySet:
    """The companies that match a search, as on the Companies page, with their years and whether they are covered."""
    everyone = company_directory.with_held(Stored.objects.all()).order_by(Lower("name"))
    found = company_directory.search(text) if text else everyone
    if covered:
        found = found.filter(pk__in=Stored.objects.askable().values("pk"))
    return found


def company_named(text: str) -> Stored:
    """The company with a ticker (BRK.B and BRK-B both work), a CIK or an exact name. Raises NotFound."""
    text = " ".join(text.split())
    symbol = as_symbol(text)
    digits = cik_digits(text).lstrip("0")
    named = Q(tickers__symbol=symbol) | Q(name__iexact=text)
    if 1 <= len(digits) <= CIK_DIGITS:
        named |= Q(cik=int(digits))
    everyone = Stored.objects.filter(named).with_successors()
    found = list(company_directory.with_held(everyone).order_by("cik")[:20])
    if not found:
        raise NotFound("company", close_matches(text))
    # A ticker takes precedence over a name spelled the same.
    called = by_name(found)
    return called.get(symbol) or called[str(found[0].cik)]


def shown(found: Sequence[Stored]) -> list[Company]:
    """Converts companies found by `matching` or `company_named` for the API."""
    return [
        converted(
            Company,
            one,
            covered=one.held,  # type: ignore[attr-defined] # annotations
            documents=one.documents or 0,  # type: ignore[attr-defined]
            years=one.figures,  # type: ignore[attr-defined]
            first_year=one.figures_from,  # type: ignore[attr-defined]
            last_year=one.figures_to,  # type: ignore[attr-defined]
            url=reverse("api:company", args=[one.cik]),
            page=one.get_absolute_url(),
        )
        for one in found
    ]


def covered_year(year: CoveredYear, line: item_coverage.Line | None) -> CoverageYear:
    return converted(
        CoverageYear,
        year.filing,
        fiscal_year=year.fiscal_year,
        facts=year.facts,
        statements=year.faces,
        passages=year.filing.chunks_stored,
        sections=dict(line.counts) if line else {},
        anomalies=[one.detail for one in year.anomalies],
    )
