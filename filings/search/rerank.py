"""An optional reranker: any endpoint with the common /rerank interface. On failure the order stays.

Request: {"model", "query", "documents", "top_n"}; reply: {"results": [{"index", "relevance_score"}]}, as from Cohere,
Jina, Voyage ("data"), vLLM and text-embeddings-inference (a bare list with "score").
"""

import logging
import math
from collections.abc import Sequence
from typing import Any

import httpx
from django.conf import settings

from filings.search.merge_hits import Candidate

logger = logging.getLogger(__name__)

FAILED = "The reranker did not answer; the passages are in search order."
MOST_CHARACTERS = 8000


def reranked(query: str, found: Sequence[Candidate]) -> tuple[list[Candidate], str]:
    """The candidates in the reranker's order, and a sentence if it failed. Unchanged where none is set."""
    if not settings.RERANK_URL or len(found) < 2:
        return list(found), ""
    try:
        order = scores(query, [one.text[:MOST_CHARACTERS] for one in found])
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, TypeError, KeyError, AttributeError) as error:
        logger.warning("The reranker at %s failed: %s", httpx_host(), error.__class__.__name__)
        return list(found), FAILED
    # Unranked candidates follow, in the order of the search.
    places = sorted(range(len(found)), key=lambda place: (-order.get(place, -math.inf), place))
    return [found[place] for place in places], ""


def scores(query: str, documents: Sequence[str]) -> dict[int, float]:
    """The relevance of each document that the endpoint ranks, by its place. Raises on anything unexpected."""
    body: dict[str, Any] = {"query": query, "documents": list(documents), "top_n": len(documents)}
    if settings.RERANK_MODEL:
        body["model"] = settings.RERANK_MODEL
    headers = {"authorization": f"Bearer {settings.RERANK_API_KEY}"} if settings.RERANK_API_KEY else {}
    # No redirect: filings go to the operator's endpoint and nowhere else.
    response = httpx.post(
        settings.RERANK_URL, json=body, headers=headers, timeout=settings.RERANK_TIMEOUT, follow_redirects=False
    )
    response.raise_for_status()
    answer = response.json()
    rows = answer if isinstance(answer, list) else answer.get("results", answer.get("data"))
    found: dict[int, float] = {}
    for row in rows:
        place, score = int(row["index"]), float(row.get("relevance_score", row.get("score")))
        if not 0 <= place < len(documents) or not math.isfinite(score):
            raise ValueError(f"no document {place} with score {score}")
        found[place] = score
    if not found:
        raise ValueError("nothing was ranked")
    return found


def httpx_host() -> str:
    return httpx.URL(settings.RERANK_URL).host
