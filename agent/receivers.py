"""What agent does when accounts speaks."""

import zipfile
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Count, Sum
from django.db.models.functions import TruncDate
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from accounts import leaving, quotas
from accounts.models import User
from accounts.signals import account_deleted, account_exported, visitor_became_user
from agent.export import as_text
from agent.models import Run, Step
from agent.state import Answer
from filings.models import SearchRequest

# Of no use outside this database.
NOT_EXPORTED = {"user_id", "visitor", "attempt", "heartbeat"}
AT_ONCE = 100


@receiver(visitor_became_user)
def move_runs(user: User, visitor: UUID, **kwargs: Any) -> None:
    """A visitor's runs move along to the new account."""
    Run.objects.filter(visitor=visitor, user=None).update(user=user)


@receiver(pre_delete, sender=Run)
def give_back(instance: Run, **kwargs: Any) -> None:
    """A run that is deleted before a worker has begun with it uses nothing. A begun one is settled by its worker."""
    if instance.status == Run.Status.QUEUED and not instance.attempt:
        quotas.release(instance.pk)


@receiver(account_exported)
def export_runs(user: User, archive: zipfile.ZipFile, **kwargs: Any) -> None:
    """Every question with its answer, oldest first: as shown, and as it is kept. And what filings were searched for."""
    leaving.write(archive, "runs.json", exported(user))
    searches = SearchRequest.objects.filter(user=user).order_by("created")
    asked = searches.values("text", "cik", "accession", "fiscal_year", "item", "created")
    leaving.write(archive, "searches.json", asked.iterator(chunk_size=AT_ONCE))


def exported(user: User) -> Iterator[dict[str, Any]]:
    """A row for each run of a user, with all its fields, what its owner said of it, and the answer as text."""
    fields = [field.attname for field in Run._meta.concrete_fields if field.attname not in NOT_EXPORTED]
    runs = Run.objects.filter(user=user).order_by("created").select_related("feedback")
    for run in runs.iterator(chunk_size=AT_ONCE):
        row = {name: getattr(run, name) for name in fields}
        row["text"] = as_text(Answer.model_validate(run.answer)) if run.answer else ""
        said = getattr(run, "feedback", None)
        row["feedback"] = {"verdict": said.verdict, "comment": said.comment, "updated": said.updated} if said else None
        yield row


@receiver(account_deleted)
def keep_sums(user: User, **kwargs: Any) -> None:
    """The runs go with their account; what they used stays in the sums of their days, which name nobody."""
    steps = Step.objects.filter(run__user=user).order_by().annotate(day=TruncDate("at")).values("day")
    for row in steps.annotate(
        requests=Sum("requests"), tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"), cost=Sum("cost")
    ):
        leaving.keep_usage(**row)
    runs = Run.objects.filter(user=user, finished__isnull=False).order_by().annotate(day=TruncDate("finished"))
    for finished in runs.values("day").annotate(answers=Count("pk")):
        leaving.keep_usage(**finished)
