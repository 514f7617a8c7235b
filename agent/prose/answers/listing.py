"""Lists as a filing gives them itself: what stands under the heading that names what is asked, complete and in order; the
sentences that define a term; and the one that gives the cause of a change.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from agent.prose.answers.auditors_report import reported
from agent.prose.answers.causes import Cause, Change
from agent.prose.answers.definitions import defined
from agent.prose.questions.asked_terms import term_of
from agent.prose.questions.topics import content_roots
from agent.prose.text.boundaries import Range
from agent.prose.text.candidate_sentences import texts
from agent.prose.text.quotation_context import is_label
from agent.prose.text.reasons import asks_reason
from agent.prose.text.section_text import SectionText
from agent.prose.text.sections import SERVING, of_filing
from agent.prose.text.wording import names
from agent.refusals.grammar import listed
from agent.state import SubQuery, Topic
from agent.words.stems import roots
from filings.models import Chunk, Section
from filings.redline.captions import captions_of
from filings.sections.items import ITEMS, annual_item

LEAST, MOST = 2, 120
# Filings whose headings are kept.
KEPT = 16
# A heading may have so many words more than the question: "Critical accounting policies and estimates".
MORE = 1
# Words of a question that a heading with more words must have.
LEAST_NAMED = 2
# Sentences that are quoted for a term.
MOST_MEANINGS = 2
# Of so few risks each is quoted with the first sentence below.
MOST_QUOTED = 6
# Ask for a list: neither for somebody, a place, a day, a way, nor for yes or no.
_OF_ONE = re.compile(r"^\W*(?:how|why|where|when|who|whom|whose)\b", re.IGNORECASE)
# What stands below a signature or repeats for each of the parts.
_SIGNED = re.compile(r"^\W*/s/", re.IGNORECASE)


class Part(NamedTuple):
    """One part of a list. query: which part of the question it answers. spans: what is quoted of it, in order: its
    heading and the first sentence below; of many risks the heading alone.
    """

    query: int
    spans: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The parts of a list in the filing's order. told: how much is listed and where, in a sentence."""

    section: int
    item: str
    told: str
    parts: tuple[Part, ...]


def listing(topic: Topic, filing: int) -> Listing | None:
    """The list that answers a question; None where it asks for none or the filing has none."""
    if report := reported(topic, filing):
        return Listing(report.section, "8", report.told, tuple(Part(0, (span,)) for span in report.spans))
    if topic.form == "yes_no" or topic.amount or topic.newest or asks_reason(topic.text):
        return None
    if term := term_of(topic.text):
        return definition(term, filing)
    if topic.form == "risks":
        return risks(topic, filing)
    if topic.whole or len(topic.queries) > 1 or _OF_ONE.match(topic.text):
        return None
    asked = _asked(topic.queries[0])
    found = [(one.section, one.text) for one in naming(topic.queries[0], filing)]
    # An Item is asked for by its title too.
    titled = (one for one in of_filing(filing) if one.item in ITEMS and content_roots(ITEMS[one.item].title) == asked)
    found = [*((one.pk, one.heading) for one in titled if one.status in SERVING), *found]
    read = texts({section for section, _ in found})
    listings = [made for section, heading in found for made in under(read[section], heading)]
    order = {item: place for place, item in enumerate(topic.implied)}
    return min(listings, key=lambda one: order.get(annual_item(one.item) or "", len(order)), default=None)


def definition(term: str, filing: int) -> Listing | None:
    """The sentences of the first section that defines a term."""
    found = defined(term, filing)
    if not found:
        return None
    (section, _), *_ = found
    text = texts([section])[section]
    told: dict[str, Range] = {}
    for said, span in ((text.text[slice(*span)].lower(), span) for of, span in found if of == section):
        if not any(said in one or one in said for one in told):
            told[said] = span
    parts = [Part(0, (span,)) for span in told.values()][:MOST_MEANINGS]
    means = f"The filing says what \u201c{term}\u201d means."
    return Listing(section, text.section.item, means, tuple(parts))


def caused(found: Cause, change: Change) -> Listing:
    """What a filing gives as the cause of a change, or what it tells of the opposite of the change that is asked about."""
    told = "The filing gives a cause for this change."
    if change.way not in {"", found.way}:
        named = {"up": "an increase", "down": "a decrease"}
        told = f"The filing tells of {named[found.way]}, not of {named[change.way]}."
    return Listing(found.section, "7", told, (Part(0, (found.span,)),))


def risks(topic: Topic, filing: int) -> Listing | None:
    """Every risk of Item 1A by its caption, or those whose captions name each part of the question."""
    place = next((one for one in of_filing(filing) if annual_item(one.item) == "1A" and one.status in SERVING), None)
    if place is None:
        return None
    text = texts([place.pk])[place.pk]
    every = list(captions_of(text.text, text.bounds.stored))
    label = names([place.item])
    if topic.whole:
        told = f"{label}, lists {len(every)} risks, all quoted in the filing\u2019s order."
        return Listing(place.pk, place.item, told, tuple(Part(0, (one,)) for one in every)) if every else None
    found = [(query, one) for query, asked in enumerate(topic.queries) for one in _told(text, every, asked)]
    parts = [Part(query, _with_sentence(text, one) if len(found) <= MOST_QUOTED else (one,)) for query, one in found]
    if {one.query for one in parts} != set(range(len(topic.queries))):
        return None
    many = f"{len(parts)} of its {len(every)} risks name" if len(parts) > 1 else f"1 of its {len(every)} risks names"
    asked = listed(
        [
            f"\u201c{' '.join(word for word in query.words if roots(word) & _asked(query))}\u201d"
            for query in topic.queries
        ]
    )
    return Listing(place.pk, place.item, f"{label}: {many} {asked} in the heading.", tuple(parts))


def _with_sentence(text: SectionText, caption: Range) -> tuple[Range, ...]:
    """A caption with the first sentence below it."""
    place = text.bounds.place(caption[0])
    return (caption, *_first_sentence(text, place)) if place is not None else (caption,)


def _first_sentence(text: SectionText, place: int) -> tuple[Range, ...]:
    """The first sentence of the first paragraph below a heading; empty where none follows."""
    stored = text.bounds.stored
    below = (text.bounds.units(text.block(one)) for one in _below(stored, place) if stored[one][0] == "paragraph")
    return tuple(next(filter(None, below), [])[:1])


def _asked(query: SubQuery) -> frozenset[str]:
    return content_roots(" ".join(query.words))


def _told(text: SectionText, captions: Iterable[Range], query: SubQuery) -> list[Range]:
    """The captions that have all the words of one part of a question."""
    asked = _asked(query)
    return [one for one in captions if asked and asked <= roots(text.text[slice(*one)])]


def under(text: SectionText, heading: str) -> Iterator[Listing]:
    """The parts under each heading of these words that has some."""
    stored = text.bounds.stored
    for place, row in enumerate(stored):
        if row[0] != "heading" or text.text[row[1] : row[2]] != heading:
            continue
        below = list(_below(stored, place))
        levels = [stored[one][3] for one in below if stored[one][0] == "heading"]
        heads = [one for one in below if stored[one][0] == "heading" and stored[one][3] == min(levels)]
        # Without headings of their own, paragraphs may begin with their names: "Inventories. We write down ...".
        heads = heads or [one for one in below if stored[one][0] == "paragraph" and _named(text, one)]
        parts = [part for one in heads if (part := _part(text, one))]
        titles = {text.text[slice(*part[0])] for part in parts}
        # What repeats is a form, and a list without each of its parts is none.
        if LEAST <= len(parts) <= MOST and len(parts) == len(heads) == len(titles):
            label = names([text.section.item])
            told = f"{label}, has {len(parts)} headings under \u201c{heading}\u201d, all quoted in the filing\u2019s order."
            yield Listing(text.section.pk, text.section.item, told, tuple(Part(0, one) for one in parts))


def _below(stored: Sequence[Sequence[object]], place: int) -> Iterator[int]:
    level = stored[place][3]
    for one in range(place + 1, len(stored)):
        if stored[one][0] == "heading" and stored[one][3] <= level:  # type: ignore[operator]
            return
        yield one


def _part(text: SectionText, place: int) -> tuple[Range, ...]:
    """A heading, or the name of a paragraph, with the first sentence below it; empty where no text follows."""
    stored = text.bounds.stored
    if stored[place][0] == "paragraph":
        return tuple(text.bounds.units(text.block(place))[:2])
    span = stored[place][1], stored[place][2]
    said = text.text[slice(*span)]
    if _SIGNED.match(said):
        return ()
    sentence = _first_sentence(text, place)
    return (span, *sentence) if sentence else ()


def _named(text: SectionText, place: int) -> bool:
    """Whether a paragraph begins with its name and goes on."""
    sentences = text.bounds.units(text.block(place))
    return len(sentences) > 1 and is_label(text.text[slice(*sentences[0])])


# --- headings that name what is asked: the company's own words for it ---


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
    more = len(asked) >= LEAST_NAMED and asked < told and len(told) <= len(asked) + MORE
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
