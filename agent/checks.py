"""System checks of the agent's data files."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register

from agent.numbers import registry


@register()
def check_registry(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse to start on a registry file that is not valid."""
    try:
        registry.load()
    except (registry.RegistryError, OSError) as error:
        return [
            Error(
                f"The concept registry is not valid: {error}",
                hint=f"Correct {registry.PATH.name} at the keys named above; its first lines describe the fields.",
                id="agent.E001",
            )
        ]
    return []
