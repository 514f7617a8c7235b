"""The search indexes to use: those in the settings, and the one that earlier settings left."""

from threading import Lock
from typing import TYPE_CHECKING

from django.conf import settings

from filings.search.index import Index, SearchUnavailable
from filings.search.indexed_markers import index_key
from filings.text.embeddings import EmbeddingUnavailable, embedder

if TYPE_CHECKING:
    from filings.search.embedded import EmbeddedIndex

FILENAME = "search.sqlite3"
# The settings by which an index other than the embedded one is chosen: where they change, other indexes answer.
SETTINGS = ("ELASTICSEARCH_URL", "ELASTICSEARCH_INDEX")
# Those by which it is reached.
ACCESS = ("ELASTICSEARCH_API_KEY", "ELASTICSEARCH_CA", "ELASTICSEARCH_TIMEOUT")

_made: dict[tuple[object, ...], tuple[Index, ...]] = {}
_lock = Lock()


def indexes() -> tuple[Index, ...]:
    """The indexes written to; the first one answers searches. Raises SearchUnavailable."""
    found = known()
    return found if settings.SEARCH_FALLBACK else found[:1]


def embedded() -> "EmbeddedIndex | None":
    """The embedded index, written or not; None where it has no file. Raises SearchUnavailable."""
    from filings.search.embedded import EmbeddedIndex

    last = known()[-1]
    return last if isinstance(last, EmbeddedIndex) and last.path.exists() else None


def former() -> tuple[Index, ...]:
    """The embedded index, if earlier settings left its file: it answers until the new indexes are complete."""
    found = embedded()
    return (found,) if found and found not in indexes() else ()


def known() -> tuple[Index, ...]:
    """The indexes of the settings, and the embedded one last, created once a process. Raises SearchUnavailable."""
    try:
        model = embedder()
    except EmbeddingUnavailable as error:
        raise SearchUnavailable(str(error)) from error
    key = (
        settings.DATA_DIR,
        *(getattr(settings, name) for name in SETTINGS + ACCESS),
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
    from filings.search.embedded import EmbeddedIndex

    embedded = EmbeddedIndex(settings.DATA_DIR / FILENAME, model, dimensions)
    if not settings.ELASTICSEARCH_URL:
        return (embedded,)
    from filings.search.elastic import ElasticIndex

    return ElasticIndex.of_settings(model, dimensions), embedded


def keys(found: tuple[Index, ...]) -> dict[str, str]:
    """The key of each index in `Filing.indexed`."""
    return {index.name: index_key(index.model, index.dimensions) for index in found}
