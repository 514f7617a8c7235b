"""Share splits, recognized by a later filing that restates a figure by a whole factor."""

from decimal import Decimal

SPLIT = Decimal("1.45")


def is_split(after: Decimal, before: Decimal) -> bool:
    """Whether a figure was restated by a whole factor: three halves or more; per-share amounts are rounded to the cent."""
    ratio = max(after / before, before / after)
    return ratio >= SPLIT and abs(ratio * 2 - round(ratio * 2)) <= ratio / 50
