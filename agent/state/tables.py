"""Tables of figures: for each measure, company and year a value with its facts, or a gap with its reason."""

from datetime import date
from decimal import Decimal
from typing import Literal

from pydantic import Field

from agent.refusals.codes import Code
from agent.state.fact_findings import FactRef, LaterValue, Rejected
from agent.state.query import Alignment, Basis
from agent.state.references import Record
from filings.xbrl.periods import FiscalPeriod, Place

# So many figures of a row are worth showing where what is computed over it lacks one.
MOST_OF_A_ROW = 2


class CellOperand(Record):
    """One fact of a formula. One concept in two years, or from two filings, gives two operands."""

    name: str = Field(description="Its name in the formula: revenue[FY-1], revenue:fy2021[FY-3], revenue:aapl.")
    concept: str = Field(description="Key of the measure; for a line of a statement, its tag in lower case.")
    label: str
    cik: int
    fiscal_year: int = Field(description="Fiscal year of the value, as the company names it.")
    fiscal_period: FiscalPeriod = Field(default=FiscalPeriod.YEAR, description="Part of the fiscal year.")
    fact: FactRef

    @property
    def place(self) -> Place:
        return Place(self.fiscal_year, self.fiscal_period)


class Gap(Record):
    """Why there is no value, in the words of a refusal."""

    code: Code
    text: str = Field(description="First sentence: what is missing, or why it is not given.")
    detail: str = ""
    looked_for: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = Field(default=(), description="XBRL tags that were tried.")
    candidates: tuple[FactRef, ...] = Field(
        default=(),
        description="For a conflict, the facts that disagree; for a result that is not meaningful, its operands.",
    )


class Restated(Record):
    """A fact of the cell that another filing reports differently."""

    concept: str
    fiscal_year: int
    used: Decimal
    later: LaterValue


# A part of a figure; the sum of parts above it; an item between the parts and the whole, such as eliminations; what they
# leave of it.
Role = Literal["", "part", "subtotal", "reconciling", "rest"]


class Recast(Record):
    """A later report gives the value shown, because the period's own is on another basis than the periods after it."""

    fiscal_year: int = Field(description="Of the report that gives the value shown.")
    accession: str
    first: Decimal | None = Field(default=None, description="The value that the year's own 10-K gave.")
    fact: FactRef | None = Field(default=None, description="Its fact; None where it is derived.")
    own_loaded: bool = Field(
        default=False, description="Whether the year's own 10-K is loaded; without a first value, it has none."
    )


class Cell(Record):
    """One measure of one company in one fiscal year: a value with its facts, or a gap.

    value is in `unit`: USD or another ISO currency, shares, USD/shares, pure (a fraction as tagged), percent (46.2, not
    0.462), points (of a percentage), ratio, days.
    """

    row: int = Field(description="Number of its row in the query, from 0.")
    cik: int
    company: str = Field(description="Company's short name, such as Apple.")
    measure: str = Field(
        description="Key of the measure, such as revenue or roe:ending; for a line of a statement, its XBRL tag."
    )
    label: str
    heading: str = Field(default="", description="For a line of a statement: the heading above it.")
    fiscal_year: int | None = Field(
        default=None, description="Fiscal year; None if no filing is known for the period."
    )
    fiscal_period: FiscalPeriod = Field(
        default=FiscalPeriod.YEAR, description="Part of the year, or the twelve months to the end of a quarter."
    )
    calendar_year: int | None = Field(
        default=None, description="Calendar year that it stands under, if several companies are aligned by calendar."
    )
    calendar_period: FiscalPeriod = Field(default=FiscalPeriod.YEAR, description="Part of that calendar year.")
    period_end: date | None = None
    accession: str = Field(default="", description="Accession number of the filing that the figure comes from.")
    filed: date | None = None
    url: str = ""
    value: Decimal | None = None
    unit: str = ""
    asked: bool = True
    alternative: bool = Field(
        default=False, description="Whether it is another definition or measure, shown for comparison."
    )
    reading: str = Field(default="", description="Which definition of the measure it follows, if there are several.")
    limit: Literal["", "low", "high"] = Field(
        default="", description="Of a range that a company guides, which end it is."
    )
    period_reading: str = Field(default="", description="Which meaning of the period it follows, if there are two.")
    formula: str = Field(default="", description="Formula over the operands; empty if the value is one fact.")
    operands: tuple[CellOperand, ...] = ()
    fact: FactRef | None = Field(default=None, description="The fact itself; None for a computed figure.")
    breakdown: tuple[CellOperand, ...] = Field(default=(), description="Parts that add up to the fact, shown with it.")
    rejected: tuple[Rejected, ...] = Field(default=(), description="Facts that were not used, and why.")
    gap: Gap | None = None
    notes: tuple[str, ...] = Field(default=(), description="Notes that the reader must know, in sentences.")
    restated: tuple[Restated, ...] = ()
    recast: Recast | None = None
    role: Role = Field(default="", description="What a row of a breakdown is; empty for other rows.")
    part: str = Field(default="", description="In a breakdown, the name of the part alone: iPhone.")
    basis_break: str = Field(
        default="", description="Why this period and the one before it are not on one basis; empty where they are."
    )
    seams: tuple[str, ...] = Field(
        default=(), description="Accession numbers of other filings that operands come from."
    )
    passed_checks: tuple[str, ...] = Field(
        default=(), description="Ids of the accounting identities that its facts satisfy."
    )
    failed_checks: tuple[str, ...] = Field(default=(), description="Weaker checks that its filing fails, in words.")

    @property
    def asserted(self) -> bool:
        """Whether the answer asserts it."""
        return self.asked and not self.alternative and self.value is not None

    @property
    def digits(self) -> str | None:
        """The value with all its digits, as a decimal number; None for a gap."""
        return None if self.value is None else format(self.value, "f")

    @property
    def first_reported(self) -> str | None:
        """All digits of the value that the year's own report gave, where a later one is shown; otherwise None."""
        return format(self.recast.first, "f") if self.recast and self.recast.first is not None else None

    @property
    def place(self) -> Place:
        """The company's own period: a fiscal year, 0 where none is known, or a part of one."""
        return Place(self.fiscal_year or 0, self.fiscal_period)

    @property
    def guided(self) -> str:
        """Of guidance when it was given, "guided, as of 25 April 2023"; empty for a result."""
        return next((one.guided for one in self.facts), "")

    @property
    def guided_as_of(self) -> date | None:
        """The day on which guidance was given; None for a result."""
        return next((one.given or one.filed for one in self.facts), self.filed) if self.guided else None

    @property
    def column(self) -> Place:
        """Its column in a table: the company's own period, or the calendar period that it is aligned by."""
        if self.calendar_year is None:
            return self.place
        return Place(self.calendar_year, self.calendar_period, calendar=True)

    @property
    def facts(self) -> tuple[FactRef, ...]:
        """Every fact behind it."""
        return (self.fact,) if self.fact else tuple(one.fact for one in self.operands)


class Placed(Record):
    """One place of a ranking, or one term of a comparison. Equal values share a rank."""

    rank: int = 0
    cik: int
    row: int
    fiscal_year: int | None
    fiscal_period: FiscalPeriod | None = Field(default=None, description="Part of the year; None: that of the result.")
    value: Decimal


class Result(Record):
    """The result of an operation on cells, as data: who wins and in what order. Pages put it into words."""

    operation: str = Field(
        description="Which operation: average, sum, cagr, growth, change, highest, lowest, rank, difference or threshold."
    )
    row: int
    label: str = Field(description="Name of the measure.")
    cik: int | None = Field(default=None, description="CIK of the company; None for several companies.")
    fiscal_years: tuple[int, ...] = Field(default=(), description="Fiscal years it covers, the oldest first.")
    fiscal_period: FiscalPeriod = Field(default=FiscalPeriod.YEAR, description="Part of each of these years.")
    fiscal_periods: tuple[FiscalPeriod, ...] = Field(
        default=(), description="Part of each year, if they differ, as for four quarters of one year."
    )
    calendar: bool = Field(default=False, description="Whether these are calendar years, as companies are aligned by.")
    value: Decimal | None = None
    unit: str = ""
    formula: str = ""
    operands: tuple[CellOperand, ...] = ()
    order: tuple[Placed, ...] = Field(
        default=(), description="Places of a ranking, the first place first; for a difference, its two terms."
    )
    highest: bool = Field(default=True, description="For a ranking: whether the highest value comes first.")
    comparison: str = Field(default="", description="For a threshold: >, >=, <, <= or ==.")
    bound: Decimal | None = None
    holds: bool | None = Field(default=None, description="For a threshold: whether the figure meets it.")
    gap: Gap | None = None
    notes: tuple[str, ...] = ()

    @property
    def digits(self) -> str | None:
        """The value with all its digits, as a decimal number; None without one."""
        return None if self.value is None else format(self.value, "f")

    @property
    def places(self) -> tuple[Place, ...]:
        """Its years or parts of years, oldest first."""
        periods = self.fiscal_periods or (self.fiscal_period,) * len(self.fiscal_years)
        return tuple(Place(*one, self.calendar) for one in zip(self.fiscal_years, periods, strict=True))

    def place_of(self, placed: Placed) -> Place:
        """The year or part of a year of one place in the ranking."""
        return Place(placed.fiscal_year or 0, placed.fiscal_period or self.fiscal_period)

    @property
    def facts(self) -> tuple[FactRef, ...]:
        return tuple(one.fact for one in self.operands)


class Table(Record):
    """All cells, row by row, company by company, newest year last, and the results of operations."""

    cells: tuple[Cell, ...] = ()
    results: tuple[Result, ...] = ()
    moved: tuple[Result, ...] = Field(
        default=(), description="The change of each row over all years asked for, for one company."
    )
    notes: tuple[str, ...] = Field(default=(), description="Notes on the whole table, in sentences.")
    aligned: Alignment | None = Field(
        default=None,
        description="What its columns mean, if periods of one name end more than 45 days apart; otherwise None.",
    )
    basis: Basis | None = Field(
        default=None, description="Which reports give its figures, if others give different ones; otherwise None."
    )

    @property
    def names(self) -> dict[int, str]:
        """CIK -> the company's name in sentences."""
        return {one.cik: one.company for one in self.cells}

    @property
    def rankings(self) -> tuple[Result, ...]:
        """Its rankings of companies, one for each year where there are several."""
        return tuple(one for one in self.results if one.operation == "rank" and one.cik is None and one.order)

    @property
    def asserted(self) -> tuple[Cell, ...]:
        """The cells that the answer asserts."""
        return tuple(one for one in self.cells if one.asserted)

    @property
    def readings(self) -> tuple[Cell, ...]:
        """The asserted cells, where they are alternative readings rather than rows and columns.

        They belong to one company and differ in one thing: how the year is read, or which measure is meant.
        """
        cells = self.asserted
        if len(cells) < 2 or self.results or any(one.guided for one in cells) or len({one.cik for one in cells}) > 1:
            return ()
        measures = {(one.row, one.measure, one.reading) for one in cells}
        years = {one.column for one in cells}
        by_period = len(measures) == 1 and all(one.period_reading for one in cells)
        return cells if by_period or (len(years) == 1 and len(measures) == len(cells)) else ()

    @property
    def answered(self) -> bool:
        """Whether any asked cell has a value and, where operations are asked, any result has one or is not meaningful.

        That growth from a loss is not meaningful is an answer, with its figures; so is a row over years that lacks
        some of them, where the others are shown. One year of two is none.
        """
        held = sum(one.asked and not one.alternative and one.value is not None for one in self.cells)
        cells = any(one.asked and one.value is not None for one in self.cells)
        results = [one for one in self.results if one.gap is None or one.gap.code is Code.NOT_MEANINGFUL]
        return cells and bool(results or not self.results or held >= MOST_OF_A_ROW)


class TargetTable(Record):
    """The table found for a target."""

    target: int
    iteration: int = 0
    table: Table
