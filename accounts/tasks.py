"""Tasks of accounts."""

from celery import shared_task


@shared_task
def clear_sessions() -> None:
    """Delete the sessions that have expired; each day by the beat schedule."""
    from accounts.session_engine import SessionStore

    SessionStore.clear_expired()
