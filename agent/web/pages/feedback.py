"""Feedback on an answer: right, wrong, should have been refused or answered. It waits for review."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_POST

from accounts.request_types import Request
from agent.models import Feedback, Run

Verdict = Feedback.Verdict
ANSWERED = (
    (Verdict.RIGHT, "Yes"),
    (Verdict.WRONG, "No, or only in part"),
    (Verdict.SHOULD_HAVE_REFUSED, "It should have been refused"),
)
REFUSED = (
    (Verdict.RIGHT, "Yes, rightly refused"),
    (Verdict.SHOULD_HAVE_ANSWERED, "It should have been answered"),
    (Verdict.WRONG, "Yes, but the reason is wrong"),
)
PASSAGES = (
    (Verdict.RIGHT, "Yes"),
    (Verdict.WRONG, "No, it is not among them"),
    (Verdict.SHOULD_HAVE_REFUSED, "Nothing in the filing answers it"),
)
CHOICES = {
    Run.Outcome.ANSWERED: ANSWERED,
    Run.Outcome.NEAREST: ANSWERED,
    Run.Outcome.PASSAGES: PASSAGES,
    Run.Outcome.REFUSED: REFUSED,
}
LONGEST = 2000


class FeedbackForm(forms.Form):
    """A verdict that fits the outcome, and a comment."""

    verdict = forms.ChoiceField(choices=[], error_messages={"required": "Choose an option first."})
    comment = forms.CharField(required=False, max_length=LONGEST)

    def __init__(self, *args: Any, run: Run, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["verdict"].choices = list(choices(run))  # type: ignore[attr-defined]


def choices(run: Run) -> tuple[tuple[Verdict, str], ...]:
    """The verdicts that a run may be given; a refusal with passages has a refusal's."""
    return REFUSED if run.refusal_code else CHOICES.get(run.outcome, ())  # type: ignore[call-overload]


def feedback_form(run: Run) -> FeedbackForm | None:
    """The form with earlier feedback; None for a run that neither answers nor refuses."""
    if run.outcome not in CHOICES:
        return None
    given = Feedback.objects.filter(run=run).values("verdict", "comment").first()
    return FeedbackForm(initial=given or {}, run=run)


@require_POST
def run_feedback(request: Request, pk: UUID) -> HttpResponse:
    """Give feedback on an answer, or change it; a change reopens the review."""
    found = get_object_or_404(Run.objects.visible_to(request.identity).filter(outcome__in=list(CHOICES)), pk=pk)
    form = FeedbackForm(request.POST, run=found)
    if form.is_valid():
        say(found, form.cleaned_data["verdict"], form.cleaned_data["comment"].strip())
    elif not request.htmx:
        # Without a script the page is reloaded, and the form itself says that a choice is needed.
        return redirect(f"{found.get_absolute_url()}#feedback")
    if not request.htmx:
        return redirect(f"{found.get_absolute_url()}#feedback")
    context = {"run": found, "feedback": form, "sent": form.is_valid()}
    return render(request, "agent/_feedback.html", context, status=200 if form.is_valid() else 422)


def say(run: Run, verdict: str, comment: str) -> Feedback:
    """Store the feedback on a run: one each, in the queue until a reviewer has handled it."""
    given, made = Feedback.objects.get_or_create(run=run, defaults={"verdict": verdict, "comment": comment})
    if not made and (given.verdict, given.comment) != (verdict, comment):
        given.verdict, given.comment = verdict, comment
        given.updated, given.status = now(), Feedback.Status.OPEN
        given.handled_by, given.handled = None, None
        given.save(update_fields=["verdict", "comment", "updated", "status", "handled_by", "handled"])
    return given
