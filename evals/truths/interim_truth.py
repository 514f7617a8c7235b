"""Recomputes the goldens of quarters, parts of a year and trailing twelve months from the SEC's facts.

Shares nothing with the engine, like `evals.truths.derived_truth`: the dates of a 10-Q's facts give its quarter, and goldens
with printed statements give the elements.
"""

import json
from collections.abc import Iterator
from datetime import date
from decimal import Context, Decimal
from pathlib import Path
from typing import Literal

from pydantic import Field

from evals.golden import FOLDER, Pointer, Row
from evals.truths.derived_truth import DIGITS, UNITS, Facts, Unit, value_faults
from filings.xbrl.periods import FiscalPeriod, Place

PATH = FOLDER / "interim.jsonl"
# Days of a duration by part of the year; a year of 52 or 53 weeks divides in several ways.
DAYS = {"quarter": range(77, 119), "half": range(160, 204), "nine months": range(244, 288), "year": range(350, 381)}
_TWELVE = Context(prec=DIGITS)


class InterimDue(Row):
    """One expected value: its part of the year, facts and formula."""

    company: str = Field(description="Ticker.")
    fiscal_year: int
    period: str = Field(
        description="Q1 to Q4, H1, 9M, or TTM and the quarter at whose end it ends; of an operation, of the last, or of the extreme."
    )
    measure: str = Field(description="What is measured; of an operation, behind its name: average of revenue.")
    value: Decimal
    unit: Unit
    formula: str
    operands: dict[str, Pointer] = Field(min_length=1)

    @property
    def place(self) -> Place:
        """The year and part of it, as the company names it."""
        return Place(self.fiscal_year, FiscalPeriod(self.period))

    @property
    def key(self) -> tuple[int, str, Decimal, str]:
        """What an answer must assert."""
        return self.fiscal_year, self.period, _TWELVE.plus(self.value).normalize(), UNITS.get(self.unit, self.unit)


class InterimGolden(Row):
    """One question about parts of years and the expected result."""

    id: str
    half: Literal["tune", "check"]
    kind: str
    question: str
    companies: tuple[str, ...]
    expect: Literal["answered", "refused"]
    code: str = ""
    also: tuple[str, ...] = Field(default=(), description="Codes that are equally right.")
    truth: tuple[InterimDue, ...] = Field(default=(), description="Each is due, and no other.")
    made: tuple[InterimDue, ...] = Field(default=(), description="What an operation makes of them, and no other.")
    why: str = ""


def read(path: Path = PATH) -> list[InterimGolden]:
    """All of them. Raises ValueError for a faulty line."""
    return [InterimGolden.model_validate(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def disagreements(golden: InterimGolden, facts: Facts) -> Iterator[str]:
    """The faults of a golden, in words: values, and lengths and ends of its periods."""
    for due in (*golden.truth, *golden.made):
        where = f"{golden.id} {due.company} {due.period} {due.fiscal_year} {due.measure}"
        others = _faults(due) if due in golden.truth else ()
        yield from (f"{where}: {fault}" for fault in value_faults(due, facts, others))
    if (golden.expect == "answered") != bool(golden.truth) or (golden.expect == "refused") != bool(golden.code):
        yield f"{golden.id}: {golden.expect} does not go with its truths and code"


def _faults(due: InterimDue) -> Iterator[str]:
    """Operands that cannot belong to the named part."""
    lengths = {name: _length(at.start, at.end) for name, at in due.operands.items()}
    ends = sorted({at.end for at in due.operands.values()})
    if None in lengths.values():
        yield f"an operand is no part of a year: {lengths}"
    if due.period == "Q4" and sorted(map(str, lengths.values())) != ["nine months", "year"]:
        yield f"a fourth quarter is a year less nine months, not {lengths}"
    if due.period.startswith("TTM") and (len(due.operands) != 3 or "year" not in lengths.values()):
        yield f"twelve months are a year and two parts, not {lengths}"
    if due.period == "Q4" and (ends[-1] - ends[0]).days not in DAYS["quarter"]:
        yield f"nine months and their year end on {ends}"
    if due.formula in due.operands and due.period[0] in "H9":
        wanted = {"H1": "half", "9M": "nine months"}[due.period]
        if set(lengths.values()) != {wanted}:
            yield f"is no {wanted}: {lengths}"
    if len({at.cik for at in due.operands.values()}) > 1:
        yield "its operands are of several companies"


def _length(start: date | None, end: date) -> str | None:
    if start is None:
        return "day"
    return next((name for name, days in DAYS.items() if (end - start).days in days), None)
