"""Turns a run into a golden candidate (a test question) with pointers to its facts and passages."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from unicodedata import normalize

from accounts.models import User
from agent.models import Feedback, GoldenCandidate, Run
from agent.numbers.registry import registry as registry_file
from agent.refusals.grammar import listed
from agent.refusals.query_text import question, when
from agent.runs.stored_answer import UNREAD, read
from agent.state import Answer
from agent.state.conversion import converted
from agent.state.references import Record
from agent.state.tables import Cell
from filings.models import Section


class NotReviewable(ValueError):
    """Raised if a run has no answer or refusal to make a golden from; the message is a sentence."""


class FactPointer(Record):
    """One expected figure, given by its XBRL fact; for a computed figure, by the facts of its operands."""

    concept: str
    unit: str
    value: Decimal
    cik: int
    accession: str
    taxonomy: str
    tag: str
    start: date
    end: date
    raw: str
    printed: str = ""
    source: str = ""
    operand_of: str = ""


class PassagePointer(Record):
    """One passage that answers: a range of a section's text, identified by its hash."""

    cik: int
    accession: str
    item: str
    section: int
    sha256: str
    start: int
    end: int


def pointers_of(cell: Cell) -> list[FactPointer]:
    """The facts or passages of a run's answer."""
    if cell.fact is not None:
        return [converted(FactPointer, cell.fact, concept=cell.measure, operand_of="")]
    return [converted(FactPointer, one.fact, concept=one.concept, operand_of=cell.measure) for one in cell.operands]


def whole_question(run: Run, answer: Answer) -> str:
    """The complete question; for a follow-up, with what it took from the question before."""
    query = answer.plan.query
    if run.composed or run.before is None or query is None:
        return run.composed or run.question
    if query.rows:
        return question(query, registry_file.load())
    return f"{listed([company.called for company in query.companies])} {when(query.periods)}: {run.question}"


def promote(run: Run, by: User | None) -> tuple[GoldenCandidate, bool]:
    """The candidate made from a run, and whether it is new. A reviewer's earlier notes stay. Raises NotReviewable."""
    held = GoldenCandidate.objects.filter(run=run).first()
    if held is not None:
        return held, False
    if came_to(run) not in GoldenCandidate.Due.values or not run.answer:
        raise NotReviewable("Only an answer or a refusal can become a golden.")
    answer = read(run.answer)
    if answer is None:
        raise NotReviewable(UNREAD)
    blocks = [block for block in answer.blocks if block.outcome == "answered"]
    facts = [one for block in blocks if block.table for cell in block.table.asserted for one in pointers_of(cell)]
    passages = [converted(PassagePointer, claim) for block in blocks for claim in block.claims]
    given = getattr(run, "feedback", None)
    return GoldenCandidate.objects.get_or_create(
        run=run,
        defaults={
            "question": whole_question(run, answer),
            "outcome": came_to(run),
            "code": run.refusal_code,
            "facts": [one.model_dump(mode="json") for one in facts],
            "passages": [one.model_dump(mode="json") for one in passages],
            "why": given.reviewer_note if given else "",
            "proposed_by": by,
        },
    )


def came_to(run: Run) -> str:
    """The expected result of a run: a refusal also where passages are shown beside it."""
    return str(GoldenCandidate.Due.REFUSED) if run.refusal_code else run.outcome


class NotDue(ValueError):
    """Raised if a candidate cannot be exported; the message is a sentence. field: the field to correct."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


def due(
    outcome: str, code: str, facts: Sequence[Any], passages: Sequence[Any]
) -> tuple[list[FactPointer], list[tuple[PassagePointer, str]]]:
    """The expected numbers or passages, each with its text; neither for a refusal. Raises NotDue.

    facts, passages: as a candidate stores them.
    """
    if outcome == GoldenCandidate.Due.REFUSED:
        if not code:
            raise NotDue("code", "Give the refusal code that is correct.")
        return [], []
    if facts and passages:
        raise NotDue("outcome", "An answer with both figures and text cannot become a golden.")
    if not (facts or passages):
        raise NotDue("outcome", "The run has no fact or passage to compare an answer with.")
    numbers = [FactPointer.model_validate(one) for one in facts]
    if derived := sorted({one.operand_of for one in numbers if one.operand_of}):
        raise NotDue("outcome", f"{', '.join(derived)} is computed, but a golden needs a single fact.")
    return numbers, [(one, text_of(one)) for one in map(PassagePointer.model_validate, passages)]


def undisputed(run: Run, outcome: str, code: str) -> None:
    """Raises NotDue while negative feedback on the run waits for a reviewer."""
    given: Feedback | None = getattr(run, "feedback", None)
    if given is None or given.verdict == Feedback.Verdict.RIGHT or given.status == Feedback.Status.HANDLED:
        return
    if (outcome, code) == (came_to(run), run.refusal_code):
        verdict = given.get_verdict_display().lower()
        raise NotDue(
            "outcome", f"The feedback on the run says “{verdict}”: handle it first, or correct the expected result."
        )


def text_of(passage: PassagePointer) -> str:
    """The text of a passage, from its stored section. Raises NotDue."""
    section = Section.objects.filter(pk=passage.section, sha256=passage.sha256).only("text").first()
    if section is None:
        why = f"{passage.accession}: the text has been ingested again, and no longer contains the passage."
        raise NotDue("outcome", why)
    text = section.text[passage.start : passage.end]
    if not any(letter.isascii() and letter.isalnum() for letter in normalize("NFKC", text)):
        raise NotDue("outcome", f"{passage.accession}: the passage has no words.")
    return text
