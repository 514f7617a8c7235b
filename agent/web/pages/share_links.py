"""Sharing an answer by a link: created, shown and revoked by its owner, read by whoever has it."""

import re
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.request_types import Request
from agent.models import Run, Share
from agent.web.pages import run_page

TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


def opened(token: str) -> Share | None:
    """The share of a token with its run; None where it is missing, revoked, or its account is inactive.

    Looked up by index: nobody guesses 256 random bits from the time that a look-up takes.
    """
    if not TOKEN.fullmatch(token):
        return None
    open_ones = Share.objects.select_related("run").exclude(run__user__is_active=False)
    found = open_ones.filter(token=token).first()
    return found if found and found.run.answer else None


def read_by_link(response: HttpResponse) -> HttpResponse:
    """Marks a page with a secret address: search engines must not store it, and other sites must not learn it.

    "same-origin" and not "no-referrer", under which browsers send no origin with the page's forms.
    """
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Referrer-Policy"] = "same-origin"
    return response


@require_safe
@never_cache
def shared(request: Request, token: str) -> HttpResponse:
    """One shared answer with its sources, without anything about its owner."""
    share = opened(token)
    if share is None:
        raise Http404
    return read_by_link(render(request, "agent/shared.html", run_page.shared(share)))


@require_POST
def run_share(request: Request, pk: UUID) -> HttpResponse:
    """Create a link to an answer, or show the existing one."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    if not found.answer:
        messages.warning(request, "There is no answer to share yet.")
        return redirect(found)
    share, _ = Share.objects.get_or_create(run=found)
    return _links(request, found, share)


@require_POST
def run_unshare(request: Request, pk: UUID) -> HttpResponse:
    """Revoke an answer's link; another one gets a new address."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    Share.objects.filter(run=found).delete()
    return _links(request, found, None)


def _links(request: Request, found: Run, share: Share | None) -> HttpResponse:
    if not request.htmx:
        return redirect(f"{found.get_absolute_url()}#share")
    return render(request, "agent/_share.html", {"run": found, "share": share, "said": True})
