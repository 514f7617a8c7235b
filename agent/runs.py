"""A run's life after its claim: answered, recorded step by step, swept when its worker is gone."""

import logging
import time
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.timezone import now

from agent import pipeline, trail
from agent.deps import Deps
from agent.models import Run, Step
from agent.state import AgentState, Answer

logger = logging.getLogger(__name__)

# A run that has cost this many workers is not tried again: it is the run that kills them.
MAX_ATTEMPTS = 5
# A queued run this old has lost its message; a younger one is on its way.
LOST_AFTER = timedelta(seconds=15)


class SupersededError(Exception):
    """Another attempt holds the run now: this worker was paused or taken for dead, and writes nothing more."""


class Recorder:
    """Writes one Step a node, while the attempt stands; a beat with each."""

    def __init__(self, run_id: UUID, attempt: int) -> None:
        self.run_id, self.attempt, self.sequence = run_id, attempt, 0

    def __call__(self, node: str, before: AgentState, after: AgentState, ms: float) -> None:
        self.sequence += 1
        with transaction.atomic():
            if not Run.objects.of_attempt(self.run_id, self.attempt).update(heartbeat=now()):
                raise SupersededError
            Step.objects.create(
                run_id=self.run_id,
                attempt=self.attempt,
                sequence=self.sequence,
                node=node,
                inputs=trail.counts(before),
                outputs=trail.added(before, after),
                said=trail.said(node, before, after),
                refused=len(after.refusals) > len(before.refusals),
                ms=round(ms, 2),
            )


def answer(run_id: UUID, attempt: int) -> None:
    """Answer a claimed run from the start and store the result, if the attempt still stands."""
    question = Run.objects.values_list("question", flat=True).get(pk=run_id)
    started = time.perf_counter()
    try:
        result = pipeline.answer(question, Deps.current(models=True), Recorder(run_id, attempt))
    except SupersededError:
        logger.info("Run %s is held by a later attempt than %s", run_id, attempt)
        return
    except Exception:
        logger.exception("Run %s failed", run_id)
        finish(run_id, attempt, status=Run.Status.FAILED, outcome=Run.Outcome.ERROR)
        return
    ms = round((time.perf_counter() - started) * 1000)
    finish(run_id, attempt, status=Run.Status.DONE, ms=ms, **columns(result))


def columns(result: Answer) -> dict[str, Any]:
    """What of an answer is kept in columns of its own, for lists and statistics."""
    refusals = [block.refusal for block in result.blocks if block.refusal] if result.outcome == "refused" else []
    target = next(iter(result.plan.targets), None)
    return {
        "answer": result.model_dump(mode="json"),
        "type": str(result.plan.type),
        "outcome": result.outcome,
        "refusal_code": result.refusal_code,
        "refusal_stage": refusals[0].stage if refusals else "",
        "company": target.company.name if target else "",
        "summary": summary(result),
    }


def summary(result: Answer) -> str:
    """The result in one line: the figures, or nothing for a refusal, whose code says it."""
    figures = [
        " ".join(filter(None, (draft.headline, draft.unit_word))) for block in result.blocks for draft in block.drafts
    ]
    return " or ".join(figures)[:300]


def finish(run_id: UUID, attempt: int, **fields: Any) -> bool:
    """Close the run if the attempt still holds it."""
    return bool(Run.objects.of_attempt(run_id, attempt).update(finished=now(), **fields))


def left_behind() -> list[str]:
    """Runs nobody is working on: their message was lost or their worker killed. Those that cost too many
    workers are failed here."""
    waiting = Run.objects.claimable().filter(created__lt=now() - LOST_AFTER)
    waiting.filter(attempt__gte=MAX_ATTEMPTS).update(
        status=Run.Status.FAILED, outcome=Run.Outcome.ERROR, finished=now()
    )
    return [str(pk) for pk in waiting.filter(attempt__lt=MAX_ATTEMPTS).values_list("pk", flat=True)]
