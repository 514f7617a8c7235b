"""What accounts tells the apps above it, which it may not import."""

from django.dispatch import Signal

# Sent once a visitor has an account: user (accounts.User), visitor (UUID).
visitor_became_user = Signal()
