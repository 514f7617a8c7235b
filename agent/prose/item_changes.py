"""What changed in an Item between two annual reports, each passage quoted from the filing that has it."""

import re
from collections.abc import Iterator, Sequence

from django.utils.text import get_text_list

from agent.prose.extract import Answered
from agent.prose.listing import Listing, Part
from agent.prose.passages import of_listing
from agent.prose.quotations import Picked, claim, refers
from agent.prose.section_text import SectionText
from agent.prose.sections import SERVING, of_filing
from agent.prose.units import LEAST_WORDS, texts
from agent.prose.wording import unavailable
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first
from agent.refusals.sentences import refuse
from agent.state import Claim, FilingRef, Refusal, Remark, RemarkCode, Target, Topic
from filings.redline.alignment import Kind, Pair
from filings.redline.comparison import Comparison, compare
from filings.redline.summary import OF_CAPTIONS, captions_said, text_said
from filings.redline.units import Unit
from filings.sections.items import annual_item

KINDS = {name: kind for kind, name in OF_CAPTIONS.items()}
# Passages that are quoted, of all kinds asked together; of a reworded one both versions. Risks are all named.
MOST = 9
CHOSEN = "Those with the most new words are quoted."
_WORD = re.compile(r"[a-z][a-z'-]+")


def answered(target: Target, topic: Topic, newer: FilingRef, older: FilingRef) -> Answered:
    """The captions of the risks that changed as asked, and how many did; where none did, and of another Item, the
    sentences that changed the most.
    """
    (item,) = topic.items
    after, before = _text(target, item, newer), _text(target, item, older)
    if isinstance(after, Refusal):
        return Answered(refusal=after)
    if isinstance(before, Refusal):
        return Answered(refusal=before)
    comparison = compare(before.section, after.section)
    kinds = [KINDS[query.label] for query in topic.queries]
    labels = get_text_list([query.label for query in topic.queries], "or")
    pairs = [[one for one in comparison.captions if one.kind is kind] for kind in kinds]
    said = [captions_said(comparison)]
    if not any(pairs):
        every = [_changed_most(comparison, kind) for kind in kinds]
        pairs = [found[: MOST // len(kinds)] for found in every]
        none = f"No risk was {labels}." if said[0] and len(kinds) < len(KINDS) else ""
        said = [none, *said, text_said(comparison), CHOSEN if pairs != every else ""]
    told = (
        f"From fiscal {older.fiscal_year} to fiscal {newer.fiscal_year}, {lower_first(' '.join(filter(None, said)))}"
    )
    sources = (before, older), (after, newer)
    claims = tuple(
        found
        for place, of_kind in enumerate(pairs)
        for pair in of_kind
        for unit, source in zip((pair.old, pair.new), sources, strict=True)
        if unit
        for found in _claim(target, place, unit, *source)
    )
    if claims:
        return Answered(claims=claims, remarks=(Remark(target=target.id, code=RemarkCode.PREMISE, text=told),))
    why = f"No sentence that was {labels} can be quoted."
    return Answered(
        refusal=refuse(target, Code.NOT_FOUND_IN_FILING, "validate", text=told, detail=why, filings=[newer])
    )


def _text(target: Target, item: str, filing: FilingRef) -> SectionText | Refusal:
    """The text of an Item in a filing, or why it cannot be read."""
    held = [one for one in of_filing(filing.filing) if annual_item(one.item) == item]
    if found := next((one for one in held if one.status in SERVING), None):
        return texts([found.pk])[found.pk]
    text, detail = unavailable(target, filing, held)
    return refuse(target, Code.SECTION_NOT_AVAILABLE, text=text, detail=detail, filings=[filing])


def _changed_most(comparison: Comparison, kind: Kind) -> list[Pair]:
    """Of each paragraph the sentence of a kind that has the most words which the other text has nowhere; the most first.

    None that only goes on from another one, and none of which only figures changed.
    """
    paragraphs = [one for part in comparison.parts for one in part.all]
    pairs = [pair for one in paragraphs for pair in one.pairs]
    old, new = _words([one.old for one in pairs]), _words([one.new for one in pairs])
    best: list[tuple[int, Pair]] = []
    for paragraph in paragraphs:
        ranked = [
            (len(_words([one.new]) - old) + len(_words([one.old]) - new), one)
            for one in paragraph.pairs
            if one.kind is kind and _stands(one, comparison)
        ]
        best += [max(ranked, key=lambda found: found[0])] if ranked else []
    return [pair for _, pair in sorted(best, key=lambda found: -found[0])]


def _words(units: Sequence[Unit | None]) -> set[str]:
    return {word for one in units if one for word in _WORD.findall(one.bare)}


def _stands(pair: Pair, comparison: Comparison) -> bool:
    """Whether each version is a sentence that can be quoted alone, and more than their figures differ."""
    if pair.old and pair.new and pair.old.bare == pair.new.bare:
        return False
    for unit, section in ((pair.old, comparison.old), (pair.new, comparison.new)):
        if unit and (unit.kind in {"table", "heading"} or len(unit.key.split()) < LEAST_WORDS):
            return False
        if unit and (refers(said := section.text[unit.start : unit.end]) or said.rstrip().endswith(":")):
            return False
    return True


def _claim(target: Target, place: int, unit: Unit, text: SectionText, filing: FilingRef) -> Iterator[Claim]:
    """A sentence or caption as a claim; nothing where no stored passage holds it."""
    span = unit.start, unit.end
    listing = Listing(text.section.pk, text.section.item, "", (Part(place, (span,)),))
    for passage in of_listing(listing, filing, target):
        yield claim(target, Picked(passage, *span, place, 1.0), text.section)
