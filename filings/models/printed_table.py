"""Database model of the figures that a document prints in its tables and sentences."""

from typing import ClassVar

from django.db import models

from filings.models.report import Filing


class PrintedTable(models.Model):
    """The certain figures of one table of a filing's text, or of the sentences of one section.

    They are read once, when the document is, and found by their labels. What is stored is an index of the text: each
    figure is read again from the text before an answer shows it.
    """

    class Kind(models.TextChoices):
        TABLE = "table", "Table"
        SENTENCES = "sentences", "Sentences"

    filing = models.ForeignKey(Filing, models.CASCADE, related_name="printed_tables")
    section = models.PositiveSmallIntegerField(help_text="Number of the section that prints it.")
    kind = models.CharField(max_length=10, choices=Kind)
    start = models.PositiveIntegerField(help_text="Where it begins in the section's text.")
    end = models.PositiveIntegerField()
    page = models.CharField(max_length=20, blank=True, default="", help_text="Its page, as printed or counted.")
    title = models.CharField(max_length=500, blank=True, default="", help_text="The lines above it that name it.")
    content = models.JSONField(help_text="Columns and rows, in the format of filings.tables.stored_tables.")

    class Meta:
        ordering: ClassVar = ["filing", "section", "start"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["filing", "section", "kind", "start"], name="printed_table_once")
        ]

    def __str__(self) -> str:
        return self.title or f"{self.get_kind_display()} at {self.section}:{self.start}"
