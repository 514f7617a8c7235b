"""Files on their way: the web process stores them, a worker reads them, and the page polls.

Until a person has confirmed what a file is, a worker only reads what it says of itself.
"""

import logging
from collections.abc import Iterable
from datetime import timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from celery import shared_task
from django.db import transaction
from django.db.models import F
from django.utils.timezone import now

from accounts.models import User
from diligence.atomic_files import is_full
from diligence.messages import send
from filings.importing import original_files
from filings.importing.document_fields import DocumentFields, check_size, checked, checked_name
from filings.importing.withdrawal import forget_original
from filings.models import Import, Priority

logger = logging.getLogger(__name__)

# A younger message may still be on its way.
LOST_AFTER = timedelta(minutes=2)
# A file that has killed this many workers is not tried again.
MAX_ATTEMPTS = 3
# Finished files stay listed for a while; their documents stay for good.
KEPT = timedelta(days=90)
# One that nobody confirms is forgotten sooner, with its bytes.
UNCONFIRMED = timedelta(days=14)
BEAT_SECONDS = 5.0
NO_ROOM = "The worker's disk is full. Import the file again once there is space."


class Superseded(Exception):
    """Raised if another worker took the file over: this attempt must write nothing more."""


@shared_task(name="filings.tasks.import_file", acks_late=True)
def import_file(import_id: str) -> None:
    """Read one file that a person brought."""
    run(UUID(import_id))


def start(
    content: bytes, filename: str, given: DocumentFields, user: User | None = None, *, confirmed: bool = False
) -> Import:
    """Store a file and send it to a worker. Raises ImportRefused, and then has stored nothing.

    confirmed: whether what is given is all that a person wants to say; otherwise they are asked before it is stored.
    """
    check_size(len(content))
    row = Import(filename=checked_name(filename), size=len(content), user=user, confirmed=confirmed)
    describe(row, checked(given))
    # Before the row, without which nobody reads it.
    row.sha256 = original_files.write(content)
    with transaction.atomic():
        row.save(force_insert=True)
        transaction.on_commit(lambda: send(import_file, str(row.pk), priority=Priority.FIRST))
    return row


def confirm(row: Import, given: DocumentFields) -> bool:
    """Let a file be stored as what a person says it is; False where it waits for no confirmation."""
    described = {name: getattr(describe(Import(), checked(given)), name) for name in FIELDS}
    with transaction.atomic():
        asked = Import.objects.filter(pk=row.pk, status__in=[Import.Status.ASKED, Import.Status.FAILED], filing=None)
        changed = asked.update(
            **described, status=Import.Status.QUEUED, confirmed=True, field="", problem="", attempt=0, heartbeat=now()
        )
        if changed:
            transaction.on_commit(lambda: send(import_file, str(row.pk), priority=Priority.FIRST))
    return bool(changed)


def discard(row: Import) -> bool:
    """Forget a file that has become no document, with its bytes; False where a worker has it."""
    done, _ = Import.objects.filter(pk=row.pk).exclude(status=Import.Status.READING).delete()
    forget_original(row.sha256)
    return bool(done)


FIELDS = ("company", "kind", "fiscal_year", "fiscal_quarter", "day", "title", "address")


def describe(row: Import, fields: DocumentFields) -> Import:
    """Set a row's fields of the document, without saving it."""
    row.company, row.kind = fields.company, fields.kind.key if fields.kind else ""
    row.fiscal_year, row.fiscal_quarter, row.day = fields.fiscal_year, fields.fiscal_quarter, fields.day
    row.title, row.address = fields.title, fields.address
    return row


def fields_held(row: Import) -> DocumentFields:
    """A row's fields of the document."""
    return DocumentFields(
        company=row.company,
        kind=row.source_kind,
        fiscal_year=row.fiscal_year,
        fiscal_quarter=row.fiscal_quarter,
        day=row.day,
        title=row.title,
        address=row.address,
    )


def run(pk: UUID) -> None:
    """Read a file if it can be claimed. Safe to call twice, and to be killed at any line."""
    give_up()
    attempt = Import.objects.claim(pk)
    if attempt is None:
        return
    from filings.importing.document_fields import ImportRefused

    row = Import.objects.select_related("company", "user").get(pk=pk)
    beat = Beat(pk, attempt)
    try:
        finished = outcome(row, beat)
    except Superseded:
        return
    except ImportRefused as refused:
        finished = {"status": Import.Status.FAILED, "field": refused.field, "problem": refused.why[:300]}
    except Exception as error:
        problem = NO_ROOM if is_full(error) else "The import failed; the log says why."
        finish(pk, attempt, status=Import.Status.FAILED, problem=problem)
        logger.exception("The import of %s failed", row)
        raise
    finish(pk, attempt, **finished)


def outcome(row: Import, beat: "Beat") -> dict[str, Any]:
    """What becomes of a file, as fields of its row. Raises ImportRefused."""
    from filings.importing.document_fields import ImportRefused
    from filings.importing.importing import import_document, recognised

    content = original_files.read(row.sha256)
    if content is None:
        raise ImportRefused("file", "The file is no longer stored. Import it again.")
    if not row.confirmed:
        found = describe(Import(), recognised(content, row.filename, fields_held(row), beat))
        return {"status": Import.Status.ASKED, **{name: getattr(found, name) for name in FIELDS}}
    made = import_document(content, row.filename, fields_held(row), added_by=row.user, beat=beat)
    return {"status": Import.Status.DONE, "filing": made.filing, "held_before": not made.created}


class Beat:
    """Sends heartbeats of an attempt, at most every few seconds. Raises Superseded where it no longer holds the file."""

    def __init__(self, pk: UUID, attempt: int) -> None:
        self.pk, self.attempt, self.beaten = pk, attempt, monotonic()

    def __call__(self) -> None:
        if monotonic() - self.beaten < BEAT_SECONDS:
            return
        if not Import.objects.of_attempt(self.pk, self.attempt).update(heartbeat=now()):
            raise Superseded
        self.beaten = monotonic()


def finish(pk: UUID, attempt: int, **fields: Any) -> None:
    """Close a file if this attempt still holds it."""
    Import.objects.of_attempt(pk, attempt).update(finished=now(), heartbeat=now(), **fields)


def give_up() -> None:
    """Fail the files that have killed too many workers."""
    stale = Import.objects.claimable().filter(status=Import.Status.READING, attempt__gte=MAX_ATTEMPTS)
    stale.update(
        status=Import.Status.FAILED,
        field="file",
        problem=f"The worker crashed {MAX_ATTEMPTS} times while reading it.",
        finished=now(),
    )


def sweep() -> int:
    """Send lost files again, and forget old ones; returns how many were sent."""
    give_up()
    closed = [Import.Status.DONE, Import.Status.FAILED]
    forget(Import.objects.filter(status__in=closed, created__lt=now() - KEPT))
    forget(Import.objects.filter(status=Import.Status.ASKED, created__lt=now() - UNCONFIRMED))
    waiting = Import.objects.claimable().filter(created__lt=now() - LOST_AFTER)
    lost = list(waiting.order_by(F("heartbeat").asc(nulls_first=True)).values_list("pk", flat=True))
    for pk in lost:
        send(import_file, str(pk))
    return len(lost)


def forget(rows: Iterable[Import]) -> None:
    for row in rows:
        discard(row)
