"""A staff account to try Diligence with, on a developer's machine only."""

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User

EMAIL = "demo@example.com"
PASSWORD = "demo-diligence"  # noqa: S105 - printed on purpose, and refused outside DEBUG


class Command(BaseCommand):
    help = "Creates the demo account and prints it. Refuses outside DEBUG."
    # `prepare` has run the checks before.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("The demo account exists only with DEBUG=1. Use createsuperuser.")
        user, created = User.objects.get_or_create(email=EMAIL, defaults={"is_staff": True, "is_superuser": True})
        if created:
            user.set_password(PASSWORD)
            user.save(update_fields=["password"])
            EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
        # Somebody who changed the password of the demo account knows it.
        password = PASSWORD if user.check_password(PASSWORD) else "the one you have set"
        self.stdout.write(f"Demo account: {EMAIL}, password: {password}")
