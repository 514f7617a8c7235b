"""What became of a saved answer, in words: for its page, the history, the API and e-mails."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from agent.models import Run, Standing
from agent.numbers.facts.render import shown
from agent.state.standing import Change, Reason

# The worst first.
LEADS: dict[Reason, str] = {
    "broken": "The stored filing no longer gives what this answer says. Do not use the answer.",
    "restated": "A later filing restates a figure.",
    "split": "A later filing adjusts a figure for a stock split.",
    "recast": "A later filing recasts a part of the company.",
    "overtaken": "A newer report has been filed.",
}
VERBS: dict[Reason, str] = {
    "broken": "",
    "restated": "restated to",
    "split": "adjusted for a split to",
    "recast": "recast to",
    "overtaken": "now",
}


@dataclass(frozen=True, slots=True)
class ShownChange:
    """One change. used, now: the two values in words, empty without. links: of the filing used, and of the later one."""

    change: Change
    used: str
    now: str
    filing: str
    used_link: str
    link: str

    @property
    def verb(self) -> str:
        return VERBS[self.change.reason]

    @property
    def sentence(self) -> str:
        """Revenue, fiscal 2024: $86.214 million, restated to $85.702 million in the 10-K for fiscal 2025."""
        if self.change.reason == "broken":
            return self.change.said
        used = f"{self.change.said}: {self.used}" if self.used else self.change.said
        return (
            f"{used}, {self.verb} {self.now} in the {self.filing}."
            if self.now
            else f"{used}; the {self.filing} is newer."
        )


@dataclass(frozen=True, slots=True)
class ShownStanding:
    """The standing of an answer that no longer stands as it was given."""

    standing: Standing
    lead: str
    changes: tuple[ShownChange, ...]

    @property
    def brief(self) -> str:
        """The first change of a figure in few words, for lists: restated to $85.702 million; empty without one."""
        first = next((one for one in self.changes if one.now), None)
        return f"{first.verb} {first.now}" if first else ""

    @property
    def overtaken(self) -> bool:
        """Whether a newer report is told of."""
        return any(one.change.reason == "overtaken" for one in self.changes)


def standing_of(run: Run) -> ShownStanding | None:
    """What changed of an answer; None of one that stands, or that was not compared yet."""
    standing = getattr(run, "standing", None)
    if standing is None or not standing.changed:
        return None
    found = tuple(shown_changes(standing))
    reasons = {one.change.reason for one in found}
    return ShownStanding(standing, next(lead for reason, lead in LEADS.items() if reason in reasons), found)


def shown_changes(standing: Standing) -> Iterator[ShownChange]:
    """The changes of a standing, as they are shown."""
    for one in standing.changed_as:
        used, now = ("" if value is None else shown(value, one.unit, reported=True) for value in (one.used, one.now))
        year = f" for fiscal {one.fiscal_year}" if one.fiscal_year else ""
        yield ShownChange(
            one, used, now, f"{one.form}{year}", *(link(one.cik, of) for of in (one.used_accession, one.accession))
        )


def link(cik: int, accession: str) -> str:
    """The page of a filing; empty without one."""
    return f"{reverse('filing', args=[accession])}?{urlencode({'cik': cik})}" if accession else ""
