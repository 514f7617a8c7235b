"""What a search index is asked and what it answers: the protocol that both indexes keep."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]

DEPTH = 100


class SearchUnavailable(Exception):
    """The index cannot be asked now; a later try can help. The message is a sentence for people."""


class IndexMismatch(Exception):
    """The index was built with another model or shape; the message names the command that mends it."""


@dataclass(frozen=True, slots=True)
class Query:
    """One focused search, always scoped.

    words: content words for the lexical list, company and period left out. variants: filing words for the same,
    weighted 0.8. vector: unit vector of shape (dimensions,); None searches by words alone. filings: primary keys;
    empty means all (browsing only, never an ask). items: Items to search; empty means all. statements: whether the
    list of statement tables takes part.
    """

    words: str
    variants: tuple[str, ...] = ()
    vector: Vector | None = None
    filings: tuple[int, ...] = ()
    items: tuple[str, ...] = ()
    statements: bool = True
    depth: int = DEPTH


@dataclass(frozen=True, slots=True)
class Listed:
    """One chunk in one ranked list, with that list's own score."""

    chunk: int
    score: float


@dataclass(frozen=True, slots=True)
class Lists:
    """The ranked lists of one query, best first, each at most `depth` long. Empty where a list took no part."""

    lexical: tuple[Listed, ...] = ()
    dense: tuple[Listed, ...] = ()
    statements: tuple[Listed, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk after fusion: its score, its rank in each list that holds it (from 1), and the lists' own scores."""

    chunk: int
    score: float
    ranks: dict[str, int] = field(default_factory=dict)
    bm25: float | None = None
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One chunk as it is indexed. `text` has the contextual prefix; `vectors` is (windows, dimensions), or None."""

    chunk: int
    filing: int
    cik: int
    item: str
    statement: str
    text: str
    vectors: NDArray[np.float32] | None


class Building(Protocol):
    """A new index that is filled while the current one answers."""

    def put(self, filing: int, entries: Iterable[Entry]) -> None:
        """Add a filing's chunks."""
        ...

    def publish(self) -> None:
        """Make it the one that answers, at one moment, and remove the one before."""
        ...

    def abandon(self) -> None:
        """Remove it."""
        ...


class Index(Protocol):
    """A search index for the vectors of one model. Every method may raise SearchUnavailable or IndexMismatch."""

    name: str
    model: str
    dimensions: int

    def lists(self, queries: Sequence[Query]) -> list[Lists]:
        """The ranked lists of each query, in one round trip."""
        ...

    def put(self, filing: int, entries: Iterable[Entry]) -> None:
        """Make the index hold exactly these chunks of a filing; twice is the same as once."""
        ...

    def drop(self, filing: int) -> None:
        """Remove a filing's chunks."""
        ...

    def counts(self, filings: Sequence[int] = ()) -> dict[int, int]:
        """Per filing, how many chunks are held; of all filings where none are given. A filing without any is left out."""
        ...

    def held(self, filings: Sequence[int] = ()) -> dict[int, str]:
        """Per filing, a digest of the chunks held, for comparison with the database; of all where none are given."""
        ...

    def build(self) -> Building:
        """Begin a rebuild: no reader sees it before it is published."""
        ...
