"""What is quoted of a sentence that answers, and the claim that cites it: the filing's own characters, with their place."""

import re
from dataclasses import dataclass

from agent.prose.boundaries import LONGEST_LIST, Range, overlap
from agent.prose.section_text import SectionText, Sentence
from agent.prose.units import Unit
from agent.state import Claim, NearPassage, Passage, Target
from filings.models import Section

# Beyond this, in characters, a quotation is no longer a sentence that answers.
LONGEST = 900

# Begins with a word that stands for something said before. "It is possible" and "this Annual Report" do not.
_REFERS = re.compile(
    r"^[\u2022\u25cf\s\u201c\"]*(?:(?:these|those|such|it|they|its|their|theirs|he|she|his|her|both|neither|the (?:foregoing|above|former|latter|same)|"
    r"any such|each such|all such|all of these|each of these|any of these|under (?:these|this|such)|in (?:these|this|such) "
    r"(?:case|event|circumstance)s?|(?:as a result|for (?:this|these|that) reasons?|because of th(?:is|ese)|therefore|"
    r"accordingly|consequently|thus|similarly|likewise|conversely|instead|otherwise|if so|if not|by doing so|the decrease|the increase|the change|this|that)\b)"
    r"(?!\s+(?:(?:is|was|may be|could be) (?:possible|difficult|important|likely|our policy)|(?:annual )?report|form 10-k|"
    r"item|section|filing|fiscal|year)\b))\b",
    re.IGNORECASE,
)
_CONNECTS = re.compile(
    r"^[\u2022\s]*(?:in addition|additionally|moreover|furthermore|further|however|also|for example|for instance|"
    r"in particular|nevertheless|nonetheless|similarly|finally|specifically|in contrast|on the other hand|alternatively|that said)\b",
    re.IGNORECASE,
)


def quoted(unit: Unit, text: SectionText) -> Range | None:
    """The range to quote for a sentence, in the section's text; None where it cannot stand by itself.

    A sentence that refers back brings the one before it; one that only goes on ("In addition, ...") does where that is
    short enough. What ends with a colon brings the list that it opens, and a point of a list the words that open it.
    """
    if unit.kind == "table":
        # What names the columns is shown with a row, and is none.
        return (unit.start, unit.end) if unit.order >= text.block(unit.block).header else None
    if unit.text.rstrip().endswith(":"):
        return opened(unit, text)
    if unit.kind == "bullet":
        return pointed(unit, text)
    if not refers(unit.text) and not connects(unit.text):
        return unit.start, unit.end
    spans = text.bounds.units(text.block(unit.block))
    place = unit.order
    while place > 0 and (refers(_said(text, spans[place])) or connects(_said(text, spans[place]))):
        place -= 1
    start = spans[place][0]
    whole = unit.end - start <= LONGEST
    if refers(unit.text):
        begins = not refers(_said(text, spans[place]))
        near = spans[unit.order - 1][0] if unit.order else start
        if whole and begins and place < unit.order:
            return start, unit.end
        if unit.order and unit.end - near <= LONGEST and not refers(_said(text, spans[unit.order - 1])):
            return near, unit.end
        return None
    return (start, unit.end) if whole and place < unit.order else (unit.start, unit.end)


def refers(text: str) -> bool:
    """Whether a sentence begins with a word for something said before it."""
    return bool(_REFERS.match(text))


def connects(text: str) -> bool:
    """Whether a sentence only goes on from the one before it."""
    return bool(_CONNECTS.match(text))


def _said(text: SectionText, span: Range) -> str:
    return text.text[span[0] : span[1]]


def opened(unit: Sentence, text: SectionText) -> Range | None:
    """A sentence with the list that it opens; None where a table or nothing follows."""
    end = unit.end
    stored = text.bounds.stored
    block = text.block(unit.block)
    if unit.end < block.end:
        return None
    for number in range(unit.block + 1, len(stored)):
        if stored[number][0] != "bullet" or stored[number][2] - unit.start > LONGEST_LIST:
            break
        end = stored[number][2]
    return (unit.start, end) if end > unit.end else None


def pointed(unit: Unit, text: SectionText) -> Range | None:
    """A point of a list with the words that open the list, where both are near; else the point by itself."""
    if unit.lead is not None and unit.end - unit.lead[0] <= LONGEST_LIST:
        return unit.lead[0], unit.end
    letters = unit.text.lstrip("\u2022\u25cf\u25aa\u25a0\u2013\u2014- ")
    # A fragment in lower case says nothing without what opens the list.
    return (unit.start, unit.end) if letters[:1].isupper() and len(letters.split()) >= 4 else None


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
