"""What is quoted of a sentence that answers, and the claim that cites it: the filing's own characters, with their place."""

from dataclasses import dataclass

from agent.prose.text.boundaries import LONGEST_LIST, Range, overlap
from agent.prose.text.candidate_sentences import Unit
from agent.prose.text.english import QUOTATIONS
from agent.prose.text.section_text import SectionText, Sentence
from agent.state import Claim, NearPassage, Passage, Target
from filings.models import Section

# Beyond this, in characters, a quotation is no longer a sentence that answers.
LONGEST = 900


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
    if not goes_on(unit.text):
        return unit.start, unit.end
    spans = text.bounds.units(text.block(unit.block))[: unit.order]
    said = [text.text[slice(*span)] for span in spans]
    first = next((place for place in range(len(said) - 1, -1, -1) if not goes_on(said[place])), 0)
    if first < unit.order and not refers(said[first]) and unit.end - spans[first][0] <= LONGEST:
        return spans[first][0], unit.end
    if said and not refers(said[-1]) and unit.end - spans[-1][0] <= LONGEST:
        return spans[-1][0], unit.end
    return None if refers(unit.text) else (unit.start, unit.end)


def refers(text: str) -> bool:
    """Whether a sentence begins with a word for something said before it."""
    return bool(QUOTATIONS.pattern("refers").match(text))


def goes_on(text: str) -> bool:
    """Whether a sentence refers back, or only goes on from the one before it: "In addition, ..."."""
    return refers(text) or bool(QUOTATIONS.pattern("goes_on").match(text))


def points_back(text: str) -> bool:
    """Whether a sentence names, anywhere in it, something that only the sentences before it tell: "under this arrangement"."""
    return any(
        not (noun := found["noun"]) or noun.lower().rstrip("s") not in text[: found.start()].lower()
        for found in QUOTATIONS.pattern("points_back").finditer(text)
    )


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
    """A point of a list with the words that open the list, where both are near; else its first sentence by itself."""
    if unit.lead is not None and unit.end - unit.lead[0] <= LONGEST_LIST:
        return unit.lead[0], unit.end
    if unit.lead is not None and unit.order:
        return None  # a later sentence of a point does not go on from what opens the list
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

    def shares(self, other: "Picked | NearPassage") -> bool:
        """Whether another stretch, or a passage that is shown, has some of it."""
        section, ranges = (
            (other.section, other.ranges)
            if isinstance(other, NearPassage)
            else (other.passage.section, [(other.start, other.end)])
        )
        return section == self.passage.section and overlap(ranges, [(self.start, self.end)])


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
