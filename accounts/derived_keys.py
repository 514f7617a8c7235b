"""The installation's secret keys, from which keys for encryption and hashes are derived."""

from django.conf import settings


def secrets() -> tuple[str, ...]:
    """SECRET_KEY, which is used for everything new, followed by earlier keys."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
