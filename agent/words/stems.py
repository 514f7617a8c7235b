"""Words of questions and filings in one compared form, and words without meaning for a search."""

import re
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile("R&D|SG&A|G&A|M&A|[^\\W_]+(?:['\u2019][^\\W_]+)*")
_POSSESSIVE = ("'s", "\u2019s")
_INFLECTED = ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "s")
_DERIVED = (
    "ization", "isation", "ational", "ibility", "ability", "iveness", "ousness", "itively", "itors", "itive", "itor",
    "ition", "ation", "ative", "ators", "ator", "ances", "ance", "ancy", "ence", "ency", "ment", "ness", "tion", "sion",
    "ible", "able", "ally", "ity", "ive", "ion", "ors", "ers", "ent", "ant", "ous", "ial", "ary", "ory", "or", "er",
    "al", "ic", "ly", "y", "e",
)  # fmt: skip
_LEAST = 4
_WHOLE = frozenset({"ay", "ey", "oy", "uy"})
# Words that would share a root with words of another meaning.
_KEPT = frozenset(
    [
        "international",
        "internal",
        "internet",
        "community",
        "communities",
        "communication",
        "communications",
        "security",
        "securities",
        "general",
        "generation",
        "station",
        "positive",
        "negative",
        "relative",
        "customs",
        "committee",
        "universal",
        "university",
        "interest",
        "properties",
        "property",
        "proper",
        "party",
        "parties",
        "part",
        "early",
        "earnings",
        "earning",
        "united",
        "units",
        "unit",
        "business",
    ]
)
_IRREGULAR = {
    "rely": "reli", "relies": "reli", "relied": "reli", "recognition": "recogniz", "acquisition": "acquir", "growth": "grow",
    "acquisitions": "acquir", "grew": "grow", "grown": "grow", "fell": "fall", "fallen": "fall", "rose": "rise",
    "risen": "rise", "used": "use", "using": "use", "sold": "sell", "sale": "sell", "sales": "sell", "bought": "buy",
    "accountant": "accountant", "accountants": "accountant", "paid": "pay", "built": "build", "held": "hold", "led": "lead", "lost": "lose", "loss": "lose", "losses": "lose",
    "made": "make", "cybersecurity": "cyber", "cyberattack": "cyber", "cyberattacks": "cyber", "ceo": "ceo",
    "analyses": "analys", "analysis": "analys", "lawsuits": "lawsuit", "taxes": "tax", "taxation": "tax",
    "factor": "factor", "factors": "factor", "factory": "factory", "factories": "factory", "fact": "fact", "facts": "fact",
    "officer": "officer", "officers": "officer", "director": "director", "directors": "director",
    "supplies": "suppl", "owns": "own", "owned": "own", "ownership": "own", "risky": "risk",
}  # fmt: skip
# Binding words, which are in every sentence.
STOP = frozenset(
    ["a", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "into", "is", "it", "its", "may", "me", "might", "more", "most", "much", "must", "my", "no", "nor", "not", "of", "on", "or", "our", "ours", "shall", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "under", "us", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "also", "any", "all", "about", "between", "both", "during", "each", "few", "further", "here", "just", "only", "other", "over", "own", "same", "too", "up", "upon", "very", "out", "off", "again", "because", "before", "after", "against", "until", "s", "t", "re", "ve", "ll"]
)  # fmt: skip


# Abbreviations that are words of their own in a filing.
_SPELLED = {
    "R&D": ("research", "develop"),
    "SG&A": ("sell", "general", "administr"),
    "G&A": ("general", "administr"),
    "M&A": ("merg", "acquir"),
    "CEO": ("ceo", "chief", "execut", "officer"),
    "CFO": ("cfo", "chief", "financ", "officer"),
}


class Word(NamedTuple):
    """One word of a text: its compared form and position."""

    root: str
    start: int
    end: int


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """The compared form of a word in any case: competition, competitors and compete are one."""
    word = _bare(word.lower()).rstrip("'\u2019")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= _LEAST or word in _KEPT:
        return (
            word[:-1] if len(word) == _LEAST and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
        )
    for ending in _INFLECTED:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us")):
            word = word[: -len(ending)] + ("y" if ending in {"ied", "ies"} else "")
            break
    if len(word) > _LEAST and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if word in _KEPT:
        return word
    for ending in _DERIVED:
        least = _LEAST + (ending == "ly")
        if word.endswith(ending) and len(word) - len(ending) >= least and word[-len(ending) - 1 :] not in _WHOLE:
            word = word[: -len(ending)]
            break
    if word.endswith("at") and len(word) > _LEAST + 1:
        word = word[:-2]
    return word[:-1] if word[-1] in "ei" and len(word) > _LEAST else word


def _bare(word: str) -> str:
    return word[:-2] if word.endswith(_POSSESSIVE) else word


def words(text: str) -> list[Word]:
    """The words of a text in order, binding words left out."""
    found = []
    for match in _WORD.finditer(text):
        if match.group() in _SPELLED:
            found += [Word(one, match.start(), match.end()) for one in _SPELLED[match.group()]]
            continue
        plain = _bare(match.group().lower())
        if plain not in STOP:
            found.append(Word(root(plain), match.start(), match.end()))
    return found


@lru_cache(maxsize=20_000)
def roots(text: str) -> frozenset[str]:
    """The compared forms of a text's words."""
    return frozenset(word.root for word in words(text))
