"""Figures in the API, each with the facts it is based on. Numbers are sent as text, so that no digit is lost."""

from datetime import date

from pydantic import BaseModel, Field

from agent.numbers.facts.render import exact, rounded, shown
from agent.state import Cell, FactRef, LaterValue, Scale
from agent.state.conversion import converted
from agent.state.tables import CellOperand, Result
from agent.web.tables.figure_card import fact_path


class CitedFact(BaseModel):
    """One XBRL fact as filed with the SEC."""

    id: int = Field(description="Number of the fact, for /facts/{id}; 0 of a printed figure, which `page` shows.")
    tag: str = Field(description="XBRL tag with its taxonomy, such as us-gaap:Revenues.")
    value: str = Field(description="Value with all its digits, as a decimal number.")
    unit: str = Field(description="Unit in XBRL: USD, shares, USD/shares, or pure (a plain number).")
    start: date = Field(description="First day of the period; equal to `end` for a balance.")
    end: date = Field(description="Last day of the period, or the day of a balance.")
    statement: str = Field(
        description="Statement that contains it: income, balance, cashflow, ...; empty if it is in a note, or not known."
    )
    label: str = Field(description="Label of its row as printed; empty if the document is not loaded.")
    printed: str = Field(description="Figure as printed; empty if the document is not loaded.")
    printed_page: str = Field(
        description="Page of the document that prints it, where it was read there; otherwise empty."
    )
    dimensions: str = Field(
        description="Part of the company it is about, as XBRL Axis=Member; empty for the whole company."
    )
    axis: str = Field(
        description="Kind of part it is about, in the filing's words, such as Segments; empty for the whole company."
    )
    member: str = Field(description="Name of that part in the filing; for several axes, in the same order.")
    form: str = Field(description="Form type of the filing: 10-K, 10-K/A, ...")
    accession: str = Field(description="Accession number of the filing.")
    filed: date = Field(description="Day on which the filing was made.")
    source: str = Field(
        description="Where it was read: companyfacts (the SEC's data file), document (the filing itself) or printed (the "
        "tables of a document without XBRL)."
    )
    url: str = Field(description="Address of the filing on sec.gov; empty for a fictional company.")
    page: str = Field(description="Address of the fact's page on this site.")


class OperandOf(BaseModel):
    """One fact that a computed figure uses."""

    name: str = Field(description="Its name in the formula, such as revenue[FY-1].")
    concept: str = Field(description="Key of the measure in /concepts; for a line of a statement, its XBRL tag.")
    label: str = Field(description="Name to show.")
    cik: int = Field(description="CIK of the company.")
    fiscal_year: int = Field(description="Fiscal year of the value, as the company names it.")
    fiscal_period: str = Field(description="FY for the whole year, or its part: Q1 to Q4, H1, H2, 9M.")
    fact: CitedFact = Field(description="The fact itself.")


class Later(BaseModel):
    """A different value that a later 10-K reports for the same tag and period."""

    fiscal_year: int | None = Field(description="Fiscal year of the later 10-K; null if it is not known.")
    accession: str = Field(description="Accession number of the later 10-K.")
    value: str = Field(description="The later value with all its digits, as a decimal number.")
    change: str = Field(description="The later value minus the value used.")


class Value(BaseModel):
    """A figure that answers: one fact as filed, or a number computed from facts."""

    company: str = Field(description="Company's short name, such as Apple.")
    cik: int = Field(description="CIK of the company.")
    concept: str = Field(
        description="Key of the measure in /concepts, such as revenue or roe:ending; for a line of a statement, its XBRL tag."
    )
    label: str = Field(description="Name of the measure.")
    reading: str = Field(
        description="Which definition or period it follows, if the question has several meanings; otherwise empty."
    )
    value: str = Field(description="Value with all its digits, as a decimal number: 31370000000.")
    unit: str = Field(
        description="Unit of the value: USD, shares, USD/shares, pure, percent (46.2 means 46.2%), points, ratio or days."
    )
    shown: str = Field(description="Value written for people: $31,370 million.")
    exact: str = Field(
        description="Exact value with its unit in words: 31,370,000,000 US dollars; a computed figure is rounded."
    )
    fiscal_year: int | None = Field(description="Fiscal year as the company names it.")
    fiscal_period: str = Field(
        description="FY for the whole year, its part (Q1 to Q4, H1, H2, 9M), or twelve months to a quarter: TTM Q3."
    )
    period_end: date | None = Field(description="Last day of the fiscal year, or of its part.")
    accession: str = Field(description="Accession number of the filing that the figure comes from.")
    fact: CitedFact | None = Field(description="The fact itself; null for a computed figure.")
    guided_as_of: date | None = Field(
        description="Of guidance, which is no result: the day on which the company gave it; null for all else."
    )
    formula: str = Field(description="Formula of a computed figure; empty for a fact.")
    operands: list[OperandOf] = Field(description="Facts that a computed figure uses.")
    later: list[Later] = Field(description="Different values that later 10-Ks report for the same period.")
    restated_in: str = Field(
        description="Accession number of the later report that gives this value, because the year's own report is on "
        "another basis; empty for a value as first reported."
    )
    first_reported: str | None = Field(
        description="The value that the year's own report gave, where a later one is shown."
    )
    basis_break: str = Field(
        description="Why the value is not on one basis with the period before in this table; empty where it is."
    )
    notes: list[str] = Field(description="Notes that the reader must know, in sentences.")


class Outcome(BaseModel):
    """A result computed from several figures: an average, growth, a ranking, or yes or no for a limit."""

    operation: str = Field(
        description="Which operation: average, sum, cagr, growth, change, highest, lowest, rank, difference or threshold."
    )
    text: str = Field(description="The result in a sentence.")
    label: str = Field(description="Name of the measure.")
    cik: int | None = Field(description="CIK of the company; null if there are several.")
    fiscal_years: list[int] = Field(description="Fiscal years it covers, the oldest first.")
    fiscal_period: str = Field(
        description="FY for whole years, or the part of each year; if the parts differ, the last one."
    )
    fiscal_periods: list[str] = Field(description="Part of each of these years, in the same order.")
    calendar: bool = Field(
        description="Whether `fiscal_years` are calendar years, by which several companies are aligned."
    )
    value: str | None = Field(
        description="Value with all its digits, as a decimal number; null for a ranking or if there is no value."
    )
    unit: str = Field(description="Unit of the value.")
    formula: str = Field(description="Formula over the operands; empty if figures are only ordered or compared.")
    operands: list[OperandOf] = Field(description="Facts that it is computed from.")
    order: list["Place"] = Field(description="Places of a ranking, the first place first.")
    holds: bool | None = Field(description="For a threshold: whether the figure meets it; otherwise null.")


class Place(BaseModel):
    """One place of a ranking."""

    rank: int = Field(description="Place number from 1; equal values share one.")
    cik: int = Field(description="CIK of the company.")
    fiscal_year: int | None = Field(description="Fiscal year as the company names it.")
    fiscal_period: str = Field(description="FY for the whole year, or its part.")
    value: str = Field(description="Value with all its digits, as a decimal number.")


def value(cell: Cell, scale: Scale | None = None) -> Value:
    """Converts a table cell for the API. scale: from the question. Raises ValueError if the cell is a gap."""
    if cell.value is None:
        raise ValueError(f"{cell.label} of {cell.place.called} has no value.")
    return converted(
        Value,
        cell,
        concept=cell.measure,
        reading=", ".join(filter(None, (cell.reading, cell.period_reading))),
        value=cell.digits,
        shown=shown(cell.value, cell.unit, scale, reported=cell.fact is not None),
        exact=exact(cell.value if cell.fact else rounded(cell.value, cell.unit), cell.unit),
        fact=cited(cell.fact) if cell.fact else None,
        operands=[operand(one) for one in cell.operands],
        later=[later(one.later) for one in cell.restated],
        restated_in=cell.recast.accession if cell.recast else "",
    )


def outcome(result: Result, text: str) -> Outcome:
    """Converts the result of an operation for the API. text: the result as a sentence."""
    return converted(
        Outcome,
        result,
        text=text,
        fiscal_periods=[one.period for one in result.places],
        value=result.digits,
        operands=[operand(one) for one in result.operands],
        order=[
            converted(Place, one, fiscal_period=result.place_of(one).period, value=format(one.value, "f"))
            for one in result.order
        ],
    )


def cited(fact: FactRef) -> CitedFact:
    """Converts a cited fact for the API."""
    return converted(
        CitedFact,
        fact,
        id=fact.fact,
        tag=fact.name,
        value=format(fact.value, "f"),
        printed_page=fact.page,
        page=fact_path(fact),
    )


def operand(one: CellOperand) -> OperandOf:
    return converted(OperandOf, one, fact=cited(one.fact))


def later(one: LaterValue) -> Later:
    return Later(
        fiscal_year=one.fiscal_year,
        accession=one.fact.accession,
        value=format(one.fact.value, "f"),
        change=format(one.change, "f"),
    )
