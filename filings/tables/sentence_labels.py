"""What the figures of a clause are called: its words as they stand, without those that say nothing of what is counted."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from filings.tables.column_periods import YEAR
from filings.tables.sentence_dates import Dated
from filings.tables.sentence_patterns import Tail
from filings.tables.sentence_tokens import COUNT, MONEY, NOUN, PERCENT, THINGS, WORDS, Quantity, Token

_PREPOSITION = re.compile(r"^(?:in|during|for|of|at|on)\s+", re.IGNORECASE)
LONGEST_LABEL = 14  # words
A_YEAR, DRIFT = 365, 10  # days
_PLACES = frozenset(["in", "across", "throughout", "outside"])
_NAMED = re.compile(r"[A-Z][a-z]+$|(?:[A-Z]\.)+$|[A-Z][a-z]+[-'\u2019]")  # a place's; "R&D" and "ATM" are none
_DROPPED = frozenset("eqAaDr")
_BINDING = frozenset("optFjiec")
PER_SHARE = re.compile(r"\bper\b|\beps\b", re.IGNORECASE)


def signed(figure: Token, sign: str | None) -> Quantity:
    """A figure's number, of a fall below zero."""
    quantity = figure.quantity or Quantity(Decimal(0), "")
    return replace(quantity, value=-quantity.value) if sign == "d" else quantity


def grown(subject: str, figure: Token, tail: Tail, dated: Dated | None) -> str:
    """The label of a change; of one on another time than a year before it says on which."""
    label = f"{subject} {'growth' if figure.tag == PERCENT else 'change'} {text_of(tail.words)}".strip()
    return label if _is_of_a_year(tail.base, dated) else f"{label} from {_PREPOSITION.sub('', tail.based)}"


def _is_of_a_year(base: Dated | None, dated: Dated | None) -> bool:
    if base is None:
        return True
    if not base.periods:
        return bool(base.before) and not base.quarters
    one, other = base.periods[0], dated.periods[0] if dated and dated.periods else None
    if other is None:
        return one.months >= YEAR
    return abs((other.end - one.end).days - A_YEAR) <= DRIFT and one.months == other.months


def scoped(words: Sequence[Token]) -> tuple[list[Token], str]:
    """Words without the places at their end, and these: "in the United States", "in 11 states"."""
    for number, one in enumerate(words):
        behind = [other for other in words[number + 1 :] if other.tag not in "eaq"]
        if one.said.lower() in _PLACES and behind and (_NAMED.match(behind[0].said) or behind[0].tag == COUNT):
            return list(words[:number]), text_of(words[number:], whole=True)
    last = len(words)
    while last and words[last - 1].said.lower() in WORDS["everywhere"]:
        last -= 1
    return list(words[:last]), text_of(words[last:])


def counts(words: Sequence[Token]) -> bool:
    """Whether words name things that are counted: a plural, not of time."""
    said = [one.said.lower() for one in words]
    plural = any(
        one in WORDS["people"] or (one.endswith("s") and not one.endswith("ss"))
        for one in said
        if one.isalpha() or "-" in one
    )
    # "3.7 billion MAP": short forms have no plural.
    plural = plural or bool(words and len(words[0].said) > 1 and words[0].said.isupper())
    return plural and not any(one in WORDS["time units"] for one in said[:3])


def text_of(words: Sequence[Token], *, whole: bool = False) -> str:
    """Words as a label: without articles, adverbs and what binds at their ends."""
    kept = [one for one in words if one.tag not in _DROPPED]
    while kept and kept[0].tag in _BINDING and not whole and kept[0].said.lower() not in WORDS["restricting"]:
        kept = kept[1:]
    while kept and kept[-1].tag in _BINDING:
        kept = kept[:-1]
    return " ".join(one.said for one in kept).replace(" ,", ",")


def is_growth(figure: Token, words: Sequence[Token], verb: str) -> bool:
    """Whether a growth is made or foretold: "to deliver 8 percent organic revenue growth". verb: its tags."""
    return (
        figure.tag == PERCENT and bool(words) and words[0].tag in "neq" and words[-1].tag == "I" and verb in {"h", "V"}
    )


def is_telling(label: str) -> bool:
    words = [one.lower() for one in label.split()]
    return (
        0 < len(words) <= LONGEST_LABEL
        and words[0] not in WORDS["units behind figures"]
        and not WORDS["unread times"].intersection(words)
        and any(len(one) > 2 and one not in WORDS["vague"] and not one[0].isdigit() for one in words)
    )


def led_by(words: Sequence[Token]) -> str | None:
    """What words that lead others are called: the name of a part, of a measure; "" of a clause, None where they date."""
    tags = "".join(one.tag for one in words)
    if re.search(r"[bLudhHVvsgmWMPNSX]", tags) or len(words) > LONGEST_LABEL:
        return ""
    return None if any(one.dated for one in words) else text_of(words, whole=True)


def has_verb(words: Sequence[Token]) -> bool:
    """Whether a subject has a verb with its object: "approved the settlement"."""
    return any(
        one.tag == NOUN and one.said.endswith("ed") and other.said.lower() in {"a", "an", "the"}
        for one, other in pairwise(words)
    )


def is_vague(words: Sequence[Token]) -> bool:
    """Whether nouns say nothing of what they are of: "an unfavorable change"."""
    return words[-1].said.lower() in WORDS["vague"] and not any(one.tag in "op" for one in words) if words else True


def limits(one: Token, other: Token) -> list[Token]:
    """Both limits of a range: "$4.2 to $4.4 billion" has one scale, "2 to 4 %" one unit; none of two units."""
    low, high = one.quantity, other.quantity
    if low is None or high is None:
        return []
    money = low.unit.partition("/")[0]
    if high.unit == THINGS and money.isupper() and high.power:
        high = replace(high, unit=money)
    if low.unit != high.unit or (high.power and not low.power):
        if low.unit not in {THINGS, high.unit} and money != high.unit:
            return []
        low = Quantity(low.value.scaleb(high.power - low.power), high.unit, high.power, low.digits)
    tag = other.tag if high.unit == (other.quantity or high).unit else MONEY
    ends = [replace(one, quantity=low, tag=tag), replace(other, quantity=high, tag=tag)]
    return ends if low.value <= high.value else []
