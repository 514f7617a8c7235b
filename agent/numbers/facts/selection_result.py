"""The result of selecting a fact: the number that answers, or why none does."""

from dataclasses import dataclass
from decimal import Decimal

from agent.numbers.facts.filing_figures import Candidate
from agent.numbers.facts.rounding import same_after_rounding
from agent.numbers.registry.registry import Concept
from agent.numbers.registry.row_labels import Fit
from agent.refusals.codes import Code


@dataclass(frozen=True)
class ChosenOperand:
    """One operand of a derived number, with its fact."""

    key: str
    candidate: Candidate
    offset: int = 0


@dataclass(frozen=True)
class Choice:
    """The number that answers: one candidate, or a formula over candidates."""

    key: str
    value: Decimal
    candidate: Candidate | None = None
    formula: str = ""
    parts: tuple[ChosenOperand, ...] = ()
    losers: tuple[tuple[Candidate, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def half_unit(self) -> Decimal:
        """Half a unit of the last reported digit, summed over its facts."""
        return sum((candidate.half_unit for candidate in self.candidates), Decimal(0))

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates that the number is made from."""
        return (self.candidate,) if self.candidate else tuple(part.candidate for part in self.parts)


@dataclass(frozen=True)
class NoChoice:
    """Why no number answers.

    nearest: the statement line nearest in words. variant: the registry's name of another measure under the same words
    that the statement does have, such as "including cost of revenue". line_held: whether a line with its tag has no
    figure for the year.
    """

    key: str
    code: Code
    text: str = ""
    detail: str = ""
    candidates: tuple[Candidate, ...] = ()
    tried: tuple[str, ...] = ()
    face_held: bool = False
    nearest: str = ""
    variant: str = ""
    line_held: bool = False


def same(a: Candidate, b: Candidate) -> bool:
    """Whether two candidates are one value after rounding to the coarser of the two."""
    return same_after_rounding(a.value, a.decimals, b.value, b.decimals)


def disputed(candidate: Candidate) -> bool:
    """Whether the document and SEC's companyfacts give different values for the very same fact."""
    twin = candidate.held.twin
    return twin is not None and not same_after_rounding(candidate.value, candidate.decimals, twin.value, twin.decimals)


def why_not(loser: Candidate, chosen: Candidate) -> str:
    """Why a candidate was not used, in a sentence or two."""
    if loser.fit is Fit.REJECTED:
        return f"Printed as “{loser.label}”, which is a different measure."
    agree = "Both agree." if same(loser, chosen) else "The values differ."
    if loser.face is None:
        return f"Not on the statement itself; the statement line takes precedence. {agree}"
    return f"{chosen.tag} takes precedence for this measure. {agree}"


def names_of(concept: Concept) -> tuple[str, ...]:
    """Every tag that may answer a concept."""
    return tuple(one.name for one in concept.candidates)
