"""What a file says of itself: what was asked, when it was answered, and at which address."""

from dataclasses import dataclass
from datetime import UTC, datetime

BASIS = (
    "Every figure is one XBRL fact as filed, or computed from such facts; fiscal years are the companies\u2019 own."
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
