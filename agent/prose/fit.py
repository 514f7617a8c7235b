"""How well a sentence fits what kind of answer is asked: a list, a person, a place, a fact rather than a fear."""

import re
from dataclasses import replace

from agent.language.roots import roots
from agent.prose.scoring import Score, credit
from agent.prose.units import Unit
from agent.prose.weights import Asked
from agent.state import Topic

_MAY = re.compile(r"\b(?:may|might|could|would)\b", re.IGNORECASE)
_OURS = re.compile(
    r"^[\W\d]*(?:we|our|us|the company|the corporation|the firm|substantially all of our|each of our|all of our)\b",
    re.IGNORECASE,
)
_THEIRS = re.compile(
    r"^[\W]*(?:(?:in some cases,? |in addition,? |for example,? )?(?:some of |many of |certain of )?(?:our |the company\u2019s )?(?:competitors?|several|other (?:companies|manufacturers)|"
    r"certain (?:companies|competitors)|many (?:companies|competitors)|third parties))\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\b(?:include[sd]?|including|such as|consists? of|comprised? of|namely|are:|following)\b|[\u2013\u2014:]",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][A-Za-z&.\u2019-]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_WHERE = re.compile(r"\b(?:located|headquartered|based|in|near|at)\s+(?:the\s+)?[A-Z]")
_HOW = re.compile(r"^\W*how\b", re.IGNORECASE)
_WHAT_LIST = re.compile(r"^\W*(?:what|which|who|list|name)\b.*\b(?:are|do|does|have|has|were)\b", re.IGNORECASE)
_WHO = re.compile(r"^\W*who\b|\bwho (?:is|are|oversees|leads|runs|owns|supplies|makes)\b", re.IGNORECASE)
_WHERE_ASKED = re.compile(r"^\W*where\b", re.IGNORECASE)
_WHEN = re.compile(r"^\W*when\b", re.IGNORECASE)


def fitted(score: Score, topic: Topic, asked: Asked) -> Score:
    """A score with what the form of the question and the place of the sentence add to it."""
    unit, text = score.unit, topic.text
    fit = 0.16 * heading_fit(unit, asked) + item_fit(unit, topic)
    if unit.order == 0 and unit.kind == "paragraph":
        fit += 0.02
    if topic.form == "explain":
        if _MAY.search(unit.text):
            fit -= 0.07
        if _OURS.match(unit.text):
            fit += 0.05
        if _THEIRS.match(unit.text) and not roots("competitors suppliers") & roots(text):
            fit -= 0.15
        fit += kind_fit(unit, text)
    return replace(score, fit=fit, total=score.total + fit)


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
    matched = sum(any(term.root == word or frozenset([word]) in term.others for term in asked.terms) for word in told)
    covered = sum(term.weight * credit(term, told) for term in asked.terms) / (asked.total or 1.0)
    return covered * matched / len(told) if told else 0.0


def item_fit(unit: Unit, topic: Topic) -> float:
    """Whether a sentence stands in an Item that tells of what is asked."""
    item = unit.passage.item
    if item in topic.implied:
        return 0.06 - 0.01 * topic.implied.index(item)
    return -0.04 if topic.implied else 0.0
