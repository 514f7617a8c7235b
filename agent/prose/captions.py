"""Risks as the filing lists them: its own captions that match, each with the sentence below that supports it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.prose.scoring import Score, credit
from agent.prose.stretches import refers
from agent.prose.units import Unit
from agent.prose.weights import Asked
from agent.words.stems import roots

# A caption is a sentence about a risk; "Risks Related to Our Industry" only groups them.
LEAST_WORDS = 6
SAME = 0.6
_GROUP = re.compile(
    r"^(?:risks? (?:related|relating|associated)|general risk|risk factors?|other risk)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Caption:
    """One caption, the sentences found under it, the best first, and how well both match."""

    text: str
    scores: tuple[Score, ...]
    total: float

    @property
    def support(self) -> Score:
        return self.scores[0]


def is_caption(text: str) -> bool:
    """Whether a heading states a risk."""
    return len(text.split()) >= LEAST_WORDS and not _GROUP.match(text)


def captions(scores: Sequence[Score], asked: Asked) -> list[Caption]:
    """Captions with what stands under them, best first; a sentence under no caption stands for itself."""
    groups: dict[tuple[int, str], list[Score]] = {}
    for one in scores:
        heading = one.unit.headings[0] if one.unit.headings else ""
        if one.unit.kind == "heading":
            heading = one.unit.text
        groups.setdefault((one.unit.passage.section, heading if is_caption(heading) else ""), []).append(one)
    found: list[Caption] = []
    for (_, heading), members in groups.items():
        if not heading:
            found += [Caption("", (one,), one.total - 0.2) for one in members if stands(one.unit)]
            continue
        below = [one for one in members if stands(one.unit)]
        if below:
            best = sorted(below, key=lambda one: -supporting(one))
            fit = caption_fit(heading, asked)
            found.append(
                Caption(
                    heading,
                    tuple(best),
                    0.6 * best[0].total + 0.5 * fit + 0.1 * (best[0].unit.passage.annual_item == "1A"),
                )
            )
    return without_summaries(sorted(found, key=lambda one: -one.total))


def caption_fit(heading: str, asked: Asked) -> float:
    """The share of the question's words, weighed, that a caption has."""
    told = roots(heading)
    return sum(term.weight * credit(term, told) for term in asked.terms) / (asked.total or 1.0)


def supporting(score: Score) -> float:
    """How well a sentence supports the caption above it: the first sentences say it best."""
    unit = score.unit
    return (
        score.total
        + 0.3 * score.own
        - 0.15 * refers(unit.text)
        + (0.1 if unit.order == 0 else 0.0)
        - 0.1 * (unit.kind == "bullet")
    )


def stands(unit: Unit) -> bool:
    """Whether a unit is a sentence, and not a heading or a row."""
    return unit.kind in {"paragraph", "bullet"} and len(unit.text.split()) >= LEAST_WORDS


def without_summaries(found: Sequence[Caption]) -> list[Caption]:
    """Captions without the lines of a summary that repeat them, and without repeats."""
    captioned = [roots(one.text) for one in found if one.text]
    kept: list[Caption] = []
    for one in found:
        said = one.support.unit.roots
        if not one.text and any(alike(said, other) for other in captioned):
            continue
        if any(alike(said, other.support.unit.roots) or (one.text and one.text == other.text) for other in kept):
            continue
        kept.append(one)
    return kept


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and bool(other) and len(one & other) / len(one | other) >= SAME
