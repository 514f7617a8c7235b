"""Companies and the data available for each."""

from collections.abc import Sequence
from datetime import date
from typing import Literal

from django.db.models import Count, Max, Min, Q, Sum
from django.db.models.functions import Lower
from django.urls import reverse
from ninja import P, PathEx, Query, Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.web.api.openapi import errors
from agent.web.api.paging import Page, Paged, Rows
from agent.web.api.problems import NotFound
from filings.edgar.companies import CIK_DIGITS, cik_digits
from filings.ingest.coverage import CoveredYear, coverage
from filings.models import Company as Stored
from filings.models import CompanyQuerySet, Filing
from filings.sections import item_coverage
from filings.web import company_directory

router = Router(tags=["Companies and filings"])

NAMED = "A ticker, a CIK, or the exact name."


class CompaniesWanted(Paged):
    """Which companies."""

    q: str = Field(default="", max_length=100, description="Words of a name, a ticker or a CIK.")
    covered: Literal["yes", "all"] = Field(
        default="yes", description="yes: those that can be asked about; all: every registrant known by name."
    )


class Company(BaseModel):
    """A registrant."""

    cik: int = Field(description="Its number at the SEC.")
    name: str = Field(description="As in SEC records.")
    symbols: list[str] = Field(description="Tickers, the main class first.")
    covered: bool = Field(description="Whether it can be asked about.")
    fictional: bool = Field(description="Whether it is an invented company of the sample.")
    years: int = Field(description="Fiscal years whose figures can be asked about.")
    first_year: int | None = Field(description="The oldest of them; null if there is none.")
    last_year: int | None = Field(description="The newest of them; null if there is none.")
    last_filed: date | None = Field(description="The day the newest 10-K held was filed; null if there is none.")
    url: str = Field(description="Of the company in this API.")
    page: str = Field(description="The company's page here.")


class Companies(Page[Company]):
    """Companies by name."""


class CoverageYear(BaseModel):
    """One fiscal year of a company: its 10-K and what is loaded of it."""

    fiscal_year: int | None = Field(description="By the company's own label; null where it has none.")
    accession: str = Field(description="Of the 10-K.")
    form: str = Field(description="10-K, 10-KT, ...")
    filed: date = Field(description="The day it was filed.")
    period_end: date | None = Field(description="Last day of the year; null where it is not known.")
    facts: int = Field(description="Figures stored for it.")
    statements: list[str] = Field(description="Statements whose lines are known: income, balance, cashflow, ...")
    passages: int = Field(description="Passages that a search can find.")
    sections: dict[str, int] = Field(description="Status -> how many Items have it: extracted, unverified, ...")
    anomalies: list[str] = Field(description="Its anomalies, in sentences.")


class CompanyDetail(Company):
    """A company with the data available, the newest year first."""

    sic: str = Field(description="Code of its industry (SIC); empty where it is not known.")
    industry: str = Field(description="Name of its industry.")
    fiscal_year_end: str = Field(description="MMDD.")
    coverage: list[CoverageYear] = Field(description="What is stored for each year.")


class Coverage(BaseModel):
    """Totals of the data available."""

    companies: int = Field(description="That can be asked about.")
    filings: int = Field(description="10-Ks with figures.")
    filings_with_text: int = Field(description="10-Ks whose text can be searched.")
    facts: int = Field(description="Figures held.")
    passages: int = Field(description="Passages that a search can find.")
    first_year: int | None = Field(description="The oldest fiscal year with figures; null where none is held.")
    last_year: int | None = Field(description="The newest fiscal year with figures; null where none is held.")


@router.get("/companies", operation_id="list_companies", response={200: Companies, **errors(422)})
def companies(request: Request, wanted: Query[CompaniesWanted]) -> Companies:
    """Companies that can be asked about; with `covered=all` every registrant known by name."""
    rows = Rows(matching(wanted.q, wanted.covered == "yes"), wanted)
    return Companies(items=shown(rows.rows), **rows.fields(request))


@router.get("/companies/{company}", operation_id="get_company", response={200: CompanyDetail, **errors(404)})
def company(request: Request, company: PathEx[str, P(description=NAMED)]) -> CompanyDetail:
    """One company by ticker, CIK or exact name, with the data available year by year."""
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
    """Totals of the data available; /companies/{company} has it year by year."""
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
    """Companies as the directory lists them, with their years and whether they are covered."""
    everyone = company_directory.with_held(Stored.objects.all()).order_by(Lower("name"))
    found = company_directory.search(text) if text else everyone
    if covered:
        found = found.filter(pk__in=Stored.objects.covered().values("pk"))
    return found


def company_named(text: str) -> Stored:
    """The company of a ticker (BRK.B as BRK-B too), a CIK or an exact name. Raises NotFound."""
    text = " ".join(text.split())
    symbol = text.upper().replace(".", "-").replace("/", "-")
    digits = cik_digits(text).lstrip("0")
    named = Q(tickers__symbol=symbol) | Q(name__iexact=text)
    if 1 <= len(digits) <= CIK_DIGITS:
        named |= Q(cik=int(digits))
    everyone = Stored.objects.filter(pk__in=Stored.objects.filter(named).values("pk"))
    found = list(company_directory.with_held(everyone).order_by("cik")[:20])
    if not found:
        raise NotFound("company")
    # A ticker takes precedence over a name spelled the same.
    return next((one for one in found if symbol in one.symbols), found[0])


def shown(found: Sequence[Stored]) -> list[Company]:
    """Companies of `matching` or `company_named`."""
    return [
        Company(
            cik=one.cik,
            name=one.name,
            symbols=one.symbols,
            covered=one.held,  # type: ignore[attr-defined] # annotations
            fictional=one.fictional,
            years=one.figures,  # type: ignore[attr-defined]
            first_year=one.figures_from,  # type: ignore[attr-defined]
            last_year=one.figures_to,  # type: ignore[attr-defined]
            last_filed=one.last_filed,  # type: ignore[attr-defined]
            url=reverse("api:company", args=[one.cik]),
            page=one.get_absolute_url(),
        )
        for one in found
    ]


def covered_year(year: CoveredYear, line: item_coverage.Line | None) -> CoverageYear:
    filing = year.filing
    return CoverageYear(
        fiscal_year=year.fiscal_year,
        accession=filing.accession,
        form=filing.form,
        filed=filing.filed,
        period_end=filing.period_end,
        facts=year.facts,
        statements=list(year.faces),
        passages=filing.chunks_stored,
        sections=dict(line.counts) if line else {},
        anomalies=[one.detail for one in year.anomalies],
    )
