"""Sends errors to Sentry where SENTRY_DSN is set: traceback, run and the account's hash, without user input."""

from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost

from diligence import logs

# The parts of a request that are sent: no body, cookies, headers or query string.
REQUEST_KEPT = {"method", "url"}


def start() -> None:
    """Send this process's errors to Sentry. Without a DSN nothing of it is imported."""
    if not settings.SENTRY_DSN:
        return
    import sentry_sdk
    from sentry_sdk.integrations.argv import ArgvIntegration
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.django import DjangoIntegration
    from sentry_sdk.integrations.modules import ModulesIntegration

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        integrations=[DjangoIntegration(), CeleryIntegration()],
        # Detecting the others would import them, which costs hundreds of megabytes.
        auto_enabling_integrations=False,
        # The command line of "manage.py ask" is a question.
        disabled_integrations=[ArgvIntegration, ModulesIntegration],
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        # They would quote queries, addresses and messages.
        max_breadcrumbs=0,
        before_send=before_send,  # type: ignore[arg-type]
        # Requests that scanners send to any site.
        ignore_errors=[DisallowedHost],
    )


def before_send(event: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """An event with the current run and account, and without user input."""
    known = logs.known()
    if run := known.get("run"):
        event.setdefault("tags", {})["run"] = run
    event["user"] = {"id": known["account"]} if "account" in known else {}
    if request := event.get("request"):
        event["request"] = {name: value for name, value in request.items() if name in REQUEST_KEPT}
        event["request"]["url"] = str(request.get("url", "")).partition("?")[0]
    event.pop("extra", None)
    found: dict[str, Any] = scrubbed(event)
    return found


def scrubbed(value: Any) -> Any:
    """The same with every text cleaned like log lines."""
    if isinstance(value, str):
        return logs.cleaned(value)
    if isinstance(value, dict):
        return {name: scrubbed(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [scrubbed(one) for one in value]
    return value
