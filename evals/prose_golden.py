"""The prose goldens: questions with the passages that answer them, or the expected refusal."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from evals.golden import FOLDER, Row

EDGAR, SAMPLE = FOLDER / "prose_edgar.jsonl", FOLDER / "prose_sample.jsonl"
# On the other documents of the sample: 10-Q, 8-K, proxy statement, call, imported report.
SOURCES = FOLDER / "prose_sources.jsonl"

Kind = Literal[
    "risks",
    "explain",
    "why",
    "yes_no",
    "compound",
    "vague",
    "misspelt",
    "no_shared_word",
    "other_company",
    "other_year",
    "false_premise",
    "near_miss",
    "bullet",
    "heading",
    "metadata",
    "everyday_words",
    "table",
    "index_filer",
    "not_held",
    "poisoned",
    "named_item",
    "two_parts",
]


class Truth(Row):
    """One supporting passage: a range of a section's frozen text, and the words it must consist of.

    `words` and `sha256` are those of evals.truths.prose_truth.fingerprint; start and end are -1 until the document has been
    read, and `locate` finds them again when they have moved.
    """

    accession: str
    item: str = Field(description="As 1A; empty where the passage stands under no Item.")
    start: int = -1
    end: int = -1
    words: int = Field(gt=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    text: str = Field(default="", description="Only of the fictional sample.")


class AskedPart(Row):
    """One part of a question: any of its truths supports it; without one, the filing has no answer."""

    asks: str = Field(default="", description="Which half; empty where the question has only one.")
    outcome: Literal["answered", "corrected", "missing", "number"] = "answered"
    truths: tuple[Truth, ...] = ()


class ProseGolden(Row):
    """One question and the expected result.

    `answered`: a claim overlaps a truth of every part. `corrected`: the premise is false and the truths say so, so that
    showing one of them or refusing are both right. `refused`: no claim at all, with one of the codes.
    """

    id: str
    half: Literal["tune", "check"]
    question: str
    kind: tuple[Kind, ...]
    outcome: Literal["answered", "refused", "corrected"]
    cik: int = Field(description="Of the company asked about.")
    accession: str = Field(description="The filing asked about; where none is held, empty.")
    parts: tuple[AskedPart, ...] = ()
    data: tuple[str, ...] = Field(default=(), description="Metadata due: any of these must be shown, dates as ISO.")
    codes: tuple[str, ...] = Field(default=(), description="Codes of a refusal that are right, the best first.")
    forbidden: tuple[str, ...] = Field(default=(), description="Of the sample: words that no answer may show.")
    why: str = ""

    @model_validator(mode="after")
    def _due(self) -> "ProseGolden":
        supported = bool(self.data) or any(part.truths for part in self.parts)
        if self.outcome == "refused" and (supported or not self.codes):
            raise ValueError("a refusal has codes and no truths")
        if self.outcome != "refused" and not supported:
            raise ValueError("an answer needs what supports it")
        return self

    @property
    def truths(self) -> tuple[Truth, ...]:
        return tuple(truth for part in self.parts for truth in part.truths)


def read(path: Path, half: str | None = None) -> list[ProseGolden]:
    """The goldens of one file, or those of one half."""
    return [golden for golden in _rows(path) if half in (None, golden.half)]


def _rows(path: Path) -> Iterator[ProseGolden]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield ProseGolden.model_validate(json.loads(line))
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error
