"""Loads in advance what the first question would wait for: modules, the embedding model, its tokenizer."""

import logging
import time

from django.conf import settings
from django.db import connections

logger = logging.getLogger(__name__)


def warm() -> None:
    """Load them now. Calls no remote endpoint, which may cost money. If loading fails, the first question reports it."""
    started = time.monotonic()
    try:
        from agent.runs import lifecycle  # noqa: F401
        from agent.steps import pipeline  # noqa: F401
        from filings.search import passages  # noqa: F401
        from filings.text.embeddings import embedder

        model = embedder()
        if not settings.EMBEDDING_BASE_URL:
            model.query("ready")
    except Exception:
        logger.warning("The worker starts cold", exc_info=True)
    else:
        logger.info("Warm after %.1f s", time.monotonic() - started)
    finally:
        connections.close_all()
