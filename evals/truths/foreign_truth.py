"""Compares answers with other people's truths: a bare number, such as $1,577.00 or 30.8%.

How such a number was rounded, or from which filing it comes, is unknown, so two percent off counts as right, only here.
Our own goldens are exact.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from agent.state import Answer, Cell
from agent.state.tables import Result

TOLERANCE = Decimal("0.02")
SCALES = {"thousand": 3, "million": 6, "mn": 6, "billion": 9, "bn": 9}
_MINUS = "-\u2212\u2013"
_BARE = re.compile(
    rf"""(?:(?:about|approximately|approx\.?|around|roughly|~)\s*)?
    (?P<open>\()?\s*(?P<sign>[{_MINUS}])?\s*(?:us\$|\$|usd)?\s*(?P<inner>[{_MINUS}])?
    (?P<figure>\d[\d,]*(?:\.\d+)?|\.\d+)\s*(?P<close>\))?\s*
    (?P<word>(?:{"|".join(SCALES)})s?|%|percent|x|times|days?)?\s*(?:usd|(?:us\s)?dollars)?\s*(?P<end>\))?\s*\.?""",
    re.IGNORECASE | re.VERBOSE,
)
_SCALED = re.compile(rf"\b({'|'.join(SCALES)})s?\b", re.IGNORECASE)
_PERCENT = re.compile(r"%|\bpercent", re.IGNORECASE)

How = Literal["to the digit", "within 2 %", "model", "nothing asserted", "not judged"]
Score = Literal["0", "0.5", "1"]


@dataclass(frozen=True)
class Grade:
    """The grade of an answer against its truth, and how it was found; None where nobody could judge."""

    score: Decimal | None
    how: How


@dataclass(frozen=True)
class BareNumber:
    """A truth that is only a number. digits: decimals; scale: its power of ten."""

    value: Decimal
    digits: int
    scale: int
    percent: bool

    def beside(self, value: Decimal, unit: str) -> How | None:
        """How our value agrees with it, rounded to its digits; None where it does not."""
        ours = self._in_its_terms(value, unit)
        if ours is None:
            return None
        apart = abs(ours - self.value)
        if apart <= Decimal("0.5").scaleb(-self.digits):
            return "to the digit"
        return "within 2 %" if apart <= TOLERANCE * abs(self.value) else None

    def _in_its_terms(self, value: Decimal, unit: str) -> Decimal | None:
        if self.percent:
            return {"percent": value, "points": value, "pure": 100 * value, "ratio": 100 * value}.get(unit)
        return value / 100 if unit in ("percent", "points") else value.scaleb(-self.scale)


def bare_number(truth: str, question: str) -> BareNumber | None:
    """A truth as a number, None where it has more text. A missing scale is taken from the question."""
    match = _BARE.fullmatch(truth.strip())
    if match is None:
        return None
    word, figure = (match["word"] or "").lower().rstrip("s"), match["figure"].replace(",", "")
    asked = _SCALED.findall(question)
    scale = SCALES.get(word, SCALES[asked[-1].lower()] if asked and not word else 0)
    negative = bool(match["sign"] or match["inner"] or (match["open"] and (match["close"] or match["end"])))
    return BareNumber(
        value=-Decimal(figure) if negative else Decimal(figure),
        digits=len(figure.partition(".")[2]),
        scale=scale,
        percent=word in ("%", "percent") or (not word and bool(_PERCENT.search(question))),
    )


def numbers(answer: Answer) -> Sequence[Cell | Result]:
    """The figures that an answer asserts: results of operations, or else the asked cells."""
    tables = [block.table for block in answer.blocks if block.table]
    results = [one for table in tables for one in table.results if one.value is not None]
    return results or [cell for table in tables for cell in table.asserted]


def graded(truth: BareNumber, found: Sequence[Cell | Result]) -> Grade:
    """1 where every number agrees with the truth, 0.5 where one of several does, else 0."""
    hows = [truth.beside(one.value, one.unit) for one in found if one.value is not None]
    agreeing = [how for how in hows if how]
    if not agreeing:
        return Grade(Decimal(0), "to the digit")
    score = Decimal(1) if len(agreeing) == len(hows) else Decimal("0.5")
    return Grade(score, "to the digit" if "to the digit" in agreeing else "within 2 %")
