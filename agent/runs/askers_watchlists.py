"""The watchlists of a run's asker, which its question may name."""

from accounts.identity import Identity
from agent.models import Run, Watchlist
from agent.query.companies.named_watchlists import Watched


def of_owner(run: Run) -> tuple[Watched, ...]:
    """Watchlists in their owner's order; none for a command's run, which belongs to nobody."""
    mine = Watchlist.objects.visible_to(Identity(user=run.user, visitor=run.visitor))
    return tuple(Watched(one.name, one.ciks) for one in mine.prefetch_related("companies"))
