"""A made-up body of filings to search: texts by rule from fixed seeds, and vectors without a model."""

import hashlib
import random
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from filings.models import CHUNKS_A_FILING
from filings.search.index import Entry, Index, Lists, Query
from filings.search.words import stem, words

DIMENSIONS = 48
MODEL = "made-up"

SUBJECTS = [
    "the ceramic stage supplier",
    "the cloud platform",
    "our retail stores",
    "the pension plan",
    "the wholesale channel",
    "a data centre",
    "the clinical programme",
    "our freight carriers",
    "the loan portfolio",
    "the mining permit",
    "our franchisees",
    "the turbine fleet",
    "the subscriber base",
    "a former distributor",
    "the patent estate",
    "our engineers",
    "the audit committee",
    "the export licence",
]
EVENTS = [
    "could interrupt deliveries for weeks",
    "was subject to a security breach",
    "may lose exclusivity earlier than planned",
    "increased costs by several percent",
    "is exposed to foreign exchange rates",
    "declined because demand was weaker",
    "depends on a single source of components",
    "faces litigation in two states",
    "was impaired during the year",
    "requires regulatory approval",
    "may suffer a work stoppage",
    "grew faster than we expected",
    "is covered by a credit facility",
    "competes with larger companies",
    "must retain qualified personnel",
    "was sold to a competitor",
]
PLACES = [
    "in Lindau",
    "in Porto",
    "in our northern plants",
    "abroad",
    "in the fourth quarter",
    "under new rules",
    "after the merger",
    "at sea",
]
OTHERS = [
    "climate",
    "inflation",
    "tariffs",
    "liquidity",
    "goodwill",
    "leases",
    "dividends",
    "quality",
    "weather",
    "privacy",
    "inventory",
    "warranty",
]
ITEMS = ("1", "1A", "3", "7", "8")
# Rare words, the frequent ones more frequent by Zipf's law, as in any text: without them every word is in every chunk.
SYLLABLES = [
    "bal",
    "cor",
    "den",
    "fir",
    "gal",
    "hol",
    "jen",
    "kar",
    "lun",
    "mer",
    "nor",
    "pal",
    "quin",
    "ros",
    "sul",
    "tor",
    "ven",
    "wil",
]
RARE = [first + second + third for first in SYLLABLES for second in SYLLABLES for third in SYLLABLES[:8]]
OFTEN = [1 / rank for rank in range(1, len(RARE) + 1)]


@cache
def direction(key: str) -> NDArray[np.float32]:
    """The direction of one word stem, always the same."""
    seed = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
    found = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
    return found / np.linalg.norm(found)


def vector(text: str) -> NDArray[np.float32]:
    """The unit vector of a text: texts that share words lie near one another."""
    found = np.sum([direction(stem(word)) for word in words(text)] or [direction("")], axis=0)
    return (found / np.linalg.norm(found)).astype(np.float32)


def sentence(source: random.Random) -> str:
    said = (
        f"{source.choice(SUBJECTS)} {source.choice(EVENTS)} {source.choice(PLACES)}, as does {source.choice(OTHERS)}"
    )
    return f"{said} of {' '.join(source.choices(RARE, OFTEN, k=4))}."


def text(filing: int, number: int) -> str:
    """The text of one chunk, 4 to 12 sentences."""
    source = random.Random(filing * 1009 + number)  # noqa: S311 - made up by rule
    return " ".join(sentence(source).capitalize() for _ in range(source.randint(4, 12)))


def entry(filing: int, number: int, said: str | None = None, item: str | None = None, statement: str = "") -> Entry:
    """One chunk of a filing with one to three windows; its company is the filing's tens."""
    said = said if said is not None else text(filing, number)
    third = max(1, len(said) // 3)
    windows = [said[start : start + third + 40] for start in range(0, len(said), third)][:3]
    return Entry(
        filing * CHUNKS_A_FILING + number,
        filing,
        9_000_000_000 + filing // 10,
        item if item is not None else ITEMS[number % len(ITEMS)],
        statement or ("income" if number % 17 == 5 else ""),
        f"Made-up {filing} 10-K — Item: {said}",
        np.stack([vector(window) for window in windows]),
    )


def entries(filing: int, chunks: int) -> list[Entry]:
    """The chunks of a filing."""
    return [entry(filing, number) for number in range(chunks)]


def query(said: str, filings: Sequence[int] = (), **fields: object) -> Query:
    """A search for some words by words and meaning."""
    return Query(words=said, vector=vector(said), filings=tuple(filings), **fields)  # type: ignore[arg-type]


def one(index: Index, asked: Query) -> Lists:
    """What an index finds for one search."""
    return index.lists([asked])[0]


def chunks(lists: Lists, name: str = "lexical") -> list[int]:
    """The chunks of one list, best first."""
    return [row.chunk for row in getattr(lists, name)]


def keeps_to_its_scope(index: Index) -> None:
    """Fails where an empty index, once it is filled, finds what is in no filing or Item asked, or nothing."""
    for filing in (3, 4, 7):
        index.put(filing, entries(filing, 40))
    for filings, items in (((4,), ()), ((3, 7), ()), ((3, 7), ("1",)), ((), ("7", "8")), ((99,), ())):
        lists = one(index, query("supplier components weather patent estate", filings, items=items))
        for name in ("lexical", "dense", "statements"):
            found = chunks(lists, name)
            assert all(not filings or chunk // CHUNKS_A_FILING in filings for chunk in found), (name, filings)
            assert all(not items or ITEMS[chunk % CHUNKS_A_FILING % 5] in items for chunk in found), (name, items)
            assert bool(found) is (filings != (99,)), (name, filings, items)


def counts_a_phrase(index: Index) -> None:
    """Fails where an empty index, once it is filled, counts chunks in which the words of a phrase stand apart, or not at all."""
    index.put(3, [entry(3, 0, "The Zorblat engine."), entry(3, 1, "Two Zorblat engines."), entry(3, 2, "An engine.")])
    index.put(4, [entry(4, 0, "A zorblat has an engine."), entry(4, 1, "Nothing of it.")])
    assert index.counts(phrase="Zorblat engine") == {3: 2}
    assert index.counts(phrase="ZORBLAT") == {3: 2, 4: 1}
    assert index.counts([4], phrase="Zorblat") == {4: 1}
    assert index.counts(phrase="Humdinger") == {}
