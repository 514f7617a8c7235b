"""Database models of accounts: users, API tokens, sessions, plans and usage."""

from accounts.models.quotas import Meter, Override, PastUsage, Plan, Reservation
from accounts.models.sessions import Session
from accounts.models.users import Scope, Token, User, UserManager

__all__ = [
    "Meter",
    "Override",
    "PastUsage",
    "Plan",
    "Reservation",
    "Scope",
    "Session",
    "Token",
    "User",
    "UserManager",
]
