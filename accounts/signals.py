"""Signals that accounts sends to other apps, which it must not import."""

from django.dispatch import Signal

# Sent once a visitor has an account and has signed in to it: user (accounts.User), visitor (UUID).
visitor_became_user = Signal()

# Sent when a user exports their data: user, archive (an open zipfile.ZipFile to add files to).
account_exported = Signal()

# Sent inside the transaction that deletes an account, before anything is locked or deleted: user. An exception in a
# receiver stops the deletion.
account_deleted = Signal()
