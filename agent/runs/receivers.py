"""Receivers of the signals of accounts: moving, exporting and deleting a person's runs."""

import zipfile
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Prefetch
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from accounts import account_deletion, quotas
from accounts.models import User
from accounts.signals import account_deleted, account_exported, visitor_became_user
from agent.models import Digest, IdempotencyKey, Run, Screen, Step, Watchlist
from agent.runs.answer_json import as_text
from agent.runs.stored_answer import read
from filings.models import SearchRequest

# Meaningless outside this database.
NOT_EXPORTED = {"user_id", "visitor", "token_id", "attempt", "heartbeat", "queued"}
# A step's inputs and outputs are texts of filings and row numbers of this database.
OF_STEPS = (
    "attempt", "sequence", "at", "node", "event", "iteration", "said", "refused", "ms", "requests", "tokens_in",
    "tokens_out", "cost",
)  # fmt: skip
AT_ONCE = 100


@receiver(visitor_became_user)
def move_along(user: User, visitor: UUID, **kwargs: Any) -> None:
    """Move a visitor's runs, watchlists and screens to the new account, with their keys unless the account has the same."""
    Run.objects.filter(visitor=visitor, user=None).update(user=user)
    Watchlist.objects.hand_over(visitor, user)
    Screen.objects.hand_over(visitor, user)
    owner = f"user:{user.pk}"
    taken = IdempotencyKey.objects.filter(owner=owner).values("key")
    IdempotencyKey.objects.filter(owner=f"visitor:{visitor}").exclude(key__in=taken).update(owner=owner)


@receiver(pre_delete, sender=Run)
def give_back(instance: Run, **kwargs: Any) -> None:
    """A run that is deleted before a worker began uses nothing. Its worker settles a begun one."""
    if instance.status == Run.Status.QUEUED and not instance.attempt:
        quotas.release(instance.pk)


@receiver(account_exported)
def export_runs(user: User, archive: zipfile.ZipFile, **kwargs: Any) -> None:
    """Every question with its answer, oldest first, as shown and as stored; also searches, watchlists, screens and the digest."""
    account_deletion.write(archive, "runs.json", exported(user))
    searches = SearchRequest.objects.filter(user=user).order_by("created")
    asked = searches.values("text", "cik", "accession", "fiscal_year", "item", "created")
    account_deletion.write(archive, "searches.json", asked.iterator(chunk_size=AT_ONCE))
    account_deletion.write(
        archive, "watchlists.json", map(watched, user.watchlists.select_related("alert").prefetch_related("companies"))
    )
    account_deletion.write(archive, "digest.json", Digest.objects.filter(user=user).values("mail", "told", "begun"))
    account_deletion.write(archive, "screens.json", user.screens.values("name", "query", "created"))


def watched(one: Watchlist) -> dict[str, Any]:
    """A watchlist as it is exported."""
    companies = [{"cik": company.cik, "added": company.added} for company in one.companies.all()]
    alert = of(one, "alert", "mail", "mailed", "feed_path", "created")
    return {"name": one.name, "created": one.created, "companies": companies, "alert": alert}


def exported(user: User) -> Iterator[dict[str, Any]]:
    """A row for each run of a user: all its fields, the answer as text, its steps, and its owner's notes.

    The address of a shared answer is included: it opens nothing that is not exported too.
    """
    fields = [field.attname for field in Run._meta.concrete_fields if field.attname not in NOT_EXPORTED]
    runs = Run.objects.filter(user=user).order_by("created")
    runs = runs.select_related("feedback", "share", "token", "idempotency_key", "standing")
    steps = Step.objects.only("run", *OF_STEPS).order_by("attempt", "sequence")
    for run in runs.prefetch_related(Prefetch("steps", steps)).iterator(chunk_size=AT_ONCE):
        row = {name: getattr(run, name) for name in fields}
        # Where an answer's format is no longer read, the fields have everything stored.
        row["text"] = as_text(answer) if (answer := read(run.answer)) else ""
        row["steps"] = [{name: getattr(step, name) for name in OF_STEPS} for step in run.steps.all()]
        row["standing"] = of(run, "standing", "state", "checked", "since", "changes")
        row["token"] = run.token.prefix if run.token else None
        row["idempotency_key"] = of(run, "idempotency_key", "key", "created")
        row["feedback"] = of(run, "feedback", "verdict", "comment", "created", "updated")
        share = getattr(run, "share", None)
        row["shared"] = {"address": share.get_absolute_url(), "created": share.created} if share else None
        yield row


def of(row: Run | Watchlist, kept: str, *fields: str) -> dict[str, Any] | None:
    """Fields of a record beside a run or a watchlist, if there is one."""
    found = getattr(row, kept, None)
    return {name: getattr(found, name) for name in fields} if found else None


@receiver(account_deleted)
def hold_runs(user: User, **kwargs: Any) -> None:
    """Lock the runs before the meter, as `agent.runs.lifecycle.finish` does. A question that follows up on one has
    locked it and is let through.
    """
    Run.objects.filter(user=user).hold(to_delete=False)


@receiver(pre_delete, sender=User)
def keep_sums_of_account(instance: User, **kwargs: Any) -> None:
    """Runs are deleted with their account; their usage totals stay."""
    runs = Run.objects.filter(user=instance)
    runs.hold()
    account_deletion.keep_usage(runs.used_by_day())
