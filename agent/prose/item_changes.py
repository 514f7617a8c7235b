"""What changed in an Item between two annual reports, each passage quoted from the filing that has it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from django.utils.text import get_text_list

from agent.prose.answers.listing import Listing, Part
from agent.prose.extract import Answered
from agent.prose.search.elsewhere import Said
from agent.prose.search.passages import of_listing
from agent.prose.text.candidate_sentences import LEAST_WORDS, is_pointer, texts
from agent.prose.text.quotations import Picked, claim, points_back, refers
from agent.prose.text.section_text import SectionText
from agent.prose.text.sections import SERVING, of_filing
from agent.prose.text.wording import unavailable
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first
from agent.refusals.sentences import refuse
from agent.state import Claim, FilingRef, Refusal, Remark, RemarkCode, Target, Topic
from filings.models import Section
from filings.redline.alignment import Kind, Pair
from filings.redline.compared_units import Unit, units_of
from filings.redline.comparison import Comparison, compare
from filings.redline.summary import OF_CAPTIONS, OF_TEXT, captions_said, text_said
from filings.sections.items import ALL_ITEMS, annual_item

KINDS = {name: kind for kind, name in OF_CAPTIONS.items()}
# Passages that are quoted, of all kinds asked together; of a reworded one both versions. Risks are all named.
MOST = 9
_WORD = re.compile(r"[a-z][a-z'-]+")


def answered(target: Target, topic: Topic, newer: FilingRef, older: FilingRef) -> Answered:
    """The captions of the risks that changed as asked, and how many did; where none did, and of another Item, the
    sentences that changed the most; where none can be quoted, how each text begins.
    """
    (item,) = topic.items
    after, before = _text(target, item, newer), _text(target, item, older)
    if isinstance(after, Refusal):
        return Answered(refusal=after)
    if isinstance(before, Refusal):
        return Answered(refusal=before)
    comparison = compare(before.section, after.section)
    kinds = [KINDS[query.label] for query in topic.queries]
    pairs = [[one for one in comparison.captions if one.kind is kind] for kind in kinds]
    quoted = ""
    if not any(pairs):
        others = {Kind.ADDED: older, Kind.DROPPED: newer}
        elsewhere = {kind: Said(others[kind].filing) for kind in kinds if kind in others}
        every = ((_changed_most(comparison, kind), elsewhere.get(kind)) for kind in kinds)
        pairs = [list(islice(_alone(found, comparison, said), MOST // len(kinds))) for found, said in every]
        quoted = _quoted_said(comparison, kinds, list(map(len, pairs)))
    told = " ".join(filter(None, (*_said(comparison, kinds), quoted)))
    sources = (before, older), (after, newer)
    if not any(pairs):
        pairs.append([Pair(Kind.SAME, _first(before.section), _first(after.section))])
    claims = tuple(
        found
        for place, of_kind in enumerate(pairs)
        for pair in of_kind
        for unit, source in zip((pair.old, pair.new), sources, strict=True)
        if unit
        for found in _claim(target, place, unit, *source)
    )
    told = f"From fiscal {older.fiscal_year} to fiscal {newer.fiscal_year}, {lower_first(told)}"
    if claims:
        return Answered(claims=claims, remarks=(Remark(target=target.id, code=RemarkCode.PREMISE, text=told),))
    return Answered(refusal=refuse(target, Code.NOT_FOUND_IN_FILING, "validate", text=told, filings=[newer]))


def _said(comparison: Comparison, kinds: Sequence[Kind]) -> Iterator[str]:
    """What became of the risks, what was asked first, and of the text below their headings; or of the whole text."""
    if not (said := captions_said(comparison)):
        item = ALL_ITEMS[annual_item(comparison.new.item)].called
        same = comparison.counts.keys() <= {Kind.SAME}
        yield f"The text of {item} stayed the same, word for word." if same else text_said(comparison.counts)
        return
    became = {one.kind for one in comparison.captions}
    if became & OF_CAPTIONS.keys() and not became & set(kinds):
        yield f"No risk was {get_text_list([OF_CAPTIONS[kind] for kind in kinds], 'or')}."
    yield said
    yield f"In the text below the headings that both years have, {lower_first(text_said(comparison.below))}"


def _quoted_said(comparison: Comparison, kinds: Sequence[Kind], quoted: Sequence[int]) -> str:
    """How many of the passages of each kind are quoted, or what is instead."""
    if not any(quoted):
        return "Quoted is how each year\u2019s text begins."
    counts = comparison.below if comparison.captions else comparison.counts
    told = [
        f"{count or 'none'} of {counts[kind]} {OF_TEXT[kind]}"
        for kind, count in zip(kinds, quoted, strict=True)
        if counts[kind]
    ]
    return f"Quoted are {get_text_list(told, 'and')}: those with the most new words that can be read alone."


def _text(target: Target, item: str, filing: FilingRef) -> SectionText | Refusal:
    """The text of an Item in a filing, or why it cannot be read."""
    held = [one for one in of_filing(filing.filing) if annual_item(one.item) == item]
    if found := next((one for one in held if one.status in SERVING), None):
        return texts([found.pk])[found.pk]
    text, detail = unavailable(target, filing, held)
    return refuse(target, Code.SECTION_NOT_AVAILABLE, text=text, detail=detail, filings=[filing])


def _changed_most(comparison: Comparison, kind: Kind) -> list[Pair]:
    """Of each paragraph, below headings that both texts have where these state risks, the sentences of a kind, those with
    the most words which the other text has nowhere first: the first of each paragraph, then the others.
    """
    every = [one for part in comparison.parts for one in part.all]
    pairs = [pair for one in every for pair in one.pairs]
    old, new = _words([one.old for one in pairs]), _words([one.new for one in pairs])
    ranked: list[tuple[int, int, Pair]] = []
    for paragraph in comparison.kept if comparison.captions else every:
        told = [
            (len(_words([one.new]) - old) + len(_words([one.old]) - new), one)
            for one in paragraph.pairs
            if one.kind is kind
        ]
        told.sort(key=lambda found: -found[0])
        ranked += ((place, -count, one) for place, (count, one) in enumerate(told))
    return [pair for *_, pair in sorted(ranked, key=lambda found: found[:2])]


def _alone(pairs: Iterable[Pair], comparison: Comparison, elsewhere: Said | None) -> Iterator[Pair]:
    """Those of the pairs that can be quoted alone, each once. elsewhere: what the other year's filing says; of a sentence
    that it says too only the place changed.
    """
    told = set[str]()
    for one in pairs:
        if one.unit.bare in told or not _stands(one, comparison):
            continue
        text = comparison.new.text if one.new else comparison.old.text
        if elsewhere is None or not elsewhere.holds(text[one.unit.start : one.unit.end]):
            told.add(one.unit.bare)
            yield one


def _words(units: Sequence[Unit | None]) -> set[str]:
    return {word for one in units if one for word in _WORD.findall(one.bare)}


def _stands(pair: Pair, comparison: Comparison) -> bool:
    """Whether each version is a sentence that can be quoted alone, and more than their figures differ."""
    if pair.old and pair.new and pair.old.bare == pair.new.bare:
        return False
    versions = (pair.old, comparison.old.text), (pair.new, comparison.new.text)
    return all(_is_sentence(unit, text) for unit, text in versions if unit)


def _is_sentence(unit: Unit, text: str) -> bool:
    said = text[unit.start : unit.end]
    short = unit.kind in {"table", "heading"} or len(unit.key.split()) < LEAST_WORDS
    return not (short or refers(said) or points_back(said) or is_pointer(said) or said.rstrip().endswith(":"))


def _first(section: Section) -> Unit | None:
    """The first sentence of a section that can be quoted alone."""
    units = units_of(section.text, section.parsed_blocks)
    return next((one for one in units if _is_sentence(one, section.text)), None)


def _claim(target: Target, place: int, unit: Unit, text: SectionText, filing: FilingRef) -> Iterator[Claim]:
    """A sentence or caption as a claim; nothing where no stored passage holds it."""
    span = unit.start, unit.end
    listing = Listing(text.section.pk, text.section.item, "", (Part(place, (span,)),))
    for passage in of_listing(listing, filing, target):
        yield claim(target, Picked(passage, *span, place, 1.0), text.section)
