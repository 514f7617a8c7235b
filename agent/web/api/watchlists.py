"""`GET /watchlists`: your lists of companies, which "my companies" in a question refers to."""

from ninja import Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.models import Watchlist as Stored
from agent.web.api.openapi import errors

router = Router(tags=["Questions"])


class Watchlist(BaseModel):
    """A named list of companies."""

    name: str = Field(description='Name of the list. A question names it after "my": my semiconductors.')
    companies: list[int] = Field(description="CIKs of its companies, in the order in which they were added.")


class Watchlists(BaseModel):
    """Your watchlists. In a question, "my companies" means the companies of all your lists."""

    items: list[Watchlist] = Field(
        description="Your lists, in the order of the page Watchlists, where you can change them."
    )


@router.get("/watchlists", operation_id="list_watchlists", response={200: Watchlists, **errors()})
def watchlists(request: Request) -> Watchlists:
    """List your own watchlists with their companies."""
    mine = Stored.objects.visible_to(request.identity).prefetch_related("companies")
    return Watchlists(items=[Watchlist(name=one.name, companies=list(one.ciks)) for one in mine])
