"""System checks of the settings of accounts."""

import math
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning

from accounts.plans import NUMBERS
from diligence.hints import register
from diligence.url_settings import LOOPBACK, split

PRINTED = "django.core.mail.backends.console.EmailBackend"

Configs = Sequence[AppConfig] | None


@register()
def proxies(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT >= 0:
        return []
    hint = "Count the proxies between clients and this server; 0 when there are none."
    return [Error("TRUSTED_PROXY_COUNT must be 0 or more.", hint=hint, id="accounts.E001")]


@register()
def openid_connect(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    """OpenID Connect is configured completely or not at all."""
    names = ("OIDC_SERVER_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
    missing = [name for name in names if not getattr(settings, name)]
    if len(missing) == len(names):
        return []
    if missing:
        hint = f"Set {', '.join(names[:2])} and {names[2]}, or none of them."
        return [Error(f"OpenID Connect lacks {' and '.join(missing)}.", hint=hint, id="accounts.E002")]
    url = split(settings.OIDC_SERVER_URL)
    if url.scheme not in {"http", "https"} or not url.hostname:
        hint = "Write the address of the provider, the part before /.well-known/: https://login.example.com."
        return [Error("OIDC_SERVER_URL is not an http(s) address.", hint=hint, id="accounts.E003")]
    if url.scheme == "http" and url.hostname not in LOOPBACK:
        hint = "Use https: whoever can answer in the provider's place can sign in as anybody."
        return [Error("OIDC_SERVER_URL is not encrypted.", hint=hint, id="accounts.E003")]
    return []


@register(Tags.security, deploy=True)
def addresses(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.HTTPS or settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        return []
    hint = "Set TRUSTED_PROXY_COUNT to the number of proxies in front; 1 where one speaks https and asks this server."
    message = "HTTPS=1 is behind a proxy, and no proxy is counted: all visitors are one address, and share its limits."
    return [Warning(message, hint=hint, id="accounts.W009")]


@register(Tags.security, deploy=True)
def mail(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory" or settings.EMAIL_BACKEND != PRINTED:
        return []
    hint = "Set EMAIL_URL, or nobody can finish signing up: the mail that confirms an address is only printed."
    return [Warning("Addresses must be confirmed, and no mail is sent.", hint=hint, id="accounts.W004")]


@register(Tags.security, deploy=True)
def staff_mfa(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if settings.STAFF_MFA:
        return []
    hint = "Set STAFF_MFA=1: the admin then opens only to staff with an authenticator app or a passkey."
    return [Warning("Staff may use the admin with a password alone.", hint=hint, id="accounts.W005")]


@register()
def plans(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Invalid numbers of settings.PLANS."""
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
