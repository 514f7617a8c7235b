"""Addresses as settings have them."""

from urllib.parse import SplitResult, urlsplit

LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def split(url: str) -> SplitResult:
    """The parts of an address; none of them where it cannot be read."""
    try:
        found = urlsplit(url)
        _ = found.port
    except ValueError:
        return urlsplit("")
    return found


def is_sec(url: str) -> bool:
    """Whether an address is one of the SEC's, which all count toward its limit."""
    host = (split(url).hostname or "").rstrip(".")
    return host == "sec.gov" or host.endswith(".sec.gov")
