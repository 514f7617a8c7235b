"""Whether a question asks for text of the filing: by its form, by a part of the 10-K it names, or by its subject.

Text is asked by "why", "how", "describe"; by "what supplies does X buy"; by risks, lawsuits, policies; by a question for
yes or no. A question for a figure never is: what is counted or measured stays with the numbers, which refuse it.
"""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from agent.language.lexicon import modifiers
from agent.language.parsing import Parsed
from agent.words.tokens import stems
from agent.refusals.codes import Code
from filings.sections.items import ITEMS

# So many words, none of them of a figure, are a subject.
LEAST_WORDS = 2
# So many, of which one could be counted, are a subject too.
LEAST_BESIDE = 3
PATH = Path(__file__).with_name("texts.yaml")
_OF_FIGURES = frozenset({Code.RATIO, Code.NON_GAAP, Code.YEAR_OVER_YEAR, Code.INTERIM_PERIOD})

# Words of a question for a quantity.
QUANTITY = {("how", "much"), ("how", "many"), ("how", "big"), ("how", "large"), ("how", "high")}
ASKING = frozenset({"what", "which", "whats", "how", "give", "show", "tell", "find", "get"})
# Verbs that turn a sentence into a question answered by yes or no when they stand first.
YES_NO = frozenset(
    {
        "did",
        "does",
        "do",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "can",
        "could",
        "should",
        "would",
        "may",
        "might",
    }
)
# Of the present: "does X pay dividends" asks whether it does at all.
PRESENT = frozenset({"does", "do", "is", "are", "has", "have", "can", "could", "would", "may", "might"})
# Where "how did X ..." asks for a quantity after all.
MOVES = frozenset({"change", "grow", "compare", "trend", "evolve", "improve", "develop"})
_WHICH = frozenset({"what", "which", "whats"})
_QUESTION_WORDS = _WHICH | {"why", "how", "who", "whom", "whose", "where", "when"}
_BEING = frozenset({"is", "are", "was", "were"})
# "What if ...", "what would ... mean", "what happened to ...": never a figure.
_SUPPOSING = frozenset(
    {"if", "would", "could", "can", "might", "may", "happen", "happened", "prompted", "lead", "led", "made", "make"}
)
_AUXILIARY = frozenset({"do", "does", "did", "has", "have", "can", "could", "may", "might"})
_MANY = frozenset({"much", "many", "big", "large", "high", "long", "old", "far", "is", "does", "did", "do"})
_DEGREES = frozenset({"depend", "dependent", "rely", "reliant", "relie", "expose", "exposed"})
_COMPARING = frozenset(
    {"more", "less", "above", "below", "over", "under", "exceed", "exceeded", "than", "higher", "lower"}
)

_BEFORE_NUMBERS = frozenset({"above", "below", "over", "under"})


def form_of(parsed: Parsed) -> str:
    """The words that make a question one for text whatever it is about, or empty."""
    told = [token.stem for token in parsed.tokens]
    moved = {Code.YEAR_OVER_YEAR, Code.CROSS_COMPANY} & set(parsed.intents())
    if causing := _causing(parsed, told):
        return causing
    for match, _ in parsed.having("form"):
        if told[match.first] == "how" and moved and parsed.measures and MOVES & set(told):
            continue  # "How did revenue change" asks for a number.
        return parsed.words(match)
    return item_named(parsed)


def _causing(parsed: Parsed, told: list[str]) -> str:
    """ "What lifted X", "how come X", "how concentrated is X": a reason or a manner, whatever it is of."""
    # "What diluted earnings per share": the word belongs to a measure, and is no verb.
    measured = {place for match, _ in parsed.measures for place in range(match.first, match.last)}
    taken = parsed.aside | measured
    for place, (stem, after) in enumerate(pairwise(told)):
        if place + 1 in taken:
            continue
        if stem in {"what", "whats"} and (_causes(after) or after in _SUPPOSING):
            return parsed.tokens[place].text
        if stem == "how" and after not in _MANY and place + 1 in set(parsed.free) and after not in _BEING:
            return parsed.tokens[place].text
    return ""


def _causes(stem: str) -> bool:
    """Whether a verb tells of causing something: listed, or of the past and not of reporting a figure."""
    past = stem.endswith("ed") and len(stem) > 4 and stem not in words_of("figure_past")
    return past or stem in words_of("causing")


def item_named(parsed: Parsed) -> str:
    """Item 7, Item 1A: a part of the 10-K by its number."""
    told = [token.stem for token in parsed.tokens]
    for place, stem in enumerate(told[:-1]):
        if stem == "item" and told[place + 1].upper() in ITEMS:
            return parsed.sentence.text((place, place + 1))
    return ""


def subject_of(parsed: Parsed, companies: int) -> str:
    """The words that make a question one for text where no measure is asked, or empty.

    companies: how many are asked about; a clause may take its company from the one before it.
    """
    told = [token.stem for token in parsed.tokens]
    yes_no = _yes_no(parsed, told) if companies else ""
    if parsed.measures:
        return yes_no if _is_about_measure(parsed, told) else ""
    if yes_no or (
        companies and (particular_of(parsed) or is_vague(parsed) or is_overview(parsed) or is_of_results(parsed))
    ):
        return yes_no or parsed.tokens[0].text
    counted = parsed.having("unknown") or parsed.having("unclear")
    if any(pair in QUANTITY for pair in pairwise(told)):
        return "how much" if _DEGREES & set(told) and not counted and "much" in told else ""
    if companies and (asking := _asks(parsed, told)):
        return asking
    if counted and not (companies and _beside_things(parsed, told)):
        return ""
    for match, _ in parsed.having("topic"):
        if not any(match.of("harmless")) or len(parsed.free) > 0:
            return parsed.words(match)
    # Of several companies all but one are words of what is asked: "Amazon and its stake in Rivian".
    return _words_alone(parsed, told, LEAST_WORDS - (companies > 1)) if companies else ""


def _words_alone(parsed: Parsed, told: list[str], least: int) -> str:
    """Several words of which none is of a figure, without any word of asking: "its asbestos case in Ohio"."""
    content = [place for place in _content(parsed, told) if told[place] not in words_of("quantities")]
    for match in parsed.phrases:
        intents = {meaning.value for meaning in match.of("intent")}
        part = Code.DIMENSIONAL_ONLY in intents and told[match.last - 1] in words_of("figures_of_parts")
        if (part or intents & _OF_FIGURES) and not any(match.of("topic")):
            content = [place for place in content if not match.first <= place < match.last]
    quantity = words_of("quantities") & set(told)
    # "Coffee prices", "a price war": of a thing, and not of the company's share.
    if quantity == {"price"}:
        least, content = 1, [place for place in content if _is_priced(told, place)]
    return parsed.sentence.text(content[:1]) if len(content) >= least and quantity <= {"price"} else ""


def _is_priced(told: list[str], place: int) -> bool:
    """Whether a word stands beside "price" and names what is priced or done to it, which the share's is not."""
    if told[place] in modifiers() | words_of("of_shares"):
        return False
    return "price" in told[max(place - 1, 0) : place + 2] or ["price", "of"] in (
        told[place - 2 : place],
        told[place - 3 : place - 1],
    )


def _beside_things(parsed: Parsed, told: list[str]) -> bool:
    """Whether what could be counted is only named among other words: "any comments from the SEC staff left open"."""
    counted = [match for kind in ("unknown", "unclear") for match, _ in parsed.having(kind)]
    if any(told[place] not in words_of("things") for match in counted for place in range(match.first, match.last)):
        return False
    content = [place for place in _content(parsed, told) if told[place] not in words_of("quantities")]
    return len(content) >= LEAST_BESIDE


def _content(parsed: Parsed, told: list[str]) -> list[int]:
    """Places of words that are neither company nor period nor of asking."""
    aside = parsed.aside
    return [place for place, stem in enumerate(told) if place not in aside and stem not in words_of("asking")]


def _yes_no(parsed: Parsed, told: list[str]) -> str:
    first = next((match for match in parsed.phrases if match.first == 0), None)
    leads = first is not None and len(first) > 1  # "Do you know ..." only leads to the question.
    return parsed.tokens[0].text if told[0] in YES_NO and not ASKING & set(told) and not leads else ""


def _is_about_measure(parsed: Parsed, told: list[str]) -> bool:
    """Whether a question for yes or no asks if there is a measure at all, or what became of it, and no figure."""
    free = set(parsed.free)
    numbers = any(stem[:1].isdecimal() for place, stem in enumerate(told) if place in free)
    # "Under the asset cap" compares nothing; "under 5" does.
    beside = {stem for stem, after in pairwise(told) if stem in _BEFORE_NUMBERS and not after[:1].isdecimal()}
    return not numbers and not (_COMPARING - beside) & set(told) and bool(free or told[0] in PRESENT)


def _asks(parsed: Parsed, told: list[str]) -> str:
    """The question word of a question that is not for a quantity, or empty: "who", "what vehicles does X offer"."""
    asked = next((place for place, stem in enumerate(told) if stem in _QUESTION_WORDS), None)
    if asked is None:
        return ""
    aside = parsed.aside
    content = [p for p in range(asked + 1, len(told)) if p not in aside and told[p] not in words_of("asking")]
    if not content:
        return ""
    word = parsed.tokens[asked].text
    if told[asked] not in _WHICH:
        return word
    after = told[asked + 1] if asked + 1 < len(told) else ""
    if after in _SUPPOSING:
        return word
    counted = [match for match in parsed.phrases if any(match.of("unknown")) or any(match.of("unclear"))]
    figures = {p for match in counted for p in range(match.first, match.last) if told[p] not in words_of("things")}
    figures |= {p for p in content if told[p] in words_of("quantities") and told[p : p + 2] != ["balance", "sheet"]}
    if after in _BEING or told[asked] == "whats":
        # "What was X's churn" asks for a figure, and of the past everything unknown may be one.
        past = after in {"was", "were"} and not parsed.having("topic")
        return "" if figures or past else word
    # What is asked for ends at the auxiliary, or at a verb of causing: "which countries' inflation lifted prices".
    behind = range(asked + 1, len(told))
    auxiliary = next((p for p in behind if told[p] in _AUXILIARY or _causes(told[p])), len(told))
    noun = {p for p in content if p < auxiliary}
    rest = [told[p] for p in content if p > auxiliary]
    if noun & figures or (not noun and (figures & set(content) or (rest and rest[0] in words_of("figure_verbs")))):
        return ""
    return word


@cache
def words_of(name: str) -> frozenset[str]:
    """The folded words of one list of `texts.yaml`."""
    return frozenset(stem for phrase in listed()[name] for stem in stems(phrase))


def particular_of(parsed: Parsed) -> str:
    """Which data about the filing itself is asked for, and nothing beside it; or empty."""
    return _shaped(parsed, "particulars")


def is_vague(parsed: Parsed) -> bool:
    """Whether a question names a company and nothing of it that could be looked for."""
    return bool(_shaped(parsed, "vague")) and not (is_overview(parsed) or is_of_results(parsed))


def is_overview(parsed: Parsed) -> bool:
    """Whether a question asks what a company is or does."""
    return bool(_shaped(parsed, "overview"))


def is_of_results(parsed: Parsed) -> bool:
    """Whether a question asks how a year went."""
    return bool(_shaped(parsed, "results"))


def _shaped(parsed: Parsed, name: str) -> str:
    """The key of the first pattern of a list that fits the shape of a question about no measure; or empty."""
    if parsed.measures:
        return ""
    marks = {mention.first: ("@c", mention.places) for mention in parsed.mentions}
    marks |= {places.start: ("@p", places) for places, _ in parsed.periods}
    shape, place = [], 0
    while place < len(parsed.tokens):
        text, places = marks.get(place, (parsed.tokens[place].stem, range(place, place + 1)))
        shape.append(text)
        place = places.stop
    # "Where is Apple incorporated": there the word is no end of its name.
    said = {parsed.tokens[mention.last - 1].text for mention in parsed.mentions}
    line = " ".join(shape) + (" incorporated" if "incorporated" in said else "")
    return next((key for key, pattern in _patterns(name) if pattern.search(line)), "")


@cache
def _patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    words, patterned = listed()["words"], listed()[name]
    by_key = patterned if isinstance(patterned, dict) else {name: patterned}
    return tuple(
        (key, re.compile(pattern.replace("{10k}", words["10k"]).replace("{year}", words["year"])))
        for key, patterns in by_key.items()
        for pattern in patterns
    )


@cache
def listed() -> dict[str, Any]:
    """What texts.yaml lists."""
    return dict(yaml.load(PATH.read_bytes(), yaml.CBaseLoader))  # noqa: S506 - strings only
