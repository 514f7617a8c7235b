"""The rows of a FinanceBench file, and each result."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from evals.truths.foreign_truth import BareNumber, Grade, bare_number
from filings.models.source_kinds import ANNUAL, KINDS, SourceKind

_DOCUMENT = re.compile(
    r"_(?P<year>\d{4})(?:Q(?P<quarter>\d))?_(?P<form>[0-9A-Za-z-]+?)(?:_dated-(?P<day>\d{4}-\d\d-\d\d))?$"
)
# Documents are of the kinds of source_kinds, without hyphens; earnings releases are exhibits of 8-Ks.
_KINDS = {key.replace("-", "").upper(): kind for key, kind in KINDS.items()} | {"EARNINGS": KINDS["8-K"]}
# Ranks up to which a page counts as found.
DEPTHS = (1, 5, 10)


class Failure(StrEnum):
    """Why a question was lost."""

    DOCUMENT = "document"  # its document could not be had
    READING = "reading of the question"  # refused before anything was searched
    RETRIEVAL = "retrieval"  # nothing of the evidence's page was found
    TABLE = "figure"  # another figure, or none, was taken from what was found
    FORMULA = "formula"  # the operands are in the evidence, but the value differs
    JUDGEMENT = "judgement"  # the evidence is shown, and does not answer as the truth does


class FileRow(BaseModel):
    """Base of file rows; unneeded fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Evidence(FileRow):
    evidence_text: str = Field(default="", validation_alias=AliasChoices("evidence_text", "text"))
    evidence_page_num: int | None = Field(
        default=None, validation_alias=AliasChoices("evidence_page_num", "page"), description="Of the PDF, from 0."
    )


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
    def quarter(self) -> int | None:
        """The quarter of its document, where that is of one."""
        named = _DOCUMENT.search(self.doc_name)
        return int(named["quarter"]) if named and named["quarter"] and self.kind.span == "quarter" else None

    @property
    def day(self) -> date | None:
        """The day in its document's name, or else the last of its year."""
        named = _DOCUMENT.search(self.doc_name)
        if named and named["day"]:
            return date.fromisoformat(named["day"])
        return date(self.year, 12, 31) if self.year else None

    @property
    def kind(self) -> SourceKind:
        """The kind of its document: an annual report where nothing says another."""
        named = _DOCUMENT.search(self.doc_name)
        form = self.doc_type or (named["form"] if named else "")
        return _KINDS.get(form.upper().replace("-", ""), ANNUAL if not form else KINDS["report"])

    @property
    def bare(self) -> BareNumber | None:
        """Its truth, where that is only a number."""
        return bare_number(self.answer, self.question)


@dataclass(frozen=True)
class Asked:
    """One question and its result. pages: of the evidence; shown: whether the answer cites or shows one of them."""

    row: FinanceBenchQuestion
    grade: Grade
    failure: Failure | None = None
    outcome: str = ""  # empty where it was not asked
    code: str = ""  # of the refusal
    pages: frozenset[int] = frozenset()
    rank: int | None = None  # rank, up to ten, of the first passage on an evidence page for the question's words
    shown: bool = False
    seconds: float = 0.0
    tokens: int = 0
    cost: Decimal = Decimal(0)
