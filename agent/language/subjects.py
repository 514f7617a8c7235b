"""Whether words of measures, parts and counts are what a question is about, and no figure of them is asked.

"Goodwill risk", "inventory policy", "the Wiz acquisition": a filing tells of them in words. "Maintenance capex" and
"services revenue" are figures, which stay refused where no measure holds them.
"""

from itertools import pairwise

from agent.language.lexicon import modifiers
from agent.language.misread import Misread
from agent.language.parsing import FUNCTION_WORDS, Parsed
from agent.language.texts import QUANTITY, words_of
from agent.refusals.codes import Code

# Measures of what happens: a word before them says which one, and a filing tells of each.
_EVENTS = frozenset(
    {"acquisitions", "restructuring", "goodwill_impairment", "asset_impairment", "share_repurchases", "debt_issued"}
)
# Measures of results, which are broken down into parts: a word behind them names the part.
_RESULTS = frozenset(
    {
        "revenue", "cost_of_revenue", "gross_profit", "operating_income", "net_income", "net_income_common", "pretax_income",
        "opex", "costs_and_expenses", "noninterest_income", "noninterest_expense", "net_interest_income", "cfo", "eps_basic",
        "eps_diluted", "cash", "total_assets", "total_liabilities", "equity",
    }
)  # fmt: skip
_PERSONS = frozenset({"who", "whom", "whose", "where"})
_SHARES = frozenset({"percentage", "percent", "share", "fraction", "proportion", "portion", "part", "much", "%"})
# Of a share these say between what it is, and ask for no comparison of figures.
_COMING = frozenset(
    {"come", "came", "derive", "derived", "from", "go", "went", "through", "to", "in", "is", "are", "account"}
)


def is_subject(parsed: Parsed, misread: Misread, keys: frozenset[str]) -> bool:
    """Whether a question whose figure is refused asks of the words around it, which the text may tell.

    keys: of the measures that the question names.
    """
    told = [token.stem for token in parsed.tokens]
    if misread.code is Code.DIMENSIONAL_ONLY and not parsed.measures:
        return _is_counted_of(parsed, told) or _is_aspect(parsed, told, keys)
    if misread.code is Code.AMBIGUOUS_CONCEPT and not parsed.measures:
        return _is_beside_costs(parsed, told)
    if misread.code is Code.PRICE:  # "raw material prices"
        return bool(keys) and all(key.startswith("inventory") for key in keys)
    if misread.code is Code.RATIO:
        return _is_share_of(parsed, told)
    if misread.code is Code.NOT_UNDERSTOOD and _is_share_of(parsed, told):
        return True
    if misread.code not in {Code.NOT_UNDERSTOOD, Code.YEAR_OVER_YEAR, Code.DIMENSIONAL_ONLY, Code.AMBIGUOUS_CONCEPT}:
        return False
    return not QUANTITY & set(pairwise(told)) and _is_aspect(parsed, told, keys)


def content(parsed: Parsed, told: list[str]) -> list[int]:
    """Places of words that could change what is asked: neither company, period, measure, nor of asking or counting."""
    measured = {place for match, _ in parsed.measures for place in range(match.first, match.last)}
    aside, idle = parsed.aside, FUNCTION_WORDS | words_of("asking") | words_of("quantities") | modifiers()
    return [
        place
        for place, stem in enumerate(told)
        if place not in aside and place not in measured and stem not in idle and len(stem) > 1
    ]


def _is_counted_of(parsed: Parsed, told: list[str]) -> bool:
    """Whether it is asked how many there are: countries, data centers; not how many of a product were sold."""
    asked = next((place for place, pair in enumerate(pairwise(told)) if pair in QUANTITY), None)
    if asked is None:
        return False
    parts = (
        match for match in parsed.phrases if any(one.value is Code.DIMENSIONAL_ONLY for one in match.of("intent"))
    )
    return all(match.first != asked + 2 or told[match.last - 1] in words_of("places") for match in parts)


def _is_aspect(parsed: Parsed, told: list[str], keys: frozenset[str]) -> bool:
    left = content(parsed, told)
    aside, taken = parsed.aside, {place for match, _ in parsed.measures for place in range(match.first, match.last)}
    # "Risk revenue" is a figure of a part, whatever it is.
    places = (
        place for place in range(len(told)) if place not in taken and place not in aside and place + 1 not in taken
    )
    if any(told[place] in words_of("aspects") for place in places):
        return True
    if not left:
        return False
    if _PERSONS & set(told) or (keys and keys <= _EVENTS):
        return True
    return _is_behind(parsed, left, keys)


def _is_behind(parsed: Parsed, left: list[int], keys: frozenset[str]) -> bool:
    """Whether all that is left stands behind a measure that has no parts, and no year is asked of it."""
    if not parsed.measures or keys & _RESULTS or not keys or parsed.periods:
        return False
    last = max(match.last for match, _ in parsed.measures)
    aside = parsed.aside
    free = [place for place in parsed.free if place not in aside]
    return min(left) >= last and all(place >= last for place in free)


def _is_beside_costs(parsed: Parsed, told: list[str]) -> bool:
    """Whether what is called a cost, a loss, or a lease is that of a thing that is named: "what did the recall cost"."""
    unclear = {place for match, _ in parsed.having("unclear") for place in range(match.first, match.last)}
    if not unclear or not {told[place] for place in unclear} <= words_of("costs"):
        return False
    return any(place not in unclear for place in content(parsed, told))


def _is_share_of(parsed: Parsed, told: list[str]) -> bool:
    """Whether it is asked how much of a thing is of a kind, which no two measures give: "how much of sales is online"."""
    if len(parsed.measures) > 1 or not content(parsed, told):
        return False
    if parsed.measures and Code.DIMENSIONAL_ONLY in parsed.intents():
        return False  # a figure of a part, by a whole
    share = next((p for p, pair in enumerate(pairwise(told)) if pair[0] in _SHARES and pair[1] == "of"), None)
    return share is not None and bool(_COMING & set(told[share + 2 :]))
