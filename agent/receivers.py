"""What agent does when accounts speaks."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import visitor_became_user
from agent.models import Run


@receiver(visitor_became_user)
def move_runs(user: User, visitor: UUID, **kwargs: Any) -> None:
    """A visitor's runs move along to the new account."""
    Run.objects.filter(visitor=visitor, user=None).update(user=user)
