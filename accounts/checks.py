"""System checks of the settings for accounts, sign-in, proxies and plans."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning

from diligence.hints import register
from diligence.url_settings import LOOPBACK, split

PRINTED = "django.core.mail.backends.console.EmailBackend"

Configs = Sequence[AppConfig] | None


@register()
def proxies(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT >= 0:
        return []
    hint = "Set it to the number of proxies between clients and this server; 0 if there are none."
    return [Error("TRUSTED_PROXY_COUNT must be 0 or more.", hint=hint, id="accounts.E001")]


@register()
def openid_connect(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    """Checks that OpenID Connect is configured completely or not at all."""
    values = {
        "server_url in OIDC": settings.OIDC_SERVER_URL,
        "client_id in OIDC": settings.OIDC_CLIENT_ID,
        "OIDC_CLIENT_SECRET": settings.OIDC_CLIENT_SECRET,
    }
    missing = [name for name, value in values.items() if not value]
    if len(missing) == len(values):
        return []
    if missing:
        hint = "Set OIDC=server_url=https://login.example.com,client_id=name and OIDC_CLIENT_SECRET, or neither."
        return [
            Error(
                f"OpenID Connect is not fully configured: {' and '.join(missing)} missing.",
                hint=hint,
                id="accounts.E002",
            )
        ]
    url = split(settings.OIDC_SERVER_URL)
    if url.scheme not in {"http", "https"} or not url.hostname:
        hint = "Set it to the provider's address before /.well-known/, such as https://login.example.com."
        return [Error("server_url in OIDC is not an http(s) address.", hint=hint, id="accounts.E003")]
    if url.scheme == "http" and url.hostname not in LOOPBACK:
        hint = "Use https: without it, somebody who imitates the provider can sign in as anybody."
        return [Error("server_url in OIDC is not encrypted.", hint=hint, id="accounts.E003")]
    return []


@register(Tags.security, deploy=True)
def addresses(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.HTTPS or settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        return []
    hint = "Set TRUSTED_PROXY_COUNT to the number of proxies in front of this server, usually 1."
    message = "HTTPS=1 means that a proxy is in front, but TRUSTED_PROXY_COUNT is 0: all visitors share the proxy's address and its limits."
    return [Warning(message, hint=hint, id="accounts.W009")]


@register(Tags.security, deploy=True)
def mail(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory" or settings.EMAIL_BACKEND != PRINTED:
        return []
    hint = "Set EMAIL_URL. Without it nobody can finish signing up, because the confirmation mail is only printed."
    return [
        Warning("New accounts must confirm their e-mail address, but no mail is sent.", hint=hint, id="accounts.W004")
    ]


@register(Tags.security, deploy=True)
def staff_mfa(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if settings.STAFF_MFA:
        return []
    hint = "Set STAFF_MFA=1: the admin then requires an authenticator app or a passkey."
    return [Warning("Staff can open the admin with only a password.", hint=hint, id="accounts.W005")]
