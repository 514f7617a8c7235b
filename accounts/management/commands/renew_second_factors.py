"""`manage.py renew_second_factors`: run it before you remove a key from SECRET_KEY_FALLBACKS."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.second_factors import renew


class Command(BaseCommand):
    help = "Encrypt the secrets of all second factors with SECRET_KEY again, so that SECRET_KEY_FALLBACKS are no longer needed."

    def handle(self, *args: Any, **options: Any) -> None:
        renewed, unreadable = renew()
        self.stdout.write(f"Encrypted with SECRET_KEY: {renewed:,}.")
        if unreadable:
            raise CommandError(
                f"Not readable with any key: {unreadable:,}. Put the key into SECRET_KEY_FALLBACKS, "
                "or delete these second factors in the admin."
            )
