"""The words of a sentence as tags of closed classes, with its figures and dates: what its grammar is written over."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import yaml

from filings.tables.printed_numbers import CURRENCIES, YEAR
from filings.tables.sentence_dates import Calendar, Dated, dates_in

_DATA = yaml.load(Path(__file__).with_name("sentence_words.yaml").read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only
WORDS: dict[str, frozenset[str]] = {name: frozenset(said.split("|")) for name, said in _DATA.items()}
# The tag of each class; NOUN is that of all other words.
TAGS = {
    "be": "b", "amount": "L", "rise": "u", "fall": "d", "rise noun": "I", "fall noun": "J", "have": "h", "hold": "H",
    "report": "V", "share": "s", "expect": "g", "will": "m", "outlook": "O", "supposed": "y",
    "negation": "x", "bound": "B", "about": "a", "adverb": "A", "respectively": "r", "we": "W", "own": "q",
    "other": "R", "there": "T", "determiner": "e", "of": "o", "to": "t", "from": "F", "between": "f", "by": "i",
    "prep": "p", "compare": "C", "and": "j", "give or take": "~", "points": "X", "per share": "n", "boundary": "k",
}  # fmt: skip
NOUN, DEED, COMMA, DATE, UNDATED = "n", "v", "c", "D", "Z"
MONEY, PERCENT, COUNT, PER_SHARE, UNCERTAIN = "M", "P", "N", "S", "X"
_TAG_OF = {word: tag for name, tag in TAGS.items() for word in WORDS[name]}
_PHRASES = "|".join(
    re.escape(one) for one in sorted((one for one in _TAG_OF if re.search(r"\W", one)), key=len, reverse=True)
)
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "mm": 6, "bn": 9, "b": 9, "m": 6, "k": 3}
_FIGURE = (
    r"(?P<sign>US\$|C\$|A\$|HK\$|NT\$|R\$|Cdn\$|\$|€|£|¥|\b(?:EUR|USD|GBP|RMB|CAD|JPY)\s?)?\s?"
    r"(?<![\w.,/])(?<![A-Za-z]-)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?![\d/]|,\d{3})"
    r"(?P<scale>[\s-]?(?:thousand|million|billion|trillion)\b|\s?(?:mm|bn)\b|[BMK]\b)?"
    r"(?P<rest>\s?%|\s?percent\b|\s+cents\b|\s+(?:US\s+)?dollars\b|[A-Za-z][\w-]*|-[A-Za-z][\w-]*)?"
    r"(?P<per>\s+(?:per|a)\s+(?:[a-z]+\s+){0,2}?shares?\b|\s+per\s+[\w-]+)?"
)
_TOKEN = re.compile(
    rf"(?P<figure>{_FIGURE})|(?P<phrase>(?:(?<=\W)|^)(?:{_PHRASES})(?![\w]))|"
    r"(?P<word>(?-i:(?:[A-Z]\.){2,})|[^\W\d_](?:[\w&.'\u2019/-]*[\w'\u2019&])?|&)|(?P<bracket>\([^()]*\))|(?P<mark>\S)",
    re.IGNORECASE,
)
_DASHES, _SILENT = frozenset("-\u2013\u2014"), frozenset('."\u201c\u201d')
_NAMES = frozenset(["May", "A", "I"])  # a month, a class; small they are others
# What narrows the words before it: "(non-GAAP)", "(excluding leases)"; not a short name, not a figure.
_ASIDE = re.compile(r"^\([^()\d\u201c\u201d\"]*[a-z]{3}[^()\d\u201c\u201d\"]*\)$|^\(non-GAAP\)$")
# Before the point of an abbreviation, or the last of a sentence.
_ABBREVIATED = re.compile(r"(?:\.[A-Za-z]|\b[A-Z][a-z]{0,3}|\b[a-z]{1,2})$")
LONGEST_BRACKET = 60
_FIGURE_BEFORE = re.compile(r"(?:\d|%|illion)\s?$")
_FIGURE_AFTER = re.compile(r"\s?[$€£]?\d")
THINGS = "count"  # the unit of what is counted
FULL_AMOUNT = Decimal(1_000_000)  # money printed without a scale that is not in thousands or millions


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure with its scale: value in `unit`: a currency, a currency "/shares", percent or count."""

    value: Decimal
    unit: str
    power: int = 0
    digits: int = 0


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a figure or a phrase that dates, as a range of its text."""

    tag: str
    start: int
    end: int
    said: str
    quantity: Quantity | None = None
    dated: Dated | None = None


def tokens_of(text: str, start: int, end: int, calendar: Calendar, currency: str) -> list[Token]:
    """The tokens of the sentence text[start:end]; what stands in brackets is left out.

    currency: of the document, for a sign of dollars.
    """
    said = text[start:end]
    found: list[Token] = []
    place = 0
    for one in dates_in(said, calendar):
        found += _tokens(said, place, one.start, start, currency)
        tag = DATE if one.periods or one.before or one.ahead else UNDATED
        if not _within_brackets(said, one.start):
            found.append(Token(tag, start + one.start, start + one.end, said[one.start : one.end], dated=one))
        place = one.end
    found += _tokens(said, place, len(said), start, currency)
    return _in_context(found)


def _within_brackets(said: str, place: int) -> bool:
    return said.count("(", 0, place) > said.count(")", 0, place)


def _tokens(said: str, first: int, last: int, offset: int, currency: str) -> Iterator[Token]:
    depth = said.count("(", 0, first) - said.count(")", 0, first)
    for match in _TOKEN.finditer(said, first, last):
        word = match[0].strip().lower()
        depth += (word == "(") - (word == ")")
        if match["bracket"] and depth == 0 and len(word) <= LONGEST_BRACKET and _ASIDE.search(match[0]):
            yield Token(NOUN, offset + match.start(), offset + match.end(), match[0])
        if match["bracket"] or depth > 0 or word in {"(", ")"}:
            continue
        quantity = None
        if match["figure"]:
            tag, quantity = _quantity(match, currency)
        elif match["mark"]:
            tag = _mark(word, said, match.start())
        else:
            tag = NOUN if match[0] in _NAMES else _TAG_OF.get(word, NOUN)
        if tag:
            begin = match.start() + len(match[0]) - len(match[0].lstrip())
            yield Token(tag, offset + begin, offset + match.end(), said[begin : match.end()], quantity)


def _mark(mark: str, said: str, place: int) -> str:
    """The tag of a mark; a dash between two figures is as "to"."""
    if (
        mark in _DASHES
        and _FIGURE_BEFORE.search(said, max(0, place - 12), place)
        and _FIGURE_AFTER.match(said, place + 1)
    ):
        return TAGS["to"]
    if mark == "." and not _ABBREVIATED.search(said, max(0, place - 12), place):
        return TAGS["boundary"]
    return COMMA if mark == "," else _TAG_OF.get(mark, "" if mark in _SILENT else UNCERTAIN)


def _quantity(match: re.Match[str], currency: str) -> tuple[str, Quantity | None]:
    """The tag of a figure and what it is of; none where that is not certain."""
    digits, rest = match["digits"], (match["rest"] or "").strip().lower()
    value = Decimal(digits.replace(",", ""))
    power = _SCALES[match["scale"].strip(" -\t\xa0").lower()] if match["scale"] else 0
    decimals = len(digits.partition(".")[2])
    sign = (match["sign"] or "").strip().upper()
    per = (match["per"] or "").strip().lower()
    money = CURRENCIES.get(sign, sign if len(sign) == 3 and sign.isalpha() else "")
    if sign == "$":
        money = currency if currency.endswith("D") else "USD"
    if rest in {"%", "percent"}:
        return (UNCERTAIN, None) if sign or power or per else (PERCENT, Quantity(value, "percent", 0, decimals))
    if rest == "cents":
        cents = Quantity(value.scaleb(-2), "USD/shares", -2, decimals)
        return (
            (PER_SHARE, cents) if per.endswith(("share", "shares")) and not sign and not power else (UNCERTAIN, None)
        )
    if rest.endswith("dollars"):
        money, rest = ("USD" if not sign and currency in {"", "USD"} else money), ""
    if rest or (sign and not money):
        return UNCERTAIN, None
    if money and per:
        certain = per.endswith(("share", "shares")) and not power
        return (PER_SHARE, Quantity(value, f"{money}/shares", 0, decimals)) if certain else (UNCERTAIN, None)
    if money:
        whole = Quantity(value.scaleb(power), money, power, decimals)
        # Without a scale only a full amount is certain, and a price: what is per share says so in its label.
        return (
            (MONEY, whole)
            if power or value >= FULL_AMOUNT
            else (
                PER_SHARE if decimals == 2 and "," not in digits else UNCERTAIN,
                Quantity(value, f"{money}/shares", 0, decimals),
            )
        )
    if per or (not power and YEAR.fullmatch(digits)) or (digits.startswith("0") and decimals == 0):
        return UNCERTAIN, None
    return COUNT, Quantity(value.scaleb(power), THINGS, power, decimals)


def _in_context(found: Sequence[Token]) -> list[Token]:
    """Tokens whose class depends on the one before: the verb "to increase", the number of "Note 12"."""
    told: list[Token] = []
    for number, one in enumerate(found):
        before, tag = told[-1] if told else None, one.tag
        following = found[number + 1].tag if number + 1 < len(found) else ""
        if tag in "IJ" and before and before.tag in "tmg":
            tag = "u" if tag == "I" else "d"
        elif tag == COUNT and before and before.said.lower() in WORDS["naming"]:
            tag = UNCERTAIN
        elif tag in "udVHL" and before and before.tag in "eqo":
            # "the reported", "holders of record": nouns, and participles before them.
            tag = NOUN
        elif tag == "g" and before and (before.tag in "eqop" or (before.tag == NOUN and following != TAGS["to"])):
            # "our plan", "pension plans", "the expected loss"
            if before.tag != NOUN or one.said.lower() in WORDS["expect nouns"]:
                tag = "G" if before.tag != NOUN else NOUN
        elif one.said in _NAMES and len(one.said) == 1 and number <= 1 and not (before and before.tag != UNCERTAIN):
            tag = TAGS["determiner"]
        elif tag in "aMNPS" and before and before.tag == NOUN and is_verb(before.said):
            told[-1] = replace(before, tag=DEED)
        told.append(one if tag == one.tag else replace(one, tag=tag))
    return told


def is_verb(word: str) -> bool:
    """Whether a word that may be a noun is a verb where it stands right before a figure, or behind "and"."""
    return word.lower().endswith("ed") or word.lower() in WORDS["irregular"]


def tags_of(tokens: Sequence[Token]) -> str:
    """The tags of tokens as a text, one character each."""
    return "".join(one.tag for one in tokens)
