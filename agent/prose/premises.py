"""What a question takes for granted: the event it names must be told by the filing, and not its opposite."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from agent.language.roots import roots

PATH = Path(__file__).with_name("events.yaml")

_PRESUMES = re.compile(
    r"\b(?:why|how (?:did|does|has|is|was|will)|when (?:did|does|has)|what (?:caused|led|drove|happened|prompted|made)|reasons? (?:for|why)|explain)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Premise:
    """An event that a question takes for granted, in the words for it and for its opposite."""

    event: tuple[frozenset[str], ...]
    opposite: tuple[frozenset[str], ...]

    def told(self, found: frozenset[str]) -> bool:
        return any(phrase <= found for phrase in self.event)

    def denied(self, found: frozenset[str]) -> bool:
        return not self.told(found) and any(phrase <= found for phrase in self.opposite)


def premises(text: str) -> tuple[Premise, ...]:
    """The events that a question takes for granted; none where it only asks whether they happened."""
    if not _PRESUMES.search(text):
        return ()
    told = roots(text)
    found = []
    for event, opposite, of in _events():
        named = [phrase for phrase in event if phrase <= told]
        if named and (not of or any(phrase <= told for phrase in of)):
            found.append(Premise(event, tuple(one for one in opposite if not any(one <= name for name in named))))
    return tuple(found)


@cache
def _events() -> tuple[tuple[tuple[frozenset[str], ...], tuple[frozenset[str], ...], tuple[frozenset[str], ...]], ...]:
    rows = yaml.load(PATH.read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only

    def compiled(listed: list[str]) -> tuple[frozenset[str], ...]:
        return tuple(found for phrase in listed if (found := roots(phrase)))

    return tuple((compiled(row["event"]), compiled(row["opposite"]), compiled(row.get("of", []))) for row in rows)
