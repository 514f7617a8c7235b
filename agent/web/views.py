"""Pages of questions and answers. Only its owner sees a run; anybody else gets 404."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, reswap

from accounts.identity_middleware import ensure_identity
from accounts.request_types import Request, polled_in_vain
from agent.certificates.verify import verify_run
from agent.models import Run
from agent.runs import create_run
from agent.state.modes import LIMITS, Mode
from agent.web import waiting
from agent.web.forms import AskForm, models_usable
from agent.web.pages import pending_question, run_page
from agent.web.pages.ask_page import ask_page
from agent.web.pages.progress import NODES, offers_deeper


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: Request) -> HttpResponse:
    """Show the question form, filled from the address; a POST asks the question or follow-up."""
    if request.method != "POST":
        kept = pending_question.of(request)
        form = AskForm(initial={**kept, "question": kept.get("q", "")}, identity=request.identity)
        return ask_page(request, form, status=400 if form.scope_errors else 200)
    form = AskForm(request.POST, identity=request.identity)
    if not form.is_valid():
        form.raise_too_long()
        return ask_page(request, form, status=422)
    if form.before and (grid := run_page.grid_asked(form.cleaned_data["question"], form.before)):
        return moved_to(request, grid)
    mode = form.before.mode if form.before else form.cleaned_data.get("mode", "")
    question, identity = form.cleaned_data["question"], ensure_identity(request)
    run = create_run.start(identity, question, mode, continues=form.before, scope=form.scope)
    return moved_to(request, run.get_absolute_url())


def moved_to(request: Request, address: str) -> HttpResponse:
    """The reply that leads to an address."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


@require_safe
@never_cache
def run(request: Request, pk: UUID) -> HttpResponse:
    """The answer of a run, or its progress."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    # Most answers take less: the page comes with the answer and does not move.
    if found.is_open and waiting.waited(found.pk, run_page.patience(found), waiting.LOOK_OFTEN):
        found.refresh_from_db()
    return render(request, "agent/run.html", run_page.of_owner(request, found))


@require_safe
@never_cache
def run_progress(request: Request, pk: UUID) -> HttpResponse:
    """The changing part of a run's page, polled until the run is closed."""
    seconds = run_page.unchanged(request.identity, pk, request.GET.get("seen", ""))
    if seconds is not None:
        return reswap(render(request, "agent/_so_far.html", {"seconds": seconds, "polled": True}), "none")
    found = Run.objects.visible_to(request.identity).filter(pk=pk).first()
    if found is None:
        return polled_in_vain(request)
    return render(request, "agent/_run_polled.html", run_page.of_owner(request, found))


@require_POST
def run_verify(request: Request, pk: UUID) -> HttpResponse:
    """Verify everything an answer shows against the stored filings, and list the differences."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    again = {"verified_at": now(), "report": verify_run(found)}
    if request.htmx:
        return render(request, "agent/_verified_again.html", again)
    return render(request, "agent/run.html", {**run_page.of_owner(request, found), **again})


@require_POST
def run_ask_again(request: Request, pk: UUID) -> HttpResponse:
    """Ask the same question as a new run against the newest filings; its page shows the differences."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    return redirect(create_run.start(ensure_identity(request), found.question, found.mode, again_of=found))


@require_POST
def run_search_deeper(request: Request, pk: UUID) -> HttpResponse:
    """Ask a run's question again in the most thorough mode."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    if not (models_usable() and offers_deeper(found)):
        messages.warning(request, "A deeper search is not available for this answer.")
        return redirect(found)
    return redirect(create_run.start(ensure_identity(request), found.question, Mode.DEEP_SEARCH, again_of=found))


@require_POST
def run_delete(request: Request, pk: UUID) -> HttpResponse:
    """Delete a run, even an open one: its worker then has nothing to write to."""
    get_object_or_404(Run.objects.visible_to(request.identity), pk=pk).delete()
    messages.success(request, "The answer has been deleted.")
    return redirect("history")


@require_safe
def method(request: Request) -> HttpResponse:
    """Show the page that explains how answers are made."""
    context = {"nodes": NODES, "models": models_usable(), "modes": LIMITS.items()}
    return render(request, "agent/method.html", context)
