"""The page by which e-mails are stopped, for whoever has its address."""

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render

from accounts.request_types import Request
from agent.models import Digest, WatchlistAlert
from agent.web.shared_links import TOKEN, read_by_link


def unsubscribing(
    request: Request, found: QuerySet[Digest] | QuerySet[WatchlistAlert], token: str, about: str, again: str
) -> HttpResponse:
    """A page with a button that stops e-mails; a POST stops them. Raises Http404 without one of this token.

    about: what they are about. again: name of the page where they are switched on.
    """
    if not TOKEN.fullmatch(token) or not found.exists():
        raise Http404
    if request.method == "POST":
        found.update(mail=False)
    context = {"mail": found.filter(mail=True).exists(), "about": about, "again": again}
    return read_by_link(render(request, "agent/unsubscribe.html", context))
