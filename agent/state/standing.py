"""What became of a saved answer: the figures that later filings restate or overtake, and what no longer verifies."""

from decimal import Decimal
from typing import Literal

from pydantic import Field

from agent.state.references import Record

Reason = Literal["restated", "split", "recast", "overtaken", "broken"]


class Change(Record):
    """One thing that an answer says and that the filings stored now say otherwise."""

    reason: Reason = Field(
        description="restated; split: adjusted for a stock split; recast: of a part of the company; overtaken: a newer report is the latest; broken: the stored filing no longer gives it."
    )
    said: str = Field(description="What it is about, such as Revenue, fiscal 2024; of something broken, what differs.")
    cik: int = Field(description="CIK of the company.")
    unit: str = Field(default="", description="Unit of the two values.")
    used: Decimal | None = Field(default=None, description="The value that the answer uses, in the unit.")
    now: Decimal | None = Field(default=None, description="The value of the later filing, in the unit.")
    used_accession: str = Field(default="", description="Accession number of the filing that the answer uses.")
    accession: str = Field(default="", description="Accession number of the later filing.")
    form: str = Field(default="", description="Form of the later filing.")
    fiscal_year: int | None = Field(default=None, description="Fiscal year of the later filing.")
    fact: int | None = Field(default=None, description="Primary key of the later filing's fact.")
