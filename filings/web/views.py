"""Pages of companies and facts. Everybody may read them; permitted staff may add a company and stop an ingestion."""

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.staff import may_administer
from diligence.not_found_page import NotFoundPage
from filings.edgar import contact
from filings.edgar.registrants import as_symbol, nearest_tickers, of_class
from filings.ingest import queue
from filings.ingest.coverage import CoveredYear, coverage
from filings.models import FIRST_YEAR, Company, Fact, Filing
from filings.sections import item_coverage
from filings.sections.items import ITEMS
from filings.web import company_directory, printed_places
from filings.web.company_documents import DocumentFilter, by_kind, held, since_annual
from filings.web.forms import AddCompany, CompanySearch
from filings.web.same_tag_facts import same_tag
from filings.xbrl.axes import BESIDE
from filings.xbrl.elements import standard_label
from filings.xbrl.member_facts import named
from filings.xbrl.number_format import headline

COMPANIES_A_PAGE = DOCUMENTS_A_PAGE = 50
# Characters of a ticker or name that a page of no company repeats, and companies that it names instead.
NAMED_BY, NEAREST = 60, 5
# The same actions in the admin need it too.
TO_INGEST = "filings.change_company"


@require_safe
def companies(request: HttpRequest) -> HttpResponse:
    """Lists the companies that can be asked about or, with ?q=, every matching company, these first."""
    return _companies_page(request, AddCompany())


def _companies_page(request: HttpRequest, add: AddCompany, status: int = 200) -> HttpResponse:
    form = CompanySearch(request.GET)
    text = form.cleaned_data["q"] if form.is_valid() else ""
    found = company_directory.search(text) if text else company_directory.askable()
    page = Paginator(found, COMPANIES_A_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "text": text, "page": page, "add": add, "known": Company.objects.count()}
    if not text:
        context["unread"] = company_directory.unread()
    return render(request, "filings/companies.html", context, status=status)


def held_of(found: Company) -> dict[str, Any]:
    """A company's available data, year by year, for its page."""
    covered = coverage(found)
    years = [year for year in covered if (year.fiscal_year or 0) >= FIRST_YEAR]
    read = item_coverage.lines(year.filing for year in years)
    reported = [year for year in years if year.filing.is_primary and year.facts]
    rows = [*with_gaps({year.fiscal_year: (year, read.get(year.filing.pk)) for year in years})]
    return {
        "company": found,
        "years": rows,
        "ledger": [read[year.filing.pk] for year in years if year.filing.pk in read],
        "items": ITEMS.values(),
        "held": reported,
        "documents": by_kind(found),
        "since": since_annual(found),
        "passages": passages(found),
        "faces": sum(bool(year.faces) for year in reported),
        "anomalies": [one for one in found.anomalies.all() if one.fiscal_year not in {year for year, *_ in rows}],
        "others": [one for year in covered for one in (() if year in years else (year.filing,)) + year.others],
        "add": AddCompany(initial={"ticker": found.symbols[0] if found.symbols else found.cik}),
    }


def with_gaps(
    years: dict[int | None, tuple[CoveredYear, item_coverage.Line | None]],
) -> Iterator[tuple[int, CoveredYear | None, item_coverage.Line | None]]:
    """Every fiscal year from the newest to the oldest available, including those without data."""
    held = [year for year in years if year]
    for year in range(max(held, default=0), min(held, default=1) - 1, -1):
        yield year, *years.get(year, (None, None))


@require_safe
@never_cache
def company_documents(request: HttpRequest, cik: int) -> HttpResponse:
    """A company's documents of every kind, newest first, filtered by kind and period or since the last annual report."""
    found = get_object_or_404(Company.objects.prefetch_related("tickers"), cik=cik)
    if successor := found.successor:
        return redirect("company_documents", successor.cik)
    since = since_annual(found)
    form = DocumentFilter(request.GET, since)
    documents = form.matching(held(found).defer("cover", "problem"))
    page = Paginator(documents, DOCUMENTS_A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {"company": found, "form": form, "since": since, "page": page, "query": query.urlencode()}
    return render(request, "filings/documents.html", context)


@require_safe
@never_cache
def company_by_ticker(request: HttpRequest, ticker: str) -> HttpResponse:
    """Lead from a ticker in any case, BRK.B or BRK-B, to its company's page; without one, to the nearest companies."""
    found = Company.objects.filter(tickers__symbol=as_symbol(ticker)).first() or of_class(ticker)
    if found is None:
        near = {one.company_id: one.company for one in nearest_tickers(ticker[:NAMED_BY], NEAREST)}
        context = {"text": ticker[:NAMED_BY], "near": list(near.values())}
        return NotFoundPage(render_to_string("filings/no_company.html", context, request))
    query = request.META.get("QUERY_STRING", "")
    return redirect(f"{found.get_absolute_url()}{'?' if query else ''}{query}")


@require_safe
@never_cache
def company_progress(request: HttpRequest, cik: int) -> HttpResponse:
    """The progress of a company's ingestion, polled while it is open."""
    found = get_object_or_404(Company, cik=cik)
    return render(request, "filings/_ingestion_polled.html", {"company": found, "passages": passages(found)})


def passages(company: Company) -> int:
    """How many passages of a company's filings, and its predecessors', are stored for search."""
    return Filing.objects.of_companies([company.cik]).aggregate(stored=Sum("chunks_stored"))["stored"] or 0


@require_POST
def add_company(request: HttpRequest) -> HttpResponse:
    """Queue the ingestion of a company that staff named."""
    _ingesters_only(request)
    form = AddCompany(request.POST)
    if not form.is_valid():
        return _companies_page(request, form, status=422)
    found, years = form.cleaned_data["ticker"], form.cleaned_data["years"]
    if queue.enqueue(found, years):
        messages.success(request, f"{found.called} is queued. Its filings appear here as they are read.")
    else:
        messages.warning(request, f"{found.called} is already being read.")
    return redirect(found)


@require_POST
def read_reports(request: HttpRequest, cik: int) -> HttpResponse:
    """Queue the ingestion of a company, and lead back to the page (`next`) that needs its reports."""
    _ingesters_only(request)
    found = get_object_or_404(Company, cik=cik, foreign=False)
    if not contact.is_set():
        messages.warning(request, f"Set EDGAR_IDENTITY first, and restart Diligence: {contact.TO_SET}.")
    elif queue.enqueue(found):
        messages.success(request, f"The reports of {found.called} are queued.")
    else:
        messages.warning(request, f"The reports of {found.called} are already being read.")
    back = request.POST.get("next", "")
    here = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if here else found)


@require_POST
def cancel_ingestion(request: HttpRequest, cik: int) -> HttpResponse:
    """Stop an ingestion; stored data stays."""
    _ingesters_only(request)
    found = get_object_or_404(Company, cik=cik)
    if Company.objects.cancel(found.pk):
        messages.success(
            request,
            f"The reading of {found.called} has been stopped. What is stored stays, and the rest can be read later.",
        )
    else:
        messages.warning(request, f"{found.called} is not being read.")
    return redirect(found)


def _ingesters_only(request: HttpRequest) -> None:
    if not may_administer(request) or not request.user.has_perm(TO_INGEST):
        raise PermissionDenied


@require_safe
def fact(request: HttpRequest, pk: int) -> HttpResponse:
    """The permanent page of one fact: every field, its filing, and what other filings say under the same tag."""
    found = get_object_or_404(Fact.objects.select_related("company", "filing", "document"), pk=pk)
    sha256 = found.document.sha256 if found.document else found.filing.facts_sha256 or found.company.facts_sha256
    members = named(found.filing, found.dimensions)
    # A part's printed row is mostly its own name.
    row = "" if members else found.label
    context = {
        "fact": found,
        "members": members,
        "part": [one.label for one in members if one.axis not in BESIDE] or [one.label for one in members],
        "row": row,
        "called": row or standard_label(found.taxonomy, found.tag, instant=found.start == found.end),
        "figure": headline(found.value, found.unit),
        "sha256": sha256,
        "same": same_tag(found),
        "reader": printed_places.address(
            found.filing.accession, found.company.cik, found.section, found.text_start, found.text_end
        ),
    }
    return render(request, "filings/fact.html", context)
