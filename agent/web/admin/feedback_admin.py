"""Admin pages for feedback on answers, which reviewers work through."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import now

from accounts.admin_lists import BoundedPaginator
from agent.models import Feedback, Run
from agent.web.admin import golden_admin


@admin.register(Feedback)
class FeedbackAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Reviewers can change only their own fields, not the user's feedback."""

    list_display = ("question", "verdict", "comment", "status", "outcome", "company", "updated", "answer_link")
    list_filter = ("status", "verdict", "updated")
    search_fields = ("run__question", "comment", "reviewer_note")
    search_help_text = "Question, comment or reviewer's note"
    list_select_related = ("run",)
    list_per_page = 50
    show_full_result_count = False
    sortable_by = ("updated",)
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    actions = ("mark_handled", "reopen", "propose_golden")
    fields = (
        "question", "answer_link", "verdict", "comment", "created", "updated", "status", "reviewer_note", "handled_by", "handled",
    )  # fmt: skip
    readonly_fields = (
        "question",
        "answer_link",
        "verdict",
        "comment",
        "created",
        "updated",
        "handled_by",
        "handled",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Feedback]:
        found: QuerySet[Feedback] = super().get_queryset(request)
        return found.defer("run__answer", "run__taken")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Feedback, form: Any, change: bool) -> None:
        if "status" in form.changed_data:
            closed = obj.status == Feedback.Status.HANDLED
            obj.handled_by_id = request.user.pk if closed else None
            obj.handled = now() if closed else None
        super().save_model(request, obj, form, change)

    @admin.action(description="Mark as handled", permissions=["change"])
    def mark_handled(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> None:
        many = chosen.filter(status=Feedback.Status.OPEN).update(
            status=Feedback.Status.HANDLED, handled_by=request.user.pk, handled=now()
        )
        self.message_user(request, f"{many} handled.", messages.SUCCESS if many else messages.WARNING)

    @admin.action(description="Reopen", permissions=["change"])
    def reopen(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> None:
        many = chosen.filter(status=Feedback.Status.HANDLED).update(
            status=Feedback.Status.OPEN, handled_by=None, handled=None
        )
        self.message_user(request, f"{many} reopened.", messages.SUCCESS if many else messages.WARNING)

    @admin.action(description="Propose as golden candidates", permissions=["change"])
    def propose_golden(self, request: HttpRequest, chosen: QuerySet[Feedback]) -> None:
        """Propose these runs as golden candidates (test questions); each is reviewed again before export."""
        if not request.user.has_perm("agent.add_goldencandidate"):
            raise PermissionDenied
        golden_admin.propose(self, request, Run.objects.filter(feedback__in=chosen).select_related("feedback"))

    @admin.display(description="Question", ordering="run__question")
    def question(self, given: Feedback) -> str:
        asked = given.run.question
        return asked if len(asked) <= 100 else f"{asked[:99]}…"

    @admin.display(description="Outcome")
    def outcome(self, given: Feedback) -> str:
        return given.run.refusal_code or given.run.get_outcome_display()

    @admin.display(description="Company")
    def company(self, given: Feedback) -> str:
        return given.run.company or "-"

    @admin.display(description="Answer")
    def answer_link(self, given: Feedback) -> str:
        address = reverse("admin:agent_run_change", args=[given.run_id])
        return format_html('<a href="{}">Answer, trail and replay</a>', address)
