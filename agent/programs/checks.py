"""System checks of the agent's data files and of its models."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Warning

from agent.numbers.registry import registry
from agent.programs import model_settings
from diligence.hints import register


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


@register()
def check_models(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Models are configured completely or not at all, each mode's budget suffices, and no key travels unencrypted."""
    found: list[CheckMessage] = [
        Error(problem.message, hint=problem.hint, id=f"agent.{problem.id}") for problem in model_settings.problems()
    ]
    if model_settings.named() and not found:
        found += [
            Warning(problem.message, hint=problem.hint, id=f"agent.{problem.id}")
            for problem in model_settings.too_little()
        ]
    for variable in model_settings.in_clear():
        message = f"{variable} would be sent unencrypted to another machine."
        found.append(
            Warning(message, hint="Use https, so that nobody reads the key and the questions.", id="agent.W003")
        )
    return found
