"""Writes the provenance into files: the question, its time and basis, and the notes of a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from agent.numbers.facts.render import shown
from agent.runs.model_reading import ModelReading
from agent.web.tables.table_card import TableCard

BASIS = (
    "Basis: as first reported. Every figure is an XBRL fact of a filing, or computed from such facts. "
    "Fiscal years are the companies\u2019 own."
)
CHECKED = "Every quotation was compared with the stored document."


@dataclass(frozen=True)
class About:
    """What a file is about.

    title: where the tables have none of their own, such as a named grid's. url: of the page that shows the same. nearest: which question it answers where that is only near to the one asked. reading: what a model read the question as, which the notes of the tables say too. judgement: a model's reading of the figures, in lines. basis: what every figure or quotation stands on.
    """

    title: str = ""
    question: str = ""
    at: datetime | None = None
    url: str = ""
    nearest: str = ""
    reading: ModelReading | None = None
    judgement: tuple[str, ...] = ()
    basis: str = BASIS

    @property
    def lines(self) -> list[str]:
        """The question, when it was answered, and on which basis."""
        answered = f"Answered {self.at.astimezone(UTC):%-d %b %Y, %H:%M} UTC. " if self.at else ""
        asked = f"Asked: {self.question}" if self.question else ""
        return [*filter(None, (asked, self.nearest)), *self.judgement, f"{answered}{self.basis}"]


def remarks(card: TableCard) -> Iterator[str]:
    """Notes on a table: operations, gaps with reasons, notes, later values."""
    yield from (one.sentence for one in card.results)
    yield from (": ".join(filter(None, (one.whose, f"{one.text} {one.detail}".rstrip()))) for one in card.gaps)
    yield from card.notes
    for one in card.later:
        now = shown(one.fact.value, one.fact.unit, card.scale)
        yield f"{one.what}: {one.used} as first reported, {now} in {one.fact.form} {one.fact.accession}."
