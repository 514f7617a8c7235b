"""Pages of the screener: ranked companies, their file, and saved screens."""

from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.identity_middleware import ensure_identity, forget_new
from accounts.request_types import Request
from agent.models import Screen
from agent.numbers.facts.render import column_unit, is_money
from agent.screening.ranked_companies import Listed, Screened
from agent.web.exports import file_formats
from agent.web.exports.cell_values import Amount, Value
from agent.web.exports.csv_file import write
from agent.web.exports.figure_rows import Tickers
from agent.web.exports.file_formats import Format
from agent.web.tables import grid as grids
from agent.web.tables import screens
from agent.web.tables.figure_card import Figure
from agent.web.tables.screens import Screener, ScreenPage
from filings.models import FIRST_YEAR, Filing

FORM_FIELDS = {"measure", "above", "below"}
# Names of companies listed in one line.
MOST_NAMED = 40


@require_safe
@never_cache
def screener(request: Request) -> HttpResponse:
    """Show the screen that the address describes; what is typed in the form is first moved into the address."""
    asked = screens.read(request.GET, request.GET.getlist("above"), request.GET.getlist("below"))
    if not asked.problems and FORM_FIELDS & set(request.GET):
        return redirect(asked.address(page=1))
    context: dict[str, object] = {
        "screen": asked,
        "fields": [
            (
                key,
                label,
                asked.units[key],
                asked.bound(key, ">", ">="),
                asked.bound(key, "<", "<="),
                asked.without(key),
            )
            for key, label in asked.labels.items()
        ],
        "years": range(now().year, FIRST_YEAR - 1, -1),
        "measures": grids.measures_offered(),
        "industries": screens.industries(request.identity),
        "saved": Screen.objects.visible_to(request.identity),
    }
    if asked.asks:
        page = screens.counted_page(asked, ensure_identity(request))
        context |= {
            "page": page,
            "heads": heads(asked, page),
            "rows": [(row, [Figure(cell) if cell else None for cell in row.cells]) for row in page.rows],
            "missing": named(page.found.unranked),
            "others": named(page.found.other_units),
            "kept_fields": parse_qsl(asked.screened_by),
            "csv": asked.file_address,
            "previous": asked.address(page=page.number - 1) if page.number > 1 else "",
            "next": asked.address(page=page.number + 1) if page.number < page.pages else "",
        }
    swapped = request.htmx and not request.htmx.history_restore_request and asked.asks
    template = "agent/_screened.html" if swapped else "agent/screener.html"
    response = render(request, template, context, status=400 if asked.problems else 200)
    patch_vary_headers(response, ["HX-Request"])
    return response


def heads(asked: Screener, page: ScreenPage) -> list[tuple[str, str, str, str]]:
    """The measures as headings: label, unit, address that sorts by it, and how it is sorted."""
    found = []
    by = asked.sort or asked.measures[0]
    for place, (key, label) in enumerate(asked.labels.items()):
        unit = page.found.units.get(place, "")
        own = key == by
        sorts = asked.address(sort=key, highest=not (own and asked.highest), page=1)
        way = ("descending" if asked.highest else "ascending") if own else ""
        found.append((label, column_unit(unit, None) if is_money(unit) else "", sorts, way))
    return found


def named(companies: Sequence[Listed]) -> str:
    """Companies in one line: 3M, AT&T and 12 more."""
    names = [one.called for one in companies[:MOST_NAMED]]
    more = len(companies) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")


@require_safe
@never_cache
def screener_file(request: Request, ending: str) -> HttpResponse:
    """Every company of a screen as CSV, in the page's order."""
    if refused := file_formats.unknown(ending, [Format.CSV]):
        return refused
    asked = screens.read(request.GET)
    if not asked.asks:
        said = " ".join(asked.problems) or "Choose a measure first."
        return HttpResponseBadRequest(said, content_type="text/plain; charset=utf-8")
    identity = ensure_identity(request)
    found = screens.counted(asked, identity, lambda: screens.screened(asked, identity))
    reply = HttpResponse(content_type=Format.CSV.content_type)
    headings = ["Rank", "Company", "Ticker", "CIK", "Fiscal year", "Period end", "Accession"]
    for label in asked.labels.values():
        headings += [label, f"{label}: unit", f"{label}: page"]
    write(reply, headings, lines(asked, found, request))  # type: ignore[arg-type] # a response is written like a file
    return file_formats.attached(reply, asked.name or asked.title, Format.CSV)


def lines(asked: Screener, found: Screened, request: Request) -> Iterator[list[Value]]:
    """A row for each company, with figures as kept and the addresses of their pages."""
    tickers = Tickers().look_up(one.company.cik for one in found.ranked)
    filings = Filing.objects.only("period_end", "accession").in_bulk([one.filing for one in found.ranked])
    site = request.build_absolute_uri("/")[:-1]
    for row in found.ranked:
        company, filing = row.company, filings.get(row.filing)
        line: list[Value] = [row.rank, company.called, tickers[company.cik], company.cik, row.fiscal_year]
        line += [filing.period_end, filing.accession] if filing else [None, ""]
        for place, key in enumerate(asked.measures):
            figure = row.figures.get(place)
            if figure is None:
                line += [None, "", ""]
            else:
                page = reverse("figure", args=[company.cik, row.fiscal_year, key])
                line += [Amount(figure.value.normalize(), figure.unit), figure.unit, f"{site}{page}"]
        yield line


@require_POST
def screen_save(request: Request) -> HttpResponse:
    """Save a screen under a name: name, and the fields of its address."""
    asked = screens.read(request.POST)
    if not asked.asks:
        return redirect(asked.address())
    try:
        made = Screen.objects.save_as(ensure_identity(request), asked.name, asked.screened_by)
    except ValidationError as refused:
        forget_new(request)
        messages.warning(request, " ".join(refused.messages))
    else:
        messages.success(request, f"The screen “{made}” is saved.")
    return redirect(asked.address())


@require_POST
def screen_delete(request: Request, pk: int) -> HttpResponse:
    """Delete a saved screen."""
    mine = get_object_or_404(Screen.objects.visible_to(request.identity), pk=pk)
    mine.delete()
    messages.success(request, f"The screen “{mine}” has been deleted.")
    return redirect("screener")
