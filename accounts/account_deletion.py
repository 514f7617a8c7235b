"""Exports a user's data, and deletes accounts."""

import json
import zipfile
from collections.abc import Iterable, Mapping
from datetime import date
from typing import IO, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F, Q
from django.utils.timezone import now

from accounts import quotas
from accounts.identity import Identity
from accounts.models import PastUsage, User
from accounts.signals import account_deleted, account_exported


def export(user: User, file: IO[bytes]) -> None:
    """Write everything stored about an account into a file, as a zip of JSON, without secrets and their hashes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("account.json", as_json(account(user)))
        write(archive, "tokens.json", (token_row(token) for token in user.tokens.all()))
        account_exported.send(sender=User, user=user, archive=archive)


def write(archive: zipfile.ZipFile, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add a JSON array to an archive, row by row: a history may exceed memory."""
    with archive.open(name, "w") as entry:
        entry.write(b"[")
        for number, row in enumerate(rows):
            entry.write((",\n" if number else "\n").encode() + as_json(row).encode())
        entry.write(b"\n]\n")


def as_json(row: Mapping[str, Any]) -> str:
    return json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def account(user: User) -> dict[str, Any]:
    """The account itself, its addresses and sign-in methods."""
    addresses = EmailAddress.objects.filter(user=user).order_by("pk")
    factors = Authenticator.objects.filter(user=user).order_by("pk")
    return {
        "exported": now(),
        "email": user.email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "date_joined": user.date_joined,
        "last_login": user.last_login,
        "is_staff": user.is_staff,
        "addresses": [{"email": a.email, "verified": a.verified, "primary": a.primary} for a in addresses],
        "second_factors": [{"type": f.type, "created": f.created_at, "last_used": f.last_used_at} for f in factors],
        "connected": connected(user),
    }


def connected(user: User) -> list[dict[str, Any]]:
    """Accounts at OpenID Connect providers that sign in to this one, or did before it was switched off."""
    found = SocialAccount.objects.filter(user=user)
    return [dict(row) for row in found.values("provider", "uid", "date_joined", "last_login", "extra_data")]


def token_row(token: Any) -> dict[str, Any]:
    fields = ("name", "prefix", "scopes", "created", "last_used", "expires", "revoked")
    return {field: getattr(token, field) for field in fields}


def delete(user: User) -> None:
    """Delete an account with everything that belongs to it; completely, or not at all."""
    with transaction.atomic():
        # Runs before quotas: code that ends a run also locks the run first, and then its quota.
        account_deleted.send(sender=User, user=user)
        quotas.forget(Identity(user=user))
        forget_name(user)
        user.delete()


def forget_name(user: User) -> None:
    """Remove an account's addresses from the admin's log, which stays. The account's own actions are deleted with it."""
    named = Q(content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk))
    for address in {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}:
        # Also as part of a longer text: “Override of …”.
        named |= Q(object_repr__iexact=address) | Q(object_repr__iendswith=f" {address}")
    LogEntry.objects.filter(named).update(object_repr="A deleted account")


def keep_usage(used: Mapping[date, Mapping[str, Any]]) -> None:
    """Add the usage of runs that are about to be deleted to the daily sums.

    In the order of the days, so that two deletions at once cannot deadlock.
    """
    for day in sorted(used):
        row, _ = PastUsage.objects.get_or_create(day=day)
        added = {field: F(field) + amount for field, amount in used[day].items()}
        PastUsage.objects.filter(pk=row.pk).update(**added)
