"""Runs, their steps, and what people add to them."""

from agent.models.feedback import Feedback, GoldenCandidate, RunText, Share, unguessable
from agent.models.run import STALE_AFTER, IdempotencyKey, Run, RunCompany, RunQuerySet, Step

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
