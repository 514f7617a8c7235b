"""What each sentence is judged by: words, meaning, and whether it fits what kind of answer is asked."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.prose import calibration
from agent.prose.nearness import READ, Nearness
from agent.prose.reasons import asks_reason, reason_traits
from agent.prose.scoring import Score, credit, scored
from agent.prose.stretches import refers
from agent.prose.units import Unit
from agent.prose.weights import Asked
from agent.state import Topic
from agent.words.roots import roots

# Sentences of one part of a question that are read by their meaning at least, where there are several parts.
FEWEST = 12

_LIST = re.compile(
    r"\b(?:include[sd]?|including|such as|consists? of|comprised? of|namely|are:|following)\b|[\u2013\u2014:]",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][A-Za-z&.\u2019-]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_WHERE = re.compile(r"\b(?:located|headquartered|based|in|near|at)\s+(?:the\s+)?[A-Z]")
_WHAT_LIST = re.compile(r"^\W*(?:what|which|who|list|name)\b.*\b(?:are|do|does|have|has|were)\b", re.IGNORECASE)
_WHO = re.compile(r"^\W*who\b|\bwho (?:is|are|oversees|leads|runs|owns|supplies|makes)\b", re.IGNORECASE)
_WHERE_ASKED = re.compile(r"^\W*where\b", re.IGNORECASE)
_WHEN = re.compile(r"^\W*when\b", re.IGNORECASE)


def judged(
    units: Sequence[Unit], topic: Topic, asked: Asked, nearness: Nearness, part: int, fiscal_year: int
) -> list[Score]:
    """Sentences that can answer one part of a question, the best first."""
    wanted = frozenset(term.root for term in asked.terms)
    why = asks_reason(topic.text)
    found = []
    for one in scored(units, asked):
        told = traits(one, topic, asked, nearness, part)
        if why:
            told |= reason_traits(one.unit, topic.text, wanted, fiscal_year)
            told["discussed"] = float(one.unit.passage.item == "7")
        worth = calibration.worth(told)
        found.append(replace(one, traits=told, total=worth))
    found.sort(key=_order)
    likeliest = found[: max(FEWEST, READ // len(topic.queries))]
    meant = nearness.sentences([one.unit.text for one in likeliest], part)
    for place, (one, sentence) in enumerate(zip(likeliest, meant or (), strict=False)):
        told = {**one.traits, "sentence": sentence}
        found[place] = replace(one, traits=told, total=calibration.worth(told))
    return sorted(found, key=_order)


def _order(one: Score) -> tuple[float, int, int]:
    return -one.total, one.unit.passage.section, one.unit.start


def traits(score: Score, topic: Topic, asked: Asked, nearness: Nearness, part: int) -> dict[str, float]:
    """What a sentence is judged by, each about between 0 and 1.

    cosine: of its window to the question, sentence: of the sentence itself, for the likeliest; passage: of its passage's
    best window; 0 where meaning was not searched.
    lexical: 1/rank of its passage by words, 0 where it is not found by them. heading: how much of the nearest heading
    the question names. kind, item: how well it fits the question word and the Items implied.
    """
    unit, passage = score.unit, score.unit.passage
    near = passage.cosine or 0.0
    cosine = nearness.cosine(passage.section, unit.start, unit.end, part)
    return {
        "covered": score.covered,
        "own": score.own,
        "cosine": near if cosine is None else cosine,
        "passage": near,
        "lexical": 1 / passage.ranks["lexical"] if "lexical" in passage.ranks else 0.0,
        "heading": heading_fit(unit, asked),
        "item": item_fit(unit, topic),
        "kind": kind_fit(unit, topic.text),
        "row": float(unit.kind == "table"),
        "title": float(unit.kind == "heading"),
        "first": float(unit.order == 0),
        "refers": float(refers(unit.text)),
        "figures": float(any(letter.isdigit() for letter in unit.text)),
        "statements": float(passage.item == "8"),
    }


def kind_fit(unit: Unit, text: str) -> float:
    """Whether a sentence has what the question word asks for."""
    fit = 0.0
    if _WHO.search(text):
        fit += 0.08 if _NAME.search(unit.text) else -0.06
    elif _WHERE_ASKED.search(text):
        fit += 0.08 if _WHERE.search(unit.text) else -0.1
    elif _WHEN.search(text):
        fit += 0.08 if _YEAR.search(unit.text) else -0.1
    elif _WHAT_LIST.search(text):
        names = len(_NAME.findall(unit.text))
        fit += 0.05 * bool(_LIST.search(unit.text)) + min(0.05, 0.012 * (names + unit.text.count(",")))
    return fit


def heading_fit(unit: Unit, asked: Asked) -> float:
    """How much of the nearest heading the question names: all of "Competition" where competitors are asked about."""
    if not unit.headings:
        return 0.0
    told = roots(unit.headings[0])
    matched = len(told & {term.root for term in asked.terms})
    covered = sum(term.weight * credit(term, told) for term in asked.terms) / (asked.total or 1.0)
    return covered * matched / len(told) if told else 0.0


def item_fit(unit: Unit, topic: Topic) -> float:
    """Whether a sentence stands in an Item that tells of what is asked."""
    item = unit.passage.item
    if item in topic.implied:
        return 0.06 - 0.01 * topic.implied.index(item)
    return -0.04 if topic.implied else 0.0
