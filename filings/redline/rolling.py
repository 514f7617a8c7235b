"""Whether figures, dates and years that differ between two versions of a sentence merely rolled forward."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from filings.tables.months import MONTHS

# A figure rolls forward up to this factor. Of 1,972 figures in sentences of 90 pairs of Items, each a year apart, four
# in five did; those beyond were a cause, a charge or a rate that became another one.
MOST = 2.0
_DAY = re.compile(rf"\b({'|'.join(MONTHS)}) \d\d?\b")
_YEAR = re.compile(r"(?:19|20)\d\d")


class Figure(NamedTuple):
    """A number as printed with what it counts. unit: its currency sign and %."""

    printed: str
    unit: str
    negative: bool
    value: float


def is_rolled(old: str, new: str, years: int, *, row: bool = False) -> bool:
    """Whether each figure of two compared texts, which say the same otherwise, moved on as one does from year to year: with
    its unit and sign, by a factor of two at most, and a year by the years between the reports; of a table's row the first
    figure that differs.

    years: from the older report to the newer.
    """
    before, after = list(_figures(old)), list(_figures(new))
    moved = [(one, other) for one, other in zip(before, after, strict=False) if one != other]
    if row:
        return all(_moved_on(one, other, years) for one, other in moved[:1])
    return len(before) == len(after) and all(_moved_on(one, other, years) for one, other in moved)


def _moved_on(old: Figure, new: Figure, years: int) -> bool:
    if _YEAR.fullmatch(old.printed) and _YEAR.fullmatch(new.printed):
        return int(new.printed) - int(old.printed) in {0, years}
    if (old.unit, old.negative) != (new.unit, new.negative):
        return False
    return old.value == new.value or 0 < max(old.value, new.value) <= MOST * min(old.value, new.value)


def _figures(text: str) -> Iterator[Figure]:
    """The figures of a compared text, days of a month left out."""
    words, scales = rolling()["figures"], rolling()["scales"]
    for found in _pattern().finditer(_DAY.sub(r"\1", text)):
        digits, word, scale = found["digits"], found["word"], found["scale"]
        try:
            value = float(words[word] if word else digits.replace(",", ""))
        except ValueError:
            value = 0.0  # a number of several points names something
        sign = found["before"]
        unit = sign.strip("(-") + ("%" if found["percent"] else "")
        yield Figure(found.group().strip(), unit, sign != sign.strip("(-"), value * 10 ** scales.get(scale, 0))


@cache
def _pattern() -> re.Pattern[str]:
    words, scales = ("|".join(rolling()[name]) for name in ("figures", "scales"))
    number = rf"(?P<digits>\d(?:[\d,.]*\d)?)|\b(?P<word>{words})\b"
    return re.compile(rf"(?P<before>[$€£¥(-]*)\s?(?:{number})\)?(?P<percent>\s?%)?\)?(?:\s(?P<scale>{scales})\b)?")


@cache
def rolling() -> dict[str, dict[str, int]]:
    """The words that are figures, and those that scale them."""
    told: dict[str, dict[str, int]] = yaml.safe_load(
        Path(__file__).with_name("rolling.yaml").read_text(encoding="utf-8")
    )
    return told
