"""Exports approved golden candidates as goldens of the tuning half: their reviewers have seen them."""

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from agent.models import GoldenCandidate
from agent.web.admin.golden_pointers import FactPointer, NotDue, PassagePointer, due
from evals.golden import Golden, Pointer, Printed, Value
from evals.prose_golden import AskedPart, ProseGolden, Truth
from evals.truths.prose_truth import fingerprint


class NotExportable(ValueError):
    """A candidate that cannot become a golden; the message is a sentence."""


def rows(candidates: Iterable[GoldenCandidate]) -> Iterator[Golden | ProseGolden | NotExportable]:
    """Each candidate as a golden, or why it cannot be one."""
    for candidate in candidates:
        try:
            yield golden(candidate)
        except NotExportable as problem:
            yield problem


def golden(candidate: GoldenCandidate) -> Golden | ProseGolden:
    """One candidate as a row of the numeric, refusal or prose goldens. Raises NotExportable."""
    try:
        facts, passages = due(candidate.outcome, candidate.code, candidate.facts, candidate.passages)
    except NotDue as problem:
        raise NotExportable(f"{candidate}: {problem}") from problem
    row: dict[str, Any] = {"id": f"c{candidate.pk:05d}", "half": "tune", "question": candidate.question}
    row |= {"outcome": candidate.outcome, "why": candidate.why}
    if candidate.outcome == GoldenCandidate.Due.REFUSED:
        return Golden(code=candidate.code, **row)
    if facts:
        return Golden(values=tuple(value(one) for one in facts), **row)
    first = passages[0][0]
    truths = tuple(truth(passage, text) for passage, text in passages)
    return ProseGolden(kind=(), cik=first.cik, accession=first.accession, parts=(AskedPart(truths=truths),), **row)


def value(fact: FactPointer) -> Value:
    """An expected number, with the printed figure where that gives it."""
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
    """The printed figure and its power of ten; companyfacts' own number where it is unknown."""
    try:
        printed = abs(Decimal(fact.printed.replace(",", "")))
    except InvalidOperation:
        printed = Decimal(0)
    for scale in (0, 3, 6, 9):
        if printed and printed.scaleb(scale) == abs(fact.value):
            return Printed(figure=fact.printed, scale=scale, source="statement")
    return Printed(figure=fact.raw, scale=0, source="companyfacts")


def truth(passage: PassagePointer, text: str) -> Truth:
    """A passage as the hash of its words."""
    words, sha256 = fingerprint(text)
    return Truth(
        accession=passage.accession,
        item=passage.item,
        start=passage.start,
        end=passage.end,
        words=words,
        sha256=sha256,
    )
