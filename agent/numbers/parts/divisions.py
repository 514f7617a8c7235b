"""How one filing divides a figure: rows that add up to it, where a row that is the sum of others is their subtotal.

A table of parts lists its rows one after another, a subtotal after its parts or before them. Rows are therefore read in
the order of the document, and a row that equals the sum of its neighbours stands for them. A run of rows that comes to
the whole figure is a division of it; of several, the most detailed is used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from filings.models import Fact

# Readings of a run of rows that are followed at once; rows seldom equal the sum of others by chance.
MOST_READINGS = 16
# A figure whose last digit is more than this part of it is the sum of others by chance.
MOST_ROUNDING = Decimal("0.2")
# Between the heading of a printed row and its label, where several rows have this one.
HEADED = ": "
# Items that reconcile segments with the whole: how many are tried, and how many are used at once.
MOST_ITEMS, ITEMS_AT_ONCE = 8, 4
# A remainder below this part of the whole is shown as a row; segments that sell to each other exceed the whole by more.
SMALL, SMALL_OVER = Decimal("0.05"), Decimal("0.15")


@dataclass(frozen=True)
class Part:
    """A row of a division.

    facts: they add up to it; one, or those of a part that the filing gives only by something else. told: its member, as
    "Axis=Member"; of a figure that is only printed, the label of its row. reconciling: whether it is no part, but stands between the parts and the whole, such as eliminations.
    parts: the rows that it is the sum of.
    """

    facts: tuple[Fact, ...]
    told: str
    reconciling: bool = False
    parts: tuple["Part", ...] = ()

    @cached_property
    def value(self) -> Decimal:
        return sum((one.value for one in self.facts), Decimal(0))

    @cached_property
    def slack(self) -> Decimal:
        """The largest difference that rounding makes."""
        return sum((rounding(one) for one in self.facts), Decimal(0))

    @property
    def key(self) -> tuple[str, ...]:
        """What tells the part from others in any filing: the dimensions of its facts, or the label of its row."""
        return tuple(sorted(one.dimensions or self.told for one in self.facts))

    @property
    def is_printed(self) -> bool:
        """Whether it is only printed, and no fact."""
        return self.facts[0].pk is None

    def rows(self) -> Iterator["Part"]:
        """The rows under a subtotal, then the subtotal; or the part itself."""
        for one in self.parts:
            yield from one.rows()
        yield self

    @property
    def leaves(self) -> int:
        """How many parts it has, or one."""
        return 0 if self.reconciling else sum(one.leaves for one in self.parts) or 1

    @property
    def place(self) -> tuple[int, int]:
        """Its place in the document."""
        return self.facts[0].order or 0, self.facts[0].pk

    def in_order(self) -> "Part":
        """The part with its parts in the order of the document."""
        return replace(self, parts=in_order(self.parts))


def in_order(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts in the order of the document."""
    return tuple(sorted((one.in_order() for one in parts), key=lambda one: one.place))


@dataclass(frozen=True)
class Division:
    """Rows that divide a figure. left: what they leave of it, zero within rounding."""

    whole: Fact
    top: tuple[Part, ...]
    left: Decimal

    @property
    def rows(self) -> tuple[Part, ...]:
        """All rows in the order in which they are shown: subtotals after their parts, reconciling items last."""
        items = [one for one in self.top if one.reconciling]
        return tuple(row for one in (*(one for one in self.top if not one.reconciling), *items) for row in one.rows())

    @property
    def adds_up(self) -> bool:
        return abs(self.left) <= self.slack

    @property
    def slack(self) -> Decimal:
        return sum((one.slack for one in self.top), rounding(self.whole))

    @property
    def is_printed(self) -> bool:
        return any(one.is_printed for one in self.rows)

    @property
    def leaves(self) -> int:
        """How many parts it has, without subtotals and reconciling items."""
        return sum(one.leaves for one in self.top)

    @property
    def has_small_rest(self) -> bool:
        """Whether what the parts leave is small enough to be a row: unallocated, or sales between segments."""
        return bool(abs(self.left) <= abs(self.whole.value) * (SMALL_OVER if self.is_over else SMALL))

    @property
    def is_over(self) -> bool:
        """Whether the parts come to more than the whole, as segments do that sell to each other."""
        return not self.adds_up and (self.left < 0) == (self.whole.value > 0)

    @property
    def is_reconciled(self) -> bool:
        """Whether it has items between the parts and the whole, such as eliminations."""
        return any(one.reconciling for one in self.top)


def rounding(fact: Fact) -> Decimal:
    """Half of the last digit that a fact gives."""
    return Decimal(10) ** -(fact.decimals or 0) / 2


@dataclass(frozen=True)
class _Reading:
    """Rows read so far: those of the highest level, their sum, and the largest difference that rounding makes."""

    rows: tuple[Part, ...] = ()
    total: Decimal = Decimal(0)
    slack: Decimal = Decimal(0)

    def and_then(self, row: Part) -> "_Reading":
        return _Reading((*self.rows, row), self.total + row.value, self.slack + row.slack)

    def subtotals(self, row: Part) -> Iterator["_Reading"]:
        """The readings in which a row is the sum of the last rows: of all such sums."""
        total = slack = Decimal(0)
        for count, part in enumerate(reversed(self.rows), 1):
            total, slack = total + part.value, slack + part.slack
            off = slack + row.slack
            if count > 1 and abs(total - row.value) <= off <= abs(row.value) * MOST_ROUNDING:
                of = Part(row.facts, row.told, row.reconciling, self.rows[-count:])
                yield _Reading(self.rows[:-count], self.total - total, self.slack - slack).and_then(of)


def divisions(whole: Fact, rows: Sequence[Part], items: Sequence[Part] = ()) -> list[Division]:
    """The ways in which runs of rows come to the whole within rounding, the most detailed first.

    rows: in the order of the document. items: reconciling ones, of which any may be added.
    """
    extra = _sums(items)
    most = sum((abs(one.value) + one.slack for one in items), Decimal(0))
    found: dict[tuple[str, ...], Division] = {}
    for ordered in (tuple(rows), tuple(reversed(rows))):
        for start in range(len(ordered)):
            for reading in _runs(ordered[start:]):
                near = abs(whole.value - reading.total) <= most + reading.slack + rounding(whole)
                if near and (one := _complete(whole, reading, extra)):
                    kept = replace(one, top=in_order(one.top))
                    found.setdefault(tuple(sorted(of for row in kept.rows for of in row.key)), kept)
    return sorted(found.values(), key=lambda one: (-one.leaves, len(one.top)))


def undivided(whole: Fact, rows: Sequence[Part], items: Sequence[Part] = ()) -> Division | None:
    """All rows with what they leave of the whole, where no run of rows comes to it; None without two rows."""
    best, extra = None, _sums(items)
    for reading in _readings(rows):
        for chosen, amount, _ in extra:
            one = Division(whole, (*reading.rows, *chosen), whole.value - reading.total - amount)
            if len(reading.rows) > 1 and (best is None or abs(one.left) < abs(best.left)):
                best = one
    return best


def _complete(
    whole: Fact, reading: _Reading, extra: Sequence[tuple[tuple[Part, ...], Decimal, Decimal]]
) -> Division | None:
    rows = reading.rows
    while len(rows) == 1 and rows[0].parts:
        rows = rows[0].parts
    found = [
        Division(whole, (*rows, *chosen), left)
        for chosen, amount, slack in extra
        if abs(left := whole.value - reading.total - amount) <= reading.slack + slack + rounding(whole)
    ]
    # Of items that come near by chance and others that come to it exactly, these; else the fewest.
    return min(found, key=lambda one: one.left != 0) if found and len(rows) > 1 else None


def _sums(items: Sequence[Part]) -> list[tuple[tuple[Part, ...], Decimal, Decimal]]:
    """The sums of some of the items, those of few items first: the items, the sum, and its rounding."""
    return [
        (some, sum((one.value for one in some), Decimal(0)), sum((one.slack for one in some), Decimal(0)))
        for count in range(ITEMS_AT_ONCE + 1)
        for some in combinations(items[:MOST_ITEMS], count)
    ]


def _runs(rows: Sequence[Part]) -> Iterator[_Reading]:
    """The readings of the first rows, of the first two, and so on."""
    readings = [_Reading()]
    for row in rows:
        readings = _next(readings, row)
        yield from readings


def _readings(rows: Sequence[Part]) -> list[_Reading]:
    readings = [_Reading()]
    for row in rows:
        readings = _next(readings, row)
    return readings


def _next(readings: Sequence[_Reading], row: Part) -> list[_Reading]:
    """The readings with one more row, those first in which it is a subtotal."""
    summed = [one for reading in readings for one in reading.subtotals(row)]
    return [*summed, *(reading.and_then(row) for reading in readings)][:MOST_READINGS]
