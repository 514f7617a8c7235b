"""The protocol of search indexes: queries and results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]

DEPTH = 100


class SearchUnavailable(Exception):
    """Raised if the index is unavailable; a later try can help. The message is a sentence for people."""


class IndexMismatch(Exception):
    """Raised if the index was built with another model or format; the message names the command that repairs it."""


@dataclass(frozen=True, slots=True)
class Query:
    """One focused search, always scoped.

    words: content words for the lexical list, without company and period. variants: filing words for the same, weighted
    0.8. vector: unit vector of shape (dimensions,); None searches by words alone. filings: primary keys; empty means
    all (browsing only, never a question). items: Items to search; empty means all. statements: whether the list of
    statement tables is used.
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
    """The ranked lists of one query, best first, each at most `depth` long. Unused ones are empty."""

    lexical: tuple[Listed, ...] = ()
    dense: tuple[Listed, ...] = ()
    statements: tuple[Listed, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk after fusion: its score, its rank in each list (from 1), and the lists' own scores."""

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
    """A new index that is filled while the current one stays in use."""

    def put(self, filing: int, entries: Iterable[Entry]) -> None:
        """Add a filing's chunks."""
        ...

    def publish(self) -> None:
        """Switch to the new index in one step, and delete the previous one."""
        ...

    def abandon(self) -> None:
        """Delete the unfinished index."""
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
        """Make the index contain exactly these chunks of a filing; repeating it is safe."""
        ...

    def drop(self, filing: int) -> None:
        """Remove a filing's chunks."""
        ...

    def counts(self, filings: Sequence[int] = (), phrase: str = "") -> dict[int, int]:
        """The number of chunks by filing; for all filings where none are given. Filings without any are left out.

        phrase: only chunks with these words in a row, in any case and form, are counted.
        """
        ...

    def held(self, filings: Sequence[int] = ()) -> dict[int, str]:
        """A digest of the chunks by filing, for comparison with the database; for all where none are given."""
        ...

    def build(self) -> Building:
        """Begin a rebuild, invisible until published."""
        ...
