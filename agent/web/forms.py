"""Forms of the pages: a question, a search of the history, a selection from it."""

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, ClassVar, cast

from django import forms
from django.conf import settings
from django.utils.functional import cached_property
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.limit_errors import Limit, TooLong
from agent.models import Run, RunQuerySet
from agent.programs import model_settings
from agent.refusals.codes import Code
from agent.runs import scope_checks
from agent.runs.history_index import found_by
from agent.state.modes import Mode
from agent.state.references import QuestionType
from agent.state.scope import Scope
from agent.steps.precheck import problem_with, tidy
from filings.web.forms import kinds_with_text

# Companies that are listed to choose from; of more, one is named by its ticker.
MOST_LISTED = 200


def models_usable() -> bool:
    """Whether runs ask a model: both models are named and correctly configured."""
    return model_settings.named() and not model_settings.problems()


class AskForm(forms.Form):
    """One question. `empty` and `too_long` are errors of the form: no run is created.

    mode: only where a model can be asked. Deep search is not among its choices: a run that was not good enough offers
    it. continues: the asker's answered run that the question follows up on, in that run's mode. document, cik, kind,
    fiscal_year, fiscal_quarter: what the question is limited to (agent.runs.scope_checks).
    """

    MODES: ClassVar = [("", "Automatic"), *((mode.value, mode.label) for mode in Mode if mode is not Mode.DEEP_SEARCH)]
    ALONE = "The answer you follow up on is not in this browser's history. Name the company, measure and year."

    too_long: TooLong | None = None
    question = forms.CharField(label="Your question", required=False)
    mode = forms.ChoiceField(label="Mode", required=False, choices=MODES)
    continues = forms.ModelChoiceField(
        Run.objects.none(), required=False, error_messages={"invalid_choice": ALONE, "invalid": ALONE}
    )

    document = forms.CharField(required=False)
    cik = forms.CharField(label="Company", required=False, widget=forms.Select(attrs={"class": "input"}))
    kind = forms.CharField(label="Kind", required=False, widget=forms.Select(attrs={"class": "input"}))
    fiscal_year = forms.CharField(
        label="Fiscal year",
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "inputmode": "numeric", "autocomplete": "off"}),
    )
    fiscal_quarter = forms.CharField(label="Quarter", required=False, widget=forms.Select(attrs={"class": "input"}))

    def __init__(self, *args: Any, identity: Identity | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if identity is not None:
            self.fields["continues"].queryset = Run.objects.to_continue(identity)  # type: ignore[attr-defined]
        if not models_usable() or self.before:
            del self.fields["mode"]

    def clean_question(self) -> str:
        question = tidy(self.cleaned_data["question"])
        match problem_with(question):
            case Code.EMPTY:
                raise forms.ValidationError(Code.EMPTY.row.outright, code="empty")
            case Code.TOO_LONG:
                self.too_long = TooLong(Limit("question_characters", settings.QUESTION_MAX_LENGTH, len(question)))
                raise forms.ValidationError(str(self.too_long), code="too_long")
        return question

    def clean(self) -> dict[str, Any]:
        """The fields, unless those of the scope name nothing that can be asked."""
        for name, said in self.scope_errors.items():
            self.add_error(name, said)
        return self.cleaned_data

    @cached_property
    def _scope(self) -> tuple[Scope | None, dict[str, str]]:
        try:
            return scope_checks.checked({name: self[name].value() for name in scope_checks.FIELDS}), {}
        except scope_checks.ScopeInvalid as invalid:
            return None, invalid.errors

    @property
    def open_limits(self) -> list[forms.BoundField]:
        """The fields by which a question is limited, with what can be chosen; none where it is to one document."""
        if self["document"].value() and self.scope:
            return []
        companies = [(str(one.cik), one.called) for one in scope_checks.companies()[: MOST_LISTED + 1]]
        if len(companies) > MOST_LISTED:
            named = {"class": "input", "autocomplete": "off", "placeholder": "Ticker or CIK"}
            self.fields["cik"].widget = forms.TextInput(attrs=named)
        quarters = [(str(number), f"Q{number}") for number in range(1, 5)]
        choices = {
            "cik": [("", "All companies"), *companies],
            "kind": kinds_with_text(),
            "fiscal_quarter": [("", "Any"), *quarters],
        }
        for name, some in choices.items():
            if isinstance(widget := self.fields[name].widget, forms.Select):
                widget.choices = some
        return [self[name] for name in scope_checks.FIELDS if name != "document"]

    @property
    def scope(self) -> Scope | None:
        """What the question is limited to; None where it is to be asked of all documents, or cannot be limited so."""
        return self._scope[0]

    @property
    def scope_errors(self) -> dict[str, str]:
        """Why it cannot be limited as it is set, field by field."""
        return self._scope[1]

    @cached_property
    def before(self) -> Run | None:
        """The run that the question follows up on; None where it names none, or another person's."""
        with suppress(forms.ValidationError):
            return cast("Run | None", self.fields["continues"].clean(self["continues"].value()))
        return None

    @property
    def is_left_alone(self) -> bool:
        """Whether it follows up on a run that the asker does not have."""
        return bool(self["continues"].value()) and self.before is None

    def raise_too_long(self) -> None:
        """Raises TooLong, with the typed text, where the form is invalid for that reason."""
        if self.too_long is not None:
            self.too_long.question = self.data["question"]
            self.too_long.continues = self.before.pk if self.before else None
            self.too_long.scope = self.scope.fields if self.scope else {}
            raise self.too_long


class HistoryForm(forms.Form):
    """A search of one's own runs."""

    KINDS: ClassVar = [
        ("", "All"),
        (QuestionType.NUMERIC, "Figure"),
        (QuestionType.PROSE, "Text"),
        (QuestionType.BOTH, "Figure and text"),
        (QuestionType.META, "About Diligence"),
    ]
    OUTCOMES: ClassVar = [
        ("", "All"),
        (Run.Outcome.ANSWERED, "Answered"),
        (Run.Outcome.NEAREST, "Nearest question"),
        (Run.Outcome.PASSAGES, "Closest passages"),
        (Run.Outcome.REFUSED, "Not answered"),
        (Run.Outcome.META, "About Diligence"),
        (Run.Outcome.ERROR, "Failed"),
    ]
    ORIGINS: ClassVar = [("", "All"), *Run.Origin.choices]
    ASKED: ClassVar = [("", "Any time"), ("1", "Today"), ("7", "Last 7 days"), ("30", "Last 30 days")]
    GROUPS: ClassVar = [("", "Newest first"), ("company", "By company")]

    q = forms.CharField(required=False, max_length=200, label="Search questions, answers and notes")
    company = forms.CharField(required=False, max_length=200)
    kind = forms.ChoiceField(required=False, choices=KINDS)
    outcome = forms.ChoiceField(required=False, choices=OUTCOMES)
    origin = forms.ChoiceField(required=False, choices=ORIGINS, label="Asked by")
    days = forms.ChoiceField(required=False, choices=ASKED, label="Asked")
    since = forms.DateField(required=False, label="From")
    until = forms.DateField(required=False, label="To")
    starred = forms.BooleanField(required=False, label="Starred only")
    changed = forms.BooleanField(required=False, label="Changed since I asked")
    group = forms.ChoiceField(required=False, choices=GROUPS, label="Order")

    def matching(self, runs: RunQuerySet) -> RunQuerySet:
        """The runs that its valid fields select; all where none selects."""
        asked = self.asked
        wanted = {"type": asked.get("kind"), "outcome": asked.get("outcome"), "starred": asked.get("starred")}
        first, last = asked.get("since"), asked.get("until")
        if asked.get("days"):
            first = max(filter(None, (first, now().date() - timedelta(days=int(asked["days"]) - 1))))
        if first:
            wanted["created__gte"] = datetime.combine(first, time.min, UTC)
        if last:
            wanted["created__lte"] = datetime.combine(last, time.max, UTC)
        runs = runs.filter(**{name: value for name, value in wanted.items() if value})
        runs = runs.changed() if asked.get("changed") else runs
        runs = found_by(runs.from_origin(asked.get("origin", "")), asked.get("q", ""))
        return runs.about(asked["company"]) if asked.get("company") else runs

    def clean_until(self) -> date | None:
        """The last day; one before the first would find nothing."""
        first, last = self.cleaned_data.get("since"), self.cleaned_data["until"]
        if first and last and last < first:
            raise forms.ValidationError(f"{last:%Y-%m-%d} is before {first:%Y-%m-%d}.")
        return cast("date | None", last)

    @property
    def asked(self) -> dict[str, Any]:
        """The valid fields; `errors` describes the others."""
        self.is_valid()
        return self.cleaned_data

    @property
    def is_grouped(self) -> bool:
        """Whether runs are grouped by company."""
        return self.asked.get("group") == "company"

    @property
    def is_narrowed(self) -> bool:
        """Whether it filters anything."""
        return any(value for name, value in self.asked.items() if name != "group")


class NoteForm(forms.Form):
    """A private note on an answer."""

    note = forms.CharField(required=False, max_length=2000)


class SelectionForm(forms.Form):
    """Runs selected in the history, and what to do with them."""

    run = forms.ModelMultipleChoiceField(Run.objects.none(), error_messages={"required": "Select an answer first."})
    action = forms.ChoiceField(choices=[("delete", "Delete selected"), ("ask_again", "Ask selected again")])

    def __init__(self, *args: Any, identity: Identity, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["run"].queryset = Run.objects.visible_to(identity)  # type: ignore[attr-defined]
