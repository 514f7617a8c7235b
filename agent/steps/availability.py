"""Which filings of a company can answer, remembered by the process for half an hour, or until the corpus changes."""

import threading
import time
from collections.abc import Callable, Sequence

from filings.models import Filing

SECONDS = 30 * 60.0
# Companies, each for text and for figures.
MOST = 2_000

_held: dict[tuple[str, int, bool], tuple[float, Sequence[Filing]]] = {}
_lock = threading.Lock()


def available(cik: int, text: bool, corpus: str, look_up: Callable[[], Sequence[Filing]]) -> Sequence[Filing]:
    """The filings that can answer, as `look_up` finds them. corpus: its version, another after every ingestion."""
    now, key = time.monotonic(), (corpus, cik, text)
    with _lock:
        kept = _held.get(key)
    if kept is not None and now - kept[0] < SECONDS:
        return kept[1]
    found = tuple(look_up())
    with _lock:
        # Of another corpus nothing is asked any more.
        stale = [one for one, (since, _) in _held.items() if one[0] != corpus or now - since >= SECONDS]
        for one in stale if len(_held) < MOST else list(_held):
            del _held[one]
        _held[key] = now, found
    return found


def forget() -> None:
    """Look everything up again."""
    with _lock:
        _held.clear()
