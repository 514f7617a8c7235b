"""Idempotency keys: a question sent twice with one key is one run, however often and wherever a request broke off."""

import hashlib
import json
import logging
from collections.abc import Callable

from django.db import transaction
from kombu.exceptions import OperationalError

from accounts.identity import Identity
from agent.api.problems import Problem
from agent.models import IdempotencyKey, Run
from agent.models.idempotency import MOST_CHARACTERS

logger = logging.getLogger(__name__)


def once(identity: Identity, key: str, asked: dict[str, str], start: Callable[[], Run]) -> tuple[Run, bool]:
    """The run that a key stands for, and whether it was made now.

    One transaction holds key and run: a process that dies leaves both or neither. A second request with the key waits
    for the first at the unique row, then finds its run. Raises Problem (422) where the key stands for another question.
    """
    checked(key)
    body = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    made: Run | None = None
    try:
        with transaction.atomic():
            row, new = IdempotencyKey.objects.get_or_create(owner=owner(identity), key=key, defaults={"body": body})
            if new:
                row.run = made = start()
                row.save(update_fields=["run"])
    except OperationalError:
        # Raised behind the commit: run and key stand, and the sweep queues the run once the broker is back.
        if made is None:
            raise
        logger.exception("Run %s waits for the sweep: the broker did not take it", made.pk)
    if made is not None:
        return made, True
    if row.body != body or row.run is None:
        detail = "This Idempotency-Key was sent with another question. Send a new key with each new question."
        raise Problem(422, "idempotency_key_reused", detail)
    return row.run, False


def checked(key: str) -> None:
    """Raises Problem (422) for a key that is too long or not printable."""
    if not (0 < len(key) <= MOST_CHARACTERS and key.isascii() and key.isprintable()):
        detail = f"An Idempotency-Key has 1 to {MOST_CHARACTERS} printable ASCII characters."
        raise Problem(422, "invalid", detail, errors=[{"field": "Idempotency-Key", "message": detail}])


def owner(identity: Identity) -> str:
    """Whose keys they are: those of an account, or of one visitor, never of an address that several share."""
    return f"user:{identity.user.pk}" if identity.user is not None else f"visitor:{identity.visitor}"
