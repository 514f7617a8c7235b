"""Tables of accounts: users, what they sign in with, what they may use, and what those have used that are no more."""

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
