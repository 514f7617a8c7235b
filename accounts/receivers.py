"""What happens in allauth that others need to know."""

from typing import Any

from allauth.account.signals import user_signed_up
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.identity import SESSION_KEY, visitor_of
from accounts.models import User
from accounts.signals import visitor_became_user


@receiver(user_signed_up)
def hand_over_visitor(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """A visitor who signs up keeps what they asked; the UUID is dropped, so that nobody inherits it twice."""
    if visitor := visitor_of(request):
        visitor_became_user.send(sender=User, user=user, visitor=visitor)
        request.session.pop(SESSION_KEY, None)
