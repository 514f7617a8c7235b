"""Idempotency keys: what a program says twice is asked once."""

from typing import ClassVar

from django.db import models
from django.utils.timezone import now

from agent.models.run import Run

MOST_CHARACTERS = 200


class IdempotencyKey(models.Model):
    """A key that a program sent with a question, and the run that it stands for.

    Written in the transaction that writes the run, and gone with it: there is never one without the other.
    """

    owner = models.CharField(max_length=60, help_text="Whose key it is: user:<id>, visitor:<uuid> or token:<id>.")
    key = models.CharField(max_length=MOST_CHARACTERS)
    body = models.CharField(max_length=64, help_text="SHA-256 of what was asked with it.")
    run = models.OneToOneField(Run, models.CASCADE, null=True, related_name="idempotency_key")
    created = models.DateTimeField(default=now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key
