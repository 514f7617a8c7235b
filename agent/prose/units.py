"""The sentences of passages: what an answer may be picked from, each with the headings it stands under."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

from agent.prose.section_text import SectionText, Sentence
from agent.state import Passage
from filings.models import Section

# A question reads the same sections in several steps, and the next one often too. Item 8 of a large filing takes 2 MB.
KEPT = 48
# A sentence has so many words at least; two with so much of their words in common say the same.
LEAST_WORDS, SAME = 6, 0.6


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


@lru_cache(maxsize=KEPT)
def _text(key: int, *stamp: object) -> SectionText:
    return SectionText(Section.objects.get(pk=key))


def is_debris(unit: Unit) -> bool:
    """Whether a unit says nothing by itself: rows of figures, page furniture, a bare pointer to another place."""
    return not _is_of_words(unit.text)


def is_named_row(unit: Unit) -> bool:
    """Whether a unit is a row of a table that has a name, of its own or of its columns; of figures or not."""
    return unit.kind == "table" and _is_of_words(f"{unit.text.split(chr(9))[0]} {unit.before}")


def _is_of_words(said: str) -> bool:
    letters = sum(letter.isalpha() for letter in said)
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


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sentences say much the same, by their words."""
    return bool(one) and bool(other) and len(one & other) / len(one | other) >= SAME


_POINTER = re.compile(
    r"^(?:for (?:more|additional|further|a (?:more )?(?:detailed )?(?:discussion|description))|see|refer to|please (?:see|refer)|"
    r"the (?:information|following (?:table|discussion|risk|should))|information (?:required|regarding|about|set forth|concerning)|"
    r"additional information|this (?:section|item) should|you should (?:carefully )?(?:read|consider)|the following (?:is|are|summar))",
    re.IGNORECASE,
)
_CROSS = re.compile(
    r"\b(?:see (?:also )?(?:note|part|item|the section)|refer to (?:note|part|item)|incorporated (?:herein )?by reference|"
    r"(?:is|are) (?:included|discussed|described|set forth|presented|disclosed|contained) in (?:note|part|item|the section))\b|"
    r"\u201c(?:risk factors|legal proceedings|management\u2019s discussion)",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"forward-looking|words such as|private securities litigation reform act|undertakes? no obligation|"
    r"actual results (?:could|may|might) differ|not (?:intended to be )?a (?:complete|exhaustive)|"
    r"cautionary (?:note|statement)|each of which is incorporated|critical audit matter(?:s)? (?:is a|are)|"
    r"we conducted our audits?|our audits? (?:also )?included|registrant\u2019s? annual report",
    re.IGNORECASE,
)


def is_boilerplate(unit: Sentence) -> bool:
    """Language that stands in every filing and answers nothing: pointers, forward-looking statements, audit routine."""
    return bool(_FORWARD.search(unit.text)) or is_pointer(unit.text)


def is_pointer(text: str) -> bool:
    """Whether a sentence only says where something else stands."""
    if _POINTER.search(text):
        return len(text) < 400
    return bool(_CROSS.search(text)) and len(text) < 160
