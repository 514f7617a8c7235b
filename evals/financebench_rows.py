"""The rows of a FinanceBench file, and each result."""

import re
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from evals.foreign_truth import BareNumber, Grade, bare_number

_DOCUMENT = re.compile(r"_(?P<year>\d{4})(?:Q\d)?_(?P<form>[0-9A-Za-z-]+)(?:_dated.*)?$")
# Ranks up to which a page counts as found.
DEPTHS = (1, 5, 10)


class Failure(StrEnum):
    """Why a question was lost."""

    SCOPE = "not in scope"
    INGESTED = "not ingested"
    READING = "reading"  # refused before anything was searched
    RETRIEVAL = "retrieval"  # the page is not among the passages read
    SELECTION = "selection"  # another fact or sentence, or none, was used
    ARITHMETIC = "arithmetic"  # the operands are in the evidence, but the value differs
    JUDGED = "judged"  # the evidence is shown, and the judge rejects the answer


class FileRow(BaseModel):
    """Base of file rows; unneeded fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Evidence(FileRow):
    evidence_text: str = ""
    evidence_page_num: int | None = Field(default=None, description="Of the PDF, from 0.")


class FinanceBenchQuestion(FileRow):
    """One line of the file."""

    financebench_id: str
    company: str
    doc_name: str = Field(description="As 3M_2018_10K.")
    question: str
    answer: str
    justification: str | None = None
    evidence: tuple[Evidence, ...] = ()
    question_type: str | None = None
    doc_type: str | None = None
    doc_period: int | None = None

    @property
    def year(self) -> int | None:
        """The fiscal year of its document."""
        named = _DOCUMENT.search(self.doc_name)
        return self.doc_period or (int(named["year"]) if named else None)

    @property
    def bare(self) -> BareNumber | None:
        """Its truth, where that is only a number."""
        return bare_number(self.answer, self.question)

    @property
    def in_scope(self) -> bool:
        """Whether its document is an annual report."""
        named = _DOCUMENT.search(self.doc_name)
        form = self.doc_type or (named["form"] if named else "")
        return form.upper().replace("-", "") == "10K" and self.year is not None


@dataclass(frozen=True)
class Asked:
    """One question and its result."""

    row: FinanceBenchQuestion
    grade: Grade
    failure: Failure | None = None
    outcome: str = ""  # empty where it was not asked
    pages: frozenset[int] = frozenset()
    rank: int | None = None  # rank, up to ten, of the first passage on an evidence page for the question's words
