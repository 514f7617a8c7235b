"""Which rows of a printed statement add up to its totals, and with which sign: a cost may be printed either way."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import product

Figures = Mapping[object, Decimal]  # a row's figures by column; a dash is zero
MOST_BETWEEN = 4  # rows between two totals of which each may have either sign
FEWEST_COLUMNS = 2
ROUNDING = 1  # of the last printed digit


def added_up(rows: Sequence[Figures]) -> set[int]:
    """The rows that, with those next to them, add up to a printed total in every column."""
    return {row for total, first in first_rows(rows).items() for row in range(first, total + 1)}


def first_rows(rows: Sequence[Figures]) -> dict[int, int]:
    """The totals among rows, each with the first of the rows that add up to it in every column."""
    began: dict[int, int] = {}
    for total, wanted in enumerate(rows):
        summed = dict.fromkeys(wanted, Decimal())
        at, count = total - 1, 0
        while at >= 0 and rows[at].keys() <= wanted.keys():
            for column, number in rows[at].items():
                summed[column] += number
            count += 1
            at = began.get(at, at) - 1
            if count > 1 and summed == wanted:
                began[total] = at + 1
                break
    return began


def signs(rows: Sequence[Figures]) -> list[int]:
    """How each row counts towards the total below it: 1 where its figures are added as printed, -1 where they are taken
    off, 0 where the sums do not tell.

    rows: as printed, without their scale. A total is the row some lines above, with those between, each added or taken off, in every of two or more columns.
    """
    found = [0] * len(rows)
    for total, wanted in enumerate(rows):
        if len(wanted) < FEWEST_COLUMNS:
            continue
        for first in range(total - 2, max(total - MOST_BETWEEN - 2, -1), -1):
            between = rows[first + 1 : total]
            if rows[first].keys() >= wanted.keys() and (told := _told(rows[first], between, wanted)):
                for place, sign in enumerate(told, first + 1):
                    found[place] = found[place] or sign
                break
    return found


def _told(first: Figures, between: Sequence[Figures], wanted: Figures) -> tuple[int, ...]:
    """The one way to get from a row to a total; nothing where there is none, or two."""
    ways = [
        way
        for way in product((1, -1), repeat=len(between))
        if all(
            abs(
                first[column]
                + sum(sign * row.get(column, Decimal()) for sign, row in zip(way, between, strict=True))
                - number
            )
            <= ROUNDING
            for column, number in wanted.items()
        )
    ]
    # A row of zeros may have either sign.
    return tuple(way[0] if len(set(way)) == 1 else 0 for way in zip(*ways, strict=True))
