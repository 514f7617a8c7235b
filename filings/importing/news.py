"""News: one protocol that a provider speaks, and the provider that the settings name.

Off unless NEWS_BASE_URL is set. What a search finds is returned and stored nowhere; `as_document` makes a document of
it, which is imported as any other.
"""

from datetime import date
from typing import Protocol

from django.conf import settings

from filings.importing.news_items import NewsItem, as_document
from filings.importing.tavily import NewsError, NewsMisconfigured, NewsUnavailable, Tavily

__all__ = [
    "NewsError",
    "NewsItem",
    "NewsMisconfigured",
    "NewsProvider",
    "NewsUnavailable",
    "as_document",
    "news_provider",
]


class NewsProvider(Protocol):
    """Somebody who finds articles."""

    def search(self, query: str, since: date | None, most: int) -> tuple[NewsItem, ...]:
        """Up to `most` articles on a query, published on `since` or later where it is given, newest first.

        Raises NewsError; `error.retryable` says whether a later try can help.
        """
        ...


def news_provider() -> NewsProvider | None:
    """The provider that the settings name; None where they name none. Raises NewsMisconfigured where they are wrong."""
    return Tavily() if settings.NEWS_BASE_URL else None
