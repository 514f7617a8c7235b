"""The page with the question box, also for a follow-up to an earlier answer."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from accounts.request_types import Request
from agent.models import Run
from agent.refusals.grammar import listed
from agent.refusals.query_text import when
from agent.runs.stored_answer import read
from agent.state import Answer
from agent.web.forms import AskForm
from agent.web.pages import home
from filings.models import Company

# How many companies of an answer are named.
NAMED = 2


@dataclass(frozen=True)
class Before:
    """The answer that a follow-up continues, as the box shows it. about: what is taken over, Apple, fiscal 2024."""

    pk: UUID
    about: str

    @property
    def url(self) -> str:
        return reverse("run", args=[self.pk])


def ask_page(request: Request, form: AskForm, status: int = 200, more: dict[str, Any] | None = None) -> HttpResponse:
    """Render the form with the user's last answers and companies, or with examples. more: further context of the template."""
    last = home.last_answers(request.identity)
    context = {
        "form": form,
        "last_answers": last,
        "examples": home.examples() if len(last) < home.LAST_ANSWERS else [],
        "companies": home.own_companies(request.identity),
        "covered": Company.objects.covered().count(),
        "askable": Company.objects.askable().count(),
        **(more or {}),
    }
    if form.before:
        context["before"] = before(form.before, read(form.before.answer))
    if request.identity.user is None:
        context["open_to_visitors"] = home.open_to_visitors()
    return render(request, "agent/ask.html", context, status=status)


def before(run: Run, answer: Answer | None) -> Before:
    """A run that a question may follow up on. answer: None where its format is no longer read."""
    query = answer.plan.query if answer else None
    if query is None or not query.companies:
        return Before(run.pk, "your previous question")
    names = [company.called for company in query.companies]
    named = names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    return Before(run.pk, f"{listed(named)}, {when(query.periods).removeprefix('in ')}")
