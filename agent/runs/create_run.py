"""How a question becomes a run: the one way, whether a page, the API or another program asks."""

from uuid import uuid4

from django.db import transaction
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.limit_errors import LimitReached
from agent import tasks
from agent.models import Run
from agent.runs import history_index, spending
from agent.state import Query


def start(
    identity: Identity,
    question: str,
    mode: str = "",
    *,
    continues: Run | None = None,
    again_of: Run | None = None,
    given: Query | None = None,
    batch: bool = False,
) -> Run:
    """A run of whoever asks, committed before it is queued.

    identity: with a user or a visitor, or nobody would ever see the run. question: tidied and checked by the caller.
    continues: a run of the same owner that the question goes on from. again_of: one whose question this is, with what
    was taken for it from the run that it continued. given: what is asked, where the question is but its name. batch: one of many that nobody waits for.
    Raises accounts.quotas.TooLong and QuotaExceeded, and has then made nothing.
    """
    key = uuid4()
    # One transaction: what is reserved is never of a run that is not there, nor a run of nothing reserved.
    with transaction.atomic():
        try:
            spending.reserve(identity, key, question, mode)
        except LimitReached as reached:
            # What was taken before is in the whole question, which stands alone.
            whole = again_of.composed if again_of else ""
            before = again_of.continues if again_of else continues
            reached.question, reached.continues = whole or question, before.pk if before and not whole else None
            raise
        run = Run.objects.create(
            pk=key,
            user=identity.user,
            visitor=identity.visitor,
            token=identity.token,
            queued=now(),
            question=question,
            mode=mode,
            continues=again_of.continues if again_of else continues,
            again_of=again_of,
            composed=again_of.composed if again_of else "",
            before=again_of.before if again_of else None,
            given=given.model_dump(mode="json") if given else again_of.given if again_of else None,
        )
        history_index.remember(run.pk)
    tasks.queue(run.pk, batch=batch)
    return run
