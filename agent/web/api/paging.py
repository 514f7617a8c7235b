"""Lists in pages."""

from typing import Any, Generic, TypeVar

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from pydantic import BaseModel, Field

MOST_A_PAGE = 100
# Nobody reads a page this deep, and it costs the database every row before it.
MOST_PAGES = 10_000

Item = TypeVar("Item", bound=BaseModel)


class Paged(BaseModel):
    """The page of a list that is wanted."""

    page: int = Field(default=1, ge=1, le=MOST_PAGES, description="Which page, from 1.")
    size: int = Field(default=50, ge=1, le=MOST_A_PAGE, description="Items on a page.")


class Page(BaseModel, Generic[Item]):
    """One page of a list. A page after the last is empty."""

    items: list[Item] = Field(description="Those of this page.")
    page: int = Field(description="Which page this is, from 1.")
    pages: int = Field(description="How many there are, at least 1.")
    total: int = Field(description="Items on all pages.")
    next: str = Field(description="Address of the next page; empty on the last.")


class Rows:
    """A page of rows before serialization."""

    def __init__(self, rows: QuerySet[Any], wanted: Paged) -> None:
        paginator = Paginator(rows, wanted.size)
        self.number, self.pages, self.total = wanted.page, paginator.num_pages, paginator.count
        self.rows: list[Any] = list(paginator.page(self.number).object_list) if self.number <= self.pages else []

    def fields(self, request: HttpRequest | None = None) -> dict[str, Any]:
        """The fields of a Page besides its items. request: its address is used for the next page."""
        following = ""
        if request is not None and self.number < self.pages:
            query = request.GET.copy()
            query["page"] = str(self.number + 1)
            following = f"{request.path}?{query.urlencode()}"
        return {"page": self.number, "pages": self.pages, "total": self.total, "next": following}
