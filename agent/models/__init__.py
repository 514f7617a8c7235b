"""Database models: runs, their steps, feedback and shared links, watchlists and their alerts."""

from agent.models.feedback import Feedback, GoldenCandidate, RunText, Share, unguessable
from agent.models.run import IdempotencyKey, Run, RunCompany, RunQuerySet, Step
from agent.models.watchlist import MOST_LISTS, MOST_WATCHED, WatchedCompany, Watchlist, WatchlistQuerySet
from agent.models.watchlist_alert import AlertItem, AlertMail, WatchlistAlert

__all__ = [
    "MOST_LISTS",
    "MOST_WATCHED",
    "AlertItem",
    "AlertMail",
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
    "WatchlistAlert",
    "WatchlistQuerySet",
    "unguessable",
]
