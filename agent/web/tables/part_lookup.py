"""Finds parts of a company (segments, products, regions) by name, for the grid and the API."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.numbers.registry.registry_schema import normalise
from agent.query.companies.statement_names import printed
from agent.refusals.grammar import listed
from agent.state.measure_operands import parts_of, with_parts
from agent.state.query import Measure, Member
from filings.models import Company

MOST_MEMBERS = 10
# How many of a company's parts an error names.
MOST_SAID = 40
# Commas that one part's name may have.
MOST_COMMAS = 5


@dataclass(frozen=True)
class Part:
    """A part by its name in the company's newest filing. members: those with this name, as "Axis=Member"."""

    label: str
    members: tuple[str, ...]

    def of(self, measure: Measure) -> Measure:
        """A measure of the part; for a composite measure, each of its parts."""
        if parts_of(measure):
            return with_parts(measure, self.of)
        return Member(of=measure, label=self.label, members=self.members)


@dataclass(frozen=True)
class Parts:
    """The parts by which a company divides lines of its income statement."""

    company: Company

    @cached_property
    def _called(self) -> dict[str, Part]:
        """Parts by name in any spelling, and by "axis=member"; the newest filing's names first."""
        found: dict[str, Part] = {}
        version = f"{self.company.ingested} {self.company.facts_stored}"
        for label, members in printed((self.company.cik,), version).parts:
            before = found.get(normalise(label), Part(label, ()))
            found[normalise(label)] = Part(before.label, tuple(dict.fromkeys((*before.members, *members))))
        for part in list(found.values()):
            for member in part.members:
                found.setdefault(member.casefold(), Part(part.label, (member,)))
        return found

    @property
    def offered(self) -> list[str]:
        """The name of each part."""
        return list(dict.fromkeys(part.label for name, part in self._called.items() if "=" in name))

    def named(self, text: str) -> tuple[tuple[Part, ...], str]:
        """The parts in a comma-separated list, each once, and a sentence on unknown ones.

        A name may contain commas: "Wearables, Home and Accessories".
        """
        pieces = [one for one in map(str.strip, text.split(",")) if one]
        found: dict[Part, None] = {}
        unknown: list[str] = []
        at = 0
        while at < len(pieces):
            ends = range(min(at + MOST_COMMAS, len(pieces) - 1) + 1, at, -1)
            names = ((self._of(", ".join(pieces[at:end])), end) for end in ends)
            part, at = next(((part, end) for part, end in names if part), (None, at + 1))
            if part:
                found[part] = None
            else:
                unknown.append(pieces[at - 1])
        return tuple(found), self._unknown(unknown) if unknown else ""

    def _of(self, text: str) -> Part | None:
        return self._called.get(text.casefold() if "=" in text else normalise(text))

    def _unknown(self, texts: Sequence[str]) -> str:
        told = listed([f"\u201c{text[:60]}\u201d" for text in texts[:5]], "or")
        said = f"{self.company.called} has no part called {told}."
        if not (names := self.offered):
            return f"{said} No parts of it are loaded."
        more = f" and {len(names) - MOST_SAID} more" if len(names) > MOST_SAID else ""
        return f"{said} It has: {'; '.join(names[:MOST_SAID])}{more}."


def times(measures: Sequence[Measure], parts: Sequence[Part]) -> list[Measure]:
    """Each measure of each part; of the whole company where there are none."""
    return [part.of(one) for one in measures for part in parts] if parts else list(measures)
