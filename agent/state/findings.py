"""What the nodes find for a target: filing, Items, passages and claims."""

from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from typing import Literal

from pydantic import Field

from agent.state.references import Record
from filings.models.source_kinds import ANNUAL, KINDS, SourceKind
from filings.sections.items import annual_item


class FilingRef(Record):
    """The filing that a target is quoted from."""

    target: int
    iteration: int = 0
    filing: int = Field(description="Primary key of the filing in the database.")
    accession: str
    form: str
    source: str = Field(default=ANNUAL.key, description="Kind of document, such as 10-K or call.")
    title: str = Field(default="", description="Title of an imported document.")
    filed: date
    fiscal_year: int
    fiscal_quarter: int | None = Field(
        default=None, description="Quarter of the fiscal year, for what is of a quarter."
    )
    period_end: date
    url: str
    filed_by: str = Field(default="", description="The predecessor that filed it, with its CIK, if one did.")
    newer: date | None = Field(
        default=None,
        description="If the latest year is asked for: when a newer 10-K was filed that is not loaded yet.",
    )

    @property
    def kind(self) -> SourceKind:
        return KINDS[self.source]

    @property
    def name(self) -> str:
        """Its form, else its title, else what its kind is called."""
        return self.form or self.title or self.kind.called

    @property
    def called(self) -> str:
        """Its name behind a company's: fiscal 2024 10-K; 10-Q for Q2 of fiscal 2024; 8-K of 1 Aug 2024; a title."""
        if self.source == ANNUAL.key or (self.kind.span == "year" and not self.title):
            return f"fiscal {self.fiscal_year} {self.form or self.kind.called}"
        name = f"\u201c{self.title}\u201d" if self.title and self.kind.imported else self.form or self.kind.called
        quarter = f" for Q{self.fiscal_quarter} of fiscal {self.fiscal_year}" if self.fiscal_quarter else ""
        return f"{name}{quarter}" if quarter and self.kind.span == "quarter" else f"{name} of {self.filed:%-d %b %Y}"

    @property
    def heading(self) -> str:
        """Its line above what it says, where several documents answer: Q2 FY2025 \u00b7 10-Q filed 2 May 2025."""
        period = f"Q{self.fiscal_quarter} FY{self.fiscal_year}" if self.fiscal_quarter else ""
        period = f"FY{self.fiscal_year}" if self.kind.span == "year" and not self.title else period
        document = f"{self.form or self.kind.called} {self.kind.dated.lower()} {self.filed:%-d %b %Y}"
        return " \u00b7 ".join(filter(None, (period or self.title, document)))

    @property
    def of_period(self) -> str:
        """Its period within a sentence: fiscal 2024; Q2 of fiscal 2024; of what is of a day, that day."""
        if self.kind.span == "day":
            return f"{self.filed:%-d %b %Y}"
        quarter = f"Q{self.fiscal_quarter} of " if self.fiscal_quarter else ""
        return f"{quarter}fiscal {self.fiscal_year}"

    @property
    def said(self) -> tuple[str, ...]:
        """Sentences on a predecessor that filed it, and on a newer 10-K."""
        filed = f"Fiscal {self.fiscal_year} was filed by {self.filed_by}." if self.filed_by else ""
        newer = f"A newer 10-K was filed on {self.newer:%-d %b %Y}. It is not loaded yet." if self.newer else ""
        return tuple(filter(None, (filed, newer)))


class Location(Record):
    """An Item of a filing that should contain the text asked for."""

    target: int
    iteration: int = 0
    accession: str
    item: str = Field(description="Key of the Item, such as 1A.")
    section: int = Field(default=0, description="Primary key of the section.")
    title: str = ""
    status: str = Field(default="", description="How the Item's text was found (filings.models.SectionStatus).")


class Excerpt(Record):
    """Characters of one section of a filing, and where they stand: what is found, quoted or shown of a text is one.

    Positions (`start`, `end`, `ranges`, `marked`) are those of the section's text, of which `sha256` is the hash.
    """

    cik: int
    accession: str
    section: int = Field(description="Primary key of the section.")
    sha256: str = Field(description="SHA-256 hash of the section's text.")
    item: str = Field(description="Item, such as 1A; empty if only the page is cited.")
    page: str = Field(default="", description="Page on which it begins, as printed if known.")
    query: int = Field(default=0, description="Number of the sub-query that found it best, or that it answers.")
    text: str = Field(description="Text to show; of a passage its ranges, joined by line feeds.")


class Passage(Excerpt):
    """A chunk that search found, with the filing's own characters."""

    chunk: int = Field(description="Primary key of the chunk; for a passage of several chunks, of the first.")
    chunks: tuple[int, ...] = Field(
        default=(), description="For a passage of several chunks: the keys of all of them."
    )
    filing: int
    kind: str = Field(description="Kind of text: prose or table.")
    ranges: tuple[tuple[int, int], ...] = Field(description="Positions (start, end) of its text.")
    headings: tuple[str, ...] = ()
    score: float = Field(default=0.0, description="Combined score of all its ranks.")
    ranks: dict[str, int] = Field(default_factory=dict, description="Its rank in each result list, from 1.")
    bm25: float | None = None
    cosine: float | None = Field(default=None, description="Cosine similarity of its best part to the query.")
    axes: tuple[str, ...] = Field(
        default=(), description="The readings of an ambiguous question for which it was found."
    )

    @property
    def annual_item(self) -> str:
        """The Item of a 10-K that tells of the same as its part of the document."""
        return annual_item(self.item)


class Retrieval(Record):
    """Passages found for a prose target, best first."""

    target: int
    iteration: int = 0
    passages: tuple[Passage, ...] = ()
    index: str = Field(default="", description="Search index that was used: embedded or elasticsearch.")
    model: str = Field(default="", description="Embedding model that was used; empty if only words were searched.")
    notes: tuple[str, ...] = Field(
        default=(), description="Notes for the reader, for example that only words were searched, not their meaning."
    )


def with_figures(text: str, figures: Iterable[tuple[int, str]]) -> str:
    """A text with figures inserted, each at its character position."""
    for at, figure in sorted(figures, reverse=True):
        text = f"{text[:at]}{figure}{text[at:]}"
    return text


Kind = Literal["heading", "label", "lead", "before", "caption", "header", "group"]


class About(Record):
    """Words of the filing that say what a quotation is about, shown with it: see agent.prose.text.quotation_context."""

    kind: Kind
    start: int = Field(description="Position of the first character in the section's text.")
    end: int
    text: str


# Without these a quotation cannot be understood: the opening of its list; the headings, unit and group of its rows.
NEEDED = frozenset({"lead", "caption", "header", "group"})


def needed_of(about: Iterable[About]) -> tuple[About, ...]:
    """The words above a quotation without which it cannot be understood."""
    return tuple(one for one in about if one.kind in NEEDED)


def cited(about: Iterable[About], quote: str) -> str:
    """All of the filing's characters behind a claim, its ranges separated by line feeds."""
    return "\n".join((*(one.text for one in needed_of(about)), quote))


class PrintedRow(Record):
    """Quoted rows of a table with the rows that name their columns; each cell has the number of columns it covers."""

    rows: tuple[tuple[tuple[str, int], ...], ...]
    header: int = Field(description="How many of the first rows are column headings.")
    figure: str = Field(
        default="",
        description="The figure for the filing's fiscal year, as printed; empty if it is not certain which one that is.",
    )
    column: str = Field(default="", description="Heading of the column of that figure.")
    place: int = Field(default=0, description="Number of that column, from 0.")


class Claim(Excerpt):
    """One sentence of the filing that answers, or a text drafted from one.

    From `cite_check` on, `start` and `end` are the range of `quote` in the section's text.
    """

    target: int
    iteration: int = 0
    quote: str = Field(description="The words of the filing that support it.")
    chunk: int
    start: int
    end: int
    caption: str = Field(default="", description="Heading above it in the filing, such as a risk factor's caption.")
    about: tuple[About, ...] = Field(
        default=(), description="Other words of the filing that say what the quotation is about, in the order printed."
    )
    row: PrintedRow | None = Field(
        default=None, description="The quoted table rows with their column headings, if the columns are certain."
    )
    axis: str = Field(
        default="",
        description="For an ambiguous question: the reading that it answers.",
    )
    score: float = 0.0
    verdict: Literal["", "verbatim", "corrected", "edited", "paraphrase"] = Field(
        default="", description="How it was verified; empty before cite_check."
    )
    edits: tuple[str, ...] = Field(default=(), description="How an edited text differs from the quotation, in words.")
    figures: tuple[tuple[int, str], ...] = Field(
        default=(), description="Figures to insert into the text, as (position, figure)."
    )

    @property
    def shown(self) -> str:
        """The text with its figures."""
        return with_figures(self.text, self.figures)

    @property
    def path(self) -> str:
        """The headings above it, the outermost first, without its caption: Results of Operations > Grid."""
        headings = (" ".join(one.text.split()) for one in self.about if one.kind == "heading")
        return " \u203a ".join(one for one in headings if one != " ".join(self.caption.split()))

    @property
    def before(self) -> tuple[str, ...]:
        """Further lines that say what it is about: a run-in label, the caption and headings of a table."""
        within = self.text.split("\n", 1)[0]
        told = (one.text for one in self.about if one.kind != "heading" and (one.kind != "lead" or one.text != within))
        return tuple(" | ".join(filter(None, map(str.strip, one.split("\t")))) for one in told)

    @property
    def alone(self) -> str:
        """The text as it can be read by itself: a table's row below its column headings."""
        return "\n".join((*self.before, self.shown)) if "\t" in self.shown else self.shown

    @property
    def cited(self) -> str:
        """All of the filing's characters behind it, its ranges separated by line feeds."""
        return cited(self.about, self.quote)

    @property
    def as_printed(self) -> str:
        """For table rows: a note that nothing is computed, and which figure is that of the year, if certain."""
        if "\t" not in self.quote:
            return ""
        found = (
            f": {self.row.figure} in the column \u201c{self.row.column}\u201d" if self.row and self.row.figure else ""
        )
        return f"As printed, not computed{found}."


class NearPassage(Excerpt):
    """A passage near the question, shown word for word and not asserted as an answer."""

    target: int
    iteration: int = 0
    headings: tuple[str, ...] = Field(default=(), description="Headings above it, the outermost first.")
    start: int
    end: int
    ranges: tuple[tuple[int, int], ...] = Field(
        description="Positions (start, end) of what is shown; for a table its caption, column headings and rows."
    )
    marked: tuple[tuple[int, int], ...] = Field(
        description="Positions (start, end) of the sentences or rows closest to the question, the closest first."
    )
    likely: bool = Field(
        default=False, description="Whether it answers so probably that no other document was searched."
    )


class Dropped(Record):
    """A claim that was not verified. Its text is not kept, because unverified text is not shown."""

    target: int
    iteration: int = 0
    why: str = Field(description="Why it was dropped, in a sentence.")


class RemarkCode(StrEnum):
    """The subject of a remark."""

    PREMISE = "premise"
    READ_AS = "read_as"
    SPELLING = "spelling"
    OWNER = "owner"
    POINTED = "pointed"
    SOURCE = "source"
    NEWS = "news"
    PART_NOT_FOUND = "part_not_found"
    PRINTED = "printed"
    READ_BY_RULES = "read_by_rules"
    OWN_WORDS = "own_words"
    QUOTA = "quota"
    MODE_LOWERED = "mode_lowered"
    NOT_SEARCHED = "not_searched"
    NOT_DRAFTED = "not_drafted"

    @property
    def is_lasting(self) -> bool:
        """Whether it is about how the question was read, which applies to every round."""
        return self in {
            RemarkCode.SPELLING,
            RemarkCode.OWNER,
            RemarkCode.POINTED,
            RemarkCode.SOURCE,
            RemarkCode.NEWS,
            RemarkCode.READ_BY_RULES,
            RemarkCode.OWN_WORDS,
            RemarkCode.QUOTA,
        }


class Remark(Record):
    """A note beside the quotations of a target, such as that the filing denies the question's premise."""

    target: int
    iteration: int = 0
    code: RemarkCode
    text: str = Field(description="The note, in a sentence.")


class FilingDatum(Record):
    """One detail about a filing, such as its auditor or filing date."""

    target: int
    iteration: int = 0
    key: str
    label: str
    value: str
    source: str = Field(
        description="Where it comes from: the SEC's list of filings, an imported document, or XBRL tags."
    )
    accession: str
    fiscal_year: int
