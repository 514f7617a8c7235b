"""Pages of questions and answers. Whoever asked a run sees it; to anybody else it does not exist."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.identity import ensure_identity
from accounts.requests import Request, polled_in_vain
from agent import asking, card, usage, welcome
from agent.forms import AskForm, HistoryForm, SelectionForm, models_usable
from agent.models import Run
from agent.modes import LIMITS, Mode
from agent.progress import NODES, offers_deeper, progress, status_line
from agent.reverify import reverify
from agent.state import Answer

RUNS_A_PAGE = 30


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: Request) -> HttpResponse:
    """The form, prefilled from ?q=, which asks nothing by itself; a POST asks."""
    if request.method != "POST":
        return _ask_page(request, AskForm(initial={"question": request.GET.get("q", "")}))
    form = AskForm(request.POST)
    if not form.is_valid():
        return _ask_page(request, form, status=422)
    run = asking.start(ensure_identity(request), form.cleaned_data["question"], form.cleaned_data.get("mode", ""))
    if request.htmx:
        return HttpResponseClientRedirect(run.get_absolute_url())
    return redirect(run)


def _ask_page(request: Request, form: AskForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "examples": welcome.examples(), "companies": welcome.covered()}
    return render(request, "agent/ask.html", context, status=status)


@require_safe
@never_cache
def run(request: Request, pk: UUID) -> HttpResponse:
    """The answer of a run, or how far it is."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    return render(request, "agent/run.html", _run_context(request, found))


@require_safe
@never_cache
def run_progress(request: Request, pk: UUID) -> HttpResponse:
    """The part of the run page that changes, polled until the run is closed."""
    found = Run.objects.visible_to(request.identity).filter(pk=pk).first()
    if found is None:
        return polled_in_vain(request)
    context = _run_context(request, found)
    # The live region is written anew only when it has something new to say, or it is read aloud at every poll.
    context["news"] = request.GET.get("seen") != context["mark"]
    return render(request, "agent/_run_polled.html", context)


def _run_context(request: Request, found: Run) -> dict[str, object]:
    shown = progress(found)
    answer = Answer.model_validate(found.answer) if found.answer else None
    parts = card.parts(answer, found.pk) if answer else []
    return {
        "run": found,
        "progress": shown,
        "status": status_line(found, shown),
        "mark": f"{found.status}{shown.done}",
        "answer": answer,
        "targets": card.understood(answer) if answer else (),
        "words": card.words(answer) if answer else [],
        "parts": parts,
        "joined": card.joined(parts),
        "asks_figures": any(target.readings for target in answer.plan.targets) if answer else False,
        "cites": any(part.prose and part.prose.claims for part in parts),
        "examples": welcome.examples() if found.outcome == Run.Outcome.META else [],
        "deeper": LIMITS[Mode.DEEP_SEARCH] if models_usable() and offers_deeper(found) else None,
        "usage": usage.of_run(found) if request.user.is_staff and not found.is_open else None,
    }


@require_POST
def run_verify(request: Request, pk: UUID) -> HttpResponse:
    """Read everything that an answer shows again from the stored filings, and say what differs."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    answer = Answer.model_validate(found.answer) if found.answer else None
    checks = reverify(answer) if answer else ()
    again = {"verified_at": now(), "total": len(checks), "broken": [check for check in checks if not check.ok]}
    if request.htmx:
        return render(request, "agent/_verified_again.html", again)
    return render(request, "agent/run.html", {**_run_context(request, found), **again})


@require_POST
def run_ask_again(request: Request, pk: UUID) -> HttpResponse:
    """The same question as a new run."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    return redirect(asking.start(ensure_identity(request), found.question, found.mode))


@require_POST
def run_search_deeper(request: Request, pk: UUID) -> HttpResponse:
    """The question of a run that was not good enough for its mode, asked again with the most thorough one."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    if not (models_usable() and offers_deeper(found)):
        messages.warning(request, "This answer is not one that a deeper search is offered for.")
        return redirect(found)
    return redirect(asking.start(ensure_identity(request), found.question, Mode.DEEP_SEARCH))


@require_POST
def run_delete(request: Request, pk: UUID) -> HttpResponse:
    """Delete one run, even an open one: its worker then has nothing to write to."""
    get_object_or_404(Run.objects.visible_to(request.identity), pk=pk).delete()
    messages.success(request, "The answer is deleted.")
    return redirect("history")


@require_safe
def history(request: Request) -> HttpResponse:
    """One's own runs, newest first, searchable."""
    runs = Run.objects.visible_to(request.identity)
    form = HistoryForm(request.GET)
    page = Paginator(form.matching(runs).defer("answer"), RUNS_A_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "total": runs.count(), "query": _without_page(request)}
    template = (
        "agent/_runs.html" if request.htmx and not request.htmx.history_restore_request else "agent/history.html"
    )
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _without_page(request: Request) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()


@require_POST
def history_selected(request: Request) -> HttpResponse:
    """Delete the runs ticked, or ask their questions again."""
    form = SelectionForm(request.POST, identity=request.identity)
    if not form.is_valid():
        messages.warning(request, "Nothing was changed. Select an answer of your own first.")
        return redirect("history")
    chosen = list(form.cleaned_data["run"])
    answers = "1 answer" if len(chosen) == 1 else f"{len(chosen)} answers"
    if form.cleaned_data["action"] == "delete":
        Run.objects.visible_to(request.identity).filter(pk__in=[item.pk for item in chosen]).delete()
        messages.success(request, f"{answers} deleted.")
    else:
        for item in reversed(chosen):
            asking.start(ensure_identity(request), item.question, item.mode)
        messages.success(request, f"{answers} asked again.")
    return redirect("history")


@require_safe
def method(request: Request) -> HttpResponse:
    """How an answer is made."""
    context = {"nodes": NODES, "models": models_usable(), "modes": LIMITS.items()}
    return render(request, "agent/method.html", context)
