"""Finds names by the beginnings of their words: "gross m" and "marg" both find "gross margin"."""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

Owner = TypeVar("Owner", bound=Hashable)


class Begun(NamedTuple, Generic[Owner]):
    """A name that begins so. inside: whether one of its later words does, rather than the name itself."""

    owner: Owner
    name: str
    inside: bool


class Beginnings(Generic[Owner]):
    """An index of names with binary search."""

    def __init__(self, names: Iterable[tuple[Owner, str, Sequence[str], int]], *, inside: bool = True) -> None:
        """names: (owner, spelling, words in compared form, rank; rank 0 is found first). inside: whether a name is also
        found by its later words.
        """
        found = (
            (" ".join(words[first:]), rank, order, Begun(owner, name, first > 0))
            for order, (owner, name, words, rank) in enumerate(names)
            for first in range(len(words) if inside else 1)
        )
        self._found = sorted(found)
        self._words = [one[0] for one in self._found]

    def of(self, typed: str) -> list[Begun[Owner]]:
        """The nearest name of each owner that begins so, nearest first: by its own beginning, with least left to type."""
        first = bisect_left(self._words, typed)
        last = bisect_left(self._words, f"{typed}\U0010ffff")
        near = sorted(
            self._found[first:last],
            # A name typed completely is meant, whatever its rank.
            key=lambda one: (one[3].inside, one[1] if one[0] != typed else 0, len(one[0]), one[2]),
        )
        found: dict[Owner, Begun[Owner]] = {}
        for *_, begun in near:
            found.setdefault(begun.owner, begun)
        return list(found.values())
