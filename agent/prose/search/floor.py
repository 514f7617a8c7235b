"""What of a filing is worth reading where nothing is asserted: the passages that are shown, and those a draft is given."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from agent.prose.questions.topics import telling
from agent.prose.text.candidate_sentences import is_boilerplate
from agent.prose.text.english import FLOOR
from agent.prose.text.section_text import SectionText, Sentence
from agent.state import Passage, SubQuery, Topic
from agent.words.stems import roots
from filings.models import SectionStatus
from filings.sections.item_status import EXHIBITS

# Items without text of their own: "None.", "Reserved", or the sentence that says where it is.
EMPTY = frozenset({SectionStatus.NONE, SectionStatus.OMITTED, SectionStatus.BY_REFERENCE})
# Where signatures, exhibits and the cover page stand, and hardly anything that answers.
LAST_ITEMS = frozenset({"", "16"}) | EXHIBITS
# Rows with a page, or a number of an exhibit, from which on a list is one of contents or of exhibits.
LISTED = 4
_PAGED = re.compile(r"[^\t\d]*[^\W\d][^\t]*\t\D{0,4}(\d{1,3})\s*")
_NUMBERED = re.compile(r"\W*(?:exhibit\s+)?\d{1,3}\.\d+\S{0,4}\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Furniture:
    """What stands in every filing. asked: words in the compared form, all of one of them in a question that is for it."""

    headings: tuple[str, ...]
    phrases: tuple[str, ...]
    asked: tuple[frozenset[str], ...]

    def holds(self, one: Sentence, item: str) -> bool:
        """Whether a sentence stands under one of its headings, or outside the telling Items and has one of its phrases."""
        above = one.headings[0].lower() if one.headings else ""
        return any(name in above for name in self.headings) or (
            item in LAST_ITEMS and any(phrase in one.text.lower() for phrase in self.phrases)
        )


@dataclass(frozen=True, slots=True)
class Floor:
    """What a question needs of a passage.

    words: its telling words in the compared form. variants: those of each filing term for them. items: the Items that it is
    on, of which "None." tells something.
    """

    words: frozenset[str]
    variants: tuple[frozenset[str], ...] = ()
    items: tuple[str, ...] = ()

    def holds(self, passage: Passage, text: SectionText, said: Sequence[Sentence] = ()) -> bool:
        """Whether a passage is worth reading, by these sentences of it or by any.

        It has a word of the question, in itself or in the headings above it, or is near in meaning; and is no empty Item,
        list of contents or exhibits, or furniture.
        """
        if text.section.status in EMPTY:
            return passage.annual_item in self.items
        found = said or tuple(text.within(passage.ranges))
        worth = [one for one in found if not self.is_furniture(one, passage.item)]
        return bool(worth) and not is_list(passage) and (is_near(passage) or self.tells(worth))

    def tells(self, said: Sequence[Sentence]) -> bool:
        """Whether sentences, with the headings above them, have a word of the question or all of a filing term for it;
        any do where the question is for an Item as a whole.
        """
        above = {text for one in said for text in (*one.headings, *([one.before] if one.kind == "table" else []))}
        held = frozenset[str]().union(*(one.roots for one in said), *map(roots, above))
        return not self.words or not held.isdisjoint(self.words) or any(one <= held for one in self.variants)

    def is_furniture(self, one: Sentence, item: str) -> bool:
        """Whether a sentence stands in every filing and is not asked for."""
        return is_boilerplate(one) or any(
            kind.holds(one, item) for kind in furniture() if not any(asked <= self.words for asked in kind.asked)
        )


def floor_of(topic: Topic, queries: Sequence[SubQuery]) -> Floor:
    """What these searches for a question need of a passage."""
    told = () if topic.whole else telling([word for one in queries for word in one.words])
    return Floor(
        frozenset(told),
        tuple(found for one in queries for variant in one.variants if (found := roots(variant))),
        topic.implied if topic.named else topic.implied[:1],
    )


def is_near(passage: Passage) -> bool:
    """Whether a passage is so near to its search in meaning that it needs none of its words."""
    # The index brings numpy, and the web process imports this module's neighbours.
    from filings.search.relevance_floor import FLOORS

    return (passage.cosine or 0.0) >= min(floor.alone for floor in FLOORS.values())


def is_list(passage: Passage) -> bool:
    """Whether a passage lists parts of the document with their pages, or exhibits."""
    lines = [line for line in passage.text.split("\n") if line.strip()]
    pages = [int(row[1]) for line in lines if (row := _PAGED.fullmatch(line))]
    # What is not paged is a heading; one with a year or a figure is over a table of figures.
    if len(pages) >= LISTED and pages == sorted(pages):
        return not any(any(map(str.isdigit, line)) for line in lines if not _PAGED.fullmatch(line))
    return passage.item in LAST_ITEMS and 2 * sum(bool(_NUMBERED.match(line)) for line in lines) > len(lines)


@cache
def furniture() -> tuple[Furniture, ...]:
    """The kinds of what stands in every filing."""
    return tuple(
        Furniture(
            tuple(row.get("headings", ())), tuple(row.get("phrases", ())), tuple(roots(one) for one in row["asked"])
        )
        for row in FLOOR.data["furniture"]
    )
