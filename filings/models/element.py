"""Database model of XBRL elements: their standard labels and kinds of values."""

from typing import ClassVar

from django.db import models


class Measured(models.TextChoices):
    """The kinds of values of an element, by their units."""

    MONEY = "money", "Money"
    SHARES = "shares", "Shares"
    PER_SHARE = "per_share", "Money per share"
    PURE = "pure", "Number or share of a whole"
    OTHER = "other", "Another unit"


class Element(models.Model):
    """A standard label of an XBRL element, from the SEC's companyfacts files.

    Rows are only added: an element with another label in another year's taxonomy has a row a label, and one that a
    filer gave another unit or kind of period has a row for that too.
    """

    taxonomy = models.CharField(max_length=20, help_text="Taxonomy: us-gaap, dei or srt.")
    tag = models.CharField(max_length=250)
    label = models.CharField(
        max_length=500, help_text="Label in the taxonomy, without the mark of deprecated elements."
    )
    measured = models.CharField(
        max_length=10, choices=Measured, help_text="Kind of values, found from the units of the facts."
    )
    instant = models.BooleanField(help_text="Whether its values are for a day (a balance), not for a period.")

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
