"""Misspelt words of a question for text, read as words that its filing has."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from agent.prose.questions.topics import topic_of
from agent.prose.questions.weights import text_of
from agent.refusals.grammar import listed
from agent.state import Plan, Remark, RemarkCode, Target, Topic
from agent.words.common_words import english
from agent.words.stems import root

_WORD = re.compile(r"(?<![\w'\u2019])[A-Za-z]{4,}(?![\w])")
# From this length two letters may be wrong; of a name, which begins with a capital, never.
_LONG = 8
# Of words that are as near, the one meant is so many times commoner than the next.
_COMMONER = 3
# What a word of English may end in besides.
_ENDINGS = ("s", "r", "rs", "er", "ers", "d", "ed", "ing", "ly")

Slips = dict[str, str]


def undone(topic: Topic, filing: int, names: Collection[str]) -> tuple[Topic, Slips]:
    """A topic with its misspelt words as the filing spells them, and what was read as what.

    A word that the filing has, a word of English, and an ending of either stay as they are. names: words of the
    company's name, which nothing is read as.
    """
    if topic.compares:
        return topic, {}  # which has no word that is not known
    doubtful = filter(is_doubtful, dict.fromkeys(_WORD.findall(topic.text)))
    held = vocabulary(text_of(filing))
    slips = {word: read for word in doubtful if (read := meant(word, held)) and read not in names}
    if not slips:
        return topic, {}
    text = _WORD.sub(lambda hit: slips.get(hit.group(), hit.group()), topic.text)
    found = topic_of(text)
    return (found.model_copy(update={"amount": topic.amount}), slips) if found else (topic, {})


def is_doubtful(word: str) -> bool:
    """Whether a word is none of the commonest of English, and none of these with another ending."""
    told = word.lower()
    bases = {told.removesuffix(ending) for ending in _ENDINGS} - {told}
    return not any(one in english() for one in (told, *bases, *(f"{base}e" for base in bases)))


@lru_cache(maxsize=8)
def vocabulary(text: str) -> Counter[str]:
    """The words of a text in lower case, and how often each stands there."""
    return Counter(re.findall(r"[a-z]{3,}", text))


def meant(word: str, held: Counter[str]) -> str:
    """The word of a filing that a misspelt one is surely of; empty where there is none.

    held: the words of the filing. The nearest counts (restricted Damerau-Levenshtein distance); of those as near the
    commonest, where it is much commoner than the next or both are forms of one word.
    """
    told = word.lower()
    if told in held or any(root(told) == root(one) for one in near(told, held, 2)):
        return ""
    most = 2 if len(told) >= _LONG and not word[0].isupper() else 1
    for distance in range(1, most + 1):
        ranked = Counter({one: held[one] for one in near(told, held, distance)}).most_common(2)
        if ranked:
            (best, count), next_best = ranked[0], ranked[-1]
            sure = len(ranked) == 1 or count >= _COMMONER * next_best[1] or root(best) == root(next_best[0])
            return best if sure else ""
    return ""


def near(word: str, pool: Iterable[str], distance: int) -> list[str]:
    """Words of a pool that begin like another and lie within a distance of it."""
    begun = [one for one in pool if one[0] == word[0] and abs(len(one) - len(word)) <= distance]
    return [one for one, _, _ in process.extract(word, begun, scorer=OSA.distance, score_cutoff=distance, limit=None)]


def mended(plan: Plan, filing_of: Callable[[Target], int | None]) -> tuple[Plan, list[Remark]]:
    """A plan whose topics have no misspelt words, and what was read as what: each once.

    filing_of: the filing that a target asks, where it is held.
    """
    targets, remarks, told = [], [], Slips()
    for target in plan.targets:
        topic = target.topic
        if topic and any(map(is_doubtful, _WORD.findall(topic.text))) and (filing := filing_of(target)):
            names = {word.lower() for word in _WORD.findall(f"{target.company.name} {target.company.short}")}
            topic, slips = undone(topic, filing, names)
            new = [f"\u201c{typed}\u201d as \u201c{read}\u201d" for typed, read in slips.items() if typed not in told]
            told |= slips
            if new:
                remarks.append(Remark(target=target.id, code=RemarkCode.SPELLING, text=f"Read {listed(new)}."))
        targets.append(target.model_copy(update={"topic": topic}))
    return plan.model_copy(update={"targets": tuple(targets)}), remarks
