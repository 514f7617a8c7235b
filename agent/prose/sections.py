"""Which sections of a filing can answer a question for text: what the prose half of `locate` finds."""

from agent.prose.wording import unavailable
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import FilingRef, Location, Refusal, Target, Topic
from filings.models import Filing, Section, SectionStatus

# "None." is an answer; a sentence that points elsewhere is not.
SERVING = (SectionStatus.EXTRACTED, SectionStatus.NONE)


def located(target: Target, topic: Topic, filing: FilingRef) -> tuple[tuple[Location, ...], Refusal | None]:
    """The Items asked and what is known of them, and the refusal where none of them can be read."""
    held = {section.item: section for section in of_filing(filing.filing)}
    locations = tuple(location(target, filing, held.get(item), item) for item in topic.items)
    asked = topic.implied or topic.items
    if any(one.item in asked and one.status in SERVING for one in locations):
        return locations, None
    if not topic.implied and "" in held:
        return locations, None
    document = Filing.objects.values_list("document_status", "chunks_stored").get(pk=filing.filing)
    text, detail = unavailable(target, filing, [held[item] for item in asked if item in held], *document)
    refusal = refuse(
        target,
        Code.SECTION_NOT_AVAILABLE,
        text=text,
        detail=detail,
        filings=[filing],
        looked_for=[(held[item].label, held[item].get_status_display()) for item in asked if item in held],
    )
    return locations, refusal


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
