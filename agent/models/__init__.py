"""Database models: runs, their steps, feedback and shared links, watchlists, and the screener's figures and screens."""

from agent.models.feedback import Feedback, GoldenCandidate, RunText, Share, unguessable
from agent.models.run import IdempotencyKey, Run, RunCompany, RunQuerySet, Step
from agent.models.screening import MOST_SCREENS, AnnualFigure, KeptFigures, Screen
from agent.models.watchlist import MOST_LISTS, MOST_WATCHED, WatchedCompany, Watchlist, WatchlistQuerySet

__all__ = [
    "MOST_LISTS",
    "MOST_SCREENS",
    "MOST_WATCHED",
    "AnnualFigure",
    "Feedback",
    "GoldenCandidate",
    "IdempotencyKey",
    "KeptFigures",
    "Run",
    "RunCompany",
    "RunQuerySet",
    "RunText",
    "Screen",
    "Share",
    "Step",
    "WatchedCompany",
    "Watchlist",
    "WatchlistQuerySet",
    "unguessable",
]
