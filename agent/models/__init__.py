"""Database models: runs, their steps, feedback and shared links, and watchlists."""

from agent.models.feedback import Feedback, GoldenCandidate, RunText, Share, unguessable
from agent.models.run import IdempotencyKey, Run, RunCompany, RunQuerySet, Step
from agent.models.watchlist import MOST_LISTS, MOST_WATCHED, WatchedCompany, Watchlist, WatchlistQuerySet

__all__ = [
    "MOST_LISTS",
    "MOST_WATCHED",
    "Feedback",
    "GoldenCandidate",
    "IdempotencyKey",
    "Run",
    "RunCompany",
    "RunQuerySet",
    "RunText",
    "Share",
    "Step",
    "WatchedCompany",
    "Watchlist",
    "WatchlistQuerySet",
    "unguessable",
]
