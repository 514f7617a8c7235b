"""Answers that are read by a link: the share of a token, and what their pages tell browsers and search engines."""

import re

from django.http import HttpResponse

from agent.models import Share

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
