"""What changed in an Item between two annual reports of a company: the page and its files. Everybody may read them."""

from django.http import HttpResponse, HttpResponseNotFound, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.web.api.redline import page_query
from agent.web.api.redline import shown as shown_to_programs
from agent.web.exports import file_formats
from agent.web.exports.file_formats import Format
from agent.web.redline import markdown
from agent.web.redline.comparison_view import captions, shown
from filings.edgar.registrants import as_symbol
from filings.models import Company
from filings.redline.comparison import Comparison, compare
from filings.redline.held import NotComparable, Years, texts, years_held
from filings.redline.summary import captions_said, text_said
from filings.sections import item_coverage

FORMATS = (Format.MD, Format.JSON)
# How the text is shown, the first by default.
VIEWS = {"inline": "One text", "side": "Side by side"}
# Characters of a wrong value that a message repeats.
REPEATED = 12


def compared(parameters: QueryDict, held: Years) -> tuple[Comparison, str]:
    """The comparison that an address asks for, and its Item. Raises NotComparable."""
    item = item_of(parameters, held)
    return compare(*texts(held, item, year_of(parameters, "from"), year_of(parameters, "to"))), item


def item_of(parameters: QueryDict, held: Years) -> str:
    """The Item that an address names, else the first that is held."""
    return parameters.get("item", "").strip().upper() or held.first_item


def year_of(parameters: QueryDict, name: str) -> int | None:
    """The fiscal year that an address names; None for none. Raises NotComparable for what is no year."""
    typed = parameters.get(name, "").strip()
    if typed and not (typed.isascii() and typed.isdecimal() and len(typed) == 4):
        raise NotComparable(f"\u201c{typed[:REPEATED]}\u201d is no fiscal year, such as 2024.")
    return int(typed) if typed else None


@require_safe
@never_cache
def redline(request: Request, cik: int) -> HttpResponse:
    """The risks that were added, removed and reworded, and then the whole text with its changes (?item=, from=, to=, view=)."""
    company = get_object_or_404(Company.objects.prefetch_related("tickers"), cik=cik)
    if successor := company.successor:
        return redirect(f"{reverse('redline', args=[successor.cik])}?{request.GET.urlencode()}")
    held = years_held(company)
    view = request.GET.get("view", "")
    item = item_of(request.GET, held)
    context = {
        "company": company,
        "held": held,
        "item": item,
        "views": VIEWS.items(),
        "view": view if view in VIEWS else next(iter(VIEWS)),
    }
    try:
        comparison, item = compared(request.GET, held)
    except NotComparable as problem:
        return render(request, "agent/redline.html", {**context, "problem": problem}, status=404)
    query = page_query(item, comparison)
    if any(name not in request.GET for name in ("item", "from", "to")):
        # What is newest changes; the address of a comparison does not.
        return redirect(f"{request.path}?{query}&view={context['view']}")
    return render(request, "agent/redline.html", {**context, **_compared(comparison, query)})


def _compared(comparison: Comparison, query: str) -> dict[str, object]:
    """What the page shows of two texts."""
    rows = shown(comparison)
    return {
        "comparison": comparison,
        "title": item_coverage.title(comparison.new),
        "years": (comparison.old.filing.fiscal_year, comparison.new.filing.fiscal_year),
        "said": [one for one in (captions_said(comparison), text_said(comparison.counts)) if one],
        "captions": captions(comparison),
        "rows": rows,
        "changes": [one.stretch.anchor for one in rows if one.stretch.is_change],
        "formats": FORMATS,
        "query": query,
    }


@require_safe
@never_cache
def redline_by_ticker(request: Request, ticker: str) -> HttpResponse:
    """Lead from a ticker in any case to its company's comparison."""
    company = get_object_or_404(Company, tickers__symbol=as_symbol(ticker))
    return redirect(f"{reverse('redline', args=[company.cik])}?{request.GET.urlencode()}")


@require_safe
def redline_file(request: Request, cik: int, ending: str) -> HttpResponse:
    """Download a comparison, as the page's address names it, in Markdown or JSON."""
    if refused := file_formats.unknown(ending, FORMATS):
        return refused
    held = years_held(get_object_or_404(Company, cik=cik))
    try:
        comparison, item = compared(request.GET, held)
    except NotComparable as problem:
        return HttpResponseNotFound(str(problem), content_type="text/plain; charset=utf-8")
    made = shown_to_programs(comparison, item)
    site = request.build_absolute_uri
    content = made.model_dump_json(indent=1) if ending == Format.JSON else markdown.written(made, site)
    years = f"{made.older.fiscal_year}-{made.newer.fiscal_year}"
    reply = HttpResponse(content, content_type=Format(ending).content_type)
    return file_formats.attached(reply, f"{held.company.called} {item} {years}", Format(ending))
