"""Doubts about a tagged value: errors of scale and sign, a shell company's figures before a merger, empty zeros.

`identities` checks the statement's sums; this module checks the value itself and later filings' values for the same tag
and period. A doubt refuses: a value that is off by a thousand reads as well as a right one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from agent.numbers.registry.registry import Concept

# No restatement changes a figure by this factor; an error of scale changes it by a thousand or a million.
SLIP = Decimal(300)
# A share of 1 written as a percentage is off by a hundred.
SLIP_OF_SHARE = Decimal(50)
# A registrant that merged keeps its CIK: the next 10-K's comparatives are those of another company (VRT 2019).
OTHER_COMPANY = Decimal(5)
TELLS_COMPANY = frozenset({"revenue", "total_assets"})
# Money and shares are tagged in full; a small value with a fraction was entered in millions (MCD 2020-21).
SMALL = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a value is not trusted, in a sentence."""

    name: str
    sentence: str


def doubts(
    value: Decimal, unit: str, concept: Concept, later: Iterable[Decimal], *, tagged: bool, face_held: bool
) -> Iterator[Doubt]:
    """The doubts about a concept's value.

    later: values of later 10-Ks for the same tag and period. tagged: whether the value is a fact. face_held: whether
    the statement that should have the measure is stored.
    """
    if concept.sign == "pos" and value < 0:
        yield Doubt("sign", "The value is tagged negative, which is unusual for this measure.")
    if not tagged:
        return
    if unit in ("USD", "shares") and value != value.to_integral_value() and abs(value) < SMALL:
        yield Doubt("scale", "The value is a small number with a fraction, as if tagged in millions.")
    if value == 0 and not face_held and concept.sign == "pos" and concept.statements:
        yield Doubt("zero", "The only value in our data is zero, and no loaded statement confirms it.")
    for one in later:
        yield from against(value, one, concept.key, unit)


def against(value: Decimal, later: Decimal, key: str, unit: str) -> Iterator[Doubt]:
    """The doubt that a later 10-K's value for the same tag and period raises."""
    tells = key in TELLS_COMPANY
    if not value or not later:
        if tells and value != later:
            yield Doubt(
                "succession",
                "A later filing gives a figure where this one gives none; it may be another company's.",
            )
        return
    ratio = max(abs(value / later), abs(later / value))
    if ratio >= (SLIP_OF_SHARE if unit == "pure" else SLIP):
        yield Doubt(
            "scale", "A later filing gives a value for the same period that differs by an apparent scale error."
        )
    elif tells and ratio >= OTHER_COMPANY:
        yield Doubt(
            "succession", "A later filing gives a value several times larger or smaller: it may be another company's."
        )
    elif value == -later:
        yield Doubt("sign", "A later filing gives the same value with the opposite sign.")
