"""Database models: runs, their steps, feedback, shared links, the standing of answers and its digest, watchlists and their alerts, figures and screens of the screener."""

from agent.models.digest import Digest
from agent.models.feedback import Feedback, GoldenCandidate, RunText, Share, unguessable
from agent.models.run import IdempotencyKey, Run, RunCompany, RunQuerySet, Step
from agent.models.screening import MOST_SCREENS, AnnualFigure, KeptFigures, Screen
from agent.models.standing import CitedFact, ComparedCompany, Standing
from agent.models.watchlist import MOST_LISTS, MOST_WATCHED, WatchedCompany, Watchlist, WatchlistQuerySet
from agent.models.watchlist_alert import AlertItem, AlertMail, WatchlistAlert

__all__ = [
    "MOST_LISTS",
    "MOST_SCREENS",
    "MOST_WATCHED",
    "AlertItem",
    "AlertMail",
    "AnnualFigure",
    "CitedFact",
    "ComparedCompany",
    "Digest",
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
    "Standing",
    "Step",
    "WatchedCompany",
    "Watchlist",
    "WatchlistAlert",
    "WatchlistQuerySet",
    "unguessable",
]
