"""Template tags that show limits and their use."""

from typing import Any

from django import template

from accounts import plans, quotas
from accounts.identity import Tier
from accounts.limit_errors import Limit

register = template.Library()
# Not shown as a bar: the length of one question.
OF_ONE_QUESTION = "input_tokens"


@register.simple_tag(takes_context=True)
def limits_used(context: dict[str, Any]) -> dict[str, Any]:
    """The viewer's use of each limit: `bars`, `input` (the tokens of one question, "2,000") and `plan`, its name."""
    identity = context["request"].identity
    found = quotas.uses(identity)
    longest = next((one.limit for one in found if one.name == OF_ONE_QUESTION), None)
    return {
        "bars": [one for one in found if one.name != OF_ONE_QUESTION],
        "input": None if longest is None else f"{longest:,}",
        "plan": plans.terms(identity).name,
    }


@register.simple_tag
def with_account() -> int | None:
    """Questions a minute with an account; None for no limit."""
    return plans.of_tier(Tier.USER).requests_per_minute


@register.filter
def remaining(limit: Limit) -> str:
    """What is left of a limit, in words: "86 left"."""
    if limit.name == "cost_per_month":
        return f"${limit.left / 100:,.2f} left"
    return f"{limit.left:,} left"
