"""Which addresses an article may have, and which domains the operator allows."""

import re
from collections.abc import Iterable
from urllib.parse import urlunsplit

from diligence.url_settings import split

MOST_CHARACTERS = 2_000
# A name of two labels or more, the last with a letter: no number of a machine, public or private, matches.
DOMAIN = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])")
# Names of one network alone: RFC 6761, RFC 6762, RFC 8375, and .internal, which ICANN keeps for them.
PRIVATE = ("localhost", "local", "internal", "arpa")


def domains(setting: Iterable[str]) -> tuple[str, ...]:
    """The entries of NEWS_DOMAINS in lower case. A wrong one is kept: without it, every domain might be allowed."""
    return tuple(entry for one in setting if (entry := one.strip().lower().rstrip(".")))


def is_domain(entry: str) -> bool:
    """Whether an entry is the name of a public domain, such as example.com or news.example.com."""
    return bool(DOMAIN.fullmatch(entry)) and entry.rpartition(".")[2] not in PRIVATE


def host_of(address: str) -> str:
    """The host of an address, in lower case and as the network has it (xn--); empty where it is no public domain."""
    try:
        host = (split(address).hostname or "").rstrip(".").encode("idna").decode()
    except UnicodeError:
        return ""
    return host.lower() if is_domain(host.lower()) else ""


def is_allowed(address: str, allowed: tuple[str, ...]) -> bool:
    """Whether an address is on one of the domains, or below one; on any where there are none."""
    host = host_of(address)
    return not allowed or any(host == domain or host.endswith(f".{domain}") for domain in allowed)


def article_address(value: object) -> str:
    """The address of an article, without its fragment; empty unless it is http(s) on a public domain.

    One with a name and password before its host looks like another site's, and is none of an article.
    """
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS or not value.isprintable() or " " in value:
        return ""
    parts = split(value)
    if parts.scheme not in {"http", "https"} or "@" in parts.netloc or not (host := host_of(value)):
        return ""
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme, host + port, parts.path or "/", parts.query, ""))
