"""The slots of a question that a language model filled, each with what can stand in its place."""

from dataclasses import dataclass

from django.utils.text import capfirst

from agent.state import Alternative, Plan
from agent.state.plan import Chip


@dataclass(frozen=True)
class Other:
    """The question with one slot filled otherwise."""

    question: str
    label: str  # the other company, measure or period; the whole question where no name of it is given


@dataclass(frozen=True)
class ReadingChip:
    """One slot for the page."""

    kind: str  # Company, Measure, Period
    label: str
    text: str  # the words of the question, as typed
    others: tuple[Other, ...]


def reading_chips(plan: Plan) -> tuple[ReadingChip, ...]:
    """The slots in their order; none where code alone read the question."""
    return tuple(_shown(one) for one in plan.chips)


def _shown(chip: Chip) -> ReadingChip:
    return ReadingChip(
        kind=capfirst(chip.slot), label=chip.label, text=chip.text, others=tuple(map(_other, chip.others))
    )


def _other(one: Alternative) -> Other:
    # A reason that is no name, such as "The next likely measure", would not say what is asked.
    named = bool(one.why) and one.why.casefold() in one.question.casefold()
    return Other(one.question, one.why if named else one.question)
