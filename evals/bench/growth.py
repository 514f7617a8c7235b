"""How the time of every reader of a filing grows with what it reads: at most 2.3 times as long for twice as much.

`python -m evals.bench growth`, or `python -m evals.bench.growth READER ...` for some readers alone, reads 10, 20, 40
and 80 thousand of each of the pieces of `evals.bench.growth_readers`, whatever a hostile filer may repeat, and exits
with 1 where a reader takes longer than that.
"""

import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

COUNTS = (10_000, 20_000, 40_000, 80_000)
MOST_TIMES = 2.3
# Seconds of one core under which a difference is noise.
NOISE = 0.25
# What seems to have missed is read so often again, half and whole one behind the other, and the least growth counts:
# what else the machine does meanwhile makes both slower.
AGAIN = 3
# A reading that takes longer is not doubled again: it has missed.
LONGEST = 60.0


@dataclass(frozen=True, slots=True)
class Grown:
    """One reader over one kind of piece: seconds of one core for each count that was read.

    again: how many times as long a doubling took that was read again, by its place.
    """

    reader: str
    piece: str
    seconds: tuple[float, ...]
    again: Mapping[int, float] = field(default_factory=dict)

    @property
    def times(self) -> float:
        """How many times as long the worst doubling took, of those above the noise."""
        worst = [
            self.again.get(place, grew(less, more))
            for place, (less, more) in enumerate(pairwise(self.seconds))
            if more > NOISE
        ]
        return max(worst, default=0.0)

    @property
    def is_missed(self) -> bool:
        return self.times > MOST_TIMES or self.seconds[-1] > LONGEST


def measure(names: Sequence[str] = ()) -> str:
    """The table of a run, as text: what was missed, and of each reader the slowest. Raises SystemExit where it is missed."""
    # A document cut at a limit of the parser is said so, thousands of times.
    logging.disable(logging.WARNING)
    rows = list(grown(names))
    missed = [row for row in rows if row.is_missed]
    report = table(rows)
    if missed:
        sys.stdout.write(f"{report}\n")
        raise SystemExit(1)
    return report


def grown(names: Sequence[str] = ()) -> Iterator[Grown]:
    """Every reader over every piece that is for it; those named alone, if any are."""
    from evals.bench.growth_readers import READERS

    for reader in READERS:
        if names and reader.name not in names:
            continue
        for piece, build in reader.pieces.items():
            yield timed(reader.name, piece, build, reader.read)


def timed(reader: str, piece: str, build: Callable[[int], bytes], read: Callable[[bytes], object]) -> Grown:
    """Read more and more of a piece."""
    seconds: list[float] = []
    again: dict[int, float] = {}
    half = b""
    for count in COUNTS:
        content = build(count)
        seconds.append(once(read, content))
        if seconds[-1] > LONGEST:
            break
        if len(seconds) > 1 and seconds[-1] > NOISE and grew(*seconds[-2:]) > MOST_TIMES:
            pairs = [(once(read, half), once(read, content)) for _ in range(AGAIN)]
            again[len(seconds) - 2] = min(grew(*pair) for pair in pairs)
        half = content
    return Grown(reader, piece, tuple(seconds), again)


def grew(less: float, more: float) -> float:
    """How many times as long, what is within the noise taken for as much as that."""
    return more / max(less, NOISE / MOST_TIMES)


def once(read: Callable[[bytes], object], content: bytes) -> float:
    """Seconds of one core of one reading, without the passes of the garbage collector: they come in leaps."""
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        read(content)
        return time.process_time() - started
    finally:
        gc.enable()


def table(rows: Sequence[Grown]) -> str:
    """All rows that took more than the noise, the slowest of each reader first, and a line that counts the missed."""
    shown = sorted(
        (row for row in rows if row.seconds[-1] > NOISE or row.is_missed),
        key=lambda row: (row.reader, -row.seconds[-1]),
    )
    head = f"{'reader':<16}{'piece':<26}" + "".join(f"{count // 1000:>7}k" for count in COUNTS) + f"{'times':>7}"
    lines = [head]
    for row in shown:
        figures = "".join(f"{took:>8.2f}" for took in row.seconds).ljust(8 * len(COUNTS))
        lines.append(f"{row.reader:<16}{row.piece:<26}{figures}{row.times:>7.1f}{'  MISSED' if row.is_missed else ''}")
    missed = sum(row.is_missed for row in rows)
    slowest = max((row.seconds[-1] for row in rows), default=0.0)
    lines.append(
        f"{len(rows)} readings of {COUNTS[-1]:,} pieces, the slowest {slowest:.1f} s; {missed} grew more than "
        f"{MOST_TIMES:g} times for twice as much; shown is what took more than {NOISE:g} s"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    print(measure(sys.argv[1:]))
