"""Pages to search the text of filings. A worker runs the search while the page polls; only its owner sees it."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.identity_middleware import ensure_identity, forget_new
from accounts.limit_errors import LimitReached
from accounts.request_types import Request, polled_in_vain
from filings.edgar.registrant_names import called
from filings.models import Company, Filing, SearchRequest
from filings.models.report import co_filed
from filings.models.source_kinds import ANNUAL, KINDS
from filings.search import requests as searches
from filings.sections.items import ALL_ITEMS
from filings.web import company_directory
from filings.web.forms import TextSearch

SENTENCE_ENDS = (".", "?", "!", ":", "”", ")")


@require_http_methods(["GET", "HEAD", "POST"])
def search(request: Request) -> HttpResponse:
    """The form, prefilled from the address; a POST starts a search."""
    if request.method != "POST":
        fields = TextSearch.base_fields
        initial = {name: value for name, value in request.GET.items() if name in fields}
        if found := TextSearch.meant(initial["company"]) if initial.get("company") else []:
            initial["company"] = str(found[0].cik)
        return _page(request, TextSearch(initial=initial))
    form = TextSearch(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    asked = form.cleaned_data
    company: Company | None = asked["company"]
    filters = searches.Filters(
        cik=company.cik if company else None,
        accession=asked["accession"],
        source=asked["kind"],
        fiscal_year=asked["year"],
        fiscal_quarter=asked["quarter"],
        item=asked["item"],
    )
    try:
        started = searches.start(asked["q"], filters, ensure_identity(request))
    except LimitReached as reached:
        return _refused(request, form, reached)
    return redirect("search_results", started.pk)


def _page(request: Request, form: TextSearch, status: int = 200, more: dict[str, Any] | None = None) -> HttpResponse:
    context = {"form": form, "held": Filing.objects.searched().count(), **(more or {})}
    return render(request, "filings/search.html", context, status=status)


def _refused(request: Request, form: TextSearch, reached: LimitReached) -> HttpResponse:
    """The form with the reason why a search was refused, in a sign-in dialog or a toast."""
    forget_new(request)
    sent = {name: value for name in form.fields if (value := form.data.get(name))}
    context = {"reached": reached, "kept": "search", "question": form.cleaned_data["q"]}
    response = _page(request, form, reached.status, {**context, "return_to": reverse("search", query=sent)})
    for name, value in reached.headers.items():
        response[name] = value
    return response


@require_safe
@never_cache
def search_results(request: Request, pk: UUID) -> HttpResponse:
    """The results of a search, or its progress."""
    found = get_object_or_404(SearchRequest.objects.visible_to(request.identity), pk=pk)
    return render(request, "filings/search.html", _context(found))


@require_safe
@never_cache
def search_progress(request: Request, pk: UUID) -> HttpResponse:
    """The changing part of the page, polled until the search is closed."""
    found = SearchRequest.objects.visible_to(request.identity).filter(pk=pk).first()
    if found is None:
        return polled_in_vain(request)
    return render(request, "filings/_search_polled.html", _context(found))


def _context(found: SearchRequest) -> dict[str, Any]:
    company = Company.objects.filter(cik=found.cik).first() if found.cik else None
    initial = {
        "q": found.text,
        "company": str(company.cik) if company else "",
        "kind": found.source,
        "year": found.fiscal_year or "",
        "quarter": found.fiscal_quarter or "",
        "item": found.item,
        "accession": found.accession,
    }
    return {
        "search": found,
        "form": TextSearch(initial=initial),
        "results": results(found),
        "scope": scope(found, company),
        "with_text": [] if found.is_open or found.results else company_directory.with_text(),
    }


def scope(found: SearchRequest, company: Company | None) -> str:
    """What was searched, in words: 10-Qs of Northwind, Q2 fiscal 2024, Part II, Item 1A, Risk Factors."""
    of = f" of {company.called}" if company else ""
    kind = KINDS.get(found.source)
    some = kind.plural if kind else "documents"
    words = [
        f"document {found.accession}{of}" if found.accession else f"{some}{of}" if of else f"all {some} with text"
    ]
    quarter = f"Q{found.fiscal_quarter}" if found.fiscal_quarter else ""
    year = f"fiscal {found.fiscal_year}" if found.fiscal_year else ""
    words += [f"{quarter} {year}".strip()] if quarter or year else []
    words += [ALL_ITEMS[found.item].label] if found.item in ALL_ITEMS else []
    return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Result:
    """One passage found: link, title, and snippet with highlights.

    title: Apple · FY2024 · Item 1A, Risk Factors, and of other kinds Apple · 10-Q, Q2 fiscal 2024 · ... below: the rest
    of its place: Page 14 · Supply › Chips.
    """  # noqa: RUF002 - as on the page

    href: str
    title: str
    below: str
    where: str
    company: str
    fiscal_year: int | None
    headings: str
    snippet: tuple[tuple[str, bool], ...]
    begins: bool  # whether it begins and ends at a sentence boundary
    ends: bool


def results(found: SearchRequest) -> list[Result]:
    """The passages of a search, best first."""
    shared = co_filed(row["accession"] for row in found.results)
    shown = []
    for row in found.results:
        key = row["item"] or f"p{row['number']}"
        query = {"at": ",".join(f"{start}-{end}" for start, end in row["ranges"])}
        if row["accession"] in shared:
            query["cik"] = row["cik"]
        address = reverse("section", args=[row["accession"], key])
        company, label, page = called(row["cik"], row["company"]), row["label"], row["page"]
        year = f"FY{row['fiscal_year']}" if row["fiscal_year"] else ""
        document = row.get("document", "") if row.get("kind", ANNUAL.key) != ANNUAL.key else year
        headings = " › ".join(row["headings"])  # noqa: RUF001 - a path of headings
        shown.append(
            Result(
                href=f"{address}?{urlencode(query, safe=',')}#at",
                title=" · ".join(filter(None, (company, document, label or where("", page)))),
                below=" · ".join(filter(None, (row.get("title"), where("", page) if label else "", headings))),
                where=where(label, page),
                company=company,
                fiscal_year=row["fiscal_year"],
                headings=headings,
                snippet=highlighted_pieces(row["snippet"], row["highlights"]),
                begins=row["snippet"][:1].isupper(),
                ends=row["snippet"][-1:] in SENTENCE_ENDS,
            )
        )
    return shown


def where(label: str, page: str) -> str:
    """Item 1A, Risk Factors, page 14; only the page for text outside any Item."""
    if not page:
        return label
    return f"{label}, page {page}" if label else f"Page {page}"


def highlighted_pieces(text: str, highlights: list[list[int]]) -> tuple[tuple[str, bool], ...]:
    """A text cut at its highlights: each piece with whether it is one. Overlapping ranges count once."""
    cut: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted(highlights):
        first, last = max(start, at), min(end, len(text))
        if first < last:
            cut += [(text[at:first], False), (text[first:last], True)]
            at = last
    cut.append((text[at:], False))
    return tuple(stretch for stretch in cut if stretch[0])
