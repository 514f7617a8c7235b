"""Sharing an answer by a link: created, shown and revoked by its owner, read by whoever has it."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.request_types import Request
from agent.models import Run, Share
from agent.web.pages import run_page
from agent.web.shared_links import opened, read_by_link


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
