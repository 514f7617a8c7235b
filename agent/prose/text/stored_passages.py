"""What the database holds of the passages that claims cite, read again: chunk, section, filing, company."""

from collections.abc import Iterable, Sequence

from agent.prose.text.boundaries import Range
from agent.prose.text.section_text import SectionText
from agent.state import Claim, FilingRef, Passage, Target
from filings.models import Chunk, Section


class NotHeld(Exception):
    """What a claim cites is not what is stored. The message is a sentence for people."""


class Held:
    """The chunks and sections that the claims of one target cite, and those that its searches found."""

    def __init__(
        self, target: Target, filings: Sequence[FilingRef], claims: Sequence[Claim], passages: Sequence[Passage]
    ) -> None:
        self.cik = target.company.cik
        self.filings = {filing.accession: filing for filing in filings}
        self.passages = passages
        wanted = {claim.chunk for claim in claims} | {passage.chunk for passage in passages}
        self.chunks: dict[int, Chunk] = Chunk.objects.select_related("filing__company").in_bulk(wanted)
        self._texts: dict[int, SectionText] = {}

    def text(self, section: int) -> SectionText:
        """The text of a section of the target's filing, unchanged under its hash. Raises NotHeld."""
        if section not in self._texts:
            stored = Section.objects.select_related("filing__company").filter(pk=section).first()
            if stored is None:
                raise NotHeld("The section it cites is no longer stored.")
            self._texts[section] = SectionText(stored)
        text = self._texts[section]
        if not self.is_of_target(text.section.filing.company.cik, text.section.filing.accession):
            raise NotHeld("It cites a company or filing other than the one asked about.")
        if not text.intact:
            raise NotHeld("The stored text of the section it cites no longer matches its hash.")
        return text

    def is_of_target(self, cik: int, accession: str) -> bool:
        return cik == self.cik and accession in self.filings

    def cited(self, claim: Claim) -> tuple[SectionText, list[Range]]:
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

    def elsewhere(self, claim: Claim) -> Iterable[tuple[Passage, SectionText]]:
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
