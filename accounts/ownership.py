"""Rows that belong to a user, or to a visitor without an account."""

from typing import Self, TypeVar

from django.db import models

from accounts.identity import Identity

Row = TypeVar("Row", bound=models.Model)


class OwnedQuerySet(models.QuerySet[Row]):
    """Rows of a model with the fields `user` and `visitor`, of which one is set."""

    def visible_to(self, identity: Identity) -> Self:
        """The rows that belong to an identity; none if it has neither user nor visitor."""
        if identity.user is not None:
            return self.filter(user=identity.user)
        if identity.visitor is not None:
            return self.filter(visitor=identity.visitor, user=None)
        return self.none()
