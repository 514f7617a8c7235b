"""What the page of an open run asks for again and again: how often, and whether there is anything new to show."""

from uuid import UUID

from django.db.models import Count, F, Q
from django.utils.timezone import now

from accounts.identity import Identity
from agent.models import Run

# Until so many seconds after the question the page looks this often: what takes long is looked at less.
PACES = ((10, "700ms"), (60, "1500ms"))
SLOWEST = "3s"
OF_THE_ATTEMPT = Q(steps__attempt=F("attempt")) & ~Q(steps__event="failed")


def pace(seconds: float) -> str:
    """How long the page waits before it looks again, as htmx writes it. seconds: since the question."""
    return next((every for until, every in PACES if seconds < until), SLOWEST)


def mark(status: str, attempt: int, done: int, seconds: float) -> str:
    """What a page shows of an open run, but for the seconds. done: steps of the attempt."""
    return f"{status}-{attempt}-{done}-{pace(seconds)}"


def unchanged(identity: Identity, pk: UUID, seen: str) -> float | None:
    """Seconds since the question, where a page with the mark `seen` has nothing to learn but them; None otherwise.

    One query, for most polls find nothing new.
    """
    rows = Run.objects.visible_to(identity).filter(pk=pk).annotate(done=Count("steps", filter=OF_THE_ATTEMPT))
    found = rows.order_by().values_list("status", "attempt", "done", "created").first()
    if found is None:
        return None
    status, attempt, done, created = found
    seconds = (now() - created).total_seconds()
    return seconds if mark(status, attempt, done, seconds) == seen else None
