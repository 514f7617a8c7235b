"""What a filing means by a term: the sentences that define it, wherever they stand."""

import re
from collections.abc import Iterator
from functools import cache

from agent.prose.boundaries import Range
from agent.prose.english import data
from agent.prose.section_text import SectionText
from agent.prose.sections import SERVING, of_filing
from agent.prose.units import texts

# Words of a term.
LONGEST = 6
_LAST_WORD = re.compile(r"([\w\u2019'-]+)\s*$")


def term_of(text: str) -> str:
    """The term whose meaning a question asks for, as typed; empty where it asks for none. text: without the company."""
    for pattern in map(_compiled, data("definitions")["asked"]):
        if (hit := pattern.search(text)) and len(hit["term"].split()) <= LONGEST:
            return hit["term"].strip(" ?.,\"'\u201c\u201d")
    return ""


def defined(term: str, filing: int) -> Iterator[tuple[int, Range]]:
    """The sentences that define a term, in the filing's order, each with its section's primary key."""
    held = [one.pk for one in of_filing(filing) if one.status in SERVING or not one.item]
    read = texts(held)
    spelled = _spelled(term)
    told = [_compiled(one.replace("{term}", f"(?P<term>{spelled})")) for one in data("definitions")["told"]]
    for section in held:
        text = read[section]
        spans = dict.fromkeys(filter(None, (_sentence(text, hit) for hit in _compiled(spelled).finditer(text.text))))
        for span in spans:
            said = text.text[slice(*span)]
            # "Our segments are defined as follows:" says nothing by itself.
            if not said.endswith(":") and any(
                _is_itself(said, hit.start("term")) for one in told for hit in one.finditer(said)
            ):
                yield section, span


def _sentence(text: SectionText, hit: re.Match[str]) -> Range | None:
    """The sentence of a term; None in headings and tables."""
    place = text.bounds.place(hit.start())
    if place is None or text.bounds.stored[place][0] not in {"paragraph", "bullet"}:
        return None
    return next((one for one in text.bounds.units(text.block(place)) if one[0] <= hit.start() < one[1]), None)


def _is_itself(said: str, at: int) -> bool:
    """Whether no word before a term makes another term of it."""
    before = _LAST_WORD.search(said, 0, at)
    return before is None or before[1].lower() in data("definitions")["before"]


def _spelled(term: str) -> str:
    """A term as it may be written: with any white space or a hyphen between its words, singular or plural."""
    words = r"[\s-]+".join(map(re.escape, term.split()))
    return rf"(?<!\w){words}(?:s|es)?(?!\w)"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
