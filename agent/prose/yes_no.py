"""The sentence that decides a question for yes or no, and what it shows."""

import re

from agent.prose.quotations import Picked
from agent.prose.units import Unit
from agent.words.stems import roots, words
from filings.sections.items import ALL_ITEMS

_NONE = re.compile(r"^\W*(?:none|not applicable|n/?a|no(?:ne)? (?:unresolved|applicable))\b", re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:no|not|none|never|neither|nor|without|cannot|did not|does not|do not|has not|have not|is not|are not|were not|was not)\b",
    re.IGNORECASE,
)
# What only may be, must be, or is in part, is neither so nor the opposite.
_LIMITED = re.compile(
    r"\bmay\b|(?i:\b(?:might|could|would|can|should|will|if|unless|expect\w*|intend\w*|plan\w*|believe\w*|seek\w*|must|"
    r"required|authori[sz]\w*|approv\w*|permit\w*|allow\w*|some|certain|part(?:ly|ially)?|"
    r"most|generally|substantially|designed|subject to)\b)"
)
_TURNED = re.compile(
    r"\b(?:but|except|however|although|though|other than|until|unless|only|not all|not only|no assurance|not guarantee|cannot)\b",
    re.IGNORECASE,
)
# "Evaluated the effectiveness of" does not say that something is effective.
_NAMES = re.compile(r"(?:ness|ity|ance|ence)s?$", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:]|, (?:and|which|but|so|because)\b|\b(?:because|that|which|whether)\b", re.IGNORECASE)
# What ends the words for a thing.
_BEHIND = re.compile(
    r"[,;:.]|\b(?:of|in|under|on|with|for|to|by|from|at|that|which|who|is|are|was|were|has|have|had|outstanding)\b",
    re.IGNORECASE,
)
_ASKING = roots("company company's any ever actually currently still really have there")


def says_none(unit: Unit) -> bool:
    """Whether a unit is the "None." of its Item."""
    return bool(_NONE.match(unit.text)) and len(unit.text) < 200


def is_negative(text: str) -> bool:
    return bool(_NEGATION.search(text))


def shown(picked: Picked, text: str, question: str = "") -> str:
    """What a deciding sentence shows, in a sentence; empty where only the reader can tell.

    question: without company and period. Its words must all stand in the sentence itself, and nothing that limits it.
    """
    item = picked.passage.item
    if item in ALL_ITEMS and _NONE.match(text) and len(text) < 60:
        return f"Item {item}: \u201c{text.strip()}\u201d"
    asked = [word.root for word in words(question) if word.root not in _ASKING]
    if not asked or _LIMITED.search(question) or is_negative(question) or text.count(". ") > 0:
        return ""
    said = {word.lower() for word in re.findall(r"\w+", question)}

    def tells(start: int, end: int) -> bool:
        return not _NAMES.search(text[start:end]) or text[start:end].lower() in said

    told = {word.root: word.start for word in reversed(words(text)) if tells(word.start, word.end)}
    if not all(root in told for root in asked):
        return ""
    negation = _NEGATION.search(text)
    if negation is None:
        return "" if _LIMITED.search(text) else "The filing says so."
    # A negation ahead of what is asked, in its own clause, denies it; of any other only the reader can tell.
    first = min(told[root] for root in asked)
    last = max(told[root] for root in asked)
    denies = negation.start() < last and not _CLAUSE.search(text[min(first, negation.start()) : last])
    if negation.group().lower() == "no":
        # "No borrowings under our facilities" denies borrowings, and no facility.
        thing = _BEHIND.split(text[negation.end() :], maxsplit=1)[0]
        denies = denies and bool({word.root for word in words(thing)} & set(asked))
    return "The filing says that this is not so." if denies and not _TURNED.search(text) else ""
