"""Issues, recognizes and revokes API tokens."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import OperationalError
from django.utils.timezone import now

from accounts.models import Token, User

# Every token begins like this, so that people and scanners for leaked tokens recognize it.
START = "dlg_"
SHOWN = len(START) + 6
MOST = 20
USE_WRITTEN_EVERY = timedelta(minutes=1)


class TokenRefused(Exception):
    """Raised for a token that does not work; the message is for its sender."""


def issue(user: User, name: str, scopes: Sequence[str], expires: datetime | None = None) -> tuple[Token, str]:
    """Create a token for an account; returns its row and its text, which cannot be shown again."""
    text = START + secrets.token_urlsafe(32)
    made = Token.objects.create(
        user=user, name=name, prefix=text[:SHOWN], hash=digest(text), scopes=list(scopes), expires=expires
    )
    return made, text


def digest(text: str) -> str:
    """The SHA-256 of a token, in hexadecimal. 32 random bytes need neither salt nor a slow hash."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def recognise(text: str) -> Token:
    """The token with this text. Raises TokenRefused if it is unknown, expired or revoked."""
    token = Token.objects.select_related("user").filter(hash=digest(text)).first()
    if token is None or not token.user.is_active:
        raise TokenRefused("The token is unknown.")
    if token.revoked is not None:
        raise TokenRefused("The token has been revoked.")
    if token.expired:
        raise TokenRefused("The token has expired.")
    note_use(token)
    return token


def note_use(token: Token) -> None:
    """Record when a token was used, at most once a minute, to save database writes."""
    at = now()
    if token.last_used is not None and at - token.last_used < USE_WRITTEN_EVERY:
        return
    try:
        Token.objects.filter(pk=token.pk).update(last_used=at)
    except OperationalError:
        # A database that is read-only for a moment can still be read; the next request records it.
        return
    token.last_used = at


def revoke(token: Token) -> None:
    """Revoke a token; its row stays, so that its owner still sees its last use."""
    Token.objects.filter(pk=token.pk, revoked=None).update(revoked=now())


def revoke_all(user: User) -> None:
    """Revoke every token of an account."""
    user.tokens.filter(revoked=None).update(revoked=now())
