"""Users, who sign in by e-mail address, and their API tokens."""

from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.utils.timezone import now


class UserManager(BaseUserManager["User"]):
    """Creates users by e-mail address; Django's manager requires a user name."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        if not email:
            raise ValueError("A user needs an e-mail address.")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, email: str | None) -> "User":
        return self.get(email__iexact=email)


class User(AbstractUser):
    """A person with an account; the e-mail address is the login."""

    username = None  # type: ignore[assignment] # how Django is told to leave a column of its own out
    email = models.EmailField("e-mail address", unique=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment] # AbstractUser has its own, by user name

    def __str__(self: Self) -> str:
        return self.email


class Scope(models.TextChoices):
    """The permissions of a token."""

    ASK = "ask", "Ask questions, and read their answers"
    READ = "read", "Read all answers, companies and filings"
    IMPORT = "import", "Import documents, as staff"


class TokenQuerySet(models.QuerySet["Token"]):
    def live(self) -> Self:
        """Tokens that work: neither revoked nor expired."""
        return self.filter(Q(expires=None) | Q(expires__gt=now()), revoked=None)


class Token(models.Model):
    """An API token of an account. The token itself is shown once and never stored: the row has its SHA-256."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60, help_text="What the token is used for.")
    prefix = models.CharField(
        max_length=12, help_text="First characters of the token, so that its owner recognizes it."
    )
    hash = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of the token.")
    scopes = models.JSONField(default=list, help_text="List of accounts.models.Scope values.")
    created = models.DateTimeField(default=now)
    last_used = models.DateTimeField(null=True, blank=True, help_text="Time of the last use, to the minute.")
    expires = models.DateTimeField(null=True, blank=True, help_text="Empty: the token never expires.")
    revoked = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[TokenQuerySet] = TokenQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def expired(self) -> bool:
        return self.expires is not None and self.expires <= now()

    def may(self, scope: str) -> bool:
        return scope in self.scopes
