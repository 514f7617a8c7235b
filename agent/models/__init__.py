"""Runs, their steps, and what people add to them."""

from agent.models.golden import GoldenCandidate
from agent.models.idempotency import IdempotencyKey
from agent.models.kept import Feedback, RunText, Share, unguessable
from agent.models.run import STALE_AFTER, Run, RunCompany, RunQuerySet, Step

__all__ = [
    "STALE_AFTER",
    "Feedback",
    "GoldenCandidate",
    "IdempotencyKey",
    "Run",
    "RunCompany",
    "RunQuerySet",
    "RunText",
    "Share",
    "Step",
    "unguessable",
]
