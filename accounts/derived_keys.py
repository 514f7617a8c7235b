"""The secret keys of this installation, from which what is encrypted, or counted by a hash, has keys of its own."""

from django.conf import settings


def secrets() -> tuple[str, ...]:
    """SECRET_KEY, by which everything new is made, and behind it those used before, by which it may have been made."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
