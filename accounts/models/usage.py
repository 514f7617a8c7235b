"""What runs that were deleted have used: sums a day, of nobody in particular."""

from typing import ClassVar

from django.db import models


class PastUsage(models.Model):
    """What runs that are no more, alone or with their account, used on one day: costs add up after they are gone."""

    day = models.DateField(unique=True)
    answers = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0, help_text="Made to models.")
    tokens_in = models.PositiveBigIntegerField(default=0)
    tokens_out = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0, help_text="USD.")

    class Meta:
        ordering: ClassVar = ["-day"]
        verbose_name_plural = "past usage"

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"
