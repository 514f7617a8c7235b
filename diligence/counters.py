"""Counters across processes: counted in memory and added to the database at the end of a task.

A killed process loses what it has not added yet, at most the counts of one task.
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
    """Add to a counter. Labels have few values, such as nodes and outcomes; never a person, question or company."""
    key = name, json.dumps(labels, sort_keys=True) if labels else ""
    with _lock:
        _held[key] += amount


def observe(name: str, seconds: float, **labels: str) -> None:
    """Add a duration to a histogram: counters `<name>_bucket`, each for itself and not cumulative, and `<name>_sum`."""
    bound = next((str(bound) for bound in BUCKETS if seconds <= bound), BEYOND)
    count(f"{name}_bucket", le=bound, **labels)
    count(f"{name}_sum", seconds, **labels)


def flush() -> int:
    """Add the counts to the database; returns how many counters. Counts that cannot be written are kept for the next
    time.
    """
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
    """Drop counts that were not added, as a new process would."""
    with _lock:
        _held.clear()
