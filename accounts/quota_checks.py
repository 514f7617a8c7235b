"""System checks of what tiers may use."""

import math
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from accounts.plans import NUMBERS


@register()
def plans(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Numbers of settings.PLANS that make no sense."""
    return [
        Error(
            f"{tier.upper()}_{name.upper()} must be 0 or more.",
            hint="Leave it unset for the default; 0 is no limit.",
            id="accounts.E008",
        )
        for tier, numbers in settings.PLANS.items()
        for name in NUMBERS
        if not 0 <= numbers.get(name, 0) < math.inf
    ]
