"""Table cells in the API."""

from collections.abc import Sequence
from datetime import date

from pydantic import BaseModel, Field

from agent.numbers import table_text
from agent.state import Table


class TableFact(BaseModel):
    """A fact as filed behind a figure."""

    fact: int = Field(description="Of /facts/{id}.")
    tag: str = Field(description="With its taxonomy: us-gaap:Revenues.")
    axis: str = Field(description="Of a part of the company, as the filing calls it: Segments; empty for the whole.")
    member: str = Field(description="What the filing calls the part; of several axes, in their order.")
    value: str = Field(description="A decimal number, as filed.")
    start: date = Field(description="Of the period; equal to `end` for a balance.")
    end: date = Field(description="Last day of the period, or the day of a balance.")
    accession: str = Field(description="Of the filing.")
    url: str = Field(description="The filing on sec.gov; empty for a fictional issuer.")


class TableGap(BaseModel):
    """Why there is no figure: a result, not an error."""

    code: str = Field(description="concept_not_reported, conflict, sign_in_required, ...")
    text: str = Field(description="What is missing, in sentences.")


class TableRow(BaseModel):
    """One measure of one company in one fiscal year: a figure with its facts, or a gap."""

    company: str = Field(description="The name it is spoken of by.")
    cik: int = Field(description="Of the company.")
    fiscal_year: int | None = Field(description="By the company's own label; null for a gap in all years asked.")
    fiscal_period: str = Field(description="FY, a part of the year (Q1 to Q4, H1, H2, 9M), or twelve months: TTM Q3.")
    period_end: date | None = Field(description="Last day of the fiscal year, or of the part of it.")
    key: str = Field(description="Of the measure: revenue, roe:ending; of a line of a statement, its tag.")
    measure: str = Field(description="Its name for people, with its definition where there are several.")
    statement: str = Field(description="Of a line: the statement it stands in; empty for a measure.")
    value: str | None = Field(description="A decimal number, in full; null where there is a gap.")
    unit: str = Field(description="USD, shares, USD/shares, pure, percent (46.2), points, ratio, days.")
    asked: bool = Field(description="False for another definition, shown beside the one asked.")
    formula: str = Field(description="Of a computed figure; empty where it is one fact.")
    facts: list[TableFact] = Field(description="Every fact that the figure stands on.")
    gap: TableGap | None = Field(description="Null where there is a figure.")
    notes: list[str] = Field(description="What the reader must know of this figure.")


def rows_of(table: Table, statements: Sequence[str] = ()) -> list[TableRow]:
    """The cells of a table. statements: the statement of each row of its query."""
    return [
        TableRow(
            **row,
            key=cell.measure,
            statement=statements[cell.row] if statements else "",
            notes=list(cell.notes),
        )
        for row, cell in zip(table_text.rows(table), table.cells, strict=True)
    ]
