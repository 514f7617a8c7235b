"""A model that says anything: true and false claims mixed in one draft, replies that are none, and all by chance."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.support.model_behaviours import ALL, HOSTILE, elsewhere, good, hang, says
from tests.support.model_replies import Asked, Behaviour, claims

Claim = dict[str, str]
Change = Callable[[Claim, Asked, random.Random], Claim]
WORDS = [
    "suppliers",
    "castings",
    "ceramics",
    "tariffs",
    "export",
    "licence",
    "covenant",
    "interest",
    "customers",
    "demand",
    "competition",
    "warranty",
    "breach",
    "insurance",
    "pension",
    "lease",
    "inventory",
    "backlog",
    "litigation",
    "patents",
    "employees",
    "strike",
    "factory",
    "currency",
    "inflation",
]
NUMBER = re.compile(r"\d[\d,.]*")


def true(claim: Claim, asked: Asked, chance: random.Random) -> Claim:
    return claim


def with_text(change: Callable[[str, random.Random], str]) -> Change:
    return lambda claim, asked, chance: {**claim, "text": change(claim["text"], chance)}


def with_quote(change: Callable[[str, random.Random], str]) -> Change:
    def changed(claim: Claim, asked: Asked, chance: random.Random) -> Claim:
        quote = change(claim["quote"], chance) or claim["quote"]
        return {**claim, "text": quote, "quote": quote}

    return changed


def cut(text: str, chance: random.Random) -> str:
    """A stretch from the middle of a sentence."""
    words = text.split()
    begin = chance.randrange(max(1, len(words) - 4))
    return " ".join(words[begin : begin + chance.randint(3, 12)])


def without_negation(text: str, chance: random.Random) -> str:
    return re.sub(r"\b(?:not|no|never|may|could|might|if|unless)\b ?", "", text, flags=re.IGNORECASE)


def swapped(text: str, chance: random.Random) -> str:
    words = text.split()
    one, other = chance.randrange(len(words)), chance.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return " ".join(words)


def other_number(text: str, chance: random.Random) -> str:
    return NUMBER.sub(lambda _: str(chance.randint(2, 9_999)), text) if NUMBER.search(text) else f"{text} It was 17%."


def joined_up(claim: Claim, asked: Asked, chance: random.Random) -> Claim:
    """Two sentences of two passages as one quotation."""
    other = chance.choice(claims(asked, most=40) or [claim])
    both = f"{claim['quote']} {other['quote']}"
    return {**claim, "text": both, "quote": both}


def of_another(claim: Claim, asked: Asked, chance: random.Random) -> Claim:
    """A true quote under another true sentence."""
    return {**claim, "text": chance.choice(claims(asked, most=40) or [claim])["quote"]}


CHANGES: tuple[Change, ...] = (
    lambda claim, asked, chance: elsewhere(claim, asked),
    with_text(lambda text, _: f"{text} This was $123.4 million."),
    with_text(lambda text, _: f"{text} This was four hundred and twelve million dollars."),
    with_text(lambda text, _: f"{text} Revenue {{{{fact:1}}}} rose."),
    with_text(lambda text, _: "Gross profit {{fact:1}} increased."),
    with_text(lambda text, _: "The company has stopped selling its products altogether."),
    with_text(lambda text, _: HOSTILE),
    with_text(lambda text, _: f"[{text}](https://evil.example)"),
    with_text(lambda text, _: f"The filing does not disclose it. {text}"),
    with_text(lambda text, _: re.sub(r"^We ", "Northwind ", text)),
    with_text(lambda text, _: re.sub(r"\b(?:also|therefore|however|mainly|generally),? ", "", text)),
    with_text(without_negation),
    with_text(swapped),
    with_text(other_number),
    with_text(cut),
    with_quote(cut),
    with_quote(swapped),
    with_quote(other_number),
    with_quote(lambda text, _: text.upper()),
    with_quote(lambda text, _: "The company expects to double its business in every single market."),
    joined_up,
    of_another,
)


def by_chance(
    seed: int, understood: Mapping[str, Sequence[dict[str, Any]]], broken: float = 0.2, slow: float = 0.01
) -> Callable[[Asked], Behaviour]:
    """How a model behaves, the same for the same seed and requests.

    understood: readings of each question that a model may give. broken: how many replies are none, of one; slow: how
    many do not come.
    """
    chance = random.Random(seed)  # noqa: S311 - a script, not a secret
    names = sorted(set(ALL) - {"hang", "slow_body"})

    def choose(asked: Asked) -> Behaviour:
        drawn = chance.random()
        if drawn < slow:
            return chance.choice([hang(30.0), ALL["slow_body"]])
        if drawn < slow + broken:
            return ALL[chance.choice(names)]
        return says_by_chance(asked, chance, understood)

    return choose


def says_by_chance(
    asked: Asked, chance: random.Random, understood: Mapping[str, Sequence[dict[str, Any]]]
) -> Behaviour:
    told = told_by_chance(asked, chance, understood)
    return says(told) if told is not None else good


def told_by_chance(
    asked: Asked, chance: random.Random, understood: Mapping[str, Sequence[dict[str, Any]]]
) -> dict[str, Any] | None:
    question = str(asked.inputs.get("question", ""))
    if asked.program == "understand":
        return chance.choice(understood[question]) if question in understood else None
    if asked.program == "decompose":
        axes = [one["id"] for one in asked.inputs.get("axes") or []] or [""] * chance.randint(1, 3)
        return {"searches": [{"phrase": some(chance), "kind": "TEXT", "variants": [], "axis": axis} for axis in axes]}
    if asked.program == "evaluate":
        marks = {name: chance.randint(0, 100) for name in ("completeness", "specificity", "clarity")}
        missing = [f"The {some(chance)}."] * chance.randint(0, 1)
        told = {"issues": [], "missing_info": missing, "is_sufficient": chance.random() < 0.2}
        return {**marks, **told}
    if asked.program == "follow_up":
        targets = [one["id"] for one in asked.inputs.get("targets", [])]
        return {"phrases": [{"target": chance.choice(targets), "words": some(chance)} for _ in range(2)]}
    if asked.program == "review_refusal":
        return {
            "refusal_stands": chance.random() < 0.3, "claims": drafted(asked, chance, 4), "caveats": [],
            "direction": chance.choice(["yes", "no", "mixed", "not a yes/no question"]),
        }  # fmt: skip
    not_found = question.split()[-2:] if chance.random() < 0.3 else []
    if axes := asked.inputs.get("axes"):
        told = [{"axis": axis["id"], "claims": drafted(asked, chance, 3)} for axis in axes]
        return {"interpretations": told, "not_found": not_found}
    return {"claims": drafted(asked, chance, chance.randint(0, 8)), "not_found": not_found}


def some(chance: random.Random) -> str:
    return " ".join(chance.sample(WORDS, 3))


def drafted(asked: Asked, chance: random.Random, most: int) -> list[Claim]:
    """Claims from passages, in any order: half of them true."""
    found = claims(asked, most=40)
    chosen = chance.sample(found, min(most, len(found)))
    return [one if chance.random() < 0.6 else chance.choice(CHANGES)(one, asked, chance) for one in chosen]
