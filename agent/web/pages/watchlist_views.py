"""Views of watchlists: create, fill, rename, order and delete. Other people get 404."""

from collections.abc import Callable
from typing import TypeVar

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.identity_middleware import ensure_identity, forget_new
from accounts.request_types import Request
from accounts.verified_address import verified_address
from agent.models import MOST_LISTS, MOST_WATCHED, Watchlist
from agent.web.pages import watchlist_panels
from agent.web.pages.watchlist_forms import AddForm, CompaniesForm, NameForm, NewListForm
from filings.models import Company

# The name of a person's first list.
NEW_NAME = "Watchlist"
Made = TypeVar("Made")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def watchlists(request: Request) -> HttpResponse:
    """Show the user's lists with their companies; a POST creates one: name, companies."""
    if request.method != "POST":
        return _page(request)
    form = NewListForm(request.POST)

    def make() -> Watchlist:
        made = Watchlist.objects.make(ensure_identity(request), form.cleaned_data["name"])
        made.add(form.cleaned_data["companies"])
        return made

    if (made := _done(request, form, make)) is None:
        return _page(request, {"new_form": form}, status=422)
    messages.success(request, f"“{made}” is on your watchlists.")
    return redirect(made)


@require_POST
def watchlist_add(request: Request, pk: int) -> HttpResponse:
    """Add companies to a list, by name, ticker or CIK: companies."""
    mine = get_object_or_404(Watchlist.objects.visible_to(request.identity), pk=pk)
    form = CompaniesForm(request.POST)
    new = _done(request, form, lambda: mine.add(form.cleaned_data["companies"]))
    if new is None:
        return _page(request, {"changed": mine.pk, "add_form": form}, status=422)
    said = f"{new} compan{'y' if new == 1 else 'ies'} added to “{mine}”." if new else f"“{mine}” has them already."
    messages.success(request, said)
    return redirect(mine)


@require_POST
def watchlist_remove(request: Request, pk: int, cik: int) -> HttpResponse:
    """Remove a company from a list."""
    mine = get_object_or_404(Watchlist.objects.visible_to(request.identity), pk=pk)
    mine.remove(cik)
    return redirect(mine)


@require_POST
def watchlist_rename(request: Request, pk: int) -> HttpResponse:
    """Rename a list: name."""
    mine = get_object_or_404(Watchlist.objects.visible_to(request.identity), pk=pk)
    form = NameForm(request.POST)

    def rename() -> Watchlist:
        mine.call(form.cleaned_data["name"])
        return mine

    if _done(request, form, rename) is None:
        return _page(request, {"changed": mine.pk, "name_form": form}, status=422)
    return redirect(mine)


@require_POST
def watchlist_up(request: Request, pk: int) -> HttpResponse:
    """Move a list up by one place."""
    mine = get_object_or_404(Watchlist.objects.visible_to(request.identity), pk=pk)
    Watchlist.objects.visible_to(request.identity).move_up(mine)
    return redirect(mine)


@require_POST
def watchlist_delete(request: Request, pk: int) -> HttpResponse:
    """Delete a list, without its companies."""
    mine = get_object_or_404(Watchlist.objects.visible_to(request.identity), pk=pk)
    mine.delete()
    messages.success(request, f"The watchlist “{mine}” has been deleted.")
    return redirect("watchlists")


@require_POST
def watch(request: Request, cik: int) -> HttpResponse:
    """Add a company to one of the user's lists, or to a new one: list, name."""
    company = get_object_or_404(Company, cik=cik)
    form = AddForm(request.POST)

    def add() -> Watchlist:
        mine, name = Watchlist.objects.visible_to(request.identity), form.cleaned_data["name"]
        if form.cleaned_data["list"] and not name:
            found = get_object_or_404(mine, pk=form.cleaned_data["list"])
        else:
            name = name or NEW_NAME
            found = mine.named(name).first() or Watchlist.objects.make(ensure_identity(request), name)
        found.add([cik])
        return found

    if (mine := _done(request, form, add)) is not None:
        messages.success(request, f"{company.called} is on your watchlist “{mine}”.")
    else:
        messages.warning(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    return redirect(company)


def _done(request: Request, form: forms.Form, do: Callable[[], Made]) -> Made | None:
    """The result of a valid form; None where it is refused: the form then has the reason."""
    if form.is_valid():
        try:
            with transaction.atomic():
                return do()
        except ValidationError as refused:
            form.add_error(next(iter(form.fields)), refused)
            forget_new(request)
    return None


def _page(request: Request, more: dict[str, object] | None = None, status: int = 200) -> HttpResponse:
    lists = Watchlist.objects.visible_to(request.identity)
    context = {"lists": watchlist_panels.shown(lists), "most_lists": MOST_LISTS, "most_watched": MOST_WATCHED}
    context["mail_to"] = verified_address(request.identity.user)
    return render(request, "agent/watchlists.html", {**context, **(more or {})}, status=status)
