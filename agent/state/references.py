"""The companies, periods and topics that a question refers to."""

from datetime import date
from enum import StrEnum
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from filings.edgar.registrant_names import is_fictional
from filings.sections.items import ITEMS
from filings.xbrl.number_format import Scale as Scale  # a plan names it; figures are rendered with it
from filings.xbrl.periods import FiscalPeriod


class Record(BaseModel):
    """A frozen value; unknown fields are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class QuestionType(StrEnum):
    """The kind of answer that a question wants."""

    NUMERIC = "A"
    PROSE = "B"
    BOTH = "A+B"
    META = "META"
    REFUSE = "REFUSE"


class Alternative(Record):
    """Another question offered with a refusal, which is known to be answered."""

    question: str
    why: str


class CompanyRef(Record):
    """A registrant as the question names it."""

    cik: int
    name: str = Field(description="Name in SEC records.")
    short: str = Field(default="", description="Short name, such as Apple for Apple Inc.")
    symbol: str = Field(default="", description="Main ticker symbol; empty if there is none.")
    covered: bool = Field(
        description="Whether questions about it can be answered: its 10-K facts are loaded and it is active."
    )
    readable: bool = Field(default=False, description="Whether any of its documents can be searched, covered or not.")
    foreign: bool = Field(default=False, description="Whether it files 20-F or 40-F instead of 10-K.")

    @property
    def called(self) -> str:
        """The company's name in sentences."""
        return self.short or self.name

    @property
    def fictional(self) -> bool:
        """Whether it is one of the sample's fictional issuers."""
        return is_fictional(self.cik)


class PeriodForm(StrEnum):
    """How the question names its period, which decides how it is resolved."""

    FISCAL = "fiscal"  # FY2024, fiscal 24: the company's own label
    BARE = "bare"  # 2024: the company's label first; a second reading where the year ends before 1 June
    CALENDAR = "calendar"  # calendar 2024, 2024 calendar year
    ENDED = "ended"  # year ended September 28, 2024
    LATEST = "latest"  # latest, most recent, or no period named
    PREVIOUS = "previous"  # last year, prior year: the newest 10-K's fiscal year, named in the answer


class RelativePeriod(StrEnum):
    """A part of a year that the asked date or the newest filing determines."""

    QUARTER = "quarter"
    TEN_Q = "10-Q"  # the quarter of the newest one
    HALF = "half"
    NINE_MONTHS = "nine_months"
    TO_DATE = "to_date"
    TRAILING = "trailing"
    DAY = "day"  # a balance, at the end of a quarter or of a year


class Period(Record):
    """The period a question asks for, before any filing is looked up."""

    form: PeriodForm
    year: int | None = None
    part: FiscalPeriod | RelativePeriod | None = Field(
        default=None, description="Part of the fiscal year; None for the whole."
    )
    end: date | None = Field(default=None, description="Last day of the period; only for the form ENDED.")
    month: int = Field(
        default=0, description="For a part of a year that is also given by months: the last month; else 0."
    )
    text: str = Field(default="", description="The words of the question; empty if no period was named.")


class SubQuery(Record):
    """One focused search of a prose target: one half of "cybersecurity and competition risks"."""

    label: str = Field(
        description="What it looks for, in the question's words; used as the title of its part of the answer."
    )
    words: tuple[str, ...] = Field(description="Words to search for, without company and period.")
    variants: tuple[str, ...] = Field(default=(), description="Words that filings use instead, from the synonyms.")
    axis: str = Field(default="", description="Reading of an ambiguous question that it follows.")
    tables: bool = Field(default=False, description="Whether it looks for a table.")


class Topic(Record):
    """What a question asks of the filing's text."""

    text: str = Field(description="The question without company and period, which is embedded for the search.")
    form: Literal["risks", "explain", "yes_no"] = Field(
        description="Kind of sentences that answer (see agent.prose.extract)."
    )
    items: tuple[str, ...] = Field(description="Items to search, the likeliest first.")
    implied: tuple[str, ...] = Field(default=(), description="Items that the question's words imply.")
    named: bool = Field(default=False, description="Whether the question names the Items itself.")
    whole: bool = Field(
        default=False, description="Whether an Item is asked about as a whole: its risks, its summary."
    )
    compares: bool = Field(
        default=False,
        description="Whether it asks what changed in its Item between two reports: each sub-query is what became of passages.",
    )
    newest: bool = Field(
        default=False, description="Whether only the newest documents of a kind are asked for, whatever they tell of."
    )
    ahead: bool = Field(
        default=False,
        description="Whether only what the company expects of a time to come answers, of which a 10-K is asked.",
    )
    amount: Literal["", "count", "money"] = Field(
        default="",
        description="Kind of number that a sentence must state to answer: count (how many) or money (how much).",
    )
    queries: tuple[SubQuery, ...]
    searches: tuple[SubQuery, ...] = Field(
        default=(),
        description="Further searches in the words of filings; for an ambiguous question, one for each reading.",
    )

    def part(self, query: int) -> str:
        """What a part of the question is called, such as removed; empty where it has one part."""
        return self.queries[query].label if len(self.queries) > 1 and query < len(self.queries) else ""

    @property
    def alone(self) -> Self:
        """What is asked of a document that is compared with none."""
        title = " ".join(ITEMS[item].title.lower() for item in self.items if item in ITEMS)
        whole = (SubQuery(label=title, words=tuple(title.split())),)
        return self.model_copy(update={"compares": False, "queries": whole}) if self.compares else self

    @property
    def axes(self) -> tuple[str, ...]:
        """The readings of an ambiguous question: the titles of the parts after those of the queries."""
        return tuple(dict.fromkeys(one.axis for one in self.searches if one.axis))
