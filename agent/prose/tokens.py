"""A sentence as the words, numbers, dates and names that it says, for comparison with another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

import yaml

from agent.prose.folding import fold


def words(text: str) -> tuple[str, ...]:
    """The words of a list."""
    return tuple(text.split())


class Mark(StrEnum):
    """What part a word plays, as a reason names it."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date or period"
    NAME = "name"
    NEGATION = "negation"
    MODALITY = "modality"
    CONDITION = "condition"
    EXCEPTION = "exception"
    CONTRAST = "contrast"
    HEDGE = "degree"
    QUANTIFIER = "quantifier"
    COMPARISON = "comparison"
    DIRECTION = "direction"
    RESTRICTION = "restriction"
    ATTRIBUTION = "attribution"
    WORD = "word"


_DATA = yaml.load(Path(__file__).with_name("tokens.yaml").read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only
CLASS: dict[str, Mark] = {word: Mark(mark) for mark, told in reversed(_DATA["marks"].items()) for word in told.split()}
NEUTRAL = frozenset(words(_DATA["neutral"]))
CONNECTIVES = frozenset(words(_DATA["connectives"]))
SAME: dict[str, str] = {word: line.split()[0] for line in _DATA["same"] for word in line.split()}

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS: dict[str, int] = {word: value for value, word in enumerate(words(_UNITS))} | {
    word: 10 * value for value, word in enumerate(words(_TENS), start=2)
}
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_MONTHS = "january february march april may june july august september october november december"
MONTHS = {month: number for number, month in enumerate(words(_MONTHS), start=1)}

# A verb as it goes with "we", and as it goes with a name.
AGREES = {"are": "is", "were": "was", "have": "has", "do": "does"}

# Whom the filing speaks of as "we".
SELF, SELFS = "\ue000", "\ue001"

# With a capital: "may 30 suppliers" is no date.
_MONTH = "(?-i:" + "|".join(month.capitalize() for month in MONTHS) + ")"
_SCALE = "|".join(SCALES)
_SMALL = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
PATTERN = re.compile(
    rf"""
      (?P<date>
          (?:{_MONTH})\s\d{{1,2}},?\s\d{{4}}\b | \b\d{{1,2}}\s(?:{_MONTH})\s\d{{4}}\b | \b\d{{4}}-\d{{2}}-\d{{2}}\b
        | \b(?:{_MONTH})\s\d{{1,4}}\b )
    | (?P<self> [\ue000\ue001] )
    | (?P<number>
          \(?(?P<sign>-)?(?:(?P<currency>(?:us|c|a|hk|nt)?[$]|[€£¥₩₹])\s?)?(?<![\w.])
          (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
          (?P<close>\))?
          (?:[\s-](?P<scale>{_SCALE})s?\b)? (?:\s?(?P<percent>%|percent\b|per\scent\b))? (?!\w|-[a-z]) )
    | (?P<spelt> \b(?:{_SMALL})(?:-(?:{_SMALL}))?\b (?:[\s-](?P<spelt_scale>{_SCALE})s?\b)?
          (?:\s(?P<spelt_percent>percent\b|per\scent\b|%))? (?!-) )
    | (?P<word> \w+(?:[.&'/+-]\w+)*)
    | (?P<stop> [,;:()\[\]"] | -(?=\s) | (?<=\s)- )
    | (?P<sign_of> [^\s\w.!?'] )
    """,
    re.VERBOSE | re.IGNORECASE,
)
KINDS = ("date", "self", "number", "spelt", "word", "stop", "sign_of")
CONTRACTED = re.compile(r"(\w+)n't$", re.IGNORECASE)
PERIOD_LABEL = re.compile(r"(?:fy|cy|[1-4]?[qh]|[qh][1-4])'?\d{2,4}|[qh][1-4]|[1-4][qh]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """One thing said. `value` is what is compared; `lower` what is compared at the start of a sentence."""

    value: str
    shown: str
    mark: Mark
    clause: int
    first: bool = False

    @property
    def lower(self) -> str:
        return self.value.lower()


def tokens(text: str, names: Sequence[str] = ()) -> list[Token]:
    """What a text says, in order, without words that say nothing.

    names: what the company is called; each stands for "we", its possessive for "our".
    """
    folded = _with_self(fold(text).text, names)
    found: list[Token] = []
    clause = 0
    first = True
    for match in PATTERN.finditer(folded):
        kind = _kind(match)
        shown = match.group().strip()
        if kind == "stop":
            clause += 1
            continue
        for value, mark in _values(kind, shown, match):
            if _says_nothing(value, mark, first):
                continue
            found.append(Token(value, shown, _named(value, mark, first), clause, first))
            first = False
        first = _ends_sentence(folded, match.end())
    return found


def _kind(match: re.Match[str]) -> str:
    return next(kind for kind in KINDS if match.group(kind))


def _values(kind: str, shown: str, match: re.Match[str]) -> list[tuple[str, Mark]]:
    if kind == "date":
        return [(_date(shown), Mark.DATE)]
    if kind == "number":
        return [(_number(match), Mark.NUMBER)]
    if kind == "spelt":
        return [(_spelt(match), Mark.NUMBER)]
    if kind == "sign_of":
        return [(shown, Mark.UNIT)]
    if kind == "self":
        return [(shown, Mark.WORD)]
    lower = shown.lower()
    if lower in {"can't", "cannot"}:
        return [("can", Mark.MODALITY), ("not", Mark.NEGATION)]
    if lower == "won't":
        return [("will", Mark.MODALITY), ("not", Mark.NEGATION)]
    if contracted := CONTRACTED.fullmatch(lower):
        return [(contracted.group(1), mark_of(contracted.group(1))), ("not", Mark.NEGATION)]
    if PERIOD_LABEL.fullmatch(lower):
        return [(lower, Mark.DATE)]
    return [(shown, mark_of(lower))]


def _says_nothing(value: str, mark: Mark, first: bool) -> bool:
    lower = value.lower()
    return lower in NEUTRAL or (first and lower in CONNECTIVES and mark is Mark.CONTRAST)


def _named(value: str, mark: Mark, first: bool) -> Mark:
    """A capital that does not begin a sentence makes a name, and so does one inside a word, or a digit."""
    # "If" and "Not" are no names under a capital, as in a heading.
    if value in {SELF, SELFS} or mark not in {Mark.WORD, Mark.DIRECTION}:
        return mark
    if value[:1].isdigit() and value[1:].islower():
        return Mark.NUMBER
    inner = any(one.isupper() or one.isdigit() for one in value[1:])
    if inner or (value[:1].isupper() and not first and value != "I"):
        return Mark.NAME
    return mark


def _ends_sentence(text: str, place: int) -> bool:
    return bool(re.match(r"[.!?][\"')]*\s", text[place : place + 5]))


def _number(match: re.Match[str]) -> str:
    value = Decimal(match.group("digits").replace(",", "")).scaleb(SCALES.get((match.group("scale") or "").lower(), 0))
    bracket = match.group().startswith("(") and match.group("close")
    sign = "-" if match.group("sign") or bracket else ""
    currency = (match.group("currency") or "").lower().replace("us$", "$")
    return f"{sign}{currency}{value.normalize():f}{'%' if match.group('percent') else ''}"


def _spelt(match: re.Match[str]) -> str:
    words = match.group().lower()
    small = [part for part in re.split(r"[\s-]", words) if part in NUMBER_WORDS]
    value = Decimal(sum(NUMBER_WORDS[part] for part in small))
    value = value.scaleb(SCALES.get((match.group("spelt_scale") or "").lower(), 0))
    return f"{value.normalize():f}{'%' if match.group('spelt_percent') else ''}"


def _date(shown: str) -> str:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", shown):
        return shown
    words = re.findall(r"\w+", shown.lower())
    month = next(MONTHS[word] for word in words if word in MONTHS)
    rest = [int(word) for word in words if word not in MONTHS]
    year = next((one for one in rest if one > 31), None)
    day = next((one for one in rest if one <= 31), None)
    return "-".join(("????" if year is None else f"{year:04}", f"{month:02}", *([] if day is None else [f"{day:02}"])))


def _with_self(text: str, names: Sequence[str]) -> str:
    """The text with the company's names, and "the Company", as one mark for "we"."""
    text = text.replace(SELF, "").replace(SELFS, "")
    known = sorted({fold(name).text for name in (*names, "the Company", "the Registrant")} - {""}, key=len)
    for name in reversed(known):
        named = "[Tt]" + re.escape(name[1:]) if name.startswith("the ") else re.escape(name)
        text = re.sub(rf"(?<![\w&-]){named}(?:'s|(?<=s)')(?!\w)", f" {SELFS} ", text)
        text = re.sub(rf"(?<![\w&-]){named}(?![\w&-])", f" {SELF} ", text)
    return text


def mark_of(word: str) -> Mark:
    """The class of a lower-case word."""
    if word in CLASS:
        return CLASS[word]
    if word.startswith("non-") or word.endswith("n't"):
        return Mark.NEGATION
    parts = word.split("-")
    if len(parts) > 1:
        if any(part in NUMBER_WORDS for part in parts):
            return Mark.NUMBER
        return next((CLASS[part] for part in parts if part in CLASS), Mark.WORD)
    return Mark.NUMBER if word in NUMBER_WORDS else Mark.WORD
