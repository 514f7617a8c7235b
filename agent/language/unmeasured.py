"""Questions for a figure that no measure holds and that the filing may tell in words: headcount, stores, plans to spend.

They are planned as questions for text. Where the text does not say it either, the refusal is that of the figure.
"""

from itertools import pairwise
from typing import Literal

from agent.language.intents import verdict, yes_or_no
from agent.language.misread import Misread
from agent.language.parsing import Parsed
from agent.language.subjects import content, is_subject
from agent.language.texts import ASKING, QUANTITY, YES_NO, words_of
from agent.language.wording import sentences
from agent.words.tokens import stems
from agent.refusals.codes import Code
from agent.state.planned import Otherwise

# Of uses of money a 10-K must say what is planned (Regulation S-K, Item 303(b)(1)); of results it need not.
_PLANNED_OF = frozenset(
    {
        "capex", "dividends_paid", "dividends_per_share", "share_repurchases", "debt_repaid", "debt_issued",
        "restructuring", "acquisitions",
    }
)  # fmt: skip
# Codes that say no more than that no measure holds what is asked.
_NO_MEASURE = frozenset({Code.CONCEPT_UNKNOWN, Code.YEAR_OVER_YEAR, Code.RATIO, Code.INTERIM_PERIOD, Code.PREDICTION})
# Words of an amount that may be one of money.
_OF_MONEY = frozenset({"value", "average", "amount", "price", "balance", "sum"})
_MANNER = frozenset({("how", "did"), ("how", "has"), ("how", "have"), ("how", "was"), ("how", "were"), ("how", "is")})


def otherwise(parsed: Parsed, misread: Misread, keys: frozenset[str]) -> Otherwise | None:
    """How a question is refused where text does not answer it; None where text is not asked to.

    keys: of the measures that the question names.
    """
    if not _may_be_told(parsed, misread, keys):
        return None
    text, _ = sentences(misread)
    return Otherwise(code=misread.code, text=text, words=misread.words, concepts=misread.concepts)


def amount_asked(parsed: Parsed, code: Code) -> Literal["", "count", "money"]:
    """Which kind of number a question asks for by its words; empty where it asks for none."""
    told = [token.stem for token in parsed.tokens]
    pairs = set(pairwise(told))
    if ("how", "much") in pairs:
        return "money"
    if pairs & QUANTITY:
        return "count"
    return "count" if code is Code.CONCEPT_UNKNOWN and _is_counted(parsed, told) else ""


def _is_counted(parsed: Parsed, told: list[str]) -> bool:
    """Whether a word of counting is what is asked, and no word before another: "headcount", never "headcount cuts"."""
    counting = [place for place, stem in enumerate(told) if stem in words_of("quantities") and stem not in _OF_MONEY]
    return bool(counting) and all(place <= counting[-1] for place in content(parsed, told))


def _may_be_told(parsed: Parsed, misread: Misread, keys: frozenset[str]) -> bool:
    if _is_of_plans(parsed, misread, keys) or misread.code is Code.CROSS_COMPANY:
        return True
    forced = verdict(parsed, 1, parsed.tokens[0].text)
    if forced is None or forced.code is not None:
        return False
    if is_subject(parsed, misread, keys):
        return True
    if not parsed.measures:
        return misread.code in _NO_MEASURE and (misread.code is not Code.CONCEPT_UNKNOWN or _is_named(parsed, misread))
    told = [token.stem for token in parsed.tokens]
    if misread.code is Code.YEAR_OVER_YEAR and _MANNER & set(pairwise(told)):
        return True
    if misread.code in {Code.YEAR_OVER_YEAR, Code.INTERIM_PERIOD}:
        return _asks_whether(parsed, told)
    if misread.code is Code.RATIO:  # "Does one customer account for more than 10 % of sales?"
        return _asks_whether(parsed, told) and bool(content(parsed, told))
    return misread.code is Code.NOT_UNDERSTOOD and misread.words == (yes_or_no(parsed),)


def _is_named(parsed: Parsed, misread: Misread) -> bool:
    """Whether what is asked has a name, and is not only "the share" or "the rate"."""
    words = {stem for word in misread.words for stem in stems(word)}
    return bool(parsed.having("unknown")) or not words <= words_of("quantities")


def _asks_whether(parsed: Parsed, told: list[str]) -> bool:
    """Whether the question begins with a verb, company and period left aside, and asks for no figure."""
    aside = parsed.aside
    first = next((stem for place, stem in enumerate(told) if place not in aside), "")
    return first in YES_NO and not ASKING & set(told)


def _is_of_plans(parsed: Parsed, misread: Misread, keys: frozenset[str]) -> bool:
    """Whether it is asked what a company plans to spend: of capital expenditures, dividends, repurchases."""
    if not keys or not keys <= _PLANNED_OF or misread.code not in {Code.PREDICTION, Code.NOT_UNDERSTOOD}:
        return False
    return bool({token.stem for token in parsed.tokens} & words_of("planning"))
