"""What people send: a question, a search of their history, a selection from it."""

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.db.models import Q

from accounts.identity import Identity
from agent import model_settings
from agent.codes import Code
from agent.models import Run, RunQuerySet
from agent.modes import Mode
from agent.question import problem_with, tidy


def models_usable() -> bool:
    """Whether runs ask a model: one is named for each role, and nothing is wrong with how."""
    return model_settings.named() and not model_settings.problems()


class AskForm(forms.Form):
    """One question. `empty` and `too_long` are errors of the form: no run is made.

    mode: only where a model can be asked. Deep search is not among its choices: a run that was not good enough offers it.
    """

    MODES: ClassVar = [("", "Automatic"), *((mode.value, mode.label) for mode in Mode if mode is not Mode.DEEP_SEARCH)]

    question = forms.CharField(label="Your question", required=False)
    mode = forms.ChoiceField(label="Mode", required=False, choices=MODES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not models_usable():
            del self.fields["mode"]

    def clean_question(self) -> str:
        question = tidy(self.cleaned_data["question"])
        match problem_with(question):
            case Code.EMPTY:
                raise forms.ValidationError("Type a question first.", code="empty")
            case Code.TOO_LONG:
                limit = settings.QUESTION_MAX_LENGTH
                raise forms.ValidationError(
                    f"The question has {len(question):,} characters. The limit is {limit:,}.", code="too_long"
                )
        return question


class HistoryForm(forms.Form):
    """A search of one's own runs."""

    OUTCOMES: ClassVar = [
        ("", "All"),
        (Run.Outcome.ANSWERED, "Answered"),
        (Run.Outcome.REFUSED, "Not answered"),
        (Run.Outcome.META, "About Diligence"),
        (Run.Outcome.ERROR, "Failed"),
    ]

    q = forms.CharField(required=False, max_length=200, label="Search questions and answers")
    outcome = forms.ChoiceField(required=False, choices=OUTCOMES)

    def matching(self, runs: RunQuerySet) -> RunQuerySet:
        """The runs that the form asks for; all of them where it asks for nothing or for nonsense."""
        if not self.is_valid():
            return runs
        for word in self.cleaned_data["q"].split():
            runs = runs.filter(
                Q(question__icontains=word)
                | Q(company__icontains=word)
                | Q(summary__icontains=word)
                | Q(refusal_code__icontains=word)
            )
        if outcome := self.cleaned_data["outcome"]:
            runs = runs.filter(outcome=outcome)
        return runs

    @property
    def is_narrowed(self) -> bool:
        """Whether it leaves anything out."""
        return self.is_valid() and any(self.cleaned_data.values())


class SelectionForm(forms.Form):
    """Runs ticked in the history, and what to do with them."""

    run = forms.ModelMultipleChoiceField(Run.objects.none(), error_messages={"required": "Select an answer first."})
    action = forms.ChoiceField(choices=[("delete", "Delete selected"), ("ask_again", "Ask selected again")])

    def __init__(self, *args: Any, identity: Identity, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["run"].queryset = Run.objects.visible_to(identity)  # type: ignore[attr-defined]
