"""What nodes find for a target: its filing, Items, facts, passages, and claims."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Literal

from pydantic import Field

from agent.state.references import Record
from filings.xbrl.axes import words


class FilingRef(Record):
    """The filing that a target is quoted from."""

    target: int
    iteration: int = 0
    filing: int = Field(description="Primary key of the stored filing.")
    accession: str
    form: str
    filed: date
    fiscal_year: int
    period_end: date
    url: str
    newer: date | None = Field(
        default=None,
        description="Of the latest year: when a newer 10-K was filed that the SEC lists and nobody has ingested.",
    )

    @property
    def newer_said(self) -> tuple[str, ...]:
        """The sentence on a newer 10-K, if there is one."""
        if self.newer is None:
            return ()
        return (f"A newer 10-K was filed on {self.newer:%-d %b %Y}. It is not loaded yet.",)


class Location(Record):
    """An Item of a filing in which the asked text should stand."""

    target: int
    iteration: int = 0
    accession: str
    item: str = Field(description="The Item's key, as 1A.")
    section: int = Field(default=0, description="Primary key of the section.")
    title: str = ""
    status: str = Field(default="", description="What is known of the Item (filings.models.SectionStatus).")


class FactRef(Record):
    """One XBRL fact as cited, with everything needed to find it again."""

    fact: int = Field(description="Primary key of the stored fact.")
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
    decimals: int | None = None
    source: str = Field(description="companyfacts or document.")
    sha256: str = Field(default="", description="Of the source file: the document, or the companyfacts file.")
    statement: str = ""
    title: str = Field(default="", description="Statement title as printed, where known.")
    order: int | None = None
    label: str = Field(default="", description="Printed row label.")
    printed: str = Field(default="", description="The figure as printed.")
    dimensions: str = Field(default="", description="Of a part of the company: Axis=Member.")
    parts: tuple[tuple[str, str], ...] = Field(
        default=(), description="Of each dimension the axis and the member, as the filing calls them."
    )
    url: str = ""

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


class Passage(Record):
    """A chunk that search found, with the filing's own characters."""

    chunk: int = Field(description="Primary key of the chunk; of a promoted parent, of its first chunk.")
    chunks: tuple[int, ...] = Field(default=(), description="Of a passage of several chunks, all of their keys.")
    filing: int
    cik: int
    accession: str
    section: int = Field(description="Primary key of the section.")
    sha256: str = Field(description="Of the section's text.")
    item: str = Field(description="The Item, such as 1A; empty if only the page is cited.")
    kind: str = Field(description="prose or table.")
    ranges: tuple[tuple[int, int], ...] = Field(description="In the section's text.")
    text: str = Field(description="The ranges' characters, a line feed apart: what is verified against.")
    headings: tuple[str, ...] = ()
    page: str = Field(default="", description="Page on which it begins, as printed where known.")
    query: int = Field(default=0, description="Which sub-query ranked it best.")
    score: float = Field(default=0.0, description="Fused rank score.")
    ranks: dict[str, int] = Field(default_factory=dict, description="Rank in each list that holds it, from 1.")
    bm25: float | None = None
    cosine: float | None = Field(default=None, description="Of the best window to the query.")
    axes: tuple[str, ...] = Field(default=(), description="Readings of an ambiguous question that it was found for.")


class Retrieval(Record):
    """Passages found for a prose target, best first."""

    target: int
    iteration: int = 0
    passages: tuple[Passage, ...] = ()
    index: str = Field(default="", description="Which index answered: embedded or elasticsearch.")
    model: str = Field(default="", description="Embedding model; empty when words alone were searched.")
    notes: tuple[str, ...] = Field(
        default=(), description="Notes for the reader, such as that meaning was not searched."
    )


def with_figures(text: str, figures: Iterable[tuple[int, str]]) -> str:
    """A text with figures inserted, each at its character position."""
    for at, figure in sorted(figures, reverse=True):
        text = f"{text[:at]}{figure}{text[at:]}"
    return text


Kind = Literal["heading", "label", "lead", "before", "caption", "header", "group"]


class About(Record):
    """Words of the filing that say what a quotation is about, shown with it: see agent.prose.about."""

    kind: Kind
    start: int = Field(description="In the section's text.")
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
    header: int = Field(description="How many of the rows name columns.")
    figure: str = Field(
        default="", description="As printed, of the filing's fiscal year; empty where none is certain."
    )
    column: str = Field(default="", description="What the figure's column is headed with.")
    place: int = Field(default=0, description="The column it stands in, from 0.")


class Claim(Record):
    """One sentence of the filing that answers, or a text drafted from one.

    From `cite_check` on, `start` and `end` are the range of `quote` in the section's text.
    """

    target: int
    iteration: int = 0
    text: str = Field(description="What is shown.")
    quote: str = Field(description="The filing's own characters it stands on.")
    chunk: int
    section: int
    sha256: str = Field(description="Of the section's text.")
    start: int
    end: int
    cik: int
    accession: str
    item: str
    page: str = ""
    caption: str = Field(default="", description="The filing's heading it stands under, as a risk factor's caption.")
    about: tuple[About, ...] = Field(default=(), description="What the quotation is about, in the order printed.")
    row: PrintedRow | None = Field(default=None, description="Of rows of a table whose columns are told for sure.")
    query: int = Field(default=0, description="Which sub-query it answers.")
    axis: str = Field(
        default="",
        description="Of an ambiguous question: the reading it follows, for which alone its passage may have been found.",
    )
    score: float = 0.0
    verdict: Literal["", "verbatim", "corrected", "edited", "paraphrase"] = Field(
        default="", description="How it was verified; empty before cite_check."
    )
    edits: tuple[str, ...] = Field(default=(), description="What makes an edited text of its quotation, in words.")
    figures: tuple[tuple[int, str], ...] = Field(
        default=(), description="Figures of the answer to be put into the text, each behind so many characters."
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
        """For rows of a table: a note that nothing is computed, and which figure is the year's, where that is certain."""
        if "\t" not in self.quote:
            return ""
        found = (
            f": {self.row.figure} in the column \u201c{self.row.column}\u201d" if self.row and self.row.figure else ""
        )
        return f"As printed, not computed{found}."


class NearPassage(Record):
    """A passage near the question, shown word for word and not asserted as an answer.

    `start`, `end`, `ranges` and `marked` are positions in the section's text, whose hash is `sha256`; `text` joins the
    ranges with line breaks.
    """

    target: int
    iteration: int = 0
    query: int = Field(default=0, description="Which sub-query it is near to.")
    cik: int
    accession: str
    section: int
    sha256: str = Field(description="Of the section's text.")
    item: str
    page: str = ""
    headings: tuple[str, ...] = Field(default=(), description="It stands under these, the outermost first.")
    start: int
    end: int
    ranges: tuple[tuple[int, int], ...] = Field(description="Of a table: its caption, its header, the rows shown.")
    text: str
    marked: tuple[tuple[int, int], ...] = Field(description="Its sentences or rows nearest to the question.")


class Dropped(Record):
    """A claim that was not verified. Its text is not kept, because unverified text is not shown."""

    target: int
    iteration: int = 0
    why: str = Field(description="A sentence.")


class RemarkCode(StrEnum):
    """The subject of a remark."""

    PREMISE = "premise"
    READ_AS = "read_as"
    SPELLING = "spelling"
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
        return self in {RemarkCode.SPELLING, RemarkCode.READ_BY_RULES, RemarkCode.OWN_WORDS, RemarkCode.QUOTA}


class Remark(Record):
    """A note beside the quotations of a target, such as that the filing denies the question's premise."""

    target: int
    iteration: int = 0
    code: RemarkCode
    text: str = Field(description="A sentence.")


class FilingDatum(Record):
    """One piece of data about a filing: its auditor, its filing date."""

    target: int
    iteration: int = 0
    key: str
    label: str
    value: str
    source: str = Field(description="Where it stands: a cover tag, SEC's list of filings.")
    accession: str
    fiscal_year: int
