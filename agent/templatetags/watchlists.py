"""Watchlists on pages of other things: the home page and the page of a company."""

from django import template

from accounts.identity import Identity
from agent.models import Watchlist
from agent.web.pages import watchlist_panels
from filings.models import Filing

register = template.Library()


@register.simple_tag
def watched_filings(identity: Identity) -> tuple[list[Filing], bool]:
    """10-Ks of the companies that whoever looks watches, and whether they are new."""
    return watchlist_panels.filings(identity)


@register.simple_tag
def lists_of_company(identity: Identity, cik: int) -> tuple[list[Watchlist], list[Watchlist]]:
    """The lists of whoever looks: those that a company is on, and those that it is not."""
    return watchlist_panels.of_company(identity, cik)
