"""Admin pages of golden candidates (proposed test questions), and the action that creates them from runs."""

import json
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from accounts.admin_lists import BoundedPaginator
from agent.models import GoldenCandidate, Run
from agent.refusals.codes import Code
from agent.web.admin.golden_pointers import NotDue, NotReviewable, due, promote, undisputed


def propose(model_admin: Any, request: HttpRequest, runs: QuerySet[Run]) -> int:
    """Create candidates from runs and show a message; returns how many are new."""
    new = held = 0
    refused = ""
    for run in runs:
        try:
            _, made = promote(run, request.user)  # type: ignore[arg-type]
        except NotReviewable as problem:
            refused = str(problem)
            continue
        new, held = new + made, held + (not made)
    if new:
        model_admin.message_user(request, f"{new} golden candidate{'' if new == 1 else 's'} proposed.")
    if held:
        model_admin.message_user(request, f"{held} had already been proposed.", messages.WARNING)
    if refused:
        model_admin.message_user(request, refused, messages.WARNING)
    return new


class CandidateForm(forms.ModelForm):  # type: ignore[type-arg]
    code = forms.ChoiceField(
        required=False,
        choices=[("", "-"), *((code, code) for code in sorted(Code))],
        help_text="Refusal code that is correct for this question.",
    )

    class Meta:
        model = GoldenCandidate
        fields = ("question", "outcome", "code", "why", "status")
        widgets = {name: forms.Textarea(attrs={"rows": 3, "cols": 80}) for name in ("question", "why")}

    def clean(self) -> dict[str, Any]:
        """Only candidates that can be exported may be approved."""
        found = super().clean() or self.cleaned_data
        if found.get("status") != GoldenCandidate.Status.APPROVED:
            return found
        try:
            outcome, code = found.get("outcome", ""), found.get("code", "")
            undisputed(self.instance.run, outcome, code)
            due(outcome, code, self.instance.facts, self.instance.passages)
        except NotDue as problem:
            if problem.field not in self.errors:
                self.add_error(problem.field, str(problem))
        return found


@admin.register(GoldenCandidate)
class GoldenCandidateAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Candidates come from runs and feedback; staff edit and approve them here, and `manage.py golden_candidates` exports them."""

    form = CandidateForm
    list_display = ("short_question", "outcome", "code", "pointers", "status", "created", "run_link")
    list_filter = ("status", "outcome", "created")
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    search_fields = ("question", "why")
    search_help_text = "Question or reason"
    actions = ("approve", "decline")
    fields = (
        "question",
        "outcome",
        "code",
        "why",
        "status",
        "run_link",
        "judged",
        "facts_shown",
        "passages_shown",
        "proposed_by",
        "created",
    )
    readonly_fields = ("run_link", "judged", "facts_shown", "passages_shown", "proposed_by", "created")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(description="Question", ordering="question")
    def short_question(self, candidate: GoldenCandidate) -> str:
        return candidate.question if len(candidate.question) <= 100 else f"{candidate.question[:99]}…"

    @admin.display(description="Sources")
    def pointers(self, candidate: GoldenCandidate) -> str:
        counts = ((len(candidate.facts), "fact"), (len(candidate.passages), "passage"))
        return ", ".join(f"{many} {noun}{'' if many == 1 else 's'}" for many, noun in counts if many) or "-"

    @admin.display(description="Run")
    def run_link(self, candidate: GoldenCandidate) -> str:
        address = reverse("admin:agent_run_change", args=[candidate.run_id])
        return format_html('<a href="{}">Answer, trail and replay</a>', address)

    @admin.display(description="Feedback")
    def judged(self, candidate: GoldenCandidate) -> str:
        given = getattr(candidate.run, "feedback", None)
        if given is None:
            return "No feedback on this run."
        said = f"{given.get_verdict_display()}, {given.get_status_display().lower()}"
        return f"{said}: {given.comment}" if given.comment else f"{said}."

    @admin.display(description="Facts")
    def facts_shown(self, candidate: GoldenCandidate) -> str:
        return shown(candidate.facts)

    @admin.display(description="Passages")
    def passages_shown(self, candidate: GoldenCandidate) -> str:
        return shown(candidate.passages)

    @admin.action(description="Approve for export", permissions=["change"])
    def approve(self, request: HttpRequest, candidates: QuerySet[GoldenCandidate]) -> None:
        """Approve the candidates that can be exported."""
        approved = 0
        for candidate in candidates:
            due = {name: getattr(candidate, name) for name in CandidateForm.Meta.fields}
            form = CandidateForm({**due, "status": GoldenCandidate.Status.APPROVED}, instance=candidate)
            if form.is_valid():
                form.save()
                approved += 1
            else:
                said = " ".join(str(error) for errors in form.errors.values() for error in errors)
                self.message_user(request, f"{candidate}: {said}", messages.WARNING)
        if approved:
            self.message_user(request, f"{approved} approved.")

    @admin.action(description="Decline", permissions=["change"])
    def decline(self, request: HttpRequest, candidates: QuerySet[GoldenCandidate]) -> None:
        self.message_user(request, f"{candidates.update(status=GoldenCandidate.Status.DECLINED)} declined.")


def shown(pointers: list[Any]) -> str:
    return format_html("<pre>{}</pre>", json.dumps(pointers, indent=2)) if pointers else "-"
