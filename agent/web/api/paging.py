"""Splits lists into pages."""

from typing import Any, Generic, TypeVar

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from pydantic import BaseModel, Field

MOST_A_PAGE = 100
# Nobody needs a page this far back, and the database must read every row before it.
MOST_PAGES = 10_000

Item = TypeVar("Item", bound=BaseModel)


class Paged(BaseModel):
    """Which page of a list to get."""

    page: int = Field(default=1, ge=1, le=MOST_PAGES, description="Page number, from 1.")
    size: int = Field(default=50, ge=1, le=MOST_A_PAGE, description="Number of items on a page.")


class Page(BaseModel, Generic[Item]):
    """One page of a list. A page after the last is empty."""

    items: list[Item] = Field(description="Items of this page.")
    page: int = Field(description="Number of this page, from 1.")
    pages: int = Field(description="Number of pages, at least 1.")
    total: int = Field(description="Number of items on all pages.")
    next: str = Field(description="Address of the next page; empty on the last.")


class Rows:
    """One page of database rows, before they are converted for the API."""

    def __init__(self, rows: QuerySet[Any], wanted: Paged) -> None:
        paginator = Paginator(rows, wanted.size)
        self.number, self.pages, self.total = wanted.page, paginator.num_pages, paginator.count
        self.rows: list[Any] = list(paginator.page(self.number).object_list) if self.number <= self.pages else []

    def fields(self, request: HttpRequest | None = None) -> dict[str, Any]:
        """The fields of a Page except its items. request: its address is used for the next page."""
        following = ""
        if request is not None and self.number < self.pages:
            query = request.GET.copy()
            query["page"] = str(self.number + 1)
            following = f"{request.path}?{query.urlencode()}"
        return {"page": self.number, "pages": self.pages, "total": self.total, "next": following}
