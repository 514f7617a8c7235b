"""The SEC's contact: EDGAR_IDENTITY, a name and an e-mail address. Cheap to import in the web process."""

import re

from django.conf import settings

NAME_AND_ADDRESS = re.compile(r"\S.*\s\S+@\S+\.\S+")
TO_SET = 'EDGAR_IDENTITY="Jane Roe jane@example.com"'


def is_named(identity: str) -> bool:
    """Whether an identity has a name and an e-mail address, as the SEC asks."""
    return bool(NAME_AND_ADDRESS.fullmatch(identity.strip()))


def is_set() -> bool:
    """Whether EDGAR may be asked with the identity of the settings."""
    return is_named(settings.EDGAR_IDENTITY)
