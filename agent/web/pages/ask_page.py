"""The page that a question is typed on."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import Request
from agent.models import Run
from agent.web.pages import welcome
from agent.web.pages.forms import AskForm
from filings.web import directory


def ask_page(
    request: Request, form: AskForm, status: int = 200, more: dict[str, Any] | None = None, *, continues: str = ""
) -> HttpResponse:
    """The form with examples and what is covered.

    more: what else its template is given. continues: the run that the question goes on from.
    """
    context = {"form": form, "examples": welcome.examples(), "companies": directory.covered(), **(more or {})}
    if continues:
        context["before"] = answer_before(request, continues)
        context["alone"] = context["before"] is None
    if request.identity.user is None:
        context["open_to_visitors"] = welcome.open_to_visitors()
    return render(request, "agent/ask.html", context, status=status)


def answer_before(request: Request, pk: str) -> Run | None:
    """The answer of whoever asks that a question goes on from; None of one that they do not have."""
    with suppress(ValueError):
        return Run.objects.to_continue(request.identity).defer("answer").filter(pk=UUID(pk)).first()
    return None
