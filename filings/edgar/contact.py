"""The SEC's contact: EDGAR_IDENTITY, a name and an e-mail address. Cheap to import in the web process."""

import re

from django.conf import settings

# SEC's fair access page asks for "Sample Company Name AdminContact@sample.example".
NAME_AND_ADDRESS = re.compile(r"\S.*\s[^@\s]+@[^@\s]+\.[^@\s]+")
TO_SET = 'EDGAR_IDENTITY="Jane Roe jane@example.com"'


def is_named(identity: str) -> bool:
    """Whether an identity has a name and an e-mail address, as the SEC asks."""
    return bool(NAME_AND_ADDRESS.fullmatch(identity))


def is_set() -> bool:
    """Whether EDGAR may be asked with the identity of the settings."""
    return is_named(settings.EDGAR_IDENTITY)
