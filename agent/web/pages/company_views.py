"""Pages of a company and of a filing: figures and available data. Everybody may read them."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.numbers.facts.company_filings import by_rank
from agent.numbers.registry import registry as registry_file
from agent.state.query import Basis
from agent.web.tables.company_figures import ANNUAL, PERIOD_LABELS, PERIODS, headlines, key_figures, statements
from agent.web.tables.company_parts import revenue_by_part
from agent.web.tables.table_links import LABELS, of_company, other_choices
from agent.web.tables.verified_tables import dependencies
from filings.models import Company, Filing
from filings.web import reading_views, views
from filings.web.company_directory import with_held
from filings.xbrl.stored_faces import faces


@require_safe
@never_cache
def company(request: Request, cik: int) -> HttpResponse:
    """Key figures of ten years, the statements of one filing, and coverage year by year; of a predecessor, its successor's."""
    found = get_object_or_404(with_held(Company.objects.filter(cik=cik)))
    if successor := found.successor:
        return redirect(successor)
    filings, _ = by_rank(Filing.objects.with_figures([cik]) if found.held else ())  # type: ignore[attr-defined] # annotation
    asked = next((one for one in filings if str(one.fiscal_year) == request.GET.get("year")), None)
    shown = asked or next(iter(filings), None)
    # Its tables share what is read of the filings.
    deps = dependencies(request.identity, registry_file.load())
    kinds = statements(shown, found, deps) if shown else {}
    # Only the table that is shown is built; if it is empty, the next one.
    wanted = sorted(kinds, key=lambda kind: kind != request.GET.get("statement"))
    statement = next(((kind, table) for kind in wanted if (table := kinds[kind]())), None)
    quarterly = bool(filings) and Filing.objects.interim_with_figures([cik]).exists()
    wanted_per = request.GET.get("periods", ANNUAL)
    per = wanted_per if quarterly and wanted_per in PERIODS else ANNUAL
    chosen = request.GET.get("basis", "")
    basis = Basis(chosen) if chosen in set(Basis) else None
    rows = key_figures(found, deps, per, basis) if filings else None
    context = {
        **views.held_of(found),
        "figures": rows.view(f"{found.called}, key figures") if rows else None,
        "headlines": headlines(rows) if rows else (),
        "periods": [(key, label, key == per) for key, label in PERIOD_LABELS.items()] if quarterly else (),
        "choices": [
            (urlencode({"periods": per, "basis": one.value}), LABELS[one]) for one in other_choices(rows.table)
        ]
        if rows
        else (),
        "parts": revenue_by_part(found, filings, deps),
        "filings": filings,
        "filing": shown,
        "kinds": tuple(kinds),
        "statement": statement,
        "statement_links": of_company(found, statement[0]) if statement else (),
        "printed": bool(shown and faces(shown)),
    }
    return render(request, "filings/company.html", context)


@require_safe
def filing(request: Request, accession: str) -> HttpResponse:
    """One filing: its statements, also without text, and its Items."""
    found = reading_views.held_filing(request, accession)
    held = get_object_or_404(with_held(Company.objects.filter(pk=found.company_id)))
    made = statements(found, held, dependencies(request.identity, registry_file.load()))
    context = {
        **reading_views.held_of(found),
        "statements": tuple((kind, table) for kind, make in made.items() if (table := make())),
        "printed": bool(faces(found)),
    }
    return render(request, "filings/filing.html", context)
