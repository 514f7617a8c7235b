"""`manage.py demo_account`: creates a staff account for trying Diligence on a developer's machine."""

import secrets
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User

EMAIL = "demo@example.com"
# Random for each installation: a database that goes public later must not have a known password.
PASSWORD_FILE = "demo-password"  # noqa: S105 - the name of a file


class Command(BaseCommand):
    help = "Create the demo account and print its e-mail address and password. Works only with DEBUG=1."
    # `manage.py prepare` has run the checks already.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("The demo account exists only with DEBUG=1. Use createsuperuser.")
        user, created = User.objects.get_or_create(email=EMAIL, defaults={"is_staff": True, "is_superuser": True})
        kept = settings.DATA_DIR / PASSWORD_FILE
        if created:
            kept.touch(mode=0o600)
            kept.write_text(secrets.token_urlsafe(9))
            user.set_password(kept.read_text())
            user.save(update_fields=["password"])
            EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
        password = kept.read_text() if kept.is_file() else ""
        # A person who changed the demo account's password knows it.
        known = password if user.check_password(password) else "the one you have set"
        self.stdout.write(f"Demo account: {EMAIL}, password: {known}")
