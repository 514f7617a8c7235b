"""Receivers of allauth's signals."""

import zipfile
from dataclasses import asdict
from typing import Any

from allauth.account.signals import password_reset, user_logged_in, user_signed_up
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import account_deletion, quotas, tokens
from accounts.identity import Identity
from accounts.identity_middleware import SESSION_KEY, visitor_of
from accounts.models import User
from accounts.signals import account_exported, visitor_became_user

# In the session of a browser that signed up: the account, until somebody signs in to it.
SIGNED_UP = "signed_up"


@receiver(user_signed_up)
def remember_sign_up(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Hand over nothing yet: the address's owner is only known after signing in."""
    request.session[SIGNED_UP] = user.pk


@receiver(user_logged_in)
def hand_over_visitor(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Move a visitor's data to the new account; the UUID is dropped, so that nobody inherits it twice."""
    if request.session.pop(SIGNED_UP, None) != user.pk:
        return
    if visitor := visitor_of(request):
        visitor_became_user.send(sender=User, user=user, visitor=visitor)
        request.session.pop(SESSION_KEY, None)


@receiver(password_reset)
def revoke_tokens(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Revoke tokens after a password reset: whoever had the account may have created some."""
    tokens.revoke_all(user)


@receiver(account_exported)
def export_use(user: User, archive: zipfile.ZipFile, **kwargs: Any) -> None:
    account_deletion.write(archive, "limits.json", (asdict(limit) for limit in quotas.uses(Identity(user=user))))
