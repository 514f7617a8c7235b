"""An edited sentence is its quotation but for a few edits; no other change is one, however it is made."""

import random
import re
from collections.abc import Callable
from itertools import product

import pytest

from agent.prose.text.compared_words import Mark, tokens
from agent.prose.verification.edits import edits, without_lead_in
from evals.mutations.mutations import SENTENCES
from filings.document.sentences import sentence_spans

NAMES = ("Halvorsen Optics Inc.", "Halvorsen")
LISTS = [
    "In addition, we may lose customers in many countries, including Norway, Chile and Japan.",
    "Our plants make optical parts, such as lenses, mirrors and coatings.",
    "For example, our suppliers raised prices by 9% in 2023, and we could not pass that on.",
    "Finally, we design, make and sell lenses, including coated ones.",
    "The Company expects its sales to increase in fiscal 2024, including sales of mirrors.",
    "Further, the Company's costs fell by $4.2 million in the quarter ended June 30, 2023.",
    "We do not insure our plants against all hazards, including floods and fires.",
    "Changes in customs rules, including tariffs and quotas, may harm us unless we raise prices.",
]
LINES = [line for line in SENTENCES.read_text(encoding="utf-8").splitlines() if line[0] not in "#-"]
ALL = LISTS + [line[start:end] for line in LINES for start, end in sentence_spans(line)]


@pytest.mark.parametrize(
    ("text", "quote", "made"),
    [
        ("Our reply could harm our name.", "In addition, our reply could harm our name.", ["“In addition” is left out"]),
        ("As of May 1, sales rose.", "(1)As of May 1, sales rose.", ["“(1)” is left out"]),
        ("Halvorsen's sales fell.", "Our sales fell.", ["“Halvorsen's” stands for “Our”"]),
        ("The fire harmed Halvorsen.", "The fire harmed the Company.", ["“Halvorsen” stands for “the Company”"]),
        ("Halvorsen may hire.", "Finally, we may hire.", ["“Finally” is left out", "“Halvorsen” stands for “we”"]),
        ("Halvorsen also designs and sells lenses.", "We also design and sell lenses.", ["“Halvorsen” stands for “We”"]),
        ("Halvorsen doesn't pay.", "We don't pay.", ["“Halvorsen” stands for “We”"]),
        ("We sell many parts.", "We sell many parts, including nuts and bolts.", ["the examples after “including” are left out"]),
        ("We sell parts.", "We sell parts.", []),
    ],
)  # fmt: skip
def test_each_edit_is_told_in_words(text: str, quote: str, made: list[str]) -> None:
    assert edits(text, quote, NAMES) == tuple(made)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("We sell parts.", "We do not sell parts, including bolts."),
        ("We do not sell any parts.", "We do not sell any parts, including bolts."),
        ("If prices fall we close plants.", "If prices fall we close plants, including ours."),
        ("Changes in many rules.", "Changes in many rules, including tariffs, harm us."),
        ("Changes in many rules.", "Changes in many rules, including tariffs and quotas, harm us."),
        ("Net income was high.", "Net income was high, including a gain of $4 million."),
        ("We insure against risks.", "We insure against risks such as fires."),
        ("Sales rose in two regions.", "Sales rose in two regions, including those that we had closed."),
        ("Halvorsen has served as its auditor.", "We have served as the Company's auditor."),
        ("Its reply could harm it.", "However, its reply could harm it."),
        ("It fell.", "As a result, it fell."),
        ("Halvorsen sells lens.", "We sell lenses."),
        ("Halvorsen mays sell lenses.", "We may sell lenses."),
        ("Halvorsen is Halvorsen.", "He said \"we are us\"."),
        ("Corvane's sales fell.", "Our sales fell."),
        ("Halvorsen sales fell.", "Our sales fell."),
        ("Halvorsen may.", "May."),
        ("", "We sell parts."),
    ],
)  # fmt: skip
def test_what_is_no_such_edit_is_none(text: str, quote: str) -> None:
    assert edits(text, quote, NAMES) is None


def test_an_auditor_is_not_the_company() -> None:
    assert edits("Halvorsen audited the accounts.", "We audited the accounts.", NAMES, speaks=False) is None
    assert edits("Halvorsen's accounts are fair.", "The Company's accounts are fair.", NAMES, speaks=False)


# --- ten thousand random edits ---

SWAPS = {
    "may": "will", "could": "may", "will": "may", "can": "cannot", "not": "", "no": "some", "increased": "decreased",
    "increase": "decrease", "decrease": "increase", "fell": "rose", "rose": "fell", "grew": "shrank", "million": "billion",
    "billion": "million", "June": "July", "all": "some", "some": "all", "any": "most", "never": "always", "We": "They",
    "our": "their", "us": "them", "more": "less", "higher": "lower", "unless": "if", "Company": "Companies",
}  # fmt: skip
FORMS = {"We": "Halvorsen", "we": "Halvorsen", "us": "Halvorsen", "Our": "Halvorsen's", "our": "Halvorsen's"}


def places(words: list[str], known: Callable[[str], bool]) -> list[int]:
    return [place for place, word in enumerate(words) if known(word.strip(".,;:"))]


def change(words: list[str], chosen: random.Random) -> list[str]:
    """The words of a sentence with one edit, of the closed list or any other."""
    words = list(words)
    at = chosen.randrange(len(words))
    kind = chosen.randrange(12)
    if kind == 0 and (found := places(words, FORMS.__contains__)):
        place = chosen.choice(found)
        words[place] = words[place].replace(words[place].strip(".,;:"), FORMS[words[place].strip(".,;:")])
    elif kind == 1 and (found := [place for place, word in enumerate(words[:3]) if word.endswith(",")]):
        cut = found[0]
        words = words[cut + 1 :] or words
        words[0] = words[0][:1].upper() + words[0][1:]
    elif kind in {2, 3} and (found := [place for place, word in enumerate(words) if word in {"including", "such"}]):
        words = words[: found[-1]] or words
        words[-1] = words[-1].rstrip(",") + "."
    elif kind in {4, 5} and (found := places(words, SWAPS.__contains__)):
        place = chosen.choice(found)
        bare = words[place].strip(".,;:")
        words[place] = words[place].replace(bare, SWAPS[bare])
    elif kind == 6 and (found := [place for place, word in enumerate(words) if re.search(r"\d", word)]):
        place = chosen.choice(found)
        words[place] = re.sub(
            r"\d", lambda hit: str((int(hit[0]) + chosen.randrange(1, 9)) % 10), words[place], count=1
        )
    elif kind == 7:
        words.insert(
            at, chosen.choice(["not", "may", "never", "if", "2", "Corvane", "In addition,", "including", "only"])
        )
    elif kind == 8 and len(words) > 2:
        del words[at]
    elif kind == 9 and at:
        words[at - 1], words[at] = words[at], words[at - 1]
    elif kind == 10 and len(words) > 4:
        words = words[: max(at, 3)]
        words[-1] = words[-1].rstrip(",;") + "."
    else:
        words[at] = words[at] + "s" if not words[at].endswith("s") else words[at][:-1] or words[at]
    return [word for word in words if word]


KEPT = {
    Mark.NUMBER, Mark.UNIT, Mark.DATE, Mark.NAME, Mark.NEGATION, Mark.MODALITY, Mark.DIRECTION, Mark.CONDITION,
    Mark.EXCEPTION, Mark.CONTRAST, Mark.QUANTIFIER, Mark.COMPARISON, Mark.HEDGE, Mark.RESTRICTION, Mark.ATTRIBUTION,
}  # fmt: skip


def said(text: str) -> list[str]:
    """What of a text no edit may change, in its order; the company's own name, and whoever it stands for, left out."""
    text = re.sub(r"Halvorsen(?:'s)?|\b[Tt]he Company(?:'s)?|\b(?:[Ww]e|[Oo]ur|us)\b", "we", text)
    lead = re.sub(r"(?:(?<=^)|(?<=[.] ))(?:In addition|For example|Finally|Further|Additionally|Also), ", "", text)
    return [token.lower for token in tokens(lead) if token.mark in KEPT and token.mark is not Mark.NAME] + re.findall(
        r"(?<=[a-z,] )[A-Z]\w+", lead
    )


def without_examples(quote: str) -> list[str]:
    """A quotation with and without the examples that close each of its sentences."""
    sentences = [quote[start:end] for start, end in sentence_spans(quote)]
    ways = [
        [one, *(f"{one[: hit.start()]}." for hit in re.finditer(r", (?:including|such as) ", one))]
        for one in sentences
    ]
    return [" ".join(way) for way in product(*ways)]


def test_no_random_edit_changes_what_a_sentence_says() -> None:
    chosen = random.Random(19)  # noqa: S311 # a sample, not a secret
    accepted: dict[str, int] = {}
    for _ in range(10_000):
        quote = chosen.choice(ALL)
        words = quote.split()
        for _ in range(chosen.choice([1, 1, 2, 3])):
            words = change(words, chosen)
        text = " ".join(words)
        made = edits(text, quote, NAMES)
        if made is None:
            continue
        accepted[text] = accepted.get(text, 0) + bool(made)
        assert said(text) in [said(way) for way in without_examples(quote)], (text, quote, made)
    # Some are edits of the list, or the test would say nothing.
    assert sum(map(bool, accepted.values())) > 100


def test_a_lead_in_is_left_out_of_a_quotation_and_nothing_else() -> None:
    assert without_lead_in("In addition, our reply could harm our name.") == "Our reply could harm our name."
    assert without_lead_in("Finally, iOptics is a name of ours.") == "iOptics is a name of ours."
    for kept in ("However, we may lose customers.", "(a) our plant floods", "As a result, sales fell.", "Our name."):
        assert without_lead_in(kept) == kept
