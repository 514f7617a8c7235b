"""In which unit a table's figures are printed: scale and currency from what stands above, and what a row is counted in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from filings.tables.table_words import any_of, table_words, word_of

LONGEST_SAID = 160  # characters of what a document says of its currency
CACHED = 2048  # lines: those of a table are asked for each of its cells
POWERS: dict[str, int] = table_words()["powers"]
_SCALES, _AMOUNTS, _DOLLARS = any_of("scales"), any_of("amounts"), any_of("dollars")
# The unit of the figures of a table, as it is printed above them.
SCALE = re.compile(rf"\(?\b(?:(?:{_AMOUNTS}|\$|u\.?s\.?)\s+)*in\s+{_SCALES}s\b[^()]*\)?", re.IGNORECASE)
_POWER = re.compile(
    rf"\b(?:in|of)\s+(?:(?:u\.?s\.?|us|\w+|[$€£])\s+)?(?P<in>{_SCALES})s?\b|"
    rf"[(,;]\s*(?:u\.?s\.?\s+)?(?:\$|{_AMOUNTS})?\s*(?P<open>{_SCALES})s\b|"
    rf"\(\s*(?:in\s+)?\$?(?P<zeros>000)['\u2019]?s?\b|\b(?P<of>{_SCALES})s\s+of\s+(?:u\.?s\.?\s+)?{_DOLLARS}|"
    rf"\bin\s+(?P<whole>whole)\s+(?:u\.?s\.?\s+)?{_DOLLARS}\b|^\s*(?P<alone>{_SCALES})s\b|\$\s*(?P<sign>{_SCALES})s?\b|"
    rf"\$\s*(?P<short>{any_of('short scales')})\b",
    re.IGNORECASE,
)
# "$ million": the scale is of money, so that no figure needs a sign of its own.
_SIGNED = re.compile(rf"[$€£]\s*(?:in\s+)?{_SCALES}s?\b", re.IGNORECASE)
_THINGS = re.compile(rf"\W*(?P<things>[A-Za-z][A-Za-z -]*?)\s+in\s+{_SCALES}s?\b", re.IGNORECASE)
_MONEY_OR_SHARES = re.compile(word_of("money or shares"), re.IGNORECASE)
_EXCEPT = re.compile(word_of("except"), re.IGNORECASE)
_PER_SHARE = re.compile(
    rf"\bper[\s-]+(?:[a-z]+[\s-]+){{0,3}}?{any_of('shares of per')}\b|{word_of('per share')}", re.IGNORECASE
)
_SHARES = re.compile(
    rf"{word_of('counting shares')}.*{word_of('shares')}|\bshares\b.*{word_of('shares counted')}|"
    rf"^{any_of('share')}\b|{word_of('shares alone')}",
    re.IGNORECASE,
)
_COUNTED = re.compile(word_of("counted"), re.IGNORECASE)
_PAR = re.compile(rf"{word_of('par')}|^\W*(?:class\s+\w+\s+)?{any_of('stock')}\b", re.IGNORECASE)
_MONEY_OF = re.compile(word_of("money of shares"), re.IGNORECASE)
_PERCENT = re.compile(rf"%|{word_of('percent')}|\b{any_of('margin')}\s*\(?%", re.IGNORECASE)
_WORDS: dict[str, str] = table_words()["currencies"]
_MONEY_WORDS = re.compile(word_of("currencies"), re.IGNORECASE)
_REPORTED_IN = re.compile(
    rf"{word_of('reporting')}[^.;:]{{0,60}}?\bin\s+(?:{_SCALES}s\s+of\s+)?(?P<words>{any_of('other dollars')}\s+dollars)\b",
    re.IGNORECASE,
)

MONEY, PER_SHARE, SHARES, PERCENT = "money", "per share", "shares", "percent"


@dataclass(frozen=True, slots=True)
class TableUnit:
    """What stands above a table says of its figures: the powers of ten of money and of counts of shares, None where it
    is not said, and the currency in words, "" where none is. signed: whether a currency's sign stands with the scale.
    """

    money: int | None = None
    shares: int | None = None
    currency: str = ""
    signed: bool = False

    @property
    def known(self) -> bool:
        return self.money is not None


@lru_cache(maxsize=CACHED)
def table_unit(said: str) -> TableUnit:
    """The unit that words above a table tell: "(In millions, except shares in thousands and per share amounts)".

    Two scales of money are none.
    """
    plain = " ".join(said.split())
    money: set[int] = set()
    shares: set[int] = set()
    excepted = False
    # "$ and shares in millions"
    plain = re.sub(r"(?:\$|\b(?:dollars|amounts))\s+and\s+shares\s+(?=in\b)", "amounts ", plain, flags=re.IGNORECASE)
    for place, clause in enumerate(re.split(r"[()]", plain)):
        main, *rest = _EXCEPT.split(clause, maxsplit=1)
        aside = rest[0] if rest else ""
        for part in re.split(r"[,;]|\band\b", main):
            power = _power(f"({part.strip()}")
            if power is not None and not (place % 2 and _of_things(part)):
                (shares if re.search(r"\bshares?\b", part, re.IGNORECASE) else money).add(power)
        power = _power(f"({aside}") if aside else None
        without = _PER_SHARE.sub(" ", aside)
        if power is not None:
            shares.add(power)
        elif money and re.search(r"\bshares?\b", without, re.IGNORECASE):
            excepted = True
    of_money = money.pop() if len(money) == 1 else None
    of_shares = shares.pop() if len(shares) == 1 else None
    if of_shares is None and not excepted:
        of_shares = of_money
    return TableUnit(of_money, of_shares, currency_in_words(plain), bool(_SIGNED.search(plain)))


def _of_things(part: str) -> bool:
    """Whether words in brackets tell the scale of things, and neither of money nor of shares: "vehicles in thousands"."""
    told = _THINGS.match(part)
    return told is not None and not _MONEY_OR_SHARES.search(told["things"])


def _power(text: str) -> int | None:
    found = {word.lower() for match in _POWER.finditer(text) for word in match.groups() if word}
    return POWERS[found.pop()] if len(found) == 1 else None


def currency_in_words(said: str) -> str:
    """The one currency that words name; "" where none or several are."""
    found = {_WORDS[" ".join(word.lower().split())] for word in _MONEY_WORDS.findall(said)}
    return found.pop() if len(found) == 1 else ""


def other_dollars(text: str) -> str:
    """The currency of a document that says its amounts are in the dollars of another country than the United States."""
    for at in places_of("dollars", text.lower()):
        if found := _REPORTED_IN.search(text[max(at - LONGEST_SAID, 0) : at + len("dollars")]):
            return currency_in_words(found["words"])
    return ""


def places_of(word: str, text: str) -> Iterator[int]:
    """Where a word stands in a long text: many times faster than a pattern that does not mind its case."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


@lru_cache(maxsize=CACHED)
def own_power(label: str) -> int | None:
    """The power of ten that a row's own label names: "Average shares (in millions)"; None where it names none."""
    brackets = re.findall(r"\([^()]*\)", label)
    found = {power for one in brackets if (power := _power(one)) is not None}
    return found.pop() if len(found) == 1 else None


def counted_in(label: str, groups: str) -> str:
    """What a row is counted in, by its label, else by the headings above it; "" where the words are of two kinds."""
    for said in (label, groups):
        if kind := kind_said(said):
            return "" if kind == "?" else kind
    return MONEY


@lru_cache(maxsize=CACHED)
def kind_said(said: str) -> str:
    """What words say that is counted; "" where they say nothing, "?" where they are of two kinds."""
    if _PAR.search(said):
        return MONEY
    plain = re.sub(r"\([^()]*\)", " ", said)
    per, shares = _PER_SHARE.search(said), _SHARES.search(plain)
    if per:
        # "Weighted-average shares used in computation of earnings per share" counts shares.
        return SHARES if re.search(r"\b(?:shares|units)\b", said[: per.start()], re.IGNORECASE) else PER_SHARE
    if _PERCENT.search(plain):
        return PERCENT
    if shares and re.search(r"(?<![A-Za-z])\d(?![A-Za-z])", plain):
        return MONEY  # "Common shares, 500 outstanding": the count is in the label
    if shares:
        counts = _COUNTED.search(plain)
        return SHARES if counts else MONEY if _MONEY_OF.search(plain) else "?"
    return ""
