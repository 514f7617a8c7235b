"""Finds the limits of a user or visitor: from the account's override, else the tier's plan, else the settings."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from accounts.identity import Identity, Tier
from accounts.models import Override, Plan, Reservation

# How many times the limits of one network (IPv6 /64) its site (/56, with 256 networks) may use. A household uses a few
# of its 256; a carrier gives one to each phone, so several customers share a site.
NETWORKS_OF_A_SITE = 16


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

    def of_a_site(self) -> "Terms":
        """The limits of all networks of a site together; the length of a question is unchanged."""
        more = {name: getattr(self, name) for name in NUMBERS if name != "input_tokens"}
        return replace(self, **{name: NETWORKS_OF_A_SITE * value for name, value in more.items() if value is not None})


@dataclass(frozen=True)
class Allowance:
    """What is counted together, and its limits.

    keys: of meters; the first is written, and is the only one asked of Redis: a change of SECRET_KEY forgives a minute
    there. of_site: whether these are the `site_keys` of an identity.
    """

    keys: tuple[str, ...]
    terms: Terms
    of_site: bool = False

    @property
    def reservations(self) -> "QuerySet[Reservation]":
        return Reservation.objects.filter(**{"site__in" if self.of_site else "key__in": self.keys})


NUMBERS = tuple(one.name for one in fields(Terms) if one.name != "name")
NAMES = {Tier.ANON: "Without an account", Tier.USER: "Account", Tier.STAFF: "Staff"}


def allowances(identity: Identity) -> list[Allowance]:
    """Everything an identity is counted by: its own, then its site's, if any."""
    own = Allowance(identity.keys, terms(identity))
    site = identity.site_keys
    return [own, Allowance(site, own.terms.of_a_site(), of_site=True)] if site else [own]


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
    """The limits of a tier: its plan, or else the settings' numbers."""
    plan = Plan.objects.filter(tier=tier).first()
    return of_plan(plan) if plan is not None else of_settings(tier)


def of_plan(plan: Plan) -> Terms:
    return Terms(plan.name, **{name: getattr(plan, name) for name in NUMBERS})


def of_settings(tier: Tier) -> Terms:
    """The numbers of settings.PLANS, where 0 is no limit."""
    numbers: Mapping[str, Any] = settings.PLANS.get(tier, {})
    found: dict[str, Any] = {name: numbers.get(name) or None for name in NUMBERS}
    if (cost := found["cost_per_month"]) is not None:
        found["cost_per_month"] = Decimal(str(cost))
    return Terms(NAMES[tier], **found)
