"""Settings.SESSION_ENGINE: sessions in the database, each with its signed-in account."""

from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as Stored

from accounts.models import Session


class SessionStore(Stored):
    """Django's session store, which also writes the account into the session's row."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast("Session", super().create_model_instance(data))
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        return row
