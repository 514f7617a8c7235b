"""Adds the address of a setting's documentation to the hints of system checks."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core import checks
from django.core.checks import CheckMessage

from diligence.settings_table import names

PAGE = "docs/settings.md"
VARIABLE = re.compile(r"\b[A-Z][A-Z_]{2,}\b")

Check = Callable[..., list[CheckMessage]]


def register(*tags: str, deploy: bool = False) -> Callable[[Check], Check]:
    """Registers a system check whose hints end with the address of the first setting that message or hint names."""

    def registered(check: Check) -> Check:
        @wraps(check)
        def linked(*args: Any, **kwargs: Any) -> list[CheckMessage]:
            found = check(*args, **kwargs)
            for message in found:
                message.hint = with_link(message.hint or "", message.msg)
            return found

        checks.register(linked, *tags, deploy=deploy)
        return linked

    return registered


def with_link(hint: str, message: str = "") -> str:
    """The hint with the address of its setting's line; unchanged where it names no setting."""
    named = next((name for name in VARIABLE.findall(f"{message} {hint}") if name in names()), "")
    return f"{hint} See {PAGE}#{named.lower()}." if named else hint
