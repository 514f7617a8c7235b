"""The headings of a filing that name what a question asks: the company's own words for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.prose.topics import content_roots, light
from agent.state import SubQuery
from agent.words.stems import roots
from filings.models import Chunk, Section

# Filings whose headings are kept.
KEPT = 16
# A heading may have so many words more than the question: "Critical accounting policies and estimates".
MORE = 1
# Words of a question that a heading with more words must have.
LEAST = 2


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with what stands under it. words: what it names, in the compared form. chunks: primary keys, in order."""

    text: str
    words: frozenset[str]
    section: int
    chunks: tuple[int, ...]


def naming(query: SubQuery, filing: int, *, exactly: bool = False) -> list[Heading]:
    """The headings that name one part of a question, in the filing's order.

    exactly: without synonyms, and without what something is only done with ("products": "which products does it sell").
    """
    asked = frozenset(word for typed in query.words for word in content_roots(typed))
    variants = [] if exactly else [found for one in query.variants if (found := roots(one))]
    return [one for one in headings(filing) if _names(one.words, asked, exactly) or one.words in variants]


def _names(told: frozenset[str], asked: frozenset[str], exactly: bool) -> bool:
    if not told or not asked:
        return False
    if told == asked or (len(asked) >= LEAST and asked < told and len(told) <= len(asked) + MORE):
        return True
    return not exactly and told < asked and asked - told <= light()


def headings(filing: int) -> tuple[Heading, ...]:
    """Every heading of a filing."""
    stamp = "".join(Section.objects.filter(filing=filing).order_by("number").values_list("sha256", flat=True))
    return _headings(filing, stamp)


@lru_cache(maxsize=KEPT)
def _headings(filing: int, stamp: str) -> tuple[Heading, ...]:
    found: dict[tuple[int, Sequence[str]], list[int]] = {}
    rows = Chunk.objects.filter(section__filing=filing).order_by("pk").values_list("pk", "section_id", "headings")
    for pk, section, above in rows:
        for depth in range(len(above)):
            found.setdefault((section, tuple(above[: depth + 1])), []).append(pk)
    return tuple(
        Heading(path[-1], content_roots(path[-1]), section, tuple(chunks)) for (section, path), chunks in found.items()
    )
