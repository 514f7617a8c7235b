"""How often a password, or a code of a second factor, may be guessed: of one account from one address, and in all.

Whoever guesses wrong is stopped at that account and from that address, and nobody else with them. Guesses from many
addresses count together, strangers' apart from those of each browser that has signed in to the account before: they
cannot use up what its owner has. An owner at a new browser meanwhile sets a new password by mail, and is known then.
(OWASP: device cookies.) Each of the two is an entry of settings.ACCOUNT_RATE_LIMITS.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from allauth.account.adapter import get_adapter
from allauth.core.internal import ratelimit
from django.http import HttpRequest

from accounts.addresses import client_network

Secret = Literal["password", "code"]


@dataclass(frozen=True)
class Guess:
    """One guess as it is counted."""

    counted: Sequence[Any]

    def was_right(self) -> None:
        """It counts as none."""
        for usage in self.counted:
            usage.rollback()


def guess(request: HttpRequest, secret: Secret, account: str, browser: str) -> Guess:
    """Count a guess, before it is looked at. Raises forms.ValidationError where there are too many.

    account: an e-mail address or a key, whether or not there is such an account. browser: as `accounts.browsers` knows it
    by this account, "" for a stranger.
    """
    counted = []
    for action, key in (
        (f"{secret}_from_address", from_address(request, account)),
        (f"{secret}_of_account", f"{browser or 'strangers'} {account}"),
    ):
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if usage is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        counted.append(usage)
    return Guess(counted)


def forget(request: HttpRequest, secret: Secret, account: str) -> None:
    """Forget wrong guesses from the address of a request, whose sender has proved to be the owner."""
    key = from_address(request, account)
    ratelimit.clear(request, app="allauth.account", action=f"{secret}_from_address", key=key)


def from_address(request: HttpRequest, account: str) -> str:
    return f"{client_network(request)} {account}"
