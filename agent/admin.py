"""Admin pages of runs (read-only), of refusal statistics and of model usage."""

import json
from datetime import date, timedelta
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localdate

from accounts.admin_lists import BoundedPaginator, ReadOnlyAdmin, ReadOnlyInline
from agent.models import Run, RunQuerySet, Step
from agent.refusals.codes import Code
from agent.runs.history_index import found_by
from agent.state.references import QuestionType
from agent.web.admin import feedback_admin, golden_admin, health_admin, refusal_counts, registry_admin, usage

# Registered by being imported: Django looks for admin.py alone.
__all__ = ["feedback_admin", "golden_admin", "health_admin", "registry_admin"]

DAYS = 30


def pretty(value: Any) -> str:
    """Shows a JSON value folded, because a step's passages would fill pages."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return format_html("<details><summary>{} characters</summary><pre>{}</pre></details>", len(text), text)


class StepInline(ReadOnlyInline):
    model = Step
    fields = readonly_fields = ("place", "what", "said", "ms", "asked", "read", "written")
    ordering = ("attempt", "sequence")
    show_change_link = False
    verbose_name_plural = (
        "Replay: the stored steps of each attempt, with what each read and wrote. Nothing is run again."
    )

    @admin.display(description="Step")
    def place(self, step: Step) -> str:
        round_said = f", round {step.iteration}" if step.iteration else ""
        return f"Attempt {step.attempt}, step {step.sequence}{round_said}"

    @admin.display(description="Node and event")
    def what(self, step: Step) -> str:
        named = " ".join(dict.fromkeys(filter(None, (step.node, step.event))))
        return f"{named}, refused" if step.refused else named

    @admin.display(description="Model calls")
    def asked(self, step: Step) -> str:
        """A table of all model calls of a step: program, version, model, tokens, cost, milliseconds and result."""
        rows = (
            (
                f"{call['program']} {call['version']}", call["model"], call["tokens_in"], call["tokens_out"],
                " (estimated)" if call["estimated"] else "", call["cost"], call["ms"], call["outcome"],
            )
            for call in step.calls
        )  # fmt: skip
        lines = format_html_join("", "<li>{}, {}: {} in, {} out{}, ${}, {} ms, {}</li>", rows)
        return format_html("<ol>{}</ol>", lines) if step.calls else "-"

    @admin.display(description="Inputs")
    def read(self, step: Step) -> str:
        return pretty(step.inputs)

    @admin.display(description="Outputs")
    def written(self, step: Step) -> str:
        return pretty(step.outputs)


class Known(admin.SimpleListFilter):
    """A filter with a fixed list of values, because finding the distinct values would read every row."""

    values: tuple[str, ...] = ()

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, value) for value in self.values]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() else queryset


class CodeFilter(Known):
    title = "refusal code"
    parameter_name = "refusal_code"
    values = tuple(sorted(Code))


class TypeFilter(Known):
    title = "type"
    parameter_name = "type"
    values = tuple(QuestionType)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("short_question", "outcome", "refusal_code", "company", "who", "status", "ms", "cost", "created")
    list_select_related = ("user",)
    list_filter = ("outcome", "status", TypeFilter, "mode", CodeFilter, "created")
    search_fields = ("question", "company", "=refusal_code", "=user__email")
    search_help_text = (
        "A word of the question, company, refusal code or e-mail address. Several words search the answers too."
    )
    list_per_page = 50
    # Other columns have no index to sort by.
    sortable_by = ("created",)
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    actions = ("propose_golden",)
    inlines = (StepInline,)
    change_list_template = "admin/agent/run/change_list.html"
    fields = (
        "question",
        "mode",
        "who",
        "status",
        "attempt",
        "created",
        "finished",
        "ms",
        "type",
        "outcome",
        "refusal_code",
        "refusal_stage",
        "company",
        "summary",
        "cost",
        "answer_shown",
    )
    readonly_fields = ("who", "cost", "answer_shown")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        spent = Step.objects.filter(run=OuterRef("pk")).order_by().values("run").annotate(sum=Sum("cost"))
        runs: QuerySet[Run] = super().get_queryset(request).annotate(spent=Subquery(spent.values("sum")))
        # The list does not show answers, which have many kilobytes.
        match = request.resolver_match
        listed = match is not None and match.url_name == "agent_run_changelist"
        return runs.defer("answer") if listed else runs

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Run], search_term: str
    ) -> tuple[QuerySet[Run], bool]:
        """Search for one word as Django does; for several words use the history index, because Django would read every
        question once for each word.
        """
        if len(search_term.split()) < 2:
            return super().get_search_results(request, queryset, search_term)
        return found_by(cast("RunQuerySet", queryset), search_term), False

    def get_urls(self) -> list[URLPattern]:
        wrapped = self.admin_site.admin_view
        return [
            path("refusals/", wrapped(self.refusals_view), name="agent_run_refusals"),
            path("usage/", wrapped(self.usage_view), name="agent_run_usage"),
            *super().get_urls(),
        ]

    @admin.display(description="Question", ordering="question")
    def short_question(self, run: Run) -> str:
        return run.question if len(run.question) <= 100 else f"{run.question[:99]}…"

    @admin.display(description="Asked by")
    def who(self, run: Run) -> str:
        return str(run.user) if run.user else "A visitor"

    @admin.action(description="Propose as golden candidates")
    def propose_golden(self, request: HttpRequest, runs: QuerySet[Run]) -> None:
        if not request.user.has_perm("agent.add_goldencandidate"):
            raise PermissionDenied
        golden_admin.propose(self, request, runs)

    @admin.display(description="Cost, US dollars")
    def cost(self, run: Run) -> str:
        spent = getattr(run, "spent", None)
        return f"{spent:.6f}" if spent else "-"

    @admin.display(description="Answer")
    def answer_shown(self, run: Run) -> str:
        return pretty(run.answer) if run.answer else "-"

    def refusals_view(self, request: HttpRequest) -> HttpResponse:
        """Counts refused runs by code and by step, in total and over time, in a range of days."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = DayRange(request.GET if {"first", "last"} & request.GET.keys() else None)
        first, last = form.days()
        counted = refusal_counts.counts(first, last)
        context = {
            **self.admin_site.each_context(request),
            "title": "Refusals",
            "form": form,
            "first": first,
            "last": last,
            "counted": counted,
            "tables": [("reason", counted.codes), ("step", counted.nodes)],
            "opts": self.model._meta,
        }
        return render(request, "admin/agent/run/refusals.html", context)

    def usage_view(self, request: HttpRequest) -> HttpResponse:
        """Shows the requests to models and their cost, by day and by program, in a range of days."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = UsageRange(request.GET if {"first", "last"} & request.GET.keys() else None)
        first, last = form.days()
        steps, past = usage.asked(first, last), usage.left_behind(first, last)
        by_day = usage.by_day(steps, past)
        context = {
            **self.admin_site.each_context(request),
            "title": "Models: use and cost",
            "form": form,
            "first": first,
            "last": last,
            "by_day": by_day,
            "by_program": usage.by_program(steps, past),
            "cost": sum(row["usd"] for row in by_day),
            "asked": sum(row["asked"] for row in by_day),
            "past": past,
            "opts": self.model._meta,
        }
        return render(request, "admin/agent/run/usage.html", context)


class DayRange(forms.Form):
    """The form for a range of days; the default is the last thirty days."""

    first = forms.DateField(label="From", widget=forms.DateInput(attrs={"type": "date"}))
    last = forms.DateField(label="To", widget=forms.DateInput(attrs={"type": "date"}))

    def days(self) -> tuple[Any, Any]:
        """The first and last day as typed, or the last thirty days if they are not valid."""
        if self.is_bound and self.is_valid():
            return self.cleaned_data["first"], self.cleaned_data["last"]
        today = localdate()
        return today - timedelta(days=DAYS - 1), today

    def clean(self) -> dict[str, Any] | None:
        found = super().clean()
        if found and not self.errors and found["first"] > found["last"]:
            raise forms.ValidationError("The first day is after the last.")
        if found and not self.errors and found["last"] == date.max:
            raise forms.ValidationError("The last day is too late.")
        return found


class UsageRange(DayRange):
    """The form for a range of days in which every model call is read."""

    MOST = 92

    def clean(self) -> dict[str, Any] | None:
        found = super().clean()
        if found and not self.errors and (found["last"] - found["first"]).days >= self.MOST:
            raise forms.ValidationError(f"Choose at most {self.MOST} days: the page reads every model call in them.")
        return found
