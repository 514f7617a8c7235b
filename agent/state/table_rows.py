"""Cells of a table as JSON has them, in the API, files and batches: values as decimal numbers in full."""

from datetime import date

from pydantic import BaseModel, Field


class TableFact(BaseModel):
    """An XBRL fact that a figure is based on."""

    fact: int = Field(description="Number of the fact, for /facts/{id}; 0 of a printed figure, which `page` shows.")
    tag: str = Field(description="XBRL tag with its taxonomy, such as us-gaap:Revenues.")
    axis: str = Field(
        description="Kind of part it is about, in the filing's words, such as Segments; empty for the whole company."
    )
    member: str = Field(description="Name of that part in the filing; for several axes, in the same order.")
    value: str = Field(description="Value as filed, as a decimal number.")
    start: date = Field(description="First day of the period; equal to `end` for a balance.")
    end: date = Field(description="Last day of the period, or the day of a balance.")
    accession: str = Field(description="Accession number of the filing.")
    url: str = Field(description="Address of the filing on sec.gov; empty for a fictional company.")


class TableGap(BaseModel):
    """The reason why there is no figure: a result, not an error."""

    code: str = Field(description="Code of the reason: concept_not_reported, conflict, sign_in_required, ...")
    text: str = Field(description="What is missing, in sentences.")


class TableRow(BaseModel):
    """One measure of one company in one fiscal year: a figure with its facts, or a gap."""

    company: str = Field(description="Company's short name, such as Apple.")
    cik: int = Field(description="CIK of the company.")
    fiscal_year: int | None = Field(
        description="Fiscal year as the company names it; null if there is no figure in any year asked for."
    )
    fiscal_period: str = Field(
        description="FY for the whole year, its part (Q1 to Q4, H1, H2, 9M), or twelve months to a quarter: TTM Q3."
    )
    column: str = Field(
        description="Column it stands in beside other companies: FY2024 or Q3 FY2024 as the company names it, or CY2024 or Q3 CY2024 where companies are aligned by calendar; empty if `fiscal_year` is null."
    )
    period_end: date | None = Field(description="Last day of the fiscal year, or of its part.")
    key: str = Field(
        description="Key of the measure, such as revenue or roe:ending; for a line of a statement, its XBRL tag."
    )
    measure: str = Field(description="Name of the measure, with its definition if there are several.")
    statement: str = Field(description="For a line of a statement: which statement; otherwise empty.")
    value: str | None = Field(description="Value with all its digits, as a decimal number; null if there is a gap.")
    unit: str = Field(
        description="Unit of the value: USD, shares, USD/shares, pure, percent (46.2 means 46.2%), points, ratio or days."
    )
    guided_as_of: date | None = Field(
        description="Of guidance, which is no result: the day on which the company gave it; null for all else."
    )
    asked: bool = Field(
        description="False for a figure given for comparison, such as another definition of the measure."
    )
    formula: str = Field(description="Formula of a computed figure; empty if the figure is one fact.")
    facts: list[TableFact] = Field(description="All facts that the figure is based on.")
    restated_in: str | None = Field(
        description="Accession number of the later report that gives this value, because the year's own report is on "
        "another basis; null for a value as first reported."
    )
    first_reported: str | None = Field(
        description="The value that the year's own report gave, if a later one is shown."
    )
    basis_break: str = Field(
        description="Why the value is not on one basis with the period before in this table; empty where it is."
    )
    gap: TableGap | None = Field(description="Why there is no figure; null if there is one.")
    notes: list[str] = Field(description="Notes on this figure that the reader must know.")
