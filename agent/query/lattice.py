"""The best cover of a question: of all stretches that mean something, those that leave the least unsaid."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from agent.query.lexicon import Match

# A name of a measure beats a closed phrase of the same length.
_NAME = 0.5
# "Net sales, net income" are two names, and "selling, general and administrative" is one.
_CROSSED = 3


@dataclass(frozen=True, slots=True)
class Cover:
    """Matches that do not overlap, in order of place, and their score."""

    matches: tuple[Match, ...]
    score: float

    @property
    def measures(self) -> tuple[tuple[str, ...], ...]:
        return tuple(match.named.keys for match in self.matches if match.named)


def score(match: Match, breaks: Collection[int] = ()) -> float:
    """Long matches first: the square of the words, a little for a name, and much less for each mark inside it.

    breaks: places of tokens with a comma or another mark before them.
    """
    crossed = sum(place in breaks for place in match.places[1:])
    return len(match) ** 2 + (_NAME * len(match) if match.has("measure") else 0) - _CROSSED * crossed


def covers(matches: Iterable[Match], size: int, breaks: Collection[int] = ()) -> tuple[Cover, ...]:
    """The best cover of `size` tokens; two where another with other measures scores alike."""
    listed = list(matches)
    left = _best(listed, size, breaks)
    mirrored = [Match(size - one.last, size - one.first, one.meanings) for one in listed]
    right = _best(mirrored, size, {size - place for place in breaks})
    turned = tuple(
        sorted((Match(size - one.last, size - one.first, one.meanings) for one in right.matches), key=_first)
    )
    other = Cover(turned, right.score)
    return (left,) if other.measures == left.measures else (left, other)


def _best(matches: Sequence[Match], size: int, breaks: Collection[int]) -> Cover:
    """The cover of the highest score; of several, the one whose last match begins first."""
    ending: dict[int, list[Match]] = {}
    for match in matches:
        ending.setdefault(match.last, []).append(match)
    best: list[float] = [0.0] * (size + 1)
    taken: list[Match | None] = [None] * (size + 1)
    for end in range(1, size + 1):
        best[end] = best[end - 1]
        for match in sorted(ending.get(end, ()), key=_first):
            value = best[match.first] + score(match, breaks)
            if value > best[end]:
                best[end], taken[end] = value, match
    chosen: list[Match] = []
    place = size
    while place > 0:
        best_here = taken[place]
        if best_here is None:
            place -= 1
        else:
            chosen.append(best_here)
            place = best_here.first
    return Cover(tuple(reversed(chosen)), best[size])


def _first(match: Match) -> int:
    return match.first
