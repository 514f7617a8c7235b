"""An Item asked about as a whole: its first captions or headings, each with the sentence it begins with."""

from collections.abc import Iterator, Sequence

from agent.prose.boundaries import Range
from agent.prose.captions import is_caption, stands
from agent.prose.scoring import is_boilerplate
from agent.prose.section_text import SectionText
from agent.prose.stretches import refers
from agent.prose.units import Unit
from filings.sections.items import ALL_ITEMS

MOST = 6


def first_sentences(units: Sequence[Unit], risks: bool) -> list[Unit]:
    """The first sentence under each of the first headings, in the filing's order; under captions only, for risks."""
    found: list[Unit] = []
    seen: set[tuple[str, ...]] = set()
    for unit in sorted(units, key=lambda one: one.start):
        heading = unit.headings[:1]
        if not stands(unit) or is_boilerplate(unit) or refers(unit.text) or unit.text.rstrip().endswith(":"):
            continue
        if heading in seen or (risks and not (heading and is_caption(heading[0]))):
            continue
        seen.add(heading)
        found.append(unit)
    return found[:MOST]


def opening(units: Sequence[Unit], most: int = 3) -> list[Unit]:
    """The first sentences of an Item that say something of themselves."""
    told = (unit for unit in sorted(units, key=lambda one: one.start) if stands(unit) and not is_boilerplate(unit))
    return [unit for unit in told if not refers(unit.text)][:most]


def captions_of(text: SectionText) -> Iterator[Range]:
    """Where every caption of a section stands, in the filing's order."""
    for row in text.bounds.stored:
        if row[0] == "heading" and is_caption(text.text[row[1] : row[2]]):
            yield row[1], row[2]


def counted(text: SectionText, shown: int) -> str:
    """How many of an Item's risks are quoted, in a sentence."""
    of = len(list(captions_of(text)))
    label = ALL_ITEMS[text.section.item].label if text.section.item in ALL_ITEMS else "The text"
    return f"{label}, lists {of} risks; the first {shown} are quoted in order." if of > shown else ""
