"""How the search index is: asked by workers, who can reach it, and kept in a row for web processes, who never do."""

import logging
from collections.abc import Sequence

from django.utils.timezone import now

from filings.models import Health
from filings.search import current, indexing
from filings.search.index import Index, IndexMismatch, Query, SearchUnavailable

logger = logging.getLogger(__name__)

INDEX = "index"
# A word that stands in every report.
PROBE = Query(words="report", depth=1)


def check_index() -> Health:
    """Search each index of the settings once, and write what came of it. No word of an error goes into the row."""
    problems: dict[str, str] = {}
    try:
        indexes: Sequence[Index] = current.indexes()
        waiting = indexing.waiting().count()
    except SearchUnavailable as error:
        logger.warning("No search index can be used: %s", error)
        return write(Health.State.DOWN, "Passages cannot be embedded, so that nothing is searched.", {})
    for index in indexes:
        try:
            index.lists([PROBE])
        except SearchUnavailable as error:
            logger.warning("The %s index cannot be used: %s", index.name, error)
            problems[index.name] = f"The {index.name} index does not answer."
        except IndexMismatch as error:
            logger.error("The %s index cannot be used: %s", index.name, error)
            problems[index.name] = f"The {index.name} index is to be rebuilt: manage.py search_index rebuild."
    data = {"waiting": waiting, **{index.name: index.name not in problems for index in indexes}}
    if len(problems) == len(indexes):
        return write(Health.State.DOWN, " ".join(problems.values()), data)
    if problems:
        return write(Health.State.DEGRADED, " ".join(problems.values()), data)
    return write(Health.State.OK, "", data)


def write(state: Health.State, detail: str, data: dict[str, int | bool]) -> Health:
    """Replace the row of the index."""
    told = {"state": state, "detail": detail, "data": data, "checked": now()}
    return Health.objects.update_or_create(subject=INDEX, defaults=told)[0]
