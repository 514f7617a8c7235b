"""How much each word of a question says, by how rare it is in the filing that is asked."""

import math
from dataclasses import dataclass, field
from functools import lru_cache

from agent.prose.questions.topics import general, telling
from agent.state.references import SubQuery
from agent.words.stems import roots, words
from filings.models import Section

# Filings whose text is kept in lower case: a question about one is often followed by another.
KEPT = 8
# Parts of questions whose words are kept with their counts: one is asked of a filing in several steps.
WEIGHED = 64
# A word of every page says little, but something; a word that stands nowhere is the rarest.
LEAST, MOST = 0.35, 1.0
COMMON = 400


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a question: its weight in this filing, how often it stands there, and whether it is a name."""

    root: str
    weight: float
    count: int
    name: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One part of a question, ready to be compared with sentences."""

    terms: tuple[Term, ...]
    variants: tuple[frozenset[str], ...] = field(default=())

    @property
    def total(self) -> float:
        return sum(term.weight for term in self.terms)


@lru_cache(maxsize=KEPT)
def lowered(filing: int, stamp: str) -> str:
    """All words of a filing's sections in lower case, a space before each section."""
    texts = Section.objects.filter(filing=filing).order_by("number").values_list("text", flat=True)
    return " " + " ".join(texts).lower()


def text_of(filing: int) -> str:
    """The filing's text, read again when any of its sections is another."""
    return lowered(filing, stamp_of(filing))


def stamp_of(filing: int) -> str:
    """The hashes of a filing's sections."""
    return "".join(Section.objects.filter(filing=filing).order_by("number").values_list("sha256", flat=True))


def asked(query: SubQuery, filing: int) -> Asked:
    """The words of one part of a question, weighed by the filing."""
    variants = tuple(found for variant in query.variants if (found := roots(variant)))
    return Asked(_terms(query.words, filing, stamp_of(filing)), variants)


@lru_cache(maxsize=WEIGHED)
def _terms(typed: tuple[str, ...], filing: int, stamp: str) -> tuple[Term, ...]:
    """The words of one part of a question that tell something, each counted in the filing."""
    text = lowered(filing, stamp)
    names = {one.root for word in typed if word[:1].isupper() for one in words(word)}
    terms = []
    for root in telling(typed):
        count = occurrences(root, text)
        weight = weight_of(count, len(text))
        if root in general():
            weight *= 0.5
        terms.append(Term(root, weight, count, root in names and root not in general()))
    return tuple(terms)


def occurrences(root: str, text: str) -> int:
    """How often a word that begins like this stands in a text."""
    return text.count(f" {root}") + text.count(f"\n{root}") + text.count(f"\u201c{root}") + text.count(f"({root}")


def weight_of(count: int, length: int) -> float:
    """From `MOST` for a word that stands nowhere to `LEAST` for one that stands on every page of the filing."""
    usual = COMMON * max(length, 1) / 400_000
    return max(LEAST, MOST - (MOST - LEAST) * math.log1p(count) / math.log1p(usual))
