"""The goldens: questions with the expected answer or refusal, written before the engine was tuned."""

import json
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FOLDER = Path(__file__).with_name("goldens")
SAMPLE = (FOLDER / "numeric.jsonl", FOLDER / "refusals.jsonl")
PARTS = (FOLDER / "parts.jsonl",)
# "Has not ended yet" depends on the day the goldens were written.
TODAY = date(2026, 11, 21)


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Pointer(Row):
    """The position of the figure in the SEC's own file."""

    cik: int
    taxonomy: str
    tag: str
    start: date | None = Field(description="None for an instant.")
    end: date
    unit: str
    accession: str
    dimensions: str = Field(default="", description="Of a part of a company: Axis=Member, several with semicolons.")


class Printed(Row):
    """The figure as printed; `scale` is its power of ten."""

    figure: str
    scale: int
    source: Literal["statement", "companyfacts", "table"]
    row: str = Field(default="", description="Of a table: what the row is called.")
    column: str = Field(default="", description="Words of the column's heads, each part with a bar between.")
    under: str = Field(default="", description="The heading above the row, where rows of one name have several.")
    beside: str = Field(default="", description="Another row of the table, where tables have rows of one name.")

    @property
    def size(self) -> Decimal:
        """The full number without its sign, which statements write in many ways."""
        return abs(Decimal(self.figure.replace(",", ""))).scaleb(self.scale)


class Value(Row):
    """One expected number."""

    value: Decimal
    unit: str
    concept: str
    pointer: Pointer
    literal: Printed
    beside: bool = Field(default=False, description="Shown beside the answer under its own name, as another reading.")


class Golden(Row):
    """One question and the expected result."""

    id: str
    half: Literal["tune", "check"]
    question: str
    outcome: Literal["answered", "refused", "meta", "error"]
    values: tuple[Value, ...] = ()
    code: str = ""
    also: tuple[str, ...] = Field(default=(), description="Codes that are equally right.")
    why: str = ""
    filings: tuple[str, ...] = Field(default=(), description="Accessions that must be held to be rightly refused.")

    @property
    def accessions(self) -> set[str]:
        """Its filings."""
        return {*self.filings, *(value.pointer.accession for value in self.values)}

    @property
    def codes(self) -> tuple[str, ...]:
        return (self.code, *self.also)


def read(half: str | None = None, paths: Iterable[Path] = SAMPLE) -> list[Golden]:
    """All goldens of some files, or those of one half."""
    return [golden for golden in _rows(paths) if half in (None, golden.half)]


def _rows(paths: Iterable[Path]) -> Iterator[Golden]:
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                yield Golden.model_validate(json.loads(line))
            except ValueError as error:
                raise ValueError(f"{path.name}, line {number}: {error}") from error
