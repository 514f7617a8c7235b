"""Which sections of a filing can answer a question for text: what the prose half of `locate` finds."""

import re
from collections.abc import Mapping, Sequence

from agent.prose.text.wording import unavailable
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import FilingRef, Location, Refusal, Target, Topic
from filings.models import Filing, Section, SectionStatus
from filings.models.source_kinds import ANNUAL
from filings.sections.items import annual_item

_ITEM = re.compile(r"\bItems?\s+(\d{1,2}[A-C]?)\b", re.IGNORECASE)
_NOTE = re.compile(r"\bNotes?\s+(?:\d|to\b)", re.IGNORECASE)
# "None." is an answer; a sentence that points elsewhere is not.
SERVING = (SectionStatus.EXTRACTED, SectionStatus.NONE)


def located(target: Target, topic: Topic, filing: FilingRef) -> tuple[tuple[Location, ...], Refusal | None]:
    """The Items asked and what is known of them, and the refusal where none of them can be read."""
    found = of_filing(filing.filing)
    if filing.source != ANNUAL.key:
        return in_document(target, topic, filing, found)
    held = {section.item: section for section in found}
    locations = tuple(location(target, filing, held.get(item), item) for item in topic.items)
    asked = topic.implied or topic.items
    if any(one.item in asked and one.status in SERVING for one in locations):
        return locations, None
    if not topic.implied and "" in held:
        return locations, None
    pointed = () if topic.whole else pointed_to([held[item] for item in asked if item in held], held)
    if pointed:
        return (*locations, *(location(target, filing, held[item], item) for item in pointed)), None
    document = Filing.objects.values_list("document_status", flat=True).get(pk=filing.filing)
    text, detail = unavailable(target, filing, [held[item] for item in asked if item in held], document)
    refusal = refuse(
        target,
        Code.SECTION_NOT_AVAILABLE,
        text=text,
        detail=detail,
        filings=[filing],
        looked_for=[(held[item].label, held[item].get_status_display()) for item in asked if item in held],
    )
    return locations, refusal


def pointed_to(asked: Sequence[Section], held: Mapping[str, Section]) -> tuple[str, ...]:
    """The Items of the same document to which Items by reference point: by name, or by a note of the statements."""
    found: dict[str, None] = {}
    for one in asked:
        if one.status != SectionStatus.BY_REFERENCE:
            continue
        found.update(dict.fromkeys(item.upper() for item in _ITEM.findall(one.where) if item.upper() != one.item))
        if _NOTE.search(one.where):
            # Some statements stand in Item 15.
            found.update(dict.fromkeys(("8", "15")))
    return tuple(item for item in found if item in held and held[item].status in SERVING)


def in_document(
    target: Target, topic: Topic, filing: FilingRef, sections: Sequence[Section]
) -> tuple[tuple[Location, ...], Refusal | None]:
    """The parts of another document than a 10-K that can answer: those that tell of the Items named, else all."""
    served = [section for section in sections if section.status in SERVING or not section.item]
    named = [section for section in served if topic.named and annual_item(section.item) in topic.items]
    locations = tuple(location(target, filing, section, section.item) for section in named or served)
    if locations:
        return locations, None
    text, detail = unavailable(target, filing, [])
    return (), refuse(target, Code.SECTION_NOT_AVAILABLE, text=text, detail=detail, filings=[filing])


def of_filing(filing: int) -> list[Section]:
    """The sections of a filing without their text."""
    return list(Section.objects.filter(filing=filing).defer("text", "blocks", "pages"))


def location(target: Target, filing: FilingRef, section: Section | None, item: str) -> Location:
    """One Item as the state keeps it."""
    return Location(
        target=target.id,
        accession=filing.accession,
        item=item,
        section=section.pk if section else 0,
        title=section.heading if section else "",
        status=str(section.status) if section else "",
    )
