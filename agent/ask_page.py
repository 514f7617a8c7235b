"""The page that a question is typed on."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import Request
from agent import welcome
from agent.forms import AskForm


def ask_page(request: Request, form: AskForm, status: int = 200, more: dict[str, Any] | None = None) -> HttpResponse:
    """The form with examples and what is covered. more: what else its template is given."""
    context = {"form": form, "examples": welcome.examples(), "companies": welcome.covered(), **(more or {})}
    if request.identity.user is None:
        context["open_to_visitors"] = welcome.open_to_visitors()
    return render(request, "agent/ask.html", context, status=status)
