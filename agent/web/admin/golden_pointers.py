"""A reviewed run as a golden candidate: where the numbers and passages of its answer stand in what SEC holds."""

from datetime import date
from decimal import Decimal

from accounts.models import User
from agent.models import GoldenCandidate, Run
from agent.runs.stored import UNREAD, read
from agent.state.found import Claim, FactRef, Found
from agent.state.planned import Record


class NotReviewable(ValueError):
    """The run is no answer or refusal that a golden could be made of; the message is a sentence."""


class FactPointer(Record):
    """One number due, by the fact it is read from. Of a derived number, the facts are its operands."""

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

    @classmethod
    def of(cls, fact: FactRef, concept: str, operand_of: str = "") -> "FactPointer":
        return cls(
            concept=concept,
            unit=fact.unit,
            value=fact.value,
            cik=fact.cik,
            accession=fact.accession,
            taxonomy=fact.taxonomy,
            tag=fact.tag,
            start=fact.start,
            end=fact.end,
            raw=fact.raw,
            printed=fact.printed,
            source=fact.source,
            operand_of=operand_of,
        )


class PassagePointer(Record):
    """One passage that answers: a range of a section's text, which is known by its hash."""

    cik: int
    accession: str
    item: str
    section: int
    sha256: str
    start: int
    end: int

    @classmethod
    def of(cls, claim: Claim) -> "PassagePointer":
        return cls(
            cik=claim.cik,
            accession=claim.accession,
            item=claim.item,
            section=claim.section,
            sha256=claim.sha256,
            start=claim.start,
            end=claim.end,
        )


def pointers_of(found: Found) -> list[FactPointer]:
    """Where a number stands."""
    if found.fact is not None:
        return [FactPointer.of(found.fact, found.concept)]
    return [FactPointer.of(operand.fact, operand.concept, found.concept) for operand in found.operands]


def promote(run: Run, by: User | None) -> tuple[GoldenCandidate, bool]:
    """The candidate made of a run, and whether it is new. What a reviewer wrote on an earlier one stays.

    Raises NotReviewable.
    """
    held = GoldenCandidate.objects.filter(run=run).first()
    if held is not None:
        return held, False
    if run.outcome not in GoldenCandidate.Due.values or not run.answer:
        raise NotReviewable("Only an answer or a refusal can be a golden.")
    answer = read(run.answer)
    if answer is None:
        raise NotReviewable(UNREAD)
    blocks = [block for block in answer.blocks if block.outcome == "answered"]
    facts = [one for block in blocks for draft in block.drafts for one in pointers_of(draft.found)]
    passages = [PassagePointer.of(claim) for block in blocks for claim in block.claims]
    given = getattr(run, "feedback", None)
    return GoldenCandidate.objects.get_or_create(
        run=run,
        defaults={
            # Of a question that goes on from another, the whole one.
            "question": run.composed or run.question,
            "outcome": run.outcome,
            "code": run.refusal_code,
            "facts": [one.model_dump(mode="json") for one in facts],
            "passages": [one.model_dump(mode="json") for one in passages],
            "why": given.reviewer_note if given else "",
            "proposed_by": by,
        },
    )
