"""Template tags that show watchlists on the home page and on company pages."""

from django import template

from accounts.identity import Identity
from agent.models import Watchlist
from agent.web.pages import watchlist_panels
from filings.models import Filing

register = template.Library()


@register.simple_tag
def watched_filings(identity: Identity) -> tuple[list[Filing], bool]:
    """10-Ks of the companies on the viewer's watchlists, and whether these filings are new."""
    return watchlist_panels.filings(identity)


@register.simple_tag
def lists_of_company(identity: Identity, cik: int) -> tuple[list[Watchlist], list[Watchlist]]:
    """The viewer's watchlists that contain a company, and those that do not."""
    return watchlist_panels.of_company(identity, cik)
