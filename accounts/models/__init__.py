"""Tables of accounts: users, sign-in methods, plans, usage, and the usage sums of deleted accounts."""

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
