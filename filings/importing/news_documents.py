"""Searches news of one company and stores what is found as its documents, which can be searched at once."""

import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from filings.document.blocks import BLOCK_GAP
from filings.edgar.registrant_names import CURATED_NAMES, everyday_name
from filings.importing.document_fields import LONGEST_ADDRESS, DocumentFields, ImportRefused
from filings.importing.importing import import_document
from filings.importing.news import NewsItem, NewsProvider, as_document
from filings.importing.stated import LONGEST_TITLE
from filings.importing.tavily import MOST_QUERY
from filings.models import Company
from filings.models.source_kinds import NEWS

logger = logging.getLogger(__name__)

FILENAME = "news.txt"


@dataclass(frozen=True, slots=True)
class FoundNews:
    """The documents of a search, newest first, as primary keys. late: how many articles were left for lack of time."""

    filings: tuple[int, ...]
    late: int = 0


class TimeUp(Exception):
    """The time for reading what a search found is over."""


def find_news(provider: NewsProvider, company: Company, words: str) -> FoundNews:
    """Search a company's name with some words, and store each article that names the company as a document of it.

    An article that is held already is the same document. Reading starts no article NEWS_TIMEOUT seconds after the
    search ended, and ends one that is not stored by then. Raises NewsError.
    """
    found = provider.search(query_of(company, words), None, settings.NEWS_RESULTS)
    items = [item for item in found if names(company, item)]
    until = time.monotonic() + settings.NEWS_TIMEOUT
    stored: list[int] = []

    def beat() -> None:
        if time.monotonic() > until:
            raise TimeUp

    for place, item in enumerate(items):
        try:
            beat()
            stored.append(store_news(company, item, beat))
        except TimeUp:
            return FoundNews(tuple(stored), late=len(items) - place)
        except ImportRefused as refused:
            # An article that cannot be a document, as one of a few blanks, is as good as not found.
            logger.warning("News was not stored: %s", refused)
    return FoundNews(tuple(dict.fromkeys(stored)))


def query_of(company: Company, words: str) -> str:
    """The words that are searched for, the company's everyday name first; as many as a search takes."""
    query = " ".join(f"{everyday_name(company.cik, company.name)} {words}".split())
    return query if len(query) <= MOST_QUERY else query[:MOST_QUERY].rpartition(" ")[0]


def names(company: Company, item: NewsItem) -> bool:
    """Whether an article names the company: a search also finds others that only share its subject."""
    called = {everyday_name(company.cik, company.name), *CURATED_NAMES.get(company.cik, ()), company.name}
    joined = "|".join(re.escape(name) for name in called if name)
    return bool(re.search(rf"(?<!\w)(?:{joined})(?!\w)", f"{item.title}\n{item.text}", re.IGNORECASE))


def content_of(company: Company, item: NewsItem) -> bytes:
    """The bytes of the document. They name the company, so that an article on two is a document of each."""
    return as_document(item) + f"{BLOCK_GAP}Found for: {company.name}, CIK {company.cik}\n".encode()


def store_news(company: Company, item: NewsItem, beat: Callable[[], None]) -> int:
    """The primary key of an article's document: stored, embedded and indexed, unless it is held."""
    fields = DocumentFields(
        company=company,
        kind=NEWS,
        day=item.date or timezone.now().date(),
        title=item.title[:LONGEST_TITLE],
        address=item.address if len(item.address) <= LONGEST_ADDRESS else "",
    )
    # Plain text that our own code wrote needs no process of its own.
    return import_document(content_of(company, item), FILENAME, fields, bundled=True, beat=beat).filing.pk
