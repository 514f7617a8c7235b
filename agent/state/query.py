"""What a question asks: companies x periods x measures, operations over them, topics, and what each word was used for.

A query is read once (`agent.query`) and then only computed: `agent.numbers.table` makes a table of it, and nothing reads
English again.
"""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from agent.state.references import CompanyRef, Period, Record, Scale, Topic

MOST_COMPANIES = 20
MOST_MEASURES = 10
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
    label: str = Field(description="As printed, or as the taxonomy calls the element.")
    names: tuple[str, ...] = Field(default=(), description="Elements that stand under it, as us-gaap:Revenues.")


class Statement(Record):
    """A whole statement, line by line."""

    kind: Literal["statement"] = "statement"
    statement: Literal["income", "comprehensive", "balance", "cashflow", "equity"]


class Change(Record):
    """What a measure moved by, over a year or the quarter before: an amount, or in percent.

    Of a percentage: in points, never in percent.
    """

    kind: Literal["change"] = "change"
    of: "Measure"
    percent: bool = False
    sequential: bool = Field(default=False, description="Over the quarter before, of a quarter.")


class Share(Record):
    """One measure as a percentage of another, or of a sum of others: R&D as % of revenue."""

    kind: Literal["share"] = "share"
    part: "Measure"
    whole: "Measure"


class Combined(Record):
    """The sum of measures, or the first less the others: "R&D plus SG&A"."""

    kind: Literal["combined"] = "combined"
    sign: Literal["+", "-"]
    parts: tuple["Measure", ...]


class Member(Record):
    """A measure of a part of a company: of a segment, a product, a region, a class of shares."""

    kind: Literal["member"] = "member"
    of: "Measure"
    label: str = Field(description="As the company calls the part.")
    members: tuple[str, ...] = Field(description="What is called so, as ProductOrServiceAxis=IPhoneMember.")


class Breakdown(Record):
    """A measure of every part of one kind, with what they leave of the whole: "revenue by segment"; or of the first alone."""

    kind: Literal["breakdown"] = "breakdown"
    of: "Measure"
    axis: Literal["segment", "product", "region", "class"]
    shares: bool = Field(default=False, description="With what each part of the newest year is of the whole.")
    extreme: Literal["", "highest", "lowest"] = Field(default="", description="Which part alone: the largest one.")

    @property
    def first(self) -> str:
        """Which part alone is asked, in words: largest, smallest; empty for all."""
        return {"highest": "largest", "lowest": "smallest"}.get(self.extreme, "")


Measure = Annotated[
    Concept | Metric | Line | Statement | Change | Share | Combined | Member | Breakdown,
    Field(discriminator="kind"),
]


class Row(Record):
    """A measure as it was asked."""

    measure: Measure
    text: str = Field(default="", description="As typed.")
    term: str = Field(default="", description="The registry's ambiguous term of which this is one reading.")
    mention: bool = Field(default=False, description="Shown beside the answer, not asserted by it.")


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
    """The newest years, or quarters, so many; back from `until` where one is named."""

    kind: Literal["last"] = "last"
    count: int = Field(ge=1, le=MOST_YEARS)
    until: Period | None = None
    quarters: bool = False


Periods = Annotated[Years | Span | Last, Field(discriminator="kind")]


def interim(periods: Years | Span | Last) -> bool:
    """Whether parts of years are asked, or twelve months to the end of one."""
    match periods:
        case Years(periods=named):
            return any(one.part for one in named)
        case Span(first=first):
            return first.part is not None
    return periods.quarters


class Own(Record):
    """The period of one company, where the question gives it one of its own: "AMD FY2024 vs NVDA FY2025"."""

    cik: int
    periods: Periods


# --- operations: what is made of the rows ---


class Over(StrEnum):
    """What one company's row over the years is made into."""

    AVERAGE = "average"
    SUM = "sum"
    CAGR = "cagr"
    GROWTH = "growth"  # percent from the first year to the last; of percentages, points
    CHANGE = "change"  # amount from the first year to the last
    HIGHEST = "highest"
    LOWEST = "lowest"


class OverYears(Record):
    """One number of a row: an average, a sum, a rate of growth, the year of an extreme."""

    kind: Literal["over_years"] = "over_years"
    over: Over


class Rank(Record):
    """Companies, or years where one company is asked, in the order of a measure."""

    kind: Literal["rank"] = "rank"
    highest: bool = True
    top: int | None = Field(default=None, description="So many of them; 1 for which is highest, None for all.")


class Difference(Record):
    """The first less the second: of two companies, two measures or two years, the later year less the earlier."""

    kind: Literal["difference"] = "difference"
    percent: bool = Field(default=False, description="In percent of the second.")


class Threshold(Record):
    """Whether a figure is above, below or at a bound: yes or no, and the figure."""

    kind: Literal["threshold"] = "threshold"
    comparison: Literal[">", ">=", "<", "<=", "=="]
    bound: Decimal


Operation = Annotated[OverYears | Rank | Difference | Threshold, Field(discriminator="kind")]


# --- the query ---


class Role(StrEnum):
    """What a word of the question was used for."""

    COMPANY = "company"
    PERIOD = "period"
    MEASURE = "measure"
    OPERATION = "operation"
    SCALE = "scale"
    TOPIC = "topic"
    FRAME = "frame"  # asks, and says nothing of what is asked
    UNUSED = "unused"


class Word(Record):
    """A stretch of the question and the slot it fills. Together they cover every word."""

    start: int
    end: int
    text: str
    role: Role
    meaning: str = Field(default="", description="What it was read as, in words.")
    typed: bool = Field(default=True, description="False where it was misspelt and read as `meaning`.")


class Query(Record):
    """What is asked, and of what each word of the question speaks."""

    companies: tuple[CompanyRef, ...] = Field(default=(), max_length=MOST_COMPANIES)
    periods: Periods
    own: tuple[Own, ...] = ()
    rows: tuple[Row, ...] = Field(default=(), description="Empty where only text is asked.")
    operations: tuple[Operation, ...] = Field(default=(), description="Applied in this order; empty: the values.")
    topics: tuple[Topic, ...] = ()
    particulars: tuple[str, ...] = Field(default=(), description="Keys of data of the filing itself: auditor, filed.")
    unheld: tuple[str, ...] = Field(
        default=(), description="Of a topic that asks for a figure which no measure holds: its words."
    )
    meta: str = Field(default="", description="Of a question about Diligence itself: greeting, thanks or coverage.")
    scale: Scale | None = None
    words: tuple[Word, ...] = ()

    @property
    def interim(self) -> bool:
        """Whether parts of years are asked."""
        return any(interim(one) for one in (self.periods, *(own.periods for own in self.own)))

    def periods_of(self, cik: int) -> Periods:
        """The periods asked of one company."""
        return next((one.periods for one in self.own if one.cik == cik), self.periods)
