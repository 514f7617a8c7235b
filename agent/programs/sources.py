"""Passages as a draft is given them, and whether what it says of them may be verified at all."""

from collections.abc import Sequence

from pydantic import Field

from agent.programs import fence
from agent.programs.fence import FencedPassage
from agent.programs.figures import PLACEHOLDER
from agent.programs.said import copies, leads_away, line
from agent.programs.schemas import ClaimReply
from agent.prose.folding import same_item
from agent.state.found import Passage
from agent.state.planned import Record


class Source(Record):
    """A passage with the target it was found for, and the readings of the question whose searches found it."""

    target: int
    passage: Passage
    company: str = ""
    period: str = ""
    axes: tuple[str, ...] = Field(default=(), description="Labels; empty where the question has one reading.")


def fenced(sources: Sequence[Source]) -> list[FencedPassage]:
    """Sources as input, P1, P2, ... in their order, each with whose filing and which Item it is of."""
    return fence.fenced((heading(one), one.passage.page, one.passage.text) for one in sources)


def heading(source: Source) -> str:
    item = f"Item {source.passage.item}" if source.passage.item else ""
    return ", ".join(filter(None, (source.company, source.period, item)))


def by_id(sources: Sequence[Source]) -> dict[str, Source]:
    """The sources by the ids that they are given with."""
    return {f"P{place}": source for place, source in enumerate(sources, 1)}


def is_usable(said: ClaimReply, instructions: str) -> bool:
    """Whether a claim may be verified at all: the filing's own words, or a sentence without links and instructions."""
    text = line(said.text)
    if same_item(text, said.quote):
        return True
    # The braces of a placeholder are markup anywhere else.
    return bool(text) and not leads_away(PLACEHOLDER.sub("", text)) and not copies(text, instructions)
