"""What the page of an open run asks for again and again: how often, and whether there is anything new to show."""

from uuid import UUID

from django.utils.timezone import now

from accounts.identity import Identity
from agent.models import Run, Step

# Until so many seconds after the question the page looks this often: what takes long is looked at less.
PACES = ((3, "700ms"), (10, "1s"), (60, "2s"))
SLOWEST = "3s"


def pace(seconds: float) -> str:
    """How long the page waits before it looks again, as htmx writes it. seconds: since the question."""
    return next((every for until, every in PACES if seconds < until), SLOWEST)


def mark(status: str, attempt: int, done: int, seconds: float) -> str:
    """What a page shows of an open run, but for the seconds. done: steps of the attempt."""
    return f"{status}-{attempt}-{done}-{pace(seconds)}"


def unchanged(identity: Identity, pk: UUID, seen: str) -> float | None:
    """Seconds since the question, where a page with the mark `seen` has nothing to learn but them; None otherwise.

    One query, for most polls find nothing new; and not one that counts, which takes Django three times as long to write.
    """
    if not seen:
        # The first look of a page: there is all of it to learn.
        return None
    rows = Run.objects.visible_to(identity).filter(pk=pk).order_by()
    found = list(rows.values_list("status", "attempt", "created", "steps__attempt", "steps__event"))
    if not found:
        return None
    status, attempt, created = found[0][:3]
    done = sum(of == attempt and event != Step.FAILED for *_, of, event in found)
    seconds = (now() - created).total_seconds()
    return seconds if mark(status, attempt, done, seconds) == seen else None
