"""Why no fact answers a concept, and what the filing has instead."""

from typing import NamedTuple

from agent.numbers.facts.derived_concepts import Decided
from agent.numbers.facts.filing_figures import Candidate, FilingFigures
from agent.numbers.facts.selection_result import Choice, NoChoice, names_of
from agent.numbers.registry.concept import STATEMENTS
from agent.numbers.registry.registry import Concept
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first, possessive
from filings.xbrl import member_facts


def nothing(concept: Concept, candidates: list[Candidate], decided: Decided, offset: int) -> NoChoice:
    """The reason: reported by class only, not for this year, or not at all."""
    filing_figures = decided.filing_figures
    face = filing_figures.face_of(concept)
    line_held = face is not None and any(name in face for name in concept.names)
    by_class = filing_figures.only_by_dimension(concept, offset)
    return NoChoice(
        concept.key,
        Code.DIMENSIONAL_ONLY if by_class else Code.CONCEPT_NOT_REPORTED,
        candidates=tuple(candidates),
        tried=names_of(concept),
        face_held=face is not None,
        line_held=line_held,
        variant="" if by_class else variant_held(concept, decided, offset),
    )


def variant_held(concept: Concept, decided: Decided, offset: int) -> str:
    """The variant of the measure that the statement does have, in words; empty where it has none."""
    for variant in concept.variant_tags:
        if variant == "including_cost_of_revenue" and not isinstance(
            decided.annual("cost_of_revenue", offset), Choice
        ):
            continue  # a total without any such line (V)
        names = [(name, None) for name in concept.variant_names(variant)]
        if any(one.face for one in decided.filing_figures.candidates(concept, names, offset)):
            return variant.replace("_", " ")
    return ""


class Explained(NamedTuple):
    """The reason in two sentences, which may be empty, and the nearest statement line."""

    text: str
    detail: str
    nearest: str


def explained(choice: NoChoice, concept: Concept, company: str, year: int, filing_figures: FilingFigures) -> Explained:
    """The sentences for a concept without a fact, where they can say more than the code's own."""
    text, detail, nearest = choice.text, choice.detail, choice.nearest
    statement = STATEMENTS.get(concept.statement, "")
    if choice.code is Code.DIMENSIONAL_ONLY and (
        classes := member_facts.classes(filing_figures.filing, concept.names)
    ):
        detail = detail or f"Reported for {listed(classes)}. Name the class of shares."
    if choice.code is not Code.CONCEPT_NOT_REPORTED or text:
        return Explained(text, detail, nearest)
    if not (choice.line_held or nearest):
        nearest = filing_figures.nearest_line(concept)
    if not choice.face_held or not statement:
        return Explained(text, detail, nearest)
    label = lower_first(concept.label).replace(f" ({statement})", "")
    text = f"{possessive(company)} fiscal {year} 10-K has no line for {label} on the {statement}."
    if choice.variant:
        text = f"{company} reports {lower_first(concept.label)} only “{choice.variant}” in its fiscal {year} 10-K."
        detail = "That is a different measure."
    elif choice.line_held:
        text = f"{possessive(company)} 10-K gives no fiscal {year} figure for {lower_first(concept.label)}."
        detail = "Its statement has this line for other years only."
    elif nearest:
        detail = f"The nearest line is “{nearest}”."
    return Explained(text, detail, nearest)
