"""From passages to claims: the filing's own characters, with where they stand."""

from dataclasses import dataclass

from agent.prose.nearest import overlap
from agent.state import Claim, NearPassage, Passage, Target
from filings.models import Section


@dataclass(frozen=True, slots=True)
class Picked:
    """A stretch of a section's text that answers: from the start of a sentence, row or bullet to the end of one."""

    passage: Passage
    start: int
    end: int
    query: int
    score: float
    caption: str = ""

    def overlaps(self, near: NearPassage) -> bool:
        """Whether a passage that is shown holds some of it."""
        return near.section == self.passage.section and overlap(near.ranges, [(self.start, self.end)])


def citing(passage: Passage, target: int, quote: str, place: tuple[int, int], text: str = "") -> Claim:
    """A claim that cites a passage, before it is verified.

    place: where in the section's text its quotation stands, as far as that is known. text: what is to be shown, where
    that is not the quotation itself.
    """
    return Claim(
        target=target,
        text=text or quote,
        quote=quote,
        chunk=passage.chunk,
        section=passage.section,
        sha256=passage.sha256,
        start=place[0],
        end=place[1],
        cik=passage.cik,
        accession=passage.accession,
        item=passage.item,
        page=passage.page,
        query=passage.query,
        score=passage.score,
    )


def claim(target: Target, picked: Picked, section: Section) -> Claim:
    """A stretch as a claim. The page is that of its first character."""
    page = section.page(picked.start)
    quote = section.text[picked.start : picked.end]
    said = {
        "page": page.label if page else "",
        "caption": picked.caption,
        "query": picked.query,
        "score": picked.score,
    }
    return citing(picked.passage, target.id, quote, (picked.start, picked.end)).model_copy(update=said)
