"""The indexes of the settings: which are written, and which answers."""

from threading import Lock
from typing import NamedTuple

from django.conf import settings

from filings.models import Filing
from filings.search.index import Index, SearchUnavailable
from filings.search.markers import holds, index_key
from filings.text.embeddings import EmbeddingUnavailable, embedder

EMBEDDED = "embedded"
FILENAME = "search.sqlite3"


class Readers(NamedTuple):
    """The indexes that can be asked, in that order, and the filings in scope that have text: one that answers holds them."""

    indexes: tuple[Index, ...]
    filings: tuple[int, ...] = ()


_made: dict[tuple[object, ...], tuple[Index, ...]] = {}
_lock = Lock()


def indexes() -> tuple[Index, ...]:
    """The indexes that are written, first the one that answers. Made once a process. Raises SearchUnavailable."""
    try:
        model = embedder()
    except EmbeddingUnavailable as error:
        raise SearchUnavailable(str(error)) from error
    key = (
        settings.DATA_DIR,
        settings.ELASTICSEARCH_URL,
        settings.ELASTICSEARCH_API_KEY,
        settings.ELASTICSEARCH_CA,
        settings.ELASTICSEARCH_TIMEOUT,
        settings.ELASTICSEARCH_INDEX,
        settings.SEARCH_FALLBACK,
        model.model,
        model.dimensions,
    )
    with _lock:
        if key not in _made:
            # Settings change in tests only.
            _made.clear()
            _made[key] = _indexes(model.model, model.dimensions)
        return _made[key]


def _indexes(model: str, dimensions: int) -> tuple[Index, ...]:
    found: list[Index] = []
    if settings.ELASTICSEARCH_URL:
        from filings.search.elastic import ElasticIndex

        found.append(ElasticIndex.of_settings(model, dimensions))
    if not found or settings.SEARCH_FALLBACK == EMBEDDED:
        from filings.search.embedded import EmbeddedIndex

        found.append(EmbeddedIndex(settings.DATA_DIR / FILENAME, model, dimensions))
    return tuple(found)


def keys(found: tuple[Index, ...]) -> dict[str, str]:
    """The key of each index, as `Filing.indexed` has it."""
    return {index.name: index_key(index.model, index.dimensions) for index in found}


def readers(filings: tuple[int, ...]) -> Readers:
    """The indexes that hold all of these filings, as their rows say; all of them for a search of everything.

    Raises SearchUnavailable where none does.
    """
    found = indexes()
    if not filings:
        return Readers(found)
    marked = dict(Filing.objects.filter(pk__in=filings, chunks_stored__gt=0).values_list("pk", "indexed"))
    key_of = keys(found)
    able = tuple(
        index for index in found if all(holds(marker, index.name, key_of[index.name]) for marker in marked.values())
    )
    if not able:
        raise SearchUnavailable("The text of this filing is still waiting to be indexed.")
    return Readers(able, tuple(marked))
