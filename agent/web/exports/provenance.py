"""What a file says beside its figures: what was asked and when, on which basis, and what is to be known of a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from agent.numbers.render import shown
from agent.web.tables.table_card import TableCard

BASIS = (
    "Basis: as first reported. Every figure is an XBRL fact of a filing, or computed from such facts. "
    "Fiscal years are the companies\u2019 own."
)


@dataclass(frozen=True)
class About:
    """Of what a file is.

    title: where the tables have none of their own, as that of a named grid. url: whole, of the page that shows the same.
    """

    title: str = ""
    question: str = ""
    at: datetime | None = None
    url: str = ""

    @property
    def lines(self) -> list[str]:
        """What was asked, and when it was answered on which basis."""
        answered = f"Answered {self.at.astimezone(UTC):%-d %b %Y, %H:%M} UTC. " if self.at else ""
        return [*([f"Asked: {self.question}"] if self.question else []), f"{answered}{BASIS}"]


def remarks(card: TableCard) -> Iterator[str]:
    """What is to be known of a table: what was made of it, what is missing and why, notes, what was reported later."""
    yield from (one.sentence for one in card.results)
    yield from (": ".join(filter(None, (one.whose, f"{one.text} {one.detail}".rstrip()))) for one in card.gaps)
    yield from card.notes
    for one in card.later:
        now = shown(one.fact.value, one.fact.unit, card.scale)
        yield f"{one.what}: {one.used} as first reported, {now} in {one.fact.form} {one.fact.accession}."
