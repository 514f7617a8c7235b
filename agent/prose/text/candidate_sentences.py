"""The sentences of passages: what an answer may be picked from, each with the headings it stands under."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

from agent.prose.text.english import CANDIDATE_SENTENCES
from agent.prose.text.section_text import SectionText, Sentence
from agent.prose.text.sections import SERVING, of_filing
from agent.state import Passage
from filings.models import Section

# A question reads the same sections in several steps, and the next one often too. Item 8 of a large filing takes 2 MB.
KEPT = 48
# Sentences of which it is kept whether they say something: those of the sections kept.
JUDGED = 65_536
# A sentence has so many words at least.
LEAST_WORDS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit(Sentence):
    """A sentence of a passage that was found."""

    passage: Passage
    place: int  # of the passage among those found


FIELDS = tuple(one.name for one in fields(Sentence))


def texts(keys: Iterable[int]) -> dict[int, SectionText]:
    """Sections by primary key, those that this process has read lately as they were then read."""
    rows = Section.objects.filter(pk__in=set(keys)).values_list("pk", "sha256", "item", "status", "filing__reader")
    return {row[0]: _text(*row) for row in rows}


def texts_of_filing(filing: int) -> dict[int, SectionText]:
    """Every section of a filing that can be quoted, by primary key, in order."""
    held = [one.pk for one in of_filing(filing) if one.status in SERVING or not one.item]
    read = texts(held)
    return {key: read[key] for key in held}


@lru_cache(maxsize=KEPT)
def _text(key: int, *stamp: object) -> SectionText:
    return SectionText(Section.objects.get(pk=key))


def is_debris(unit: Unit) -> bool:
    """Whether a unit says nothing by itself: rows of figures, page furniture, a bare pointer to another place."""
    return not _is_of_words(unit.text)


def is_named_row(unit: Unit) -> bool:
    """Whether a unit is a row of a table that has a name, of its own or of its columns; of figures or not."""
    return unit.kind == "table" and _is_of_words(f"{unit.text.split(chr(9))[0]} {unit.before}")


@lru_cache(maxsize=JUDGED)
def _is_of_words(said: str) -> bool:
    letters = sum(map(str.isalpha, said))
    return letters >= max(4, 0.5 * len(said.replace(" ", "")))


def read_units(passages: Sequence[Passage], texts: Mapping[int, SectionText]) -> list[Unit]:
    """The units of all passages, best passage first, each once. texts: the passages' sections by primary key."""
    found: dict[tuple[int, int], Unit] = {}
    for place, passage in enumerate(passages):
        if passage.section not in texts:
            continue
        for one in texts[passage.section].within(passage.ranges):
            unit = Unit(**{name: getattr(one, name) for name in FIELDS}, passage=passage, place=place)
            found.setdefault((passage.section, unit.start), unit)
    return list(found.values())


def stands(unit: Unit) -> bool:
    """Whether a unit is a sentence, and not a heading or a row."""
    return unit.kind in {"paragraph", "bullet"} and len(unit.text.split()) >= LEAST_WORDS


def is_boilerplate(unit: Sentence) -> bool:
    """Language that stands in every filing and answers nothing: pointers, forward-looking statements, audit routine."""
    return _is_boilerplate(unit.text)


@lru_cache(maxsize=JUDGED)
def _is_boilerplate(text: str) -> bool:
    return bool(CANDIDATE_SENTENCES.pattern("boilerplate").search(text)) or is_pointer(text)


def is_pointer(text: str) -> bool:
    """Whether a sentence only says where something else stands."""
    if CANDIDATE_SENTENCES.pattern("pointer").search(text):
        return len(text) < 400
    return bool(CANDIDATE_SENTENCES.pattern("cross_reference").search(text)) and len(text) < 160
