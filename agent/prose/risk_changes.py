"""Which risks were added, removed and reworded between two annual reports, each quoted from the filing that has it."""

from collections.abc import Iterator, Sequence
from itertools import islice

from agent.prose.extract import MOST_NEAR, Answered
from agent.prose.listing import Listing, Part
from agent.prose.passages import of_listing
from agent.prose.quotations import Picked, claim
from agent.prose.section_text import SectionText
from agent.prose.sections import SERVING, of_filing
from agent.prose.units import texts
from agent.prose.wording import not_found, unavailable
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first
from agent.refusals.sentences import refuse
from agent.state import Claim, FilingRef, NearPassage, Refusal, Remark, RemarkCode, Target, Topic
from filings.redline.alignment import Kind
from filings.redline.captions import RISKS
from filings.redline.changes import stretches
from filings.redline.comparison import Comparison, compare
from filings.redline.summary import OF_CAPTIONS, captions_said
from filings.redline.units import Unit
from filings.sections.items import annual_item

KINDS = {name: kind for kind, name in OF_CAPTIONS.items()}


def answered(target: Target, topic: Topic, newer: FilingRef, older: FilingRef) -> Answered:
    """The captions of the risks that changed as asked, and how many did; where none did, the passages that changed."""
    after, before = _risks(target, newer), _risks(target, older)
    if isinstance(after, Refusal):
        return Answered(refusal=after)
    if isinstance(before, Refusal):
        return Answered(refusal=before)
    comparison = compare(before.section, after.section)
    said = captions_said(comparison) or "no headings that state risks could be compared."
    told = f"From fiscal {older.fiscal_year} to fiscal {newer.fiscal_year}, {lower_first(said)}"
    remark = Remark(target=target.id, code=RemarkCode.PREMISE, text=told)
    claims = tuple(_claims(target, topic, ((before, older), (after, newer)), comparison))
    near = () if claims else tuple(islice(_changed(target, newer, after, comparison), MOST_NEAR))
    if claims or near:
        return Answered(claims=claims, near=near, remarks=(remark,))
    return Answered(refusal=not_found(target, topic, newer, (RISKS,), "validate", told))


def _risks(target: Target, filing: FilingRef) -> SectionText | Refusal:
    """The risk factors of a filing, or why they cannot be read."""
    held = [one for one in of_filing(filing.filing) if annual_item(one.item) == RISKS]
    if found := next((one for one in held if one.status in SERVING), None):
        return texts([found.pk])[found.pk]
    text, detail = unavailable(target, filing, held)
    return refuse(target, Code.SECTION_NOT_AVAILABLE, text=text, detail=detail, filings=[filing])


def _claims(
    target: Target, topic: Topic, sources: Sequence[tuple[SectionText, FilingRef]], comparison: Comparison
) -> Iterator[Claim]:
    """Each caption asked for, of a reworded one both versions, the older first. sources: the older filing and the newer."""
    for place, query in enumerate(topic.queries):
        for pair in comparison.captions:
            if pair.kind is not KINDS[query.label]:
                continue
            for unit, (text, filing) in zip((pair.old, pair.new), sources, strict=True):
                if unit:
                    yield from _claim(target, place, unit, text, filing)


def _claim(target: Target, place: int, unit: Unit, text: SectionText, filing: FilingRef) -> Iterator[Claim]:
    """A caption as a claim; nothing where no stored passage holds it."""
    span = unit.start, unit.end
    listing = Listing(text.section.pk, text.section.item, "", (Part(place, (span,)),))
    for passage in of_listing(listing, filing, target):
        yield claim(target, Picked(passage, *span, place, 1.0), text.section)


def _changed(target: Target, filing: FilingRef, text: SectionText, comparison: Comparison) -> Iterator[NearPassage]:
    """The paragraphs of the newer text that were added or changed, with their sentences marked."""
    for one in stretches(comparison):
        units = [pair.new for paragraph in one.paragraphs for pair in paragraph.pairs if pair.new and not pair.left]
        marked = [
            (pair.new.start, pair.new.end)
            for paragraph in one.paragraphs
            for pair in paragraph.pairs
            if pair.new and pair.kind in {Kind.ADDED, Kind.CHANGED}
        ]
        if not (one.is_change and marked):
            continue
        start, end = units[0].start, units[-1].end
        heading = one.heading.new if one.heading else None
        yield NearPassage(
            target=target.id,
            cik=target.company.cik,
            accession=filing.accession,
            section=text.section.pk,
            sha256=text.section.sha256,
            item=text.section.item,
            page=text.page(start),
            headings=(text.text[heading.start : heading.end],) if heading else (),
            start=start,
            end=end,
            ranges=((start, end),),
            text=text.text[start:end],
            marked=tuple(marked),
        )
