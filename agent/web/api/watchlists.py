"""Watchlists: the meaning of "my companies" in a question asked with a token."""

from ninja import Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.models import Watchlist as Stored
from agent.web.api.openapi import errors

router = Router(tags=["Questions"])


class Watchlist(BaseModel):
    """One list of companies."""

    name: str = Field(description='A question names it behind "my": my semiconductors.')
    companies: list[int] = Field(description="CIKs, in the order in which they were added.")


class Watchlists(BaseModel):
    """Your watchlists. In a question, "my companies" means those of all of them."""

    items: list[Watchlist] = Field(description="In the order of the page Watchlists, on which they are changed.")


@router.get("/watchlists", operation_id="list_watchlists", response={200: Watchlists, **errors()})
def watchlists(request: Request) -> Watchlists:
    """Your own watchlists, with the companies of each."""
    mine = Stored.objects.visible_to(request.identity).prefetch_related("companies")
    return Watchlists(items=[Watchlist(name=one.name, companies=list(one.ciks)) for one in mine])
