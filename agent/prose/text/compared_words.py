"""A sentence as the words, numbers, dates and names that it says, for comparison with another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agent.prose.text.english import COMPARED_WORDS
from agent.prose.text.folding import fold


class Mark(StrEnum):
    """What part a word plays, as a reason names it, the weightiest first."""

    NEGATION = "negation"
    NUMBER = "number"
    UNIT = "unit"
    DATE = "date or period"
    NAME = "name"
    MODALITY = "modality"
    DIRECTION = "direction"
    QUANTIFIER = "quantifier"
    COMPARISON = "comparison"
    CONDITION = "condition"
    EXCEPTION = "exception"
    CONTRAST = "contrast"
    HEDGE = "degree"
    RESTRICTION = "restriction"
    ATTRIBUTION = "attribution"
    WORD = "word"


CLASS: dict[str, Mark] = {
    word: Mark(mark) for mark, told in reversed(COMPARED_WORDS.data["marks"].items()) for word in told.split()
}
SAME: dict[str, str] = {word: line.split()[0] for line in COMPARED_WORDS.data["same"] for word in line.split()}
NEUTRAL, CONNECTIVES = COMPARED_WORDS.words("neutral"), COMPARED_WORDS.words("connectives")
NUMBER_WORDS = COMPARED_WORDS.words("numbers")

# A verb as it goes with "we", and as it goes with a name.
AGREES = {"are": "is", "were": "was", "have": "has", "do": "does"}

# Whom the filing speaks of as "we".
SELF, SELFS = "\ue000", "\ue001"

# Numbers are compared as they are printed: a text that writes them another way is not shown, see
# agent.prose.verification.digits.
PATTERN = re.compile(
    r"""
      (?P<self> [\ue000\ue001] )
    | (?P<number>
          \(?-?(?:(?:(?:us|c|a|hk|nt)?[$]|[€£¥₩₹])\s?)?(?<![\w.])
          (?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+) \)?
          (?:[\s-](?:hundred|thousand|million|billion|trillion)s?\b)? (?:\s?(?:%|percent\b|per\scent\b))? (?!\w|-[a-z]) )
    | (?P<word> \w+(?:[.&'/+-]\w+)*)
    | (?P<stop> [,;:()\[\]"] | -(?=\s) | (?<=\s)- )
    | (?P<sign_of> [^\s\w.!?'] )
    """,
    re.VERBOSE | re.IGNORECASE,
)
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
        kind = match.lastgroup or ""
        shown = match.group().strip()
        if kind == "stop":
            clause += 1
            continue
        for value, mark in _values(kind, shown):
            if _says_nothing(value, mark, first):
                continue
            found.append(Token(value, shown, _named(value, mark, first), clause, first))
            first = False
        first = _ends_sentence(folded, match.end())
    return found


def _values(kind: str, shown: str) -> list[tuple[str, Mark]]:
    if kind == "number":
        return [(re.sub(r"\s", "", shown.lower()), Mark.NUMBER)]
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
