"""Sessions of browsers."""

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from accounts.models.users import User


class Session(AbstractBaseSession):
    """A session with its account, so that it is deleted with the account: its data names the e-mail address."""

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="sessions")

    class Meta(AbstractBaseSession.Meta):
        db_table = "accounts_session"
        verbose_name = "session"

    @classmethod
    def get_session_store_class(cls) -> type:
        store: type = import_module(settings.SESSION_ENGINE).SessionStore
        return store
