"""Database models of a filing's text: sections (one for each Item) and chunks (passages for search)."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Self

from django.db import models
from django.urls import reverse

from filings.document.blocks import Block, Page, page_at, read_blocks, read_pages
from filings.models.report import Document, Filing, StatementKind
from filings.sections.items import ALL_ITEMS, LONGEST_KEY

# Chunk ids are contiguous within a filing, so that a search within one is a range of ids.
CHUNKS_A_FILING = 100_000


class SectionStatus(models.TextChoices):
    """How the text of an Item was found."""

    EXTRACTED = "extracted", "Extracted"
    BY_REFERENCE = "by_reference", "By reference"
    NONE = "none", "None"
    OMITTED = "omitted", "Omitted"
    NOT_FOUND = "not_found", "Not found"
    UNVERIFIED = "unverified", "Unverified"


class SectionQuerySet(models.QuerySet["Section"]):
    def named(self, key: str) -> Self:
        """The sections of a key as addresses have it: 1A, prepared, or p24 for text outside any Item."""
        number = re.fullmatch(r"p([0-9]+)", key)
        return self.filter(item="", number=int(number[1])) if number else self.filter(item=key)


class Section(models.Model):
    """One Item of a filing with its immutable text; or, without an Item, text that is cited by page alone.

    Every Item of the SEC's list has one row a filing. It has text where the Item is extracted, none ("None.") or by
    reference (the sentence that says where). A citation is a range of `text`, which never changes under its SHA-256.
    """

    filing = models.ForeignKey(Filing, models.CASCADE, related_name="sections")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, blank=True, related_name="sections")
    number = models.PositiveSmallIntegerField(help_text="Number of the section in the filing, from 1.")
    item = models.CharField(
        max_length=LONGEST_KEY,
        blank=True,
        help_text="Item or part, such as 1A, II.1A or 99.1; empty for text outside any verified one.",
    )
    status = models.CharField(max_length=12, choices=SectionStatus)
    heading = models.CharField(max_length=300, blank=True, help_text="Heading as printed.")
    where = models.CharField(max_length=500, blank=True, help_text="For an Item by reference: where the text is.")
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64, blank=True, help_text="SHA-256 hash of the text in UTF-8.")
    pages = models.JSONField(default=list, help_text="Pages, as [[start, number, printed number], ...].")
    blocks = models.JSONField(
        default=list, help_text="Paragraphs and tables, in the format of filings.document.blocks."
    )

    objects: ClassVar[SectionQuerySet] = SectionQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["filing", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["filing", "number"], name="section_number_once"),
            models.UniqueConstraint(fields=["filing", "item"], condition=~models.Q(item=""), name="section_item_once"),
        ]

    def __str__(self) -> str:
        return self.label

    def get_absolute_url(self) -> str:
        return reverse("section", args=[self.filing.accession, self.key])

    @property
    def key(self) -> str:
        """The section's name in URLs: 1A, or p24 for text outside any Item."""
        return self.item or f"p{self.number}"

    @property
    def label(self) -> str:
        """The section's name in citations: Item 1A, Risk Factors; empty for text cited by its page."""
        return ALL_ITEMS[self.item].label if self.item else ""

    @cached_property
    def parsed_blocks(self) -> tuple[Block, ...]:
        return read_blocks(self.blocks)

    @cached_property
    def parsed_pages(self) -> tuple[Page, ...]:
        return read_pages(self.pages)

    def page(self, offset: int) -> Page | None:
        """The printed page that contains a position in the text."""
        return page_at(self.parsed_pages, offset)


class ChunkKind(models.TextChoices):
    PROSE = "prose", "Prose"
    TABLE = "table", "Table"


class Chunk(models.Model):
    """A passage for search: ordered ranges of one section's text.

    Prose has one range; part of a table has its caption, its header rows and a group of rows, so that verification
    reads the filing's own characters. The id is filing x 100,000 + number: the same document gives the same ids.
    """

    id = models.BigIntegerField(primary_key=True)
    filing = models.ForeignKey(Filing, models.CASCADE, related_name="chunks")
    section = models.ForeignKey(Section, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField(help_text="Number of the chunk in the filing, from 0.")
    item = models.CharField(max_length=LONGEST_KEY, blank=True, help_text="Item or part of the section.")
    kind = models.CharField(max_length=5, choices=ChunkKind)
    ranges = models.JSONField(help_text="Positions [[start, end], ...] in the section's text.")
    windows = models.JSONField(default=list, help_text="Smaller pieces that are embedded, each a list of ranges.")
    headings = models.JSONField(default=list, help_text="Headings above the chunk, the outermost first.")
    statement = models.CharField(
        max_length=15, choices=StatementKind, blank=True, help_text="For a table of a financial statement: which one."
    )
    page_first = models.PositiveSmallIntegerField(
        null=True, help_text="Number of its first page, counted in the document."
    )
    page_last = models.PositiveSmallIntegerField(null=True)
    pieces = models.PositiveIntegerField(help_text="Number of word pieces (tokens) in the text.")
    sha256 = models.CharField(max_length=64, help_text="SHA-256 hash of the text in UTF-8.")

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.filing_id}/{self.number}"

    @staticmethod
    def key(filing: int, number: int) -> int:
        """The id of a filing's chunk."""
        return filing * CHUNKS_A_FILING + number

    @property
    def text(self) -> str:
        """The text of the chunk, exactly as in the filing."""
        return chunk_text(self.section.text, self.ranges)


def chunk_text(text: str, ranges: list[list[int]]) -> str:
    """The ranges of a text, separated by line feeds."""
    return "\n".join(text[start:end] for start, end in ranges)


def chunk_pieces(text: str, ranges: Sequence[Sequence[int]]) -> list[str]:
    """The text of each range, of the text that `chunk_text` made of them."""
    found, place = [], 0
    for start, end in ranges:
        found.append(text[place : place + end - start])
        place += end - start + 1
    return found
