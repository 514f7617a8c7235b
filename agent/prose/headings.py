"""The headings of a filing that name what a question asks: the company's own words for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.prose.topics import content_roots
from agent.state import SubQuery
from filings.models import Chunk, Section

# Filings whose headings are kept.
KEPT = 16
# A heading may have so many words more than the question: "Critical accounting policies and estimates".
MORE = 1
# Words of a question that a heading with more words must have.
LEAST = 2


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a section (its primary key). words: what it names, in the compared form."""

    text: str
    words: frozenset[str]
    section: int


def naming(query: SubQuery, filing: int) -> list[Heading]:
    """The headings that name one part of a question by all its words, in the filing's order."""
    asked = content_roots(" ".join(query.words))
    return [one for one in headings(filing) if _names(one.words, asked)]


def _names(told: frozenset[str], asked: frozenset[str]) -> bool:
    more = len(asked) >= LEAST and asked < told and len(told) <= len(asked) + MORE
    return bool(asked) and (told == asked or more)


def headings(filing: int) -> tuple[Heading, ...]:
    """Every heading of a filing."""
    stamp = "".join(Section.objects.filter(filing=filing).order_by("number").values_list("sha256", flat=True))
    return _headings(filing, stamp)


@lru_cache(maxsize=KEPT)
def _headings(filing: int, stamp: str) -> tuple[Heading, ...]:
    rows = Chunk.objects.filter(section__filing=filing).order_by("pk").values_list("section_id", "headings")
    found: dict[tuple[int, Sequence[str]], None] = {}
    for section, above in rows:
        found.update({(section, tuple(above[: depth + 1])): None for depth in range(len(above))})
    return tuple(Heading(path[-1], content_roots(path[-1]), section) for section, path in found)
