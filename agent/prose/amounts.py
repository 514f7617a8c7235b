"""Whether a sentence states an amount: what answers "how many" and "how much", and nothing else does."""

import re

_MONEY = re.compile(
    r"[$\u20ac\u00a3\u00a5]\s?\d|\d\s?%|\b(?:percent|per cent|basis points)\b|\b\d[\d.,]*\s(?:thousand|million|billion|trillion)\b",
    re.IGNORECASE,
)
_SPELLED = (
    r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|"
    r"ninety|hundred|thousand|million|billion|trillion|dozen|dozens"
)
_COUNT = re.compile(rf"(?<![\w.,$-])\d[\d,]*(?:\.\d+)?(?![\w-])|\d\s?%|\b(?:{_SPELLED})\b", re.IGNORECASE)
# Numbers that count nothing: days, years, and those that name a part of the filing.
_NAMING = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d{1,2}(?:,\s*\d{4})?|"
    r"\b(?:note|item|part|section|rule|form|page|topic|asc|asu|no\.|number)\s*\d[\w.()-]*|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)


def states_amount(text: str, money: bool) -> bool:
    """Whether a sentence has a number that is no date and no reference; money: one of money, or a percentage."""
    return bool((_MONEY if money else _COUNT).search(_NAMING.sub(" ", text)))
