"""What the rows of a company's documents are called, where no statement and no known measure is: names of printed figures."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.query.word_classes import Key, classes, connecting
from agent.words.tokens import stems

# Longer labels are sentences, and no names.
_LONGEST = 12
_UNITS = {"percent", "shares", "count"}


def names_in(question: str, ciks: Sequence[int], version: str) -> tuple[tuple[str, str], ...]:
    """The labels of printed rows of companies that stand in a question word for word, each with its unit.

    version: stamp of the stored companies; the labels are read again when it changes.
    """
    words = stems(question)
    keys = {words[first:last] for first, last in _stretches(len(words))}
    named = (_of_company(cik, version) for cik in ciks)
    return tuple(one for of in named for key in keys & of.keys() for one in (of[key],))


def _stretches(count: int) -> Iterator[tuple[int, int]]:
    return ((first, last) for first in range(count) for last in range(first + 1, min(count, first + _LONGEST) + 1))


@lru_cache(maxsize=64)
def _of_company(cik: int, version: str) -> dict[Key, tuple[str, str]]:
    """The labels by their folded words; without a unit those printed in several."""
    from filings.models import Filing, PrintedTable

    filings = Filing.objects.of_companies([cik]).filter(withdrawn=None)
    found: dict[str, set[str]] = {}
    for content in PrintedTable.objects.filter(filing__in=filings).values_list("content", flat=True).iterator():
        for label, _, cells, *_ in content["rows"]:
            found.setdefault(label, set()).update(cell[5] for cell in cells)
    named: dict[Key, tuple[str, str]] = {}
    for label, units in found.items():
        key = stems(label)
        if key and len(key) <= _LONGEST and key not in classes() and not set(key) <= connecting("binding in names"):
            unit = _plain(next(iter(units))) if len(units) == 1 else ""
            known = named.get(key)
            named[key] = (label, unit if known is None or known[1] == unit else "")
    return named


def _plain(unit: str) -> str:
    """A unit as a formula has it, money of whatever currency as USD."""
    if unit in _UNITS:
        return unit
    return "USD/shares" if "/" in unit else "USD"
