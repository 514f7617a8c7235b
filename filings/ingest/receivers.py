"""Receivers of the signals of accounts."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import visitor_became_user
from filings.models import SearchRequest


@receiver(visitor_became_user)
def move_searches(user: User, visitor: UUID, **kwargs: Any) -> None:
    """Move a visitor's searches to the new account."""
    SearchRequest.objects.filter(visitor=visitor, user=None).update(user=user)
