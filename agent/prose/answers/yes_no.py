"""The sentence that decides a question for yes or no, and what it shows."""

import re

from agent.prose.text.candidate_sentences import Unit
from agent.prose.text.english import YES_NO
from agent.prose.text.quotations import Picked
from agent.words.stems import words
from filings.sections.items import ALL_ITEMS

# "Evaluated the effectiveness of" does not say that something is effective.
_NAMES = re.compile(r"(?:ness|ity|ance|ence)s?$", re.IGNORECASE)


def says_none(unit: Unit) -> bool:
    """Whether a unit is the "None." of its Item."""
    return bool(YES_NO.pattern("none").match(unit.text)) and len(unit.text) < 200


def limits(text: str) -> bool:
    """Whether a text says what only may be, must be, or is in part, which is neither so nor the opposite."""
    # The month has a capital.
    return bool(YES_NO.pattern("limited").search(re.sub(r"\bMay\b", "", text)))


def is_negative(text: str) -> bool:
    return bool(YES_NO.pattern("negation").search(text))


def shown(picked: Picked, text: str, question: str = "") -> str:
    """What a deciding sentence shows, in a sentence; empty where only the reader can tell.

    question: without company and period. Its words must all stand in the sentence itself, and nothing that limits it.
    """
    item = picked.passage.item
    if item in ALL_ITEMS and YES_NO.pattern("none").match(text) and len(text) < 60:
        return f"Item {item}: \u201c{text.strip()}\u201d"
    asked = [word.root for word in words(question) if word.root not in YES_NO.rooted("asking")]
    if not asked or limits(question) or is_negative(question) or text.count(". ") > 0:
        return ""
    if YES_NO.pattern("somebody").search(question) and not YES_NO.pattern("somebody").search(text):
        return ""  # others are told of
    said = {word.lower() for word in re.findall(r"\w+", question)}

    def tells(start: int, end: int) -> bool:
        return not _NAMES.search(text[start:end]) or text[start:end].lower() in said

    told = {word.root: word.start for word in reversed(words(text)) if tells(word.start, word.end)}
    if not all(root in told for root in asked):
        return ""
    negation = YES_NO.pattern("negation").search(text)
    if negation is None:
        return "" if limits(text) else "The filing says so."
    # A negation ahead of what is asked, in its own clause, denies it; of any other only the reader can tell.
    first = min(told[root] for root in asked)
    last = max(told[root] for root in asked)
    denies = negation.start() < last and not YES_NO.pattern("clause").search(text[min(first, negation.start()) : last])
    if negation.group().lower() == "no":
        # "No borrowings under our facilities" denies borrowings, and no facility.
        thing = YES_NO.pattern("behind").split(text[negation.end() :], maxsplit=1)[0]
        denies = denies and bool({word.root for word in words(thing)} & set(asked))
    return "The filing says that this is not so." if denies and not YES_NO.pattern("turned").search(text) else ""
