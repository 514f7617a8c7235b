"""The sentence that decides a question for yes or no, and what it shows."""

import re
from functools import cache
from pathlib import Path

import yaml

from agent.prose.claims import Picked
from agent.prose.units import Unit
from agent.words.stems import roots, words
from filings.sections.items import ALL_ITEMS

PATH = Path(__file__).with_name("yes_no.yaml")


def says_none(unit: Unit) -> bool:
    """Whether a unit is the "None." of its Item."""
    return bool(_pattern("none").match(unit.text)) and len(unit.text) < 200


def is_negative(text: str) -> bool:
    return bool(_pattern("negation").search(text))


def shown(picked: Picked, text: str, question: str = "") -> str:
    """What a deciding sentence shows, in a sentence; empty where only the reader can tell.

    question: without company and period. Its words must all stand in the sentence itself, and nothing that limits it.
    """
    item = picked.passage.item
    if item in ALL_ITEMS and _pattern("none").match(text) and len(text) < 60:
        return f"Item {item}: \u201c{text.strip()}\u201d"
    asked = [word.root for word in words(question) if word.root not in roots(_data()["asking"])]
    if not asked or _pattern("limited").search(question) or is_negative(question) or text.count(". ") > 0:
        return ""
    said = {word.lower() for word in re.findall(r"\w+", question)}

    def tells(start: int, end: int) -> bool:
        return not _pattern("names").search(text[start:end]) or text[start:end].lower() in said

    told = {word.root: word.start for word in reversed(words(text)) if tells(word.start, word.end)}
    if not all(root in told for root in asked):
        return ""
    negation = _pattern("negation").search(text)
    if negation is None:
        return "" if _pattern("limited").search(text) else "The filing says so."
    # A negation ahead of what is asked, in its own clause, denies it; of any other only the reader can tell.
    first = min(told[root] for root in asked)
    last = max(told[root] for root in asked)
    denies = negation.start() < last and not _pattern("clause").search(text[min(first, negation.start()) : last])
    if negation.group().lower() == "no":
        # "No borrowings under our facilities" denies borrowings, and no facility.
        thing = _pattern("behind").split(text[negation.end() :], maxsplit=1)[0]
        denies = denies and bool({word.root for word in words(thing)} & set(asked))
    return "The filing says that this is not so." if denies and not _pattern("turned").search(text) else ""


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_data()[name], re.IGNORECASE)


@cache
def _data() -> dict[str, str]:
    return dict(yaml.safe_load(PATH.read_bytes()))
