"""What whoever asks may use: the settings' numbers of a tier, a plan in their place, an account's own on top."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any

from django.conf import settings

from accounts.identity import Identity, Tier
from accounts.models import Override, Plan


@dataclass(frozen=True)
class Terms:
    """The limits of one identity; None is no limit. The fields are those of `accounts.models.quotas.Numbers`."""

    name: str
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    input_tokens: int | None = None
    unfinished_runs: int | None = None
    answers_per_month: int | None = None
    cost_per_month: Decimal | None = None
    questions_in_all: int | None = None


NUMBERS = tuple(one.name for one in fields(Terms) if one.name != "name")
NAMES = {Tier.ANON: "Without an account", Tier.USER: "Account", Tier.STAFF: "Staff"}


def terms(identity: Identity) -> Terms:
    """What an identity may use now."""
    if identity.user is None:
        return of_tier(identity.tier)
    override = Override.objects.select_related("plan").filter(user=identity.user).first()
    if override is None:
        return of_tier(identity.tier)
    found = of_plan(override.plan) if override.plan is not None else of_tier(identity.tier)
    own = {name: value for name in NUMBERS if (value := getattr(override, name)) is not None}
    return replace(found, **own)


def of_tier(tier: Tier) -> Terms:
    """The plan of a tier: the row that is meant for it, else the settings' numbers."""
    plan = Plan.objects.filter(tier=tier).first()
    return of_plan(plan) if plan is not None else of_settings(tier)


def of_plan(plan: Plan) -> Terms:
    return Terms(plan.name, **{name: getattr(plan, name) for name in NUMBERS})


def of_settings(tier: Tier) -> Terms:
    """The numbers of settings.PLANS, where 0 is no limit."""
    numbers: Mapping[str, Any] = settings.PLANS.get(tier, {})
    found = {name: numbers.get(name) or None for name in NUMBERS}
    cost = found["cost_per_month"]
    return Terms(NAMES[tier], **{**found, "cost_per_month": None if cost is None else Decimal(str(cost))})
