"""Idempotency keys: a question sent twice with the same key starts only one run."""

import hashlib
import json
from collections.abc import Callable

from django.db import transaction

from accounts.identity import Identity
from agent.models import IdempotencyKey, Run
from agent.models.run import LONGEST_KEY
from agent.web.api.problems import Problem


def once(identity: Identity, key: str, asked: dict[str, str], start: Callable[[], Run]) -> tuple[Run, bool]:
    """Returns the run of an idempotency key, and whether this call created it.

    One transaction writes the key and the run, so a killed process leaves both or neither. A second request with the
    same key waits for the first, then finds its run. Raises Problem (422) if the key was used for another question.
    """
    checked(key)
    body = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    with transaction.atomic():
        row, new = IdempotencyKey.objects.get_or_create(owner=owner(identity), key=key, defaults={"body": body})
        if new:
            row.run = start()
            row.save(update_fields=["run"])
            return row.run, True
    if row.body != body or row.run is None:
        detail = "This Idempotency-Key was sent with another question. Send a new key with each new question."
        raise Problem(422, "idempotency_key_reused", detail)
    return row.run, False


def of_somebody(identity: Identity) -> None:
    """Raises Problem (422) if the request has no user and no visitor, so that its key could not be recognized again."""
    if identity.user is None and identity.visitor is None:
        detail = (
            "An Idempotency-Key needs a token or the cookies of an earlier reply to identify you. "
            "Send a token, or ask without a key first and keep the cookies."
        )
        raise Problem(422, "idempotency_needs_identity", detail)


def checked(key: str) -> None:
    """Raises Problem (422) for a key that is too long or not printable."""
    if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        detail = f"An Idempotency-Key has 1 to {LONGEST_KEY} printable ASCII characters."
        raise Problem(422, "invalid", detail, errors=[{"field": "Idempotency-Key", "message": detail}])


def owner(identity: Identity) -> str:
    """Who owns a key: an account or one visitor, never an IP address, which several people may share.

    A token that can read only its own questions has its own keys.
    """
    if identity.token is not None and not identity.may("read"):
        return f"token:{identity.token.pk}"
    return f"user:{identity.user.pk}" if identity.user is not None else f"visitor:{identity.visitor}"
