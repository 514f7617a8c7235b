"""The state of the search index: checked by workers, which can reach it, and stored in a row for web processes."""

import logging

from django.utils.timezone import now

from filings.models import Health
from filings.search import active_indexes, indexing
from filings.search.index import IndexMismatch, Query, SearchUnavailable

logger = logging.getLogger(__name__)

INDEX = "index"
# A word in every report.
PROBE = Query(words="report", depth=1)


def check_index() -> Health:
    """Search each index of the settings once, and store the result, without any text of an error.

    Filings that an index has lost wait to be indexed again; the row counts them until none waits. The index is not down
    while one of earlier settings answers for those that wait.
    """
    problems: dict[str, str] = {}
    try:
        indexes = active_indexes.indexes()
    except SearchUnavailable as error:
        logger.warning("No search index can be used: %s", error)
        return write(Health.State.DOWN, "Passages cannot be embedded, so nothing is searched.", {})
    lost = lost_before()
    for index in indexes:
        try:
            lost += indexing.give_up_lost(index)
            index.lists([PROBE])
        except SearchUnavailable as error:
            logger.warning("The %s index cannot be used: %s", index.name, error)
            problems[index.name] = f"The {index.name} index does not answer."
        except IndexMismatch as error:
            logger.error("The %s index cannot be used: %s", index.name, error)
            problems[index.name] = f"The {index.name} index must be rebuilt: manage.py search_index rebuild."
    waiting = indexing.waiting().count()
    lost = min(lost, waiting)
    if lost:
        for index in indexes:
            if not indexing.said_held(index).exists():
                problems.setdefault(index.name, f"The {index.name} index is empty.")
    data = {"waiting": waiting, **{index.name: index.name not in problems for index in indexes}}
    details = [*problems.values()]
    if lost:
        data["lost"] = lost
        details.append(f"The index has lost filings, of which {lost} must still be indexed again.")
    meanwhile = sum(
        indexing.waiting().filter(pk__in=indexing.said_held(index)).count() for index in active_indexes.former()
    )
    if meanwhile:
        details.append(f"The embedded index answers for {meanwhile} filings that wait to be indexed.")
    if len(problems) == len(indexes) and not meanwhile:
        return write(Health.State.DOWN, " ".join(details), data)
    return write(Health.State.DEGRADED if details else Health.State.OK, " ".join(details), data)


def lost_before() -> int:
    """The number of lost filings in the row."""
    row = Health.objects.filter(subject=INDEX).first()
    return int(row.data.get("lost", 0)) if row else 0


def write(state: Health.State, detail: str, data: dict[str, int | bool]) -> Health:
    """Replace the row of the index."""
    told = {"state": state, "detail": detail, "data": data, "checked": now()}
    return Health.objects.update_or_create(subject=INDEX, defaults=told)[0]
