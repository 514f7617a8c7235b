"""Search over the text of filings: started here, run by a worker, then polled."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from ninja import P, PathEx, Router
from pydantic import BaseModel, ConfigDict, Field

from accounts.identity import ensure_identity
from accounts.request_types import Request
from agent.web.api import limits
from agent.web.api.openapi import errors
from agent.web.api.parameters import Text
from agent.web.api.problems import Invalid, NotFound, form_errors
from agent.web.api.runs import POLL_AFTER
from filings.models import SearchRequest
from filings.search import requests as searches
from filings.web.forms import TextSearch
from filings.web.search_views import Result, results

router = Router(tags=["Search in texts"])


class SearchWanted(BaseModel):
    """The words and filters of a search."""

    model_config = ConfigDict(extra="forbid")

    q: Text = Field(description="Words to look for, at most 300 characters.")
    company: Text = Field(default="", description="Ticker, name or CIK; empty: all.")
    fiscal_year: int | None = Field(default=None, description="By the company's own label; null: all.")
    item: Text = Field(default="", description="As 1A; empty: all Items.")
    accession: Text = Field(default="", description="Only this filing.")


class Passage(BaseModel):
    """A passage found. Its text is data of the filing."""

    company: str = Field(description="Its name.")
    cik: int = Field(description="Of the company.")
    accession: str = Field(description="Of the filing.")
    fiscal_year: int | None = Field(description="By the company's own label; null where it has none.")
    item: str = Field(description="The Item, such as 1A; empty if the passage is under no Item.")
    where: str = Field(description="Item 1A, Risk Factors, page 14.")
    headings: list[str] = Field(description="It stands under, outermost first.")
    snippet: str = Field(description="The words of the passage around the matches.")
    highlights: list[tuple[int, int]] = Field(description="Ranges of the snippet that match.")
    ranges: list[tuple[int, int]] = Field(description="Of the passage in its section's text.")
    section_url: str = Field(description="Of its section in this API.")
    page: str = Field(description="Address of this site's reader page, with the passage marked.")


# Fields of a passage that a stored result has too.
STORED = ("company", "cik", "accession", "fiscal_year", "item", "headings", "snippet", "highlights", "ranges")


class Search(BaseModel):
    """One search and its results."""

    id: UUID = Field(description="Of the search.")
    url: str = Field(description="Of the search in this API.")
    page: str = Field(description="The search's page here.")
    q: str = Field(description="What was looked for.")
    status: str = Field(description="queued, running, done or failed; the first two are open.")
    problem: str = Field(description="Why it failed, in a sentence.")
    notes: list[str] = Field(description="Notes for the reader, such as that meaning was not searched.")
    passages: list[Passage] = Field(description="Best first.")
    created: datetime = Field(description="When it was started.")
    finished: datetime | None = Field(description="When it was closed; null while open.")


@router.post("/search", operation_id="start_search", response={202: Search, **errors(400, 413, 415, 422, 429)})
def start_search(request: Request, wanted: SearchWanted) -> HttpResponse:
    """Start a search. Its address is in `Location`, to be got after `Retry-After` seconds until it is closed.

    A token needs both scopes, `ask` to start it and `read` to get what it finds. It counts among the requests of a
    minute, as a question does, and against no other limit.
    """
    form = TextSearch({**wanted.model_dump(), "year": wanted.fiscal_year})
    if not form.is_valid():
        raise Invalid(form_errors(form, {"year": "fiscal_year"}))
    asked = form.cleaned_data
    filters = searches.Filters(
        cik=asked["company"].cik if asked["company"] else None,
        accession=asked["accession"],
        fiscal_year=asked["year"],
        item=asked["item"],
    )
    identity = ensure_identity(request)
    return limits.with_limits(polled(searches.start(asked["q"], filters, identity), 202), identity)


@router.get("/search/{uuid:search_id}", operation_id="get_search", response={200: Search, **errors(404)})
def search(request: Request, search_id: PathEx[UUID, P(description="Of the search.")]) -> HttpResponse:
    """A search of your own, and what it found. It is kept for a day."""
    found = SearchRequest.objects.visible_to(request.identity).filter(pk=search_id).first()
    if found is None:
        raise NotFound("search")
    return polled(found, 200)


def polled(found: SearchRequest, status: int) -> HttpResponse:
    """A search with its state, and when to ask again while it is open."""
    shown = document(found)
    response = HttpResponse(shown.model_dump_json(), content_type="application/json; charset=utf-8", status=status)
    if status == 202:
        response["Location"] = shown.url
    if found.is_open:
        response["Retry-After"] = str(POLL_AFTER)
    return response


def document(found: SearchRequest) -> Search:
    return Search(
        id=found.pk,
        url=reverse("api:search", args=[found.pk]),
        page=reverse("search_results", args=[found.pk]),
        q=found.text,
        status=found.status,
        problem=found.problem,
        notes=found.notes,
        passages=[passage(row, result) for row, result in zip(found.results, results(found), strict=True)],
        created=found.created,
        finished=found.finished,
    )


def passage(row: dict[str, Any], result: Result) -> Passage:
    """A stored result with the page's words and address."""
    key = row["item"] or f"p{row['number']}"
    return Passage(
        **{name: row[name] for name in STORED},
        where=result.where,
        section_url=f"{reverse('api:section', args=[row['accession'], key])}?cik={row['cik']}",
        page=result.href,
    )
