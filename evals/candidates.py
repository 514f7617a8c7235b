"""Approved golden candidates as rows of the goldens, in the tuning half: whoever reviewed them has seen them."""

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation

from agent.golden_pointers import FactPointer, PassagePointer
from agent.models import GoldenCandidate
from evals.golden import Golden, Pointer, Printed, Value
from evals.prose_golden import Part, ProseGolden, Truth
from evals.prose_truth import fingerprint
from filings.models import Section


class NotExportable(ValueError):
    """A candidate that no golden can be made of; the message is a sentence."""


def rows(candidates: Iterable[GoldenCandidate]) -> Iterator[Golden | ProseGolden | NotExportable]:
    """Each candidate as a golden, or why it is none."""
    for candidate in candidates:
        try:
            yield golden(candidate)
        except NotExportable as problem:
            yield problem


def golden(candidate: GoldenCandidate) -> Golden | ProseGolden:
    """One candidate as a row of the numeric, refusal or prose goldens. Raises NotExportable."""
    key = f"c{candidate.pk:05d}"
    if candidate.outcome == GoldenCandidate.Due.REFUSED:
        if not candidate.code:
            raise NotExportable(f"{candidate}: no refusal is named.")
        return Golden(
            id=key,
            half="tune",
            question=candidate.question,
            outcome="refused",
            code=candidate.code,
            why=candidate.why,
        )
    facts = [FactPointer.model_validate(one) for one in candidate.facts]
    passages = [PassagePointer.model_validate(one) for one in candidate.passages]
    if facts and passages:
        raise NotExportable(f"{candidate}: figures and text in one answer are no row of either kind.")
    if facts:
        if derived := sorted({one.operand_of for one in facts if one.operand_of}):
            raise NotExportable(f"{candidate}: {', '.join(derived)} is derived, and a row points at one fact.")
        values = tuple(value(one) for one in facts)
        return Golden(
            id=key, half="tune", question=candidate.question, outcome="answered", values=values, why=candidate.why
        )
    if not passages:
        raise NotExportable(f"{candidate}: it points at nothing.")
    truths = tuple(truth(one) for one in passages)
    return ProseGolden(
        id=key,
        half="tune",
        question=candidate.question,
        kind=(),
        outcome="answered",
        cik=passages[0].cik,
        accession=passages[0].accession,
        parts=(Part(truths=truths),),
        why=candidate.why,
    )


def value(fact: FactPointer) -> Value:
    """A number due, with the figure as it is printed where that gives it."""
    return Value(
        value=fact.value,
        unit=fact.unit,
        concept=fact.concept,
        pointer=Pointer(
            cik=fact.cik,
            taxonomy=fact.taxonomy,
            tag=fact.tag,
            start=None if fact.start == fact.end else fact.start,
            end=fact.end,
            unit=fact.unit,
            accession=fact.accession,
        ),
        literal=literal(fact),
    )


def literal(fact: FactPointer) -> Printed:
    """The printed figure and the power of ten it is written in; companyfacts' own number where it is not known."""
    try:
        printed = abs(Decimal(fact.printed.replace(",", "")))
    except InvalidOperation:
        printed = Decimal(0)
    for scale in (0, 3, 6, 9):
        if printed and printed.scaleb(scale) == abs(fact.value):
            return Printed(figure=fact.printed, scale=scale, source="statement")
    return Printed(figure=fact.raw, scale=0, source="companyfacts")


def truth(passage: PassagePointer) -> Truth:
    """A passage as the hash of its words, read out of the text that is held. Raises NotExportable."""
    section = Section.objects.filter(pk=passage.section, sha256=passage.sha256).only("text").first()
    if section is None:
        raise NotExportable(
            f"{passage.accession}: the text has been read anew since, and the passage is not found in it."
        )
    words, sha256 = fingerprint(section.text[passage.start : passage.end])
    if not words:
        raise NotExportable(f"{passage.accession}: the passage has no words.")
    return Truth(
        accession=passage.accession,
        item=passage.item,
        start=passage.start,
        end=passage.end,
        words=words,
        sha256=sha256,
    )
