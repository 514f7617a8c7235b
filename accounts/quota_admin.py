"""Admin of plans and overrides, and read-only lists of reservations and usage."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse

from accounts import plans
from accounts.admin_lists import BoundedPaginator, CheckedList, ReadOnlyAdmin
from accounts.identity import Tier
from accounts.models import Meter, Override, Plan, Reservation, User

NUMBERS = plans.NUMBERS
LIMITS = "Limits: empty means no limit; 0 refuses everything"
OVERRIDES = "Limits: empty means the plan's limit. For no limit, choose a plan without one."


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # Django's takes no argument when it runs
    list_display = ("name", "tier", *NUMBERS, "assigned")
    list_filter = ("tier",)
    search_fields = ("name",)
    fieldsets = ((None, {"fields": ("name", "tier")}), (LIMITS, {"fields": NUMBERS}))
    change_list_template = "admin/accounts/plan/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Plan]:
        found: QuerySet[Plan] = super().get_queryset(request)
        return found.annotate(count=Count("overrides"))

    @admin.display(description="Accounts by override", ordering="count")
    def assigned(self, plan: Any) -> int:
        return int(plan.count)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Shows a table above the list: the current limits of each tier, and whether they come from a plan or the settings."""
        by_plan = set(Plan.objects.exclude(tier="").values_list("tier", flat=True))
        labels = {one.name: one.verbose_name for one in Plan._meta.fields}
        rows = [
            (
                Plan.Tier(tier).label,
                "Plan" if tier in by_plan else "Settings",
                [getattr(found, name) for name in NUMBERS],
            )
            for tier, found in ((tier, plans.of_tier(tier)) for tier in Tier)
        ]
        more = {"in_force": rows, "in_force_labels": [labels[name] for name in NUMBERS]}
        return super().changelist_view(request, {**(extra_context or {}), **more})


@admin.register(Override)
class OverrideAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # Django's takes no argument when it runs
    list_display = ("user", "plan", *NUMBERS, "reason")
    list_select_related = ("user", "plan")
    list_filter = ("plan",)
    search_fields = ("user__email", "reason")
    autocomplete_fields = ("user", "plan")
    fieldsets = ((None, {"fields": ("user", "plan", "reason")}), (OVERRIDES, {"fields": NUMBERS}))


class WithAddresses(CheckedList):
    """A page of rows by key, with the accounts' e-mail addresses, read at once."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        emails: dict[int | None, str] = dict(
            User.objects.filter(pk__in=filter(None, map(account, self.result_list))).values_list("pk", "email")
        )
        for row in self.result_list:
            row.email = emails.get(account(row), "")


class ByAccount(ReadOnlyAdmin):
    """Lists of usage by key, which can be searched by key or e-mail address."""

    paginator = BoundedPaginator
    list_per_page = 50
    search_fields = ("key",)
    search_help_text = "E-mail address or key"

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return WithAddresses

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        users = User.objects.filter(email__iexact=term).values_list("pk", flat=True)
        return queryset.filter(key__in=[term, *(f"user:{pk}" for pk in users)]), False

    @admin.display(description="Account or address", ordering="key")
    def whose(self, row: Meter | Reservation) -> str:
        """The account's e-mail address; for visitors the hash of their address."""
        return getattr(row, "email", "") or row.key


def account(row: Meter | Reservation) -> int | None:
    """The primary key of a row's account; None for an address."""
    kind, _, number = row.key.partition(":")
    return int(number) if kind == "user" and number.isdecimal() else None


@admin.register(Reservation)
class ReservationAdmin(ByAccount):
    list_display = ("ref", "whose", "tier", "state", "at", "closed", "tokens", "used_tokens", "used_cost", "answered")
    # No date hierarchy: it reads the days of all rows.
    list_filter = ("state", "tier", "answered", "at")


@admin.register(Meter)
class MeterAdmin(ByAccount):
    list_display = (
        "whose", "month", "month_answers", "month_tokens", "month_cost", "questions", "answers", "tokens", "cost",
    )  # fmt: skip
    ordering = ("-tokens", "key")
    list_filter = ("month",)
