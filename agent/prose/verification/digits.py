"""The digit guard: a number in a sentence of an answer stands in a verified quotation or a rendered fact, or nowhere."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from agent.prose.text.compared_words import CLASS, NUMBER_WORDS, PERIOD_LABEL, Mark
from agent.prose.text.english import COMPARED_WORDS
from agent.prose.text.folding import fold, places, same_item
from filings.sections.items import ITEMS

QUOTED = re.compile(r'"([^"]+)"')
# Names of Items and forms; an Item that is not on SEC's list is no Item.
_ITEM = "|".join(sorted(ITEMS, key=len, reverse=True))
FORMS = re.compile(
    rf"\bItems? (?:{_ITEM})\b(?:(?:,| and| or|, and|, or) (?:{_ITEM})\b)*"
    r"|\b(?:Forms? )?(?:10-(?:KT|K|Q|D)|8-K|6-K|11-K|20-F|40-F|13[DFG]|S-[1348]|F-[134])(?:/A)?s?(?![\w-])"
)
NAME = re.compile(r"\w+(?:[-&/]\w+)*")
# 300mm, 5nm, 12M: a number with its unit, not a name. One digit and M may be a name, as of a company.
MEASURE = re.compile(
    r"\d+(?:\d|[.,]\d)*(?:[kmbt]|mm|bn|mn|tn|nm|cm|km|kg|lb|oz|mw|gw|kw|kwh|mwh|gb|tb|mb|hz|ghz|x|bps)"
)
DATED = re.compile(r"\d{4}s?|\d{1,2}(?:st|nd|rd|th)")

_SMALL = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
NUMBER_WORD = re.compile(
    rf"\b(?P<number>(?:{_SMALL})(?:-(?:{_SMALL}))?|half|dozens?|hundreds?|thousands?|[mb]illions?|trillions?"
    rf"|(?:two|three)-(?:thirds|quarters|fifths)|one-(?:half|third|quarter|fifth|tenth))\b",
    re.IGNORECASE,
)
FOLLOWS = re.compile(r"(?:-|\s+)(?P<word>%|[a-z][\w'-]*)", re.IGNORECASE)
NOBODY = re.compile(r"\b(?:no|any|every|each|some)\s$", re.IGNORECASE)
# After a number word these count nothing: "one of", "one or more", "no one else".
COUNTS_NOTHING = COMPARED_WORDS.words("counts_nothing")
COUNTS_WITH_OF = re.compile(
    r"half|dozens?|hundreds?|thousands?|[mb]illions?|trillions?|.*(?:thirds?|quarters?|fifths?|tenth)"
)


def digit_problem(text: str, *, quotes: Sequence[str] = (), exempt: Sequence[str] = ()) -> str:
    """Why a sentence may not be shown for a number of its own, in a sentence that does not repeat it; empty if it may.

    quotes: verified quotations that the sentence cites. A text that is one of them passes whole; in any other, what
        stands between quotation marks passes where it stands verbatim in one.
    exempt: the company's names, the period's labels, and facts as they were rendered.
    """
    if any(same_item(text, quote) for quote in quotes):
        return ""
    folded = fold(text).text
    left = _without_quotations(folded, quotes)
    left = _without_exempt(left, exempt)
    left = FORMS.sub(_blank, left)
    left = NAME.sub(lambda match: _blank(match) if _is_name(match, left, quotes) else match.group(), left)
    if any(unicodedata.category(one) in {"Nd", "No", "Nl"} for one in left):
        return "It contains a digit that is not in any verified quotation or fact shown."
    if any(_counts(match, left) for match in NUMBER_WORD.finditer(left)):
        return "It contains a number in words that is not in any verified quotation or fact shown."
    return ""


def _blank(match: re.Match[str]) -> str:
    return "_"


def _without_quotations(text: str, quotes: Iterable[str]) -> str:
    sources = [fold(quote).text for quote in quotes]

    def kept(match: re.Match[str]) -> str:
        said = match.group(1).strip()
        return '"_"' if any(places(said, source) for source in sources) else match.group()

    return QUOTED.sub(kept, text)


def _without_exempt(text: str, exempt: Iterable[str]) -> str:
    """The text without names and labels that are allowed, where nothing makes another number of them."""
    for label in sorted({fold(one).text for one in exempt} - {""}, key=len, reverse=True):
        ends_with_digit = label[-1:].isdigit()
        begins_with_digit = label[:1].isdigit()
        before = r"(?<![\w$€£¥])(?<!\d[.,])" + (r"(?<!-)(?<![$€£¥]\s)" if begins_with_digit else "")
        after = r"(?!\w)(?![.,]\d)" + (
            r"(?!\s?%|[\s-]*(?:percent|per cent|basis|thousand|million|billion|trillion|hundred)|-)"
            if ends_with_digit
            else ""
        )
        text = re.sub(before + re.escape(label) + after, "_", text)
    return text


def _is_name(match: re.Match[str], text: str, quotes: Iterable[str]) -> bool:
    """Whether a word with a digit is a name (3M, COVID-19) and stands so in a cited quotation."""
    word = match.group()
    letters = [one for one in word if one.isalpha()]
    if not any(one.isdigit() for one in word) or not any(one.isupper() for one in letters):
        return False
    if PERIOD_LABEL.fullmatch(word) or DATED.fullmatch(word):
        return False
    if MEASURE.fullmatch(word.lower()) and not re.fullmatch(r"\dM", word):
        return False
    if _priced(text, match.start()) or _counted(text, match.end()):
        return False
    pattern = re.compile(rf"(?<![\w&/-]){re.escape(word)}(?![\w&/-])")
    return any(
        not _priced(source, found.start()) and not _counted(source, found.end())
        for source in (fold(quote).text for quote in quotes)
        for found in pattern.finditer(source)
    )


def _priced(text: str, place: int) -> bool:
    return bool(re.search(r"[$€£¥]\s?$|\d[.,]$", text[max(place - 2, 0) : place]))


def _counted(text: str, place: int) -> bool:
    """Whether what follows is counted or measured."""
    return bool(
        re.match(
            r"\s?%|[.,]\d|\s(?:shares|units|users|customers|employees|people|barrels|tons|square|miles)\b",
            text[place:],
        )
    )


def _counts(match: re.Match[str], text: str) -> bool:
    """Whether a number word counts something: a unit, a percentage, a noun."""
    word = match.group("number").lower()
    follows = FOLLOWS.match(text, match.end())
    if not follows:
        return False
    after = follows.group("word").lower()
    if COUNTS_WITH_OF.fullmatch(word):
        return after in {"of", "the", "a", "percent", "million", "billion"} or after not in COUNTS_NOTHING
    if word == "one" and (
        f"one{text[match.end()]}{after}" in {"one-time", "one-stop"} or NOBODY.search(text[: match.start()])
    ):
        return False
    # "One or more", "four and": nothing stands beside it that is counted; "four or five suppliers" counts by its second.
    return after == "%" or (after not in COUNTS_NOTHING and CLASS.get(after) is not Mark.NEGATION)
