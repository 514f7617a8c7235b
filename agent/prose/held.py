"""What the database holds of the passages that claims cite, read again: chunk, section, filing, company."""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property

from agent.prose.boundaries import Bounds, Range
from agent.prose.folding import places, same
from agent.state import Claim, FilingRef, Passage, Target
from filings.models import Chunk, Section


class NotHeld(Exception):
    """What a claim cites is not what is stored. The message is a sentence for people."""


class Text:
    """The frozen text of one section, as it is stored now."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.text = section.text

    @cached_property
    def bounds(self) -> Bounds:
        return Bounds(self.text, self.section.blocks)

    @cached_property
    def intact(self) -> bool:
        """Whether the text is still the one its hash was taken of."""
        return hashlib.sha256(self.text.encode()).hexdigest() == self.section.sha256

    def page(self, offset: int) -> str:
        """The page as a citation names it; empty where none is known."""
        page = self.section.page(offset)
        return page.label if page else ""

    def above(self, offset: int) -> tuple[str, tuple[str, ...]]:
        """The sentence that opens the paragraph of an offset, and the headings over it, the nearest first."""
        opening, *headings = [*self.bounds.headings(offset)] or [""]
        return opening, tuple(headings)

    def find(self, claim: Claim, ranges: Iterable[Sequence[int]]) -> Range | None:
        """Where the claim's quotation stands in the ranges: where it says, else the nearest place to that.

        A chunk can begin inside a paragraph; a quotation may begin in the same paragraph before it.
        """
        found: list[Range] = []
        for start, end in joined(self.text, ranges):
            if start <= claim.start < claim.end <= end and same(self.text[claim.start : claim.end], claim.quote):
                return claim.start, claim.end
            begin, stop = self.bounds.paragraphs(start, end)
            for left, right in places(claim.quote, self.text[begin:stop]):
                if begin + left < end and start < begin + right:
                    found.append((begin + left, begin + right))
        return min(found, key=lambda one: abs(one[0] - claim.start), default=None)


class Held:
    """The chunks and sections that the claims of one target cite, and those that its searches found."""

    def __init__(
        self, target: Target, filings: Sequence[FilingRef], claims: Sequence[Claim], passages: Sequence[Passage]
    ) -> None:
        self.cik = target.company.cik
        self.accessions = {filing.accession for filing in filings}
        self.passages = passages
        wanted = {claim.chunk for claim in claims} | {passage.chunk for passage in passages}
        self.chunks: dict[int, Chunk] = Chunk.objects.select_related("filing__company").in_bulk(wanted)
        self._texts: dict[int, Text] = {}

    def text(self, section: int) -> Text:
        """The text of a section of the target's filing, unchanged under its hash. Raises NotHeld."""
        if section not in self._texts:
            stored = Section.objects.select_related("filing__company").filter(pk=section).first()
            if stored is None:
                raise NotHeld("The section it cites is no longer stored.")
            self._texts[section] = Text(stored)
        text = self._texts[section]
        if not self.is_of_target(text.section.filing.company.cik, text.section.filing.accession):
            raise NotHeld("It cites a company or filing other than the one asked about.")
        if not text.intact:
            raise NotHeld("The stored text of the section it cites no longer matches its hash.")
        return text

    def is_of_target(self, cik: int, accession: str) -> bool:
        return cik == self.cik and accession in self.accessions

    def cited(self, claim: Claim) -> tuple[Text, list[Range]]:
        """The text that a claim cites and the ranges of its chunk in it. Raises NotHeld."""
        chunk = self.chunks.get(claim.chunk)
        if chunk is None:
            raise NotHeld("The passage it cites is no longer stored.")
        filing = chunk.filing
        if not (
            self.is_of_target(filing.company.cik, filing.accession) and self.is_of_target(claim.cik, claim.accession)
        ):
            raise NotHeld("It cites a company or filing other than the one asked about.")
        if chunk.section_id != claim.section:
            raise NotHeld("The passage it cites is in another section.")
        text = self.text(claim.section)
        if text.section.filing_id != chunk.filing_id:
            raise NotHeld("The passage it cites and its section are in different filings.")
        if text.section.sha256 != claim.sha256:
            raise NotHeld("The text of the section it cites has changed since.")
        found = [one for one in self.passages if one.chunk == claim.chunk and one.section == claim.section]
        own = [one for one in found if follows(one, claim)]
        if claim.axis and not own:
            raise NotHeld("The passage it cites was found for another reading of the question.")
        # A parent promoted over its chunks is cited by its first: the whole of it is the passage cited.
        return text, [*((start, end) for start, end in chunk.ranges), *(span for one in own for span in one.ranges)]

    def elsewhere(self, claim: Claim) -> Iterable[tuple[Passage, Text]]:
        """The other passages that the target's searches found, of the target's own filings, best first.

        Of an ambiguous question those alone that were found for the claim's reading.
        """
        for passage in self.passages:
            if not follows(passage, claim):
                continue
            chunk = self.chunks.get(passage.chunk)
            if passage.chunk == claim.chunk or chunk is None or chunk.section_id != passage.section:
                continue
            try:
                text = self.text(passage.section)
            except NotHeld:
                continue
            if text.section.sha256 == passage.sha256:
                yield passage, text


def follows(passage: Passage, claim: Claim) -> bool:
    """Whether a passage was found for the reading of the question that a claim follows."""
    return not claim.axis or claim.axis in passage.axes


def joined(text: str, ranges: Iterable[Sequence[int]]) -> list[Range]:
    """The ranges in order, those joined that touch or have only white space between them."""
    found: list[Range] = []
    for start, end in sorted((one[0], one[1]) for one in ranges):
        if found and (start <= found[-1][1] or not text[found[-1][1] : start].strip()):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
