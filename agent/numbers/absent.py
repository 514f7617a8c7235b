"""Why nothing in a filing answers a concept: what is there instead, so that the refusal says no more than is known."""

from agent.numbers.book import Candidate
from agent.numbers.choice import Choice, NoChoice, names_of
from agent.numbers.derive import Decided
from agent.numbers.registry import Concept
from agent.refusals.codes import Code


def nothing(concept: Concept, candidates: list[Candidate], decided: Decided, offset: int) -> NoChoice:
    """No value answers: it is given by class only, or not reported for this year, or not at all."""
    book = decided.book
    face = book.face_of(concept)
    line_held = face is not None and any(name in face for name in concept.names)
    by_class = book.only_by_dimension(concept, offset)
    return NoChoice(
        concept.key,
        Code.DIMENSIONAL_ONLY if by_class else Code.CONCEPT_NOT_REPORTED,
        candidates=tuple(candidates),
        tried=names_of(concept),
        face_held=face is not None,
        line_held=line_held,
        nearest="" if by_class or line_held else book.nearest_line(concept),
        variant="" if by_class else variant_held(concept, decided, offset),
    )


def variant_held(concept: Concept, decided: Decided, offset: int) -> str:
    """Which other measure under the same words stands on the face, in words; empty where none does."""
    for variant in concept.variant_tags:
        if variant == "including_cost_of_revenue" and not isinstance(
            decided.annual("cost_of_revenue", offset), Choice
        ):
            continue  # a total that includes no such line (V)
        names = [(name, None) for name in concept.variant_names(variant)]
        if any(one.face for one in decided.book.candidates(concept, names, offset)):
            return variant.replace("_", " ")
    return ""
