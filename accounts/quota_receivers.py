"""What of an account's quotas is taken along."""

import zipfile
from dataclasses import asdict
from typing import Any

from django.dispatch import receiver

from accounts import leaving, quotas
from accounts.identity import Identity
from accounts.models import User
from accounts.signals import account_exported


@receiver(account_exported)
def export_use(user: User, archive: zipfile.ZipFile, **kwargs: Any) -> None:
    leaving.write(archive, "limits.json", (asdict(limit) for limit in quotas.uses(Identity(user=user))))
