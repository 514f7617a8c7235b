"""Signals from accounts to the apps above it, which it may not import."""

from django.dispatch import Signal

# Sent once a visitor has an account and has signed in to it: user (accounts.User), visitor (UUID).
visitor_became_user = Signal()

# Sent when somebody takes their data along: user, archive (an open zipfile.ZipFile to add files to).
account_exported = Signal()

# Sent inside the transaction that deletes an account, before anything of it is locked or goes: user. What a receiver
# raises stops it.
account_deleted = Signal()
