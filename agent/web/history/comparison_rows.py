"""Rows of a comparison, each with its old and new text word by word."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import zip_longest
from typing import Literal, get_args

Status = Literal["same", "changed", "added", "gone"]
# In the order in which they are shown.
Kind = Literal[
    "Figure", "Result", "Later value", "Related figure", "Note", "Text", "Claim", "Passage", "Data", "Not answered"
]
# Sentences with this share of words in common are two versions of one; below it they are two sentences.
ALIKE = 0.6
# More sentences than this are not compared pair by pair.
MOST_PAIRS = 10_000


@dataclass(frozen=True)
class Statement:
    """One statement of an answer.

    keys: what identifies it, the closest first. said: what is compared, if not the text. rewords: whose sentences it may be
    a version of by its words; None for a statement that only its keys identify.
    """

    kind: Kind
    keys: tuple[Hashable, ...]
    title: str
    text: str
    source: str = ""
    said: Hashable = None
    rewords: Hashable = None


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


def rows(old: Iterable[Statement], new: Iterable[Statement]) -> Iterator[Row]:
    """A row for each pair of statements that say the same thing, then for the old ones without a pair; kind by kind."""
    before, after = list(old), list(new)
    for kind in get_args(Kind):
        of_old, of_new = ([one for one in some if one.kind == kind] for some in (before, after))
        pairs = matched(of_old, of_new)
        for number, one in enumerate(of_new):
            yield _row(of_old[pairs[number]] if number in pairs else None, one)
        yield from (_row(of_old[number], None) for number in _unpaired(of_old, pairs.values()))


def _row(was: Statement | None, is_now: Statement | None) -> Row:
    shown = is_now or was
    assert shown is not None  # noqa: S101 - a row has a statement
    status: Status = "changed"
    if was is None or is_now is None:
        status = "added" if was is None else "gone"
    elif (was.said or was.text) == (is_now.said or is_now.text):
        status = "same"
    texts = [(one.text, one.source) if one else ("", "") for one in (was, is_now)]
    (old, old_source), (new, new_source) = texts
    return Row(shown.kind, status, shown.title, old, new, old_source, new_source)


def matched(old: Sequence[Statement], new: Sequence[Statement]) -> dict[int, int]:
    """Number of a new statement -> of the old one that it is: by the closest key that two have, then by their words."""
    pairs: dict[int, int] = {}
    for level in zip_longest(*(one.keys for one in (*old, *new))):
        waiting: dict[Hashable, list[int]] = {}
        for number in _unpaired(old, pairs.values()):
            waiting.setdefault(level[number], []).append(number)
        for number in _unpaired(new, pairs):
            if equal := waiting.get(level[len(old) + number]):
                pairs[number] = equal.pop(0)
    for _, number, earlier in sorted(_reworded(old, new, pairs)):
        if number not in pairs and earlier not in pairs.values():
            pairs[number] = earlier
    return pairs


def _unpaired(of: Sequence[Statement], paired: Iterable[int]) -> list[int]:
    taken = set(paired)
    return [number for number in range(len(of)) if number not in taken]


def _reworded(
    old: Sequence[Statement], new: Sequence[Statement], pairs: dict[int, int]
) -> Iterator[tuple[float, int, int]]:
    """The sentences that may be versions of one another, the most similar lowest: how alike, the new and the old one."""
    gone, added = _unpaired(old, pairs.values()), _unpaired(new, pairs)
    if len(gone) * len(added) > MOST_PAIRS:
        return
    for earlier in gone:
        for number in added:
            was, is_now = old[earlier], new[number]
            if was.rewords is not None and was.rewords == is_now.rewords:
                ratio = _likeness(was.text, is_now.text)
                if ratio >= ALIKE:
                    yield -ratio, number, earlier


def _likeness(one: str, other: str) -> float:
    """The share of words that two texts have in common and in order, from 0 to 1."""
    matcher = SequenceMatcher(None, one.split(), other.split(), autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0


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
