"""What the elements of a taxonomy are called."""

from typing import ClassVar

from django.db import models


class Measured(models.TextChoices):
    """What the values of an element are, as their units say."""

    MONEY = "money", "Money"
    SHARES = "shares", "Shares"
    PER_SHARE = "per_share", "Money per share"
    PURE = "pure", "Number or share of a whole"
    OTHER = "other", "Another unit"


class Element(models.Model):
    """A standard label of a taxonomy element, out of SEC's companyfacts.

    Only added to: an element that was called otherwise in another year's taxonomy has a row a label, and one that a
    filer gave another unit or kind of period has a row for that too.
    """

    taxonomy = models.CharField(max_length=20, help_text="us-gaap, dei or srt.")
    tag = models.CharField(max_length=250)
    label = models.CharField(
        max_length=500, help_text="As the taxonomy words it, without its mark of a deprecated one."
    )
    measured = models.CharField(max_length=10, choices=Measured, help_text="By the units of the facts.")
    instant = models.BooleanField(help_text="Of a day; otherwise of a stretch of time.")

    class Meta:
        ordering: ClassVar = ["label", "taxonomy", "tag", "measured", "instant"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["taxonomy", "tag", "label", "measured", "instant"], name="element_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.label}"

    @property
    def name(self) -> str:
        """The tag with its taxonomy, as us-gaap:Revenues."""
        return f"{self.taxonomy}:{self.tag}"
