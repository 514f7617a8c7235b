"""What becomes of an account's quotas when it is taken along, or deleted."""

import zipfile
from dataclasses import asdict
from typing import Any

from django.dispatch import receiver

from accounts import leaving, quotas
from accounts.identity import Identity
from accounts.models import User
from accounts.signals import account_deleted, account_exported


@receiver(account_exported)
def export_use(user: User, archive: zipfile.ZipFile, **kwargs: Any) -> None:
    leaving.write(archive, "limits.json", (asdict(limit) for limit in quotas.uses(Identity(user=user))))


@receiver(account_deleted)
def forget_use(user: User, **kwargs: Any) -> None:
    quotas.forget(Identity(user=user))
