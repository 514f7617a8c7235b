"""The XBRL facts that the nodes find for a target."""

from datetime import date
from decimal import Decimal

from pydantic import Field

from agent.state.references import Record
from filings.tables.printed_cells import GUIDANCE, PREVIOUS_GUIDANCE, PrintedPlace
from filings.xbrl.axes import words

PRINTED = "printed"


class FactRef(Record):
    """One XBRL fact, or printed figure, as cited, with everything needed to find it again."""

    fact: int = Field(
        description="Primary key of the fact in the database; 0 of a printed figure that is found by its place alone."
    )
    cik: int
    accession: str
    form: str
    filed: date
    taxonomy: str
    tag: str
    unit: str
    start: date
    end: date
    raw: str
    value: Decimal
    negated: bool = Field(
        default=False,
        description="Whether the value is the stored one with the opposite sign: an outflow in brackets.",
    )
    decimals: int | None = None
    source: str = Field(
        description="Where it was read: companyfacts (the SEC's data file), document (the filing itself) or printed."
    )
    sha256: str = Field(default="", description="SHA-256 hash of the source file.")
    statement: str = ""
    title: str = Field(default="", description="Title of the statement as printed, if known.")
    order: int | None = None
    label: str = Field(default="", description="Label of its row as printed.")
    printed: str = Field(default="", description="Figure as printed.")
    dimensions: str = Field(
        default="", description="Part of the company, as XBRL Axis=Member; empty for the whole company."
    )
    parts: tuple[tuple[str, str], ...] = Field(
        default=(), description="The axis and member of each dimension, with the filing's names."
    )
    url: str = ""
    section: int | None = Field(default=None, description="Of a printed figure: number of its section in the filing.")
    text_start: int | None = Field(default=None, description="Where it begins in the section's text.")
    text_end: int | None = None
    page: str = Field(default="", description="Its page.")
    given: date | None = Field(
        default=None,
        description="Of guidance the day in the dateline of its text, where that is another than of filing.",
    )

    @property
    def place(self) -> PrintedPlace | None:
        """Where a printed figure stands that no fact stores; None for a stored fact."""
        if self.fact or self.section is None or self.text_start is None:
            return None
        return PrintedPlace(self.cik, self.accession, self.section, self.text_start)

    @property
    def key(self) -> int | PrintedPlace:
        """What identifies it: its primary key, or its place."""
        return self.place or self.fact

    @property
    def as_printed(self) -> str:
        """Where a printed figure stands: "as printed, page 4", of guidance also when it was given; empty for an XBRL fact."""
        if self.source != PRINTED:
            return ""
        said = self.guided or "as printed"
        return f"{said}, page {self.page}" if self.page else said

    @property
    def is_guidance(self) -> bool:
        """Whether it is what a company expects of a period to come, or expected before; never a result."""
        return self.taxonomy in {GUIDANCE, PREVIOUS_GUIDANCE}

    @property
    def guided(self) -> str:
        """Of guidance the day on which it was given: "guided, as of 25 April 2023"; empty for a result."""
        if not self.is_guidance:
            return ""
        when = "before" if self.taxonomy == PREVIOUS_GUIDANCE else "as of"
        return f"guided{'' if when == 'before' else ','} {when} {self.given or self.filed:%-d %B %Y}"

    @property
    def digits(self) -> str:
        """The value with all its digits, as the source has them."""
        return format(self.value, "f") if self.negated else self.raw

    @property
    def name(self) -> str:
        return f"{self.taxonomy}:{self.tag}"

    @property
    def element(self) -> str:
        """Its tag, such as us-gaap:Revenues; for a part of the company with its members in brackets."""
        return f"{self.name} [{self.dimensions}]" if self.dimensions else self.name

    @property
    def axis(self) -> str:
        """The labels of its axes: Segments; several separated by slashes. Empty for the whole company."""
        return " | ".join(axis for axis, _ in self.named)

    @property
    def member(self) -> str:
        """The company's name of the part: Cloud; for several dimensions in the order of `axis`."""
        return " | ".join(member for _, member in self.named)

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """Axis and member of each dimension in words; in those of the elements where no labels were stored."""
        told = (one.partition("=") for one in filter(None, self.dimensions.split(";")))
        return self.parts or tuple((words(axis), words(member)) for axis, _, member in told)


class Rejected(Record):
    """A candidate that was not used, and why."""

    fact: FactRef
    why: str


class LaterValue(Record):
    """What a later 10-K reports for the same tag and period."""

    fact: FactRef
    fiscal_year: int | None
    change: Decimal = Field(description="Later value minus the value used; 0 when not restated.")
