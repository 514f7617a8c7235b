"""Rows of a comparison, each with its old and new text word by word."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Literal, TypeVar

Status = Literal["same", "changed", "added", "gone"]
Kind = Literal[
    "Figure", "Result", "Later value", "Related figure", "Note", "Text", "Claim", "Passage", "Data", "Not answered"
]

Row_ = TypeVar("Row_")


@dataclass(frozen=True)
class Piece:
    """Words in both texts, or in one."""

    text: str
    status: Literal["same", "added", "gone"]


@dataclass(frozen=True)
class Row:
    """One statement, in the old answer and in the new one."""

    kind: Kind
    status: Status
    title: str
    old: str = ""
    new: str = ""
    old_source: str = ""
    new_source: str = ""

    @property
    def moved(self) -> bool:
        """Whether the same statement comes from another place."""
        return self.status == "same" and self.old_source != self.new_source

    @property
    def was(self) -> tuple[Piece, ...]:
        """The old text, with removed words marked."""
        return tuple(piece for piece in self.pieces if piece.status != "added")

    @property
    def now(self) -> tuple[Piece, ...]:
        """The new text, with added words marked."""
        return tuple(piece for piece in self.pieces if piece.status != "gone")

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return differences(self.old, self.new)


@dataclass(frozen=True)
class Comparison:
    """All statements of two answers, in the new one's order, then those removed."""

    rows: tuple[Row, ...]

    def count(self, status: Status) -> int:
        return sum(row.status == status for row in self.rows)

    @property
    def same(self) -> bool:
        """Whether both answers say the same."""
        return all(row.status == "same" for row in self.rows)

    @property
    def summary(self) -> str:
        """1 changed, 2 added, 1 removed; empty where all is the same."""
        named: tuple[Status, ...] = ("changed", "added", "gone")
        return ", ".join(
            f"{count} {'removed' if status == 'gone' else status}" for status in named if (count := self.count(status))
        )


def matched(
    old: Sequence[Row_], new: Sequence[Row_], *keys: Callable[[Row_], Hashable]
) -> Iterator[tuple[Row_ | None, Row_ | None]]:
    """Pairs in the new order, then old ones without a pair. keys: tried in turn, the closest first."""
    pairs: dict[int, int] = {}
    for key in keys:
        waiting: dict[Hashable, list[int]] = {}
        for number in unpaired(old, pairs):
            waiting.setdefault(key(old[number]), []).append(number)
        for number, one in enumerate(new):
            if number not in pairs and (equal := waiting.get(key(one))):
                pairs[number] = equal.pop(0)
    yield from ((old[pairs[number]] if number in pairs else None, one) for number, one in enumerate(new))
    yield from ((old[number], None) for number in unpaired(old, pairs))


def unpaired(old: Sequence[Row_], pairs: Mapping[int, int]) -> list[int]:
    """Indexes of old statements without a pair. pairs: new index -> old index."""
    taken = set(pairs.values())
    return [number for number in range(len(old)) if number not in taken]


def rows(
    kind: Kind,
    old: Sequence[Row_],
    new: Sequence[Row_],
    *,
    key: Callable[[Row_], Hashable],
    closer: Sequence[Callable[[Row_], Hashable]] = (),
    title: Callable[[Row_], str],
    text: Callable[[Row_], str],
    said: Callable[[Row_], Hashable] | None = None,
    source: Callable[[Row_], str] = lambda _: "",
) -> Iterator[Row]:
    """A row for each pair of old and new items that `matched` puts together; says whether it changed, appeared or went.

    closer: functions that give stricter keys, tried before `key`. said: gives what is compared, if not the text.
    """
    compared = said or text
    for was, is_now in matched(old, new, *closer, key):
        before = ("", "") if was is None else (text(was), source(was))
        after = ("", "") if is_now is None else (text(is_now), source(is_now))
        status: Status = "changed"
        if was is None or is_now is None:
            status = "added" if was is None else "gone"
        elif compared(was) == compared(is_now):
            status = "same"
        shown = next(one for one in (is_now, was) if one is not None)
        yield Row(kind, status, title(shown), before[0], after[0], before[1], after[1])


def differences(old: str, new: str) -> tuple[Piece, ...]:
    """Two texts as pieces: in both, only in the old, only in the new."""
    before, after = old.split(), new.split()
    pieces: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece(" ".join(before[a:b]), "same"))
            continue
        pieces += [Piece(" ".join(before[a:b]), "gone")] if b > a else []
        pieces += [Piece(" ".join(after[c:d]), "added")] if d > c else []
    return tuple(pieces)
