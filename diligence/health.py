"""Health checks: whether this process lives, and whether a question asked now would be answered. Loads no search
backend.
"""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diligence import atomic_files
from diligence.broker import count_set_aside
from filings.models import Health

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

logger = logging.getLogger(__name__)

# A worker checks every minute: after this long there is none.
STALE_AFTER = timedelta(minutes=3)
BROKER_SECONDS, DATABASE_SECONDS = 2.0, 2


@dataclass(frozen=True)
class Need:
    """One requirement. reason: a sentence, without address or key."""

    ok: bool
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"ok": self.ok, **({"reason": self.reason} if self.reason else {})}


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers. Nothing else is checked: an unreachable database is no reason to restart it."""
    return JsonResponse({"alive": True})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when database, broker, disk space and index are ready; 503 with reasons otherwise."""
    parts = readiness()
    ready = all(part.ok for part in parts.values())
    told = {"ready": ready, "parts": {name: part.as_json() for name, part in parts.items()}}
    response = JsonResponse(told, status=200 if ready else 503)
    if not ready:
        logger.warning(
            "Not ready: %s", " ".join(f"{name}: {part.reason}" for name, part in parts.items() if not part.ok)
        )
        # Django's own line would not say why.
        response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def readiness() -> dict[str, Need]:
    """Each part by its name."""
    stored = database()
    # The result of a worker's last look is reused: a silent server would be waited for again.
    found = index() if stored.ok else Need(ok=False, reason="Not known: the database does not answer.")
    return {"database": stored, "broker": broker(), "disk": room(), "index": found}


def database() -> Need:
    """Checks PostgreSQL by a connection of its own: a kept one would wait for a silent server."""
    asked = cast("BaseDatabaseWrapper", connection)
    if postgresql := asked.vendor == "postgresql":
        asked = asked.copy()
        asked.settings_dict["OPTIONS"]["connect_timeout"] = DATABASE_SECONDS
    try:
        with asked.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.warning("The database does not answer", exc_info=True)
        return Need(ok=False, reason="The database does not answer.")
    finally:
        if postgresql:
            asked.close()
    return Need(ok=True)


def broker() -> Need:
    """Whether a message can be sent: Redis answers, or the queue's folder is writable."""
    if not settings.REDIS_URL:
        folder = settings.BROKER_DIR / "queue"
        if not os.access(folder, os.W_OK | os.X_OK):
            return Need(ok=False, reason="The folder of the queue cannot be written to.")
        # Their work is sent again: the broker is ready, but somebody should look.
        aside = count_set_aside(settings.BROKER_DIR)
        return Need(ok=True, reason=f"Messages set aside that cannot be read: {aside}." if aside else "")
    from redis import Redis, RedisError

    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_timeout=BROKER_SECONDS, socket_connect_timeout=BROKER_SECONDS
        ) as client:
            client.ping()
    except (RedisError, OSError, ValueError):
        logger.warning("Redis does not answer", exc_info=True)
        return Need(ok=False, reason="Redis does not answer.")
    return Need(ok=True)


def room() -> Need:
    """Whether DATA_DIR has space for what a question writes."""
    try:
        free = atomic_files.free_bytes()
    except OSError:
        return Need(ok=False, reason="The folder of the data cannot be read.")
    if free >= atomic_files.LEAST_FREE:
        return Need(ok=True)
    reason = f"The disk of the data has {free >> 20} MB left, of which {atomic_files.LEAST_FREE >> 20} are needed."
    elsewhere = settings.REDIS_URL and connection.vendor == "postgresql"
    return Need(ok=bool(elsewhere), reason=reason)


def index() -> Need:
    """The result of a worker's last look."""
    try:
        row = Health.objects.filter(subject="index").first()
    except DatabaseError:
        return Need(ok=False, reason="Not known: the database does not answer, or is not migrated.")
    if row is None:
        return Need(ok=False, reason="No worker has looked at the search index yet.")
    age = now() - row.checked
    if age > STALE_AFTER:
        minutes = round(age.total_seconds() / 60)
        return Need(ok=False, reason=f"No worker has looked at the search index for {minutes} minutes.")
    return Need(ok=row.state != Health.State.DOWN, reason=row.detail)


class Middleware:
    """Answers health checks before anything else of the request is checked.

    They come from inside by an address that is no host of the site, without https, and with a token of their own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        from diligence.metrics import metrics

        self.get_response = get_response
        self.views = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        view = self.views.get(request.path_info)
        return view(request) if view else self.get_response(request)
