"""Everyday words and the words that filings use for the same."""

from typing import ClassVar

from django.db import models


class Synonym(models.Model):
    """One everyday word or phrase, and the filing words that are searched beside it. Seeded from a data file, edited in
    admin (`filings.search.synonyms`)."""

    phrase = models.CharField(max_length=80, unique=True, help_text="As people say it, in lower case: layoffs.")
    variants = models.JSONField(default=list, help_text="As filings say it, as a list: workforce reduction.")
    active = models.BooleanField(default=True, help_text="Inactive rows are not searched, and not seeded again.")

    class Meta:
        ordering: ClassVar = ["phrase"]

    def __str__(self) -> str:
        return f"{self.phrase}: {', '.join(self.variants)}"
