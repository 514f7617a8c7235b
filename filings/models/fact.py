"""Database models of facts as filed or printed, and of the names of parts of companies."""

from decimal import Decimal
from typing import Any, ClassVar

from django.db import models
from django.urls import reverse

from filings.models.company import Company
from filings.models.report import Document, Filing, StatementKind
from filings.xbrl.periods import PeriodKind, period_kind


def shortest(value: Decimal) -> Decimal:
    """A decimal without trailing zeros and never in exponent form: 100, 6.1."""
    text = format(value, "f")  # normalize() would round to the context's 28 digits
    return Decimal(text.rstrip("0").rstrip(".") if "." in text else text)


class ExactDecimalField(models.DecimalField):
    """A decimal that keeps exactly its digits on every database.

    SQLite has no decimal type: a NUMERIC column turns "0.1" into a binary float. Facts are compared, never ordered by
    value, so a text column there costs nothing. PostgreSQL pads with zeros to the column's scale.
    """

    def get_internal_type(self) -> str:
        # Under Django's own name the SQLite backend would convert through a float, before and after this class.
        return "ExactDecimalField"

    def db_type(self, connection: Any) -> str | None:
        if connection.vendor == "sqlite":
            return "text"
        return str(connection.data_types["DecimalField"] % self.db_type_parameters(connection))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        value = self.to_python(value)
        return format(value, "f") if value is not None and connection.vendor == "sqlite" else value

    def get_db_converters(self, connection: Any) -> list[Any]:
        return [lambda value, *_: None if value is None else shortest(Decimal(value))]


class Fact(models.Model):
    """One XBRL fact of one filing, as filed, or one figure that a document without XBRL prints: never merged, never changed."""

    class Source(models.TextChoices):
        COMPANYFACTS = "companyfacts", "SEC companyfacts"
        DOCUMENT = "document", "Inline XBRL of the document"
        PRINTED = "printed", "As printed in the document"

    company = models.ForeignKey(Company, models.CASCADE, related_name="facts")
    filing = models.ForeignKey(Filing, models.CASCADE, related_name="facts")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, blank=True, related_name="facts")
    source = models.CharField(max_length=12, choices=Source)
    taxonomy = models.CharField(
        max_length=20, help_text="Taxonomy: us-gaap, dei, srt, the company's own prefix, or printed."
    )
    tag = models.CharField(max_length=250)
    unit = models.CharField(
        max_length=40, help_text="Unit in XBRL: USD, shares, USD/shares, or pure (a plain number)."
    )
    start = models.DateField(help_text="First day of the period; equal to `end` for a balance.")
    end = models.DateField()
    raw = models.CharField(max_length=60, help_text="The value with all its digits, exactly as in the source.")
    value = ExactDecimalField(max_digits=40, decimal_places=12)
    decimals = models.SmallIntegerField(
        null=True, help_text="Precision in XBRL: -6 means rounded to millions. Empty: not known, or exact."
    )
    form = models.CharField(max_length=12)
    filed = models.DateField()
    dimensions = models.CharField(
        max_length=500,
        blank=True,
        default="",
        help_text="Part of the company, as Axis=Member; empty: the whole company.",
    )
    statement = models.CharField(max_length=15, choices=StatementKind, blank=True, default="")
    order = models.PositiveSmallIntegerField(
        null=True,
        help_text="Number of its line in the statement; for a part of the company, its position in the document.",
    )
    label = models.CharField(max_length=500, blank=True, default="", help_text="Label of its row, as printed.")
    # Added later, so earlier rows have none.
    column = models.CharField(  # noqa: DJ001
        max_length=300,
        null=True,
        blank=True,
        help_text="Headings of its column as printed, for a part of the company.",
    )
    printed = models.CharField(max_length=60, blank=True, default="", help_text="Figure as printed.")
    # Of a printed figure: where it stands.
    section = models.PositiveSmallIntegerField(null=True, help_text="Number of the section that prints it.")
    text_start = models.PositiveIntegerField(null=True, help_text="Where it begins in the section's text.")
    text_end = models.PositiveIntegerField(null=True)
    page = models.CharField(  # noqa: DJ001 - earlier rows have none
        max_length=20, null=True, blank=True, help_text="Its page, as printed or counted."
    )
    anchor = models.CharField(max_length=120, blank=True, default="", help_text="HTML id of the fact in the document.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=[
                    "company",
                    "taxonomy",
                    "tag",
                    "unit",
                    "start",
                    "end",
                    "filing",
                    "dimensions",
                    "source",
                ],
                name="fact_once",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["filing", "end", "taxonomy", "tag"], name="fact_by_period"),
            models.Index(fields=["company", "taxonomy", "tag", "end"], name="fact_by_tag"),
        ]

    def __str__(self) -> str:
        return f"{self.taxonomy}:{self.tag} {self.end} {self.raw} {self.unit}"

    def get_absolute_url(self) -> str:
        return reverse("fact", args=[self.pk])

    @property
    def name(self) -> str:
        """The tag with its taxonomy, such as us-gaap:Revenues."""
        return f"{self.taxonomy}:{self.tag}"

    @property
    def period_kind(self) -> PeriodKind:
        return period_kind(self.start, self.end)


class Member(models.Model):
    """A filing's name for a part of the company: "iPhone" for ProductOrServiceAxis=IPhoneMember."""

    filing = models.ForeignKey(Filing, models.CASCADE, related_name="members")
    axis = models.CharField(max_length=150)
    axis_label = models.CharField(max_length=300)
    member = models.CharField(max_length=200)
    label = models.CharField(
        max_length=300,
        help_text="Name from the filing's label linkbase, or else as printed, or else made from the element's name.",
    )

    class Meta:
        ordering: ClassVar = ["filing", "axis", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["filing", "axis", "member"], name="member_once"),
        ]

    def __str__(self) -> str:
        return f"{self.axis}={self.member}: {self.label}"
