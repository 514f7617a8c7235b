"""News that a question asks for, or that is always searched, once a run before it is decided what is held."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from agent.query.words.refused_question import MAY_BE_SOURCED, Misread
from agent.state import CompanyRef, Query
from filings.models.source_kinds import NEWS


@dataclass(frozen=True, slots=True)
class News:
    """What a search for news found: documents, as primary keys; what the reader must know of it, in a sentence."""

    filings: tuple[int, ...] = ()
    said: str = ""


def no_news(company: CompanyRef, words: str) -> News:
    """The search of a question that is only tried or measured, or where no provider is set."""
    return News()


def asked_of_news(halves: Sequence[Query | Misread]) -> tuple[CompanyRef, str] | None:
    """The company of which a question asks for news, and the words of its topic; None where it asks for none, or of
    several companies. Where news is always searched, also of a question for text that names no document.
    """
    for half in halves:
        query = half.sourced if isinstance(half, Misread) else half
        if query is None or not query.topics or len(query.companies) != 1 or query.document is not None:
            continue
        beside = not (isinstance(half, Misread) and half.code not in MAY_BE_SOURCED)
        if NEWS.key not in query.sources and not (settings.NEWS_ALWAYS and beside and not query.sources):
            continue
        return query.companies[0], " ".join(topic.text for topic in query.topics)
    return None
