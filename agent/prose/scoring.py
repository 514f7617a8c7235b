"""How well a sentence answers: which of the question's words it has, in itself and in what it stands under."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.prose.section_text import Sentence
from agent.prose.stretches import refers
from agent.prose.units import Unit
from agent.prose.weights import Asked, Term
from agent.words.stems import roots

# Credit of a word by where it stands: in the sentence itself, in filing words for it, in the heading above, ...
ITSELF, VARIANT, HEADING, BEFORE, AROUND = 1.0, 0.5, 0.75, 0.5, 0.25


@dataclass(frozen=True, slots=True)
class Score:
    """One sentence against one part of the question.

    covered: share of the question's words, weighed, that the sentence and its heading have. own: in the sentence alone.
    names: whether every name of the question is there.
    traits: all that it is judged by, as agent.prose.calibration weighs it. total: its worth by that.
    """

    unit: Unit
    covered: float
    own: float
    names: bool
    total: float = 0.0
    traits: Mapping[str, float] = field(default_factory=dict)


def score(unit: Unit, asked: Asked, around: frozenset[str]) -> Score:
    """A sentence against one part of a question. around: the words of the whole passage."""
    heading = roots(" ".join(unit.headings))
    before = roots(unit.before)
    # "The increase was due to ..." is quoted with the sentence it refers to.
    own_roots = unit.roots | before if unit.order and refers(unit.text) else unit.roots
    variant = any(phrase <= own_roots for phrase in asked.variants)
    covered = own = 0.0
    names = True
    for term in asked.terms:
        in_unit = credit(term, own_roots)
        if not in_unit and variant:
            in_unit = VARIANT
        best = max(in_unit, HEADING * credit(term, heading), BEFORE * credit(term, before))
        best = max(best, AROUND * credit(term, around))
        covered += term.weight * best
        own += term.weight * in_unit
        if best < BEFORE:
            names = names and not term.name
    total = asked.total or 1.0
    return Score(unit, covered / total, own / total, names)


def credit(term: Term, found: frozenset[str]) -> float:
    """Whether a word stands among others, as credit."""
    return ITSELF if term.root in found else 0.0


_POINTER = re.compile(
    r"^(?:for (?:more|additional|further|a (?:more )?(?:detailed )?(?:discussion|description))|see|refer to|please (?:see|refer)|"
    r"the (?:information|following (?:table|discussion|risk|should))|information (?:required|regarding|about|set forth|concerning)|"
    r"additional information|this (?:section|item) should|you should (?:carefully )?(?:read|consider)|the following (?:is|are|summar))",
    re.IGNORECASE,
)
_CROSS = re.compile(
    r"\b(?:see (?:also )?(?:note|part|item|the section)|refer to (?:note|part|item)|incorporated (?:herein )?by reference|"
    r"(?:is|are) (?:included|discussed|described|set forth|presented|disclosed|contained) in (?:note|part|item|the section))\b|"
    r"\u201c(?:risk factors|legal proceedings|management\u2019s discussion)",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"forward-looking|words such as|private securities litigation reform act|undertakes? no obligation|"
    r"actual results (?:could|may|might) differ|not (?:intended to be )?a (?:complete|exhaustive)|"
    r"cautionary (?:note|statement)|each of which is incorporated|critical audit matter(?:s)? (?:is a|are)|"
    r"we conducted our audits?|our audits? (?:also )?included|registrant\u2019s? annual report",
    re.IGNORECASE,
)


def is_boilerplate(unit: Sentence) -> bool:
    """Language that stands in every filing and answers nothing: pointers, forward-looking statements, audit routine."""
    return bool(_FORWARD.search(unit.text)) or is_pointer(unit.text)


def is_pointer(text: str) -> bool:
    """Whether a sentence only says where something else stands."""
    if _POINTER.search(text):
        return len(text) < 400
    return bool(_CROSS.search(text)) and len(text) < 160


def scored(units: Sequence[Unit], asked: Asked) -> list[Score]:
    """Sentences that can answer, in the order given."""
    around: dict[int, frozenset[str]] = {}
    for unit in units:
        around[unit.place] = around.get(unit.place, frozenset()) | unit.roots
    return [score(unit, asked, around[unit.place]) for unit in units if not is_boilerplate(unit)]
