"""Figures in the API: a number with every fact behind it. Amounts are text, so that no digit is lost."""

from datetime import date

from django.urls import reverse
from pydantic import BaseModel, Field

from agent.numbers.render import exact, rounded, shown
from agent.state import Cell, FactRef, LaterValue, Scale
from agent.state.tables import CellOperand, Result


class CitedFact(BaseModel):
    """One XBRL fact as filed."""

    id: int = Field(description="Of /facts/{id}.")
    tag: str = Field(description="With its taxonomy: us-gaap:Revenues.")
    value: str = Field(description="A decimal number, in full.")
    unit: str = Field(description="As XBRL has it: USD, shares, USD/shares, pure.")
    start: date = Field(description="Of the period; equal to `end` for a balance.")
    end: date = Field(description="Last day of the period, or the day of a balance.")
    statement: str = Field(description="income, balance, cashflow, ..., or empty for a note or where none is held.")
    label: str = Field(description="The row's label as printed, where the document is held.")
    printed: str = Field(description="The figure as printed, where the document is held.")
    dimensions: str = Field(description="Axis=Member of a part of the company; empty for the whole.")
    axis: str = Field(description="Of a part of the company, as the filing calls it: Segments; empty for the whole.")
    member: str = Field(description="What the filing calls the part; of several axes, in their order.")
    form: str = Field(description="Of the filing: 10-K, 10-K/A, ...")
    accession: str = Field(description="Of the filing.")
    filed: date = Field(description="The day the filing was made.")
    source: str = Field(description="companyfacts or document.")
    url: str = Field(description="The filing on sec.gov; empty for a fictional issuer.")
    page: str = Field(description="The fact's page here.")


class OperandOf(BaseModel):
    """A fact behind a computed number."""

    name: str = Field(description="As the formula names it: revenue[FY-1].")
    concept: str = Field(description="Of /concepts; of a printed line, its tag.")
    label: str = Field(description="Its name for people.")
    cik: int = Field(description="Of the company.")
    fiscal_year: int = Field(description="That the value is of, by the company's own label.")
    fiscal_period: str = Field(description="FY, or the part of the year: Q1 to Q4, H1, H2, 9M.")
    fact: CitedFact = Field(description="The fact itself.")


class Later(BaseModel):
    """Another value that a later 10-K reports for the same tag and period."""

    fiscal_year: int | None = Field(description="Of the later 10-K; null where it has no label.")
    accession: str = Field(description="Of the later 10-K.")
    value: str = Field(description="A decimal number, in full.")
    change: str = Field(description="The later value less the one used.")


class Value(BaseModel):
    """A number that answers: a fact, or a formula over facts."""

    company: str = Field(description="The name it is spoken of by.")
    cik: int = Field(description="Of the company.")
    concept: str = Field(description="Of /concepts: revenue, roe:ending; of a line of a statement, its tag.")
    label: str = Field(description="The measure's name for people.")
    reading: str = Field(description="Which of several readings it is; empty where there is one.")
    value: str = Field(description="A decimal number, in full: 31370000000.")
    unit: str = Field(description="USD, shares, USD/shares, pure, percent (46.2), points, ratio, days.")
    shown: str = Field(description="As people write it: $31,370 million.")
    exact: str = Field(description="In full, in words: 31,370,000,000 US dollars; a computed number is rounded.")
    fiscal_year: int | None = Field(description="By the company's own label.")
    fiscal_period: str = Field(description="FY, a part of the year (Q1 to Q4, H1, H2, 9M), or twelve months: TTM Q3.")
    period_end: date | None = Field(description="Last day of the fiscal year, or of the part of it.")
    accession: str = Field(description="Of the filing that answers.")
    fact: CitedFact | None = Field(description="Null for a computed number.")
    formula: str = Field(description="Of a computed number.")
    operands: list[OperandOf] = Field(description="Facts that the number was computed from.")
    later: list[Later] = Field(description="What later 10-Ks report differently for the same periods.")
    notes: list[str] = Field(description="What the reader must know.")


class Outcome(BaseModel):
    """The result of an operation: an average, growth, a ranking, yes or no to a threshold."""

    operation: str = Field(
        description="average, sum, cagr, growth, change, highest, lowest, rank, difference, threshold."
    )
    text: str = Field(description="In a sentence.")
    label: str = Field(description="Of the measure.")
    cik: int | None = Field(description="Null where it is of several companies.")
    fiscal_years: list[int] = Field(description="The years it is made of, oldest first.")
    fiscal_period: str = Field(description="FY, or the part of each year; of unlike parts that of the last.")
    fiscal_periods: list[str] = Field(description="The part of each of them, one by one.")
    value: str | None = Field(description="A decimal number, in full; null where it has none.")
    unit: str = Field(description="Of the value.")
    formula: str = Field(description="Over the operands; empty where it only orders or compares.")
    operands: list[OperandOf] = Field(description="Facts that it was computed from.")
    order: list["Place"] = Field(description="Of an order, the best first.")
    holds: bool | None = Field(description="Of a bound: whether the figure meets it.")


class Place(BaseModel):
    """One place of a ranking."""

    rank: int = Field(description="Equal values share one.")
    cik: int = Field(description="Of the company.")
    fiscal_year: int | None = Field(description="By the company's own label.")
    fiscal_period: str = Field(description="FY, or the part of the year.")
    value: str = Field(description="A decimal number, in full.")


def value(cell: Cell, scale: Scale | None = None) -> Value:
    """A number of an answer. scale: as asked in the question. Raises ValueError for a gap."""
    if cell.value is None:
        raise ValueError(f"{cell.label} of {cell.place.called} has no value.")
    return Value(
        company=cell.company,
        cik=cell.cik,
        concept=cell.measure,
        label=cell.label,
        reading=", ".join(filter(None, (cell.reading, cell.period_reading))),
        value=format(cell.value, "f"),
        unit=cell.unit,
        shown=shown(cell.value, cell.unit, scale, reported=cell.fact is not None),
        exact=exact(cell.value if cell.fact else rounded(cell.value, cell.unit), cell.unit),
        fiscal_year=cell.fiscal_year,
        fiscal_period=cell.fiscal_period,
        period_end=cell.period_end,
        accession=cell.accession,
        fact=cited(cell.fact) if cell.fact else None,
        formula=cell.formula,
        operands=[operand(one) for one in cell.operands],
        later=[later(one.later) for one in cell.restated],
        notes=list(cell.notes),
    )


def outcome(result: Result, text: str) -> Outcome:
    """The result of an operation. text: as a sentence."""
    return Outcome(
        operation=result.operation,
        text=text,
        label=result.label,
        cik=result.cik,
        fiscal_years=list(result.fiscal_years),
        fiscal_period=result.fiscal_period,
        fiscal_periods=[one.period for one in result.places],
        value=None if result.value is None else format(result.value, "f"),
        unit=result.unit,
        formula=result.formula,
        operands=[operand(one) for one in result.operands],
        order=[
            Place(
                rank=one.rank,
                cik=one.cik,
                fiscal_year=one.fiscal_year,
                fiscal_period=result.place_of(one).period,
                value=format(one.value, "f"),
            )
            for one in result.order
        ],
        holds=result.holds,
    )


def cited(fact: FactRef) -> CitedFact:
    """A fact as an answer cites it."""
    return CitedFact(
        id=fact.fact,
        tag=fact.name,
        value=format(fact.value, "f"),
        unit=fact.unit,
        start=fact.start,
        end=fact.end,
        statement=fact.statement,
        label=fact.label,
        printed=fact.printed,
        dimensions=fact.dimensions,
        axis=fact.axis,
        member=fact.member,
        form=fact.form,
        accession=fact.accession,
        filed=fact.filed,
        source=fact.source,
        url=fact.url,
        page=reverse("fact", args=[fact.fact]),
    )


def operand(one: CellOperand) -> OperandOf:
    return OperandOf(
        name=one.name,
        concept=one.concept,
        label=one.label,
        cik=one.cik,
        fiscal_year=one.fiscal_year,
        fiscal_period=one.fiscal_period,
        fact=cited(one.fact),
    )


def later(one: LaterValue) -> Later:
    return Later(
        fiscal_year=one.fiscal_year,
        accession=one.fact.accession,
        value=format(one.fact.value, "f"),
        change=format(one.change, "f"),
    )
