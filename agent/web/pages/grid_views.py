"""Pages of figures chosen without words: the grid, and one computed figure."""

from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.identity_middleware import ensure_identity
from accounts.request_types import Request
from agent.models import Run, Watchlist
from agent.numbers.cells.measure_keys import known, measure_of
from agent.numbers.registry import registry as registry_file
from agent.runs import create_run
from agent.state import Period, PeriodForm
from agent.state.query import Query, Row, Years
from agent.web.api.table_parameters import FIRST, LAST
from agent.web.exports import file_formats
from agent.web.exports.file_formats import Format
from agent.web.exports.provenance import About
from agent.web.tables import grid as grids
from agent.web.tables.part_lookup import Parts
from agent.web.tables.table_card import TableCard
from agent.web.tables.table_links import LABELS, other_choices
from agent.web.tables.verified_tables import ref_of, tabulated
from agent.web.tables.year_table import YearRows
from filings.models import FIRST_YEAR, Company
from filings.web.company_directory import with_held

# How many of one's own grids are listed; the history has all.
MOST_SAVED = 8


@require_safe
@never_cache
def grid(request: Request) -> HttpResponse:
    """Show the grid that the address describes; names typed in the form are first moved into the address."""
    found = grids.read(request.GET)
    if not found.problems and {"company", "measure", "member"} & set(request.GET):
        return redirect(found.address())
    watchlists = Watchlist.objects.visible_to(request.identity).prefetch_related("companies")
    context = {
        "grid": found,
        "typed": request.GET.get("company", ""),
        "shows": [(key, label, found.address(show=key)) for key, label in grids.SHOWS.items()],
        "chosen": [(one.called, found.without_company(one.cik)) for one in found.companies],
        "measured": [(label, found.without_measure(key)) for key, label in found.labels],
        "parted": [(one.label, found.without_part(one.label)) for one in found.parts],
        "parts": Parts(found.companies[0]).offered if len(found.companies) == 1 else [],
        "watched": [(one.name, found.with_companies(one.ciks)) for one in watchlists if one.ciks],
        "saved": Run.objects.visible_to(request.identity)
        .filter(given__isnull=False)
        .only("question", "created")[:MOST_SAVED],
        "offered": list(grids.companies_offered(request.identity)[: grids.MOST_OFFERED]),
        "measures": grids.measures_offered(),
        "per": [(key, label, key == found.per) for key, label in grids.PER.items()],
        "years": range(now().year, FIRST_YEAR - 1, -1),
    }
    if found.asks:
        table = found.table(ensure_identity(request))
        # Computed figures of parts of companies or years have no page: their formula is shown below.
        card = TableCard(table)
        rows = YearRows(table, id="grid" if found.parts or found.per != grids.YEAR else "")
        context |= {
            "files": request.path,
            "card": card,
            "part": {"table": card, "verified": True},
            "rows": rows.view(found.title, found.order_of(table)),
            "others": [
                *((found.chosen(one), LABELS[one]) for one in other_choices(table)),
                *([(found.address(as_of=None), "Use all reports")] if found.as_of else []),
            ],
            "read": now(),
        }
    return render(request, "agent/grid.html", context, status=400 if found.problems else 200)


@require_safe
@never_cache
def grid_file(request: Request, ending: str) -> HttpResponse:
    """A grid as a file, rows in the page's order."""
    if refused := file_formats.unknown(ending):
        return refused
    found = grids.read(request.GET)
    if not found.asks:
        said = " ".join(found.problems) or "Choose companies and measures first."
        return HttpResponseBadRequest(said, content_type="text/plain; charset=utf-8")
    table = found.ordered(found.table(ensure_identity(request)))
    card = TableCard(table, named=found.name or found.title)
    about = About(question=card.title, at=now(), url=request.build_absolute_uri(found.address()))
    return file_formats.response([card], Format(ending), request, about)


@require_POST
def grid_save(request: Request) -> HttpResponse:
    """Save a grid as an answer under a name, with a permanent address."""
    found = grids.read(request.POST)
    if not found.asks:
        return redirect(found.address())
    return redirect(create_run.start(ensure_identity(request), found.name or found.title, given=found.query))


@require_safe
@never_cache
def figure(request: Request, cik: int, year: int, measure: str) -> HttpResponse:
    """One computed figure: its formula, its facts, and the years around it."""
    found = get_object_or_404(with_held(Company.objects.covered().filter(cik=cik)))
    registry = registry_file.load()
    if not FIRST <= year <= LAST or not known(measure, registry):
        raise Http404
    asked = measure_of(measure, registry)
    period = Period(form=PeriodForm.FISCAL, year=year)
    query = Query(companies=(ref_of(found),), periods=Years(periods=(period,)), rows=(Row(measure=asked),))
    card = TableCard(tabulated(query, request.identity), symbols={cik: found.symbols[0] if found.symbols else ""})
    return render(
        request,
        "agent/figure.html",
        {"part": {"table": card, "verified": True}, "company": found, "id": "1", "read": now()},
    )
