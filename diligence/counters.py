"""Counters of all processes: counted in memory where something happens, added to the database at the end of a task.

A process that is killed loses what it had not added yet, which is at most what one task has counted.
"""

import json
import logging
import threading
from collections import defaultdict

from django.db import DatabaseError, connection

from filings.models import Tally

logger = logging.getLogger(__name__)

# Upper bounds of the buckets of a duration, in seconds: from a node without a model to a run at its deadline.
BUCKETS = (0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
BEYOND = "+Inf"

_held: defaultdict[tuple[str, str], float] = defaultdict(float)
_lock = threading.Lock()


def count(name: str, amount: float = 1.0, **labels: str) -> None:
    """Add to a counter. Labels are few and known: a node, an outcome; never a person, a question or a company."""
    key = name, json.dumps(labels, sort_keys=True) if labels else ""
    with _lock:
        _held[key] += amount


def observe(name: str, seconds: float, **labels: str) -> None:
    """Add a duration to a histogram: counters `<name>_bucket`, each for itself and not cumulative, and `<name>_sum`."""
    bound = next((str(bound) for bound in BUCKETS if seconds <= bound), BEYOND)
    count(f"{name}_bucket", le=bound, **labels)
    count(f"{name}_sum", seconds, **labels)


def flush() -> int:
    """Add what was counted to the database; how many counters. What cannot be written now is kept for the next time."""
    with _lock:
        taken = dict(_held)
        _held.clear()
    if not taken:
        return 0
    # In one order, so that two processes never wait for each other's rows.
    rows = [(name, labels, taken[name, labels]) for name, labels in sorted(taken)]
    table = connection.ops.quote_name(Tally._meta.db_table)
    marks = ", ".join(["(%s, %s, %s)"] * len(rows))
    add = f"INSERT INTO {table} (name, labels, value) VALUES {marks} ON CONFLICT (name, labels) DO UPDATE SET value = {table}.value + excluded.value"  # noqa: S608 - no value is in it
    try:
        with connection.cursor() as cursor:
            cursor.execute(add, [value for row in rows for value in row])
    except DatabaseError:
        logger.warning("What was counted is added later", exc_info=True)
        with _lock:
            for key, amount in taken.items():
                _held[key] += amount
        return 0
    return len(rows)


def forget() -> None:
    """Drop what was counted and not added, as a new process would."""
    with _lock:
        _held.clear()
