"""How long a server asks to be left alone."""

import email.utils
import time
from collections.abc import Mapping
from contextlib import suppress


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, which is a number or an HTTP date; None where absent or unreadable."""
    value = headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return float(value)
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    return None
