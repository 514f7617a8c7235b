"""Admin pages about all data: coverage by company and year, and the companies that use a tag."""

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from filings.models import Anomaly, Company, Fact, Filing, Section, SectionStatus
from filings.web import admin_pages

COMPANIES_A_PAGE = 50
YEARS = 12
TAG = re.compile(r"(?:([A-Za-z][\w-]{0,19}):)?([A-Za-z]\w{2,249})")


@dataclass(frozen=True, slots=True)
class Cell:
    """One year of a company: its 10-K, and the data loaded from it."""

    filing: Filing
    extracted: int  # Items
    unsure: int  # Items not found or unverified

    @property
    def letters(self) -> str:
        """Letters for what is loaded: F facts, D document, T text, I search index."""
        held = self.filing
        document = held.document_status == Filing.DocumentStatus.HELD
        letters = (
            ("F", held.facts_stored),
            ("D", document),
            ("T", held.chunks_stored),
            ("I", held.chunks_stored and held.indexed),
        )
        return "".join(letter for letter, there in letters if there) or "none"


@admin_pages.page(
    "ledger/",
    "coverage",
    "Coverage ledger",
    "Which years of each company are ingested, and how completely",
    "filings.view_filing",
)
def coverage_ledger(request: HttpRequest) -> HttpResponse:
    """Companies by fiscal years. Three queries a page, however many companies there are."""
    asked = request.GET.get("q", "").strip()
    gaps = request.GET.get("gaps") == "1"
    companies = ledger_companies(asked, gaps)
    page = Paginator(companies, COMPANIES_A_PAGE).get_page(request.GET.get("p"))
    cells = ledger_cells(page.object_list)
    held = sorted({year for of in cells.values() for year in of}, reverse=True)
    years = held[:YEARS]
    odd = dict(
        Anomaly.objects.filter(company__in=page.object_list).values_list("company").annotate(Count("pk")).order_by()
    )
    rows = [
        {
            "company": company,
            "cells": [cells[company.pk].get(year) for year in years],
            "anomalies": odd.get(company.pk, 0),
        }
        for company in page.object_list
    ]
    found = {"page": page, "rows": rows, "years": years, "earlier": held[YEARS:], "asked": asked, "gaps": gaps}
    shown = admin_pages.context(request, "Coverage ledger", **found)
    return render(request, "admin/filings/ledger.html", shown)


def ledger_companies(asked: str, gaps: bool) -> QuerySet[Company]:
    """Companies with an annual report; filtered by name or ticker, or by an incompletely loaded one."""
    filings = Filing.objects.annual().filter(company=OuterRef("pk"))
    companies = Company.objects.filter(Exists(filings)).order_by("name", "pk")
    if asked:
        companies = companies.filter(Q(name__icontains=asked) | Q(tickers__symbol__iexact=asked)).distinct()
    if gaps:
        whole = Q(document_status=Filing.DocumentStatus.HELD, facts_stored__gt=0) & ~Q(indexed="")
        read = Q(is_primary=True) & ~Q(origin="")
        companies = companies.filter(Exists(filings.filter(read).exclude(whole)))
    return companies


def ledger_cells(companies: Any) -> dict[int, dict[int, Cell]]:
    """(company, fiscal year) -> what is loaded."""
    filings = list(
        Filing.objects.primary().filter(company__in=companies, fiscal_year__isnull=False).defer("cover", "problem")
    )
    items: dict[int, dict[str, int]] = defaultdict(dict)
    of_items = Section.objects.filter(filing__in=filings).exclude(item="").order_by()
    for filing, status, many in of_items.values_list("filing", "status").annotate(Count("pk")):
        items[filing][status] = many
    cells: dict[int, dict[int, Cell]] = defaultdict(dict)
    for filing in filings:
        of = items[filing.pk]
        unsure = of.get(SectionStatus.NOT_FOUND, 0) + of.get(SectionStatus.UNVERIFIED, 0)
        if filing.fiscal_year is not None:
            cells[filing.company_id][filing.fiscal_year] = Cell(filing, of.get(SectionStatus.EXTRACTED, 0), unsure)
    return cells


@dataclass(frozen=True, slots=True)
class Use:
    """A company's use of a tag."""

    company: Company
    first: date
    last: date
    unit: str
    statement: str
    label: str


def users_of(taxonomy: str, tag: str) -> list[Use]:
    """Companies with a fact of this tag for the whole company, by name.

    One index search for each company with facts: no index of facts begins with the tag, and none would be worth its
    size.
    """
    facts = Fact.objects.filter(company=OuterRef("pk"), taxonomy=taxonomy, tag=tag, dimensions="")
    companies = (
        Company.objects.filter(facts_stored__gt=0)
        .annotate(
            oldest=Subquery(facts.order_by("end").values("pk")[:1]),
            latest=Subquery(facts.order_by("-end").values("pk")[:1]),
        )
        .filter(latest__isnull=False)
        .only("name", "cik")
        .order_by("name")
    )
    found = list(companies)
    keys = [key for company in found for key in (company.oldest, company.latest)]  # type: ignore[attr-defined]
    held = Fact.objects.only("end", "unit", "statement", "label").in_bulk(keys)
    uses = []
    for company in found:
        oldest, latest = held[company.oldest], held[company.latest]  # type: ignore[attr-defined]
        uses.append(Use(company, oldest.end, latest.end, latest.unit, latest.statement, latest.label))
    return uses


def parsed(name: str) -> tuple[str, str] | None:
    """(taxonomy, tag) of the typed text, us-gaap by default; None for what is no tag."""
    match = TAG.fullmatch(name.strip())
    return (match[1] or "us-gaap", match[2]) if match else None


@admin_pages.page(
    "tags/", "tag_use", "Use of a tag", "Which companies report under an XBRL tag, and since when", "filings.view_fact"
)
def tag_use(request: HttpRequest) -> HttpResponse:
    """Companies that use one tag."""
    asked = request.GET.get("tag", "").strip()
    tag = parsed(asked)
    shown = admin_pages.context(
        request,
        "Use of a tag",
        asked=asked,
        tag=":".join(tag) if tag else "",
        wrong=bool(asked) and tag is None,
        uses=users_of(*tag) if tag else [],
        companies=Company.objects.filter(facts_stored__gt=0).count(),
    )
    return render(request, "admin/filings/tag_use.html", shown)
