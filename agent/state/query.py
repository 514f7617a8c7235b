"""A question as a query: companies x periods x measures, operations, topics, and the use of each word.

A query is read once (`agent.query`) and then only computed (`agent.numbers.tables.table`): nothing reads English again.
"""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from agent.state.question_words import Display, Word
from agent.state.references import CompanyRef, Period, Record, Scale, Topic

MOST_COMPANIES = 20
# Companies of one table, however they were chosen.
MOST_IN_TABLE = 200
MOST_MEASURES = 10
# Measures that one word may mean, each of which is given.
MOST_MEANINGS = 3
MOST_YEARS = 20


# --- measures: the rows of a table ---


class Concept(Record):
    """A concept of the registry."""

    kind: Literal["concept"] = "concept"
    key: str


class Metric(Record):
    """A formula of the registry. Without a variant: the default, and the named alternatives where the policy is dual."""

    kind: Literal["metric"] = "metric"
    key: str
    variant: str = ""


class Line(Record):
    """A row printed on the face of a statement of the filing asked, by its own label."""

    kind: Literal["line"] = "line"
    label: str = Field(description="Label of the row, as printed or from the taxonomy.")
    names: tuple[str, ...] = Field(default=(), description="XBRL elements with this label, such as us-gaap:Revenues.")
    statement: str = Field(default="", description="Its statement, where others print the label, too.")


class Printed(Record):
    """A figure that a document prints in a table or sentence, and that no known measure is."""

    kind: Literal["printed"] = "printed"
    words: str = Field(description="The figure as the question calls it, with its qualifiers: adjusted EBITDA.")
    accession: str = Field(default="", description="Where a row was chosen exactly: its filing.")
    section: int | None = Field(default=None, description="Number of its section there.")
    start: int | None = Field(default=None, description="Where a figure of the row begins in the section's text.")
    unit: str = Field(default="", description="USD for money, USD/shares, shares, percent or count; empty: any.")
    guidance: bool = Field(default=False, description="Whether the company guides it of a period to come: no result.")


class Statement(Record):
    """A whole statement, line by line."""

    kind: Literal["statement"] = "statement"
    statement: Literal["income", "comprehensive", "balance", "cashflow", "equity"]
    form: Literal["", "common_size", "growth"] = Field(
        default="", description="How its rows are shown: as amounts, in percent of a total, or as yearly growth."
    )


class Change(Record):
    """The change of a measure over a year or quarter: as an amount or in percent; percentages change in points."""

    kind: Literal["change"] = "change"
    of: "Measure"
    percent: bool = False
    sequential: bool = Field(default=False, description="Whether a quarter is compared with the quarter before.")


class Share(Record):
    """One measure as a percentage of another, or of a sum of others: R&D as % of revenue."""

    kind: Literal["share"] = "share"
    part: "Measure"
    whole: "Measure"
    quotient: bool = Field(default=False, description="Whether one / the other is asked, be it a part of it or not.")


class Combined(Record):
    """The sum of measures, or the first minus the others: "R&D plus SG&A"."""

    kind: Literal["combined"] = "combined"
    sign: Literal["+", "-"]
    parts: tuple["Measure", ...]


class Operand(Record):
    """A measure in a formula, under its name there."""

    name: str
    of: "Measure"


class Formula(Record):
    """A formula that the question gives: "(CFO - capex) / revenue", "365 x average payables / COGS"."""

    kind: Literal["formula"] = "formula"
    text: str = Field(description="The formula, as asked.")
    term: str = Field(default="", description="What the question defines by it, in its words; empty for nothing.")
    expression: str = Field(description="The formula over the names of its operands (agent.numbers.registry.formula).")
    operands: tuple[Operand, ...]
    unit: Literal["", "percent"] = Field(default="", description="percent: a fraction is shown as a percentage.")
    dated: bool = Field(default=False, description="Whether it names its own years.")


class PartOf(Record):
    """What one company calls its part where several are asked, each of its own: Amazon's AWS and Alphabet's Google Cloud."""

    cik: int
    label: str
    members: tuple[str, ...]


class Member(Record):
    """A measure of one part of a company: a segment, product, region or share class."""

    kind: Literal["member"] = "member"
    of: "Measure"
    label: str = Field(description="Name of the part in the company's filings.")
    members: tuple[str, ...] = Field(
        description="The parts with this name, such as ProductOrServiceAxis=IPhoneMember."
    )
    own: tuple[PartOf, ...] = Field(default=(), description="Of several companies, the part of each.")


class Breakdown(Record):
    """A measure of every part of one kind, with the remainder; or of one extreme part. By year: what is due in years to come."""

    kind: Literal["breakdown"] = "breakdown"
    of: "Measure"
    axis: Literal["segment", "product", "region", "class", "year"]
    shares: bool = Field(default=False, description="Whether to add each part's share of the total.")
    extreme: Literal["", "highest", "lowest"] = Field(
        default="", description="Which single part is asked for, if any."
    )
    top: int = Field(default=1, ge=1, le=MOST_YEARS, description="How many of the extreme parts are asked for.")

    @property
    def first(self) -> str:
        """Which extreme parts are asked, in words: largest segment, 3 smallest products; empty for all."""
        first = {"highest": "largest", "lowest": "smallest"}.get(self.extreme, "")
        if not first:
            return ""
        return f"{self.top} {first} {self.axis}s" if self.top > 1 else f"{first} {self.axis}"


Measure = Annotated[
    Concept | Metric | Line | Printed | Statement | Change | Share | Combined | Formula | Member | Breakdown,
    Field(discriminator="kind"),
]


class Row(Record):
    """A measure as it was asked."""

    measure: Measure
    text: str = Field(default="", description="The words of the question, as typed.")
    term: str = Field(
        default="", description="For one of several possible measures: the ambiguous term of the question."
    )
    mention: bool = Field(default=False, description="Whether it is shown for comparison, not as part of the answer.")

    def of(self, measure: Measure, **update: str | bool) -> "Row":
        """The row as it would be of another measure."""
        return self.model_copy(update={"measure": measure, **update})


# --- periods: the columns ---


class Years(Record):
    """Fiscal years named one by one; a bare year may be read in two ways (agent.state.references.PeriodForm)."""

    kind: Literal["years"] = "years"
    periods: tuple[Period, ...]


class Span(Record):
    """Every fiscal year from the first to the last; without a last, to the newest year that is stored."""

    kind: Literal["span"] = "span"
    first: Period
    last: Period | None = None


class Last(Record):
    """The newest so many years or quarters, back from `until` where one is named."""

    kind: Literal["last"] = "last"
    count: int = Field(ge=1, le=MOST_YEARS)
    until: Period | None = None
    quarters: bool = False


Periods = Annotated[Years | Span | Last, Field(discriminator="kind")]


def interim(periods: Years | Span | Last) -> bool:
    """Whether parts of years or trailing twelve months are asked."""
    match periods:
        case Years(periods=named):
            return any(one.part for one in named)
        case Span(first=first):
            return first.part is not None
    return periods.quarters


class Alignment(StrEnum):
    """What a column means where the fiscal years of several companies end at different times."""

    FISCAL = "fiscal"  # the period that each company gives this name
    CALENDAR = "calendar"  # the period of each company that lies in this calendar year or quarter


class Basis(StrEnum):
    """Which report gives each year of a row."""

    FIRST = "first_reported"  # the year's own
    LAST = "last_reported"  # the newest that prints it


class Own(Record):
    """The period of one company that has its own in the question: "AMD FY2024 vs NVDA FY2025"."""

    cik: int
    periods: Periods


# --- operations on rows ---


class Over(StrEnum):
    """Operations over the years of one company's row."""

    AVERAGE = "average"
    SUM = "sum"
    CAGR = "cagr"
    GROWTH = "growth"  # percent from the first year to the last; of percentages, points
    CHANGE = "change"  # amount from the first year to the last
    HIGHEST = "highest"
    LOWEST = "lowest"


class OverYears(Record):
    """One number of a row: an average, a sum, a growth rate, or the year of an extreme."""

    kind: Literal["over_years"] = "over_years"
    over: Over


class Rank(Record):
    """Companies, or years where one company is asked, in the order of a measure."""

    kind: Literal["rank"] = "rank"
    highest: bool = True
    top: int | None = Field(
        default=None, description="How many to list: 1 if only the first is asked for, None for all."
    )


class Difference(Record):
    """The first minus the second: of two companies, measures or years (later minus earlier)."""

    kind: Literal["difference"] = "difference"
    percent: bool = Field(default=False, description="Whether it is a percentage of the second.")


class Threshold(Record):
    """Whether a figure is above, below or at a bound: yes or no, and the figure."""

    kind: Literal["threshold"] = "threshold"
    comparison: Literal[">", ">=", "<", "<=", "=="]
    bound: Decimal


Operation = Annotated[OverYears | Rank | Difference | Threshold, Field(discriminator="kind")]


# --- the query ---


class Screened(Record):
    """Which of all covered companies were found by their figures, of which a query has the first."""

    found: int = Field(description="Number of companies in the order, or that meet the bounds.")
    notes: tuple[str, ...] = Field(default=(), description="How many were compared and left out, in sentences.")
    key: str = Field(description="Key of the measure they are ranked by.")
    year: int | None = Field(default=None, description="Calendar year; None for each company's newest year.")
    bounds: tuple[Threshold, ...] = ()
    highest: bool = True


class Query(Record):
    """What is asked, and the use of each word of the question."""

    companies: tuple[CompanyRef, ...] = Field(default=(), max_length=MOST_IN_TABLE)
    owned: str = Field(
        default="", description="Where no company is named: the name, in its filings alone, by which it is known."
    )
    everyone: bool = Field(
        default=False, description="Whether all covered companies are asked, in an order or within bounds."
    )
    screened: Screened | None = Field(
        default=None, description="For all companies: what was found; `companies` are then the first of them."
    )
    periods: Periods
    own: tuple[Own, ...] = ()
    align: Alignment | None = Field(
        default=None,
        description="How periods of several companies are aligned; None: as they are named where they end together, else by calendar.",
    )
    basis: Basis | None = Field(
        default=None,
        description="Which report gives each year; None: its own, or a later one where that is on another basis than later years.",
    )
    as_of: date | None = Field(default=None, description="Only reports filed by this day are used; None: all.")
    as_of_words: str = Field(
        default="", description="The words for that day, while it may be the day that the figures are of."
    )
    dated: Periods | None = Field(
        default=None, description="The periods asked if it is; None if they are not understood."
    )
    rows: tuple[Row, ...] = Field(default=(), description="Measures asked for; empty if only text is.")
    operations: tuple[Operation, ...] = Field(
        default=(), description="Operations to apply, in this order; empty: none."
    )
    topics: tuple[Topic, ...] = ()
    sources: tuple[str, ...] = Field(
        default=(), description="Kinds of documents that the question names, such as 10-Q or call; empty for none."
    )
    days: Periods | None = Field(
        default=None,
        description="Of text: the months and days named, which are in no fiscal year; None where none is.",
    )
    document: int | None = Field(
        default=None, description="Primary key of the one document whose text may answer, as whoever asks chose it."
    )
    scope_note: str = Field(
        default="", description="What the reader must know of the document or period that was chosen, in a sentence."
    )
    particulars: tuple[str, ...] = Field(
        default=(), description="Keys of details about the filing itself: auditor, filed, ..."
    )
    unheld: tuple[str, ...] = Field(default=(), description="Words that ask for a figure with no known measure.")
    left_out: tuple[str, ...] = Field(
        default=(),
        description="Words of the question that were not understood: the query is the nearest one without them.",
    )
    near_name: str = Field(
        default="", description="A word of the question that is read as the one part whose name has it."
    )
    several_meanings: str = Field(
        default="", description="A word of the question that may mean several measures, of which each is a row."
    )
    by_model: str = Field(
        default="", description="What a model read a question for figures as, where code alone did not understand it."
    )
    judged: str = Field(default="", description="Words by which the figures are to be judged: healthy, stable.")
    meta: str = Field(
        default="", description="For a question about Diligence itself: greeting, thanks or coverage; otherwise empty."
    )
    scale: Scale | None = None
    decimals: int | None = Field(
        default=None, ge=0, le=12, description="To how many decimals figures are wanted rounded; None: not said."
    )
    display: Display = Display.TABLE
    words: tuple[Word, ...] = ()

    @property
    def is_nearest(self) -> bool:
        """Whether it is only near to the question, and its figures are not asserted as the answer."""
        return bool(self.left_out or self.near_name or self.several_meanings)

    @property
    def whose(self) -> str:
        """Why a company is meant that is not named, in a sentence; empty for one that is."""
        return f"\u201c{self.owned}\u201d is named in the filings of {self.companies[0].called}." if self.owned else ""

    @property
    def interim(self) -> bool:
        """Whether parts of years are asked."""
        return any(interim(one) for one in (self.periods, *(own.periods for own in self.own)))

    def periods_of(self, cik: int) -> Periods:
        """The periods asked of one company."""
        return next((one.periods for one in self.own if one.cik == cik), self.periods)
