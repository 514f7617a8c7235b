"""The printed rows of a page: words on one baseline, and the parts that wide gaps divide them into."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from filings.document.pdf.characters import Word

LEVEL = 0.45  # of the size: baselines that differ by less are one row's
SMALL = 0.86  # of a row's size: marks of footnotes, raised or lowered
RAISED, LOWERED = 0.75, 0.4  # of a row's size: how far its small marks may be off the baseline
BESIDE = 3.0  # of a row's size: how far from its words a mark may be, as one that its text hangs from
MOST_MARKS = 60  # of a row
OVERPRINTED = 0.25  # of the size: the same word so near is printed twice to look bold
WIDE = 0.95  # of the size: a gap wider than any between the words of a sentence


@dataclass(slots=True, eq=False)
class Row:
    """Words on one baseline, from left to right."""

    words: list[Word]

    @property
    def base(self) -> float:
        return max(self.words, key=lambda word: word.size).base

    @property
    def size(self) -> float:
        """The size that most of its characters have."""
        if len({word.size for word in self.words}) == 1:
            return self.words[0].size
        sizes: Counter[float] = Counter()
        for word in self.words:
            sizes[word.size] += len(word.text)
        return max(sizes, key=lambda size: (sizes[size], size))

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return max(word.x1 for word in self.words)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


def rows_of(words: Iterable[Word]) -> list[Row]:
    """Words of one direction as rows, from top to bottom."""
    groups: list[list[Word]] = []
    base = size = 0.0
    for word in sorted(words, key=lambda word: (word.base, word.x0)):
        if groups and word.base - base <= max(LEVEL * min(word.size, size), 1.0):
            groups[-1].append(word)
            if word.size > size:
                size, base = word.size, word.base
        else:
            groups.append([word])
            base, size = word.base, word.size
    rows = [_in_order(group) for group in _with_marks(groups)]
    return [row for row in rows if row.words]


def _with_marks(groups: list[list[Word]]) -> list[list[Word]]:
    """Rows with their raised and lowered marks, which stand on baselines of their own."""
    sizes = [max(word.size for word in group) for group in groups]
    bases = [max(group, key=lambda word: word.size).base for group in groups]
    kept = list(range(len(groups)))
    for number, group in enumerate(groups):
        for other in (number + 1, number - 1):
            if not 0 <= other < len(groups) or sizes[number] > SMALL * sizes[other]:
                continue
            off = bases[other] - bases[number]
            if -LOWERED * sizes[other] < off < RAISED * sizes[other] and _touches(group, groups[other], sizes[other]):
                kept[number] = other
                break
    joined: dict[int, list[Word]] = {}
    for number, group in enumerate(groups):
        row = number
        while kept[row] != row:
            row = kept[row]
        joined.setdefault(row, []).extend(group)
    return [joined[number] for number in sorted(joined)]


def _touches(group: list[Word], others: list[Word], size: float) -> bool:
    """Whether every word of a group stands close to one of the others."""
    return len(group) <= MOST_MARKS and all(
        any(word.x0 < other.x1 + BESIDE * size and other.x0 < word.x1 + BESIDE * size for other in others)
        for word in group
    )


def _in_order(words: list[Word]) -> Row:
    """A row from left to right; a word printed twice in one place is one bold word."""
    words.sort(key=lambda word: word.x0)
    kept: list[Word] = []
    for word in words:
        twin = next(
            (one for one in kept[-3:] if one.text == word.text and abs(one.x0 - word.x0) < OVERPRINTED * word.size),
            None,
        )
        if twin is None:
            kept.append(word)
        else:
            twin.bold = True
    return Row(kept)


def parts(words: Sequence[Word], gap: float) -> list[list[Word]]:
    """A row's words divided at gaps wider than `gap` points."""
    found = [[words[0]]]
    for last, word in pairwise(words):
        if word.x0 - last.x1 > gap:
            found.append([])
        found[-1].append(word)
    return found
