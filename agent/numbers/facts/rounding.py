"""The precision of a reported figure, and when two figures are equal.

A figure reported with `decimals` d stands for anything within half a unit of 10**-d. Where decimals are not known
(companyfacts), the trailing zeros show it: 391,035,000,000 is taken as reported in millions.
"""

from decimal import Decimal, localcontext

from agent.numbers.registry.formula import PRECISION

# Statements are in thousands or millions at the coarsest. More zeros belong to the figure: taking 5,000,000,000 as
# rounded to billions would let it agree with anything near it.
_COARSEST = 6


def reported_digit(value: Decimal, decimals: int | None) -> Decimal:
    """The size of the last reported digit: 1E+6 for millions, 0.01 for cents.

    Zero without known decimals is taken as exact: a dash on the statement could stand for any rounding, and assuming
    the coarsest would let it equal everything small.
    """
    if decimals is not None:
        return Decimal(1).scaleb(-decimals)
    if value == 0:
        return Decimal(0)
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)  # noqa: S101 - facts are finite
    for digit in reversed(digits):
        if digit or exponent >= _COARSEST:
            break
        exponent += 1
    # 1,200 thousand is in thousands, not hundreds of thousands: whole steps of three, and never below the units.
    return Decimal(1).scaleb(exponent - exponent % 3 if exponent > 0 else exponent)


def half_unit(value: Decimal, decimals: int | None) -> Decimal:
    """Half of the last reported digit: how far the true figure may be off."""
    return reported_digit(value, decimals) / 2


def same_after_rounding(a: Decimal, a_decimals: int | None, b: Decimal, b_decimals: int | None) -> bool:
    """Whether two reported figures may be the same: equal within half a unit of the coarser one's last digit."""
    with localcontext(PRECISION):
        return abs(a - b) <= max(half_unit(a, a_decimals), half_unit(b, b_decimals))
