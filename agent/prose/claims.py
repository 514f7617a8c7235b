"""From sentences to claims: the filing's own characters, with where they stand."""

from dataclasses import dataclass

from agent.state import Claim, Passage, Target
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


def claim(target: Target, picked: Picked, section: Section) -> Claim:
    """A stretch as a claim. The page is that of its first character."""
    quote = section.text[picked.start : picked.end]
    page = section.page(picked.start)
    passage = picked.passage
    return Claim(
        target=target.id,
        text=quote,
        quote=quote,
        chunk=passage.chunk,
        section=passage.section,
        sha256=passage.sha256,
        start=picked.start,
        end=picked.end,
        cik=passage.cik,
        accession=passage.accession,
        item=passage.item,
        page=page.label if page else "",
        caption=picked.caption,
        query=picked.query,
        score=picked.score,
    )
