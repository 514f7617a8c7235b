"""Who sends a request: a signed-in user, a visitor without an account, or nobody yet."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from uuid import UUID

from django.utils.crypto import salted_hmac

from accounts.addresses import site_of
from accounts.derived_keys import secrets
from accounts.models import Token, User


class Tier(StrEnum):
    """Kinds of users, which have different quotas and companies."""

    ANON = "anon"
    USER = "user"
    STAFF = "staff"


@dataclass(frozen=True)
class Identity:
    """Who sends a request: a user, or a visitor known by a UUID; neither before the first question.

    address: the client's, as `accounts.addresses` reads it, "" for a command. token: the API token of the request,
    which may do less than its user.
    """

    user: User | None = None
    visitor: UUID | None = None
    address: str = ""
    token: Token | None = None

    @property
    def is_staff(self) -> bool:
        return self.user is not None and self.user.is_staff

    @property
    def tier(self) -> Tier:
        if self.user is None:
            return Tier.ANON
        return Tier.STAFF if self.user.is_staff else Tier.USER

    @property
    def key(self) -> str:
        """The key under which usage is counted: the account, or a keyed hash of the IP address."""
        return self.keys[0]

    @property
    def keys(self) -> tuple[str, ...]:
        """The key, followed by the keys of an address under earlier values of SECRET_KEY."""
        if self.user is not None:
            return (f"user:{self.user.pk}",)
        return tuple(address_key(self.address, secret) for secret in secrets())

    @property
    def site_keys(self) -> tuple[str, ...]:
        """The keys by which neighboring IPv6 addresses are counted together; () for an account, and for IPv4."""
        site = site_of(self.address) if self.user is None else ""
        return tuple(address_key(site, secret, "site") for secret in secrets()) if site else ()

    def may(self, scope: Literal["ask", "read", "import"]) -> bool:
        """Whether the token's scopes allow this; always true without a token."""
        return self.token is None or self.token.may(scope)


def address_key(address: str, secret: str, kind: str = "address") -> str:
    return f"{kind}:{salted_hmac('accounts.identity', address, secret, algorithm='sha256').hexdigest()[:32]}"
