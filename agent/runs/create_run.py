"""Creates a run from a question; pages, the API and MCP all use this function."""

from uuid import uuid4

from django.db import transaction
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.limit_errors import LimitReached
from agent import tasks
from agent.models import Run
from agent.runs import history_index, spending
from agent.state import Query, Scope


def start(
    identity: Identity,
    question: str,
    mode: str = "",
    *,
    continues: Run | None = None,
    again_of: Run | None = None,
    given: Query | None = None,
    scope: Scope | None = None,
    origin: Run.Origin = Run.Origin.PAGE,
    batch: bool = False,
) -> Run:
    """A run, committed before it is queued.

    identity: with a user or a visitor, or nobody could ever see the run. question: checked and cleaned by the caller.
    continues: the same owner's run that the question follows up on. again_of: the run that is asked again, with what
    was taken from the run that it continued. given: a query, where the question is only its name. scope: what the question is limited to; that of
    the run that is asked again, where it is. origin: where it is
    asked. batch: one of many that nobody waits for.

    Raises accounts.quotas.TooLong and QuotaExceeded, and then has created nothing.
    """
    key = uuid4()
    scope = again_of.scoped if again_of else scope
    # One transaction, so that there is no reservation without a run, and no run without a reservation.
    with transaction.atomic():
        try:
            spending.reserve(identity, key, question, mode)
        except LimitReached as reached:
            # The repeated question is already complete and stands alone.
            whole = again_of.composed if again_of else ""
            before = again_of.continues if again_of else continues
            reached.question, reached.continues = whole or question, before.pk if before and not whole else None
            reached.scope = scope.fields if scope else {}
            raise
        run = Run.objects.create(
            pk=key,
            user=identity.user,
            visitor=identity.visitor,
            token=identity.token,
            origin=origin,
            queued=now(),
            question=question,
            mode=mode,
            continues=again_of.continues if again_of else continues,
            again_of=again_of,
            composed=again_of.composed if again_of else "",
            before=again_of.before if again_of else None,
            given=given.model_dump(mode="json") if given else again_of.given if again_of else None,
            scope=scope.model_dump(mode="json") if scope else None,
        )
        history_index.remember(run.pk)
    tasks.queue(run.pk, batch=batch)
    return run
