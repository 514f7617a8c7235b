"""The history page: search, filters, groups, stars, notes, comparison, deletion."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.identity_middleware import ensure_identity
from accounts.limit_errors import LimitReached
from accounts.request_types import Request
from agent.models import Run, RunCompany, RunQuerySet
from agent.runs import create_run
from agent.runs.history_index import remember
from agent.runs.stored_answer import read
from agent.web.forms import HistoryForm, NoteForm, SelectionForm
from agent.web.history.compare_answers import compare
from filings.edgar.registrant_names import short_name
from filings.models import Company

RUNS_A_PAGE = 30


@require_safe
@never_cache
def history(request: Request) -> HttpResponse:
    """List the user's runs, searched and filtered, the newest first or by company."""
    runs = Run.objects.visible_to(request.identity)
    form = HistoryForm(request.GET)
    found = form.matching(runs)
    listed = found.by_company(form.asked.get("company", "")) if form.is_grouped else found
    page = Paginator(listed.select_related("standing").defer("answer", "taken"), RUNS_A_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "form": form,
        "page": page,
        "matching": found.count() if form.is_grouped else page.paginator.count,
        "total": runs.count(),
        "query": _without_page(request),
        "files": f"{reverse('history')}/export",
        "companies": _companies(runs),
        "groups": _groups(listed, page) if form.is_grouped else [("", "", 0, _with_others(page))],
    }
    template = (
        "agent/_runs.html" if request.htmx and not request.htmx.history_restore_request else "agent/history.html"
    )
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _companies(runs: RunQuerySet) -> list[tuple[str, str]]:
    """The companies asked about, each by the SEC's name and by its everyday name, sorted by the latter."""
    runs = runs.exclude(company="").order_by()
    first = runs.values_list("company", flat=True).distinct()
    beside = runs.filter(companies__isnull=False).values_list("companies__name", flat=True).distinct()
    return sorted(_called({*first, *beside}).items(), key=lambda one: one[1].casefold())


def _called(names: Collection[str]) -> dict[str, str]:
    """The SEC's names of companies with their everyday names."""
    known = {one.name: one.called for one in Company.objects.filter(name__in=names)}
    return {name: known.get(name) or short_name(name) for name in names}


def _groups(listed: RunQuerySet, page: Page[Run]) -> list[tuple[str, str, int, list[Run]]]:
    """(everyday name, number of its runs, its runs on this page); a run is listed under each of its companies."""
    grouped: dict[str, list[Run]] = {}
    for run in page:
        grouped.setdefault(run.about_company, []).append(run)  # type: ignore[attr-defined]
    counted = listed.filter(about_company__in=grouped).order_by().values_list("about_company")  # type: ignore[misc]
    total = dict(counted.annotate(runs=Count("pk")))
    called = _called(grouped)
    return [(name, called[name], total.get(name, len(runs)), runs) for name, runs in grouped.items()]


def _with_others(page: Page[Run]) -> list[Run]:
    """The runs of a page with `others`: how many further companies each is about."""
    runs = list(page)
    rows = RunCompany.objects.filter(run__in=runs).values_list("run").annotate(found=Count("pk")).order_by()
    counted = dict(rows)
    for run in runs:
        run.others = max(0, counted.get(run.pk, 0) - 1)  # type: ignore[attr-defined]
    return runs


def _without_page(request: Request) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()


@require_POST
def history_selected(request: Request) -> HttpResponse:
    """Delete the selected runs, or ask their questions again."""
    form = SelectionForm(request.POST, identity=request.identity)
    if not form.is_valid():
        messages.warning(request, "Nothing was changed. Select one of your own answers first.")
        return redirect("history")
    chosen = list(form.cleaned_data["run"])
    answers = "1 answer" if len(chosen) == 1 else f"{len(chosen)} answers"
    if form.cleaned_data["action"] == "delete":
        Run.objects.visible_to(request.identity).filter(pk__in=[item.pk for item in chosen]).delete()
        messages.success(request, f"{answers} deleted.")
    else:
        for number, item in enumerate(reversed(chosen)):
            try:
                create_run.start(
                    ensure_identity(request), item.question, item.mode, again_of=item, batch=len(chosen) > 1
                )
            except LimitReached as reached:
                messages.warning(request, f"{number} of {answers} asked again. {reached}")
                return redirect("history")
        messages.success(request, f"{answers} asked again.")
    return redirect("history")


@require_POST
def run_star(request: Request, pk: UUID) -> HttpResponse:
    """Star an answer, or remove its star: starred= is 1 or 0."""
    found = get_object_or_404(Run.objects.visible_to(request.identity).defer("answer"), pk=pk)
    found.starred = request.POST.get("starred") == "1"
    found.save(update_fields=["starred"])
    if request.htmx:
        # Grouped by company, a run may be listed twice, each time with its own star.
        context = {"run": found, "worded": "worded" in request.POST, "star": request.htmx.trigger}
        return render(request, "agent/_star.html", context)
    return redirect(found if "worded" in request.POST else "history")


@require_POST
def run_note(request: Request, pk: UUID) -> HttpResponse:
    """Save a note on an answer; an empty one removes it."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    form = NoteForm(request.POST)
    if form.is_valid():
        Run.objects.filter(pk=found.pk).update(note=form.cleaned_data["note"].strip())
        remember(found.pk)
        found.note = form.cleaned_data["note"].strip()
    if request.htmx:
        context: dict[str, Any] = {"run": found, "note_form": form, "saved": form.is_valid()}
        return render(request, "agent/_note.html", context, status=200 if form.is_valid() else 422)
    if not form.is_valid():
        messages.warning(request, "The note was not saved: it may have at most 2,000 characters.")
    return redirect(f"{found.get_absolute_url()}#note")


@require_safe
@never_cache
def run_compare(request: Request, pk: UUID, other: UUID) -> HttpResponse:
    """Compare two of the user's answers: show the newer one and its differences from the older."""
    mine = Run.objects.visible_to(request.identity)
    pair = [get_object_or_404(mine, pk=pk), get_object_or_404(mine, pk=other)]
    old, new = sorted(pair, key=lambda run: run.created)
    before, after = read(old.answer), read(new.answer)
    if before is None or after is None:
        raise Http404
    context = {"old": old, "new": new, "comparison": compare(before, after)}
    return render(request, "agent/compare.html", context)
