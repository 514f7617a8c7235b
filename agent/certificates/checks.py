"""The system check of CERTIFICATE_KEY."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error

from agent.certificates import signing
from diligence.hints import register


@register()
def certificate_key(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """An error where the key cannot sign."""
    try:
        signing.private_key()
    except signing.WrongKey:
        hint = "Write the key that `openssl genpkey -algorithm ed25519` makes, in PEM, or its 32 bytes in base64; or leave it empty."
        return [Error("CERTIFICATE_KEY is not an Ed25519 private key.", hint=hint, id="agent.E030")]
    return []
