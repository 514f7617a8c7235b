"""What an auditor's report says of itself: since when the firm has served, and which critical audit matters it names."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agent.prose.text.boundaries import Range
from agent.prose.text.candidate_sentences import texts_of_filing
from agent.prose.text.english import AUDITORS_REPORT
from agent.prose.text.section_text import SectionText
from agent.state import Topic
from agent.words.stems import roots
from filings.models import Filing

# Matters that are opened in the plural.
LEAST = 2
# Words of the longest title of a matter.
LONGEST_TITLE = 60
# Characters between a signature and the sentence below it.
BELOW_SIGNATURE = 600


class Reported(NamedTuple):
    """What a report says: spans of a section's text (its primary key), in order. firm: the name of the one that signs."""

    section: int
    told: str
    spans: tuple[Range, ...]
    firm: str


class Line(NamedTuple):
    """A block, or a row of a table."""

    kind: str
    start: int
    end: int
    text: str


def reported(topic: Topic, filing: int) -> Reported | None:
    """What the auditor's report answers; None where something else or another firm is asked about, or a list would not
    be complete.
    """
    if len(topic.queries) != 1 or AUDITORS_REPORT.pattern("else_asked").search(topic.text):
        return None
    for asked, find in (("tenure", tenure), ("matters", matters)):
        if AUDITORS_REPORT.pattern(f"{asked}_asked").search(topic.text):
            held = texts_of_filing(filing)
            cover = Filing.objects.values_list("cover", flat=True).get(pk=filing)
            found = find(list(held.values()), str(cover.get("AuditorName", "")))
            named = roots(" ".join(topic.queries[0].words)) - AUDITORS_REPORT.rooted(f"{asked}_words")
            return found if found and named <= called(found.firm) else None
    return None


# --- the firm ---


def own_words(firm: str) -> frozenset[str]:
    """The words of a firm's name in the compared form, without its legal form."""
    return roots(firm) - AUDITORS_REPORT.rooted("forms")


def called(firm: str) -> frozenset[str]:
    """The words by which a firm may be called, in full and in short."""
    own = own_words(firm)
    short = [
        one for name, all_short in AUDITORS_REPORT.data["firms"].items() if roots(name) <= own for one in all_short
    ]
    return own | roots(" ".join(short))


def signing(lines: Iterable[str]) -> str:
    """The firm of the first line that is a signature; empty where none is."""
    hit = next(filter(None, map(AUDITORS_REPORT.pattern("signed").match, lines)), None)
    return hit["firm"].strip() if hit else ""


def is_other(signed: str, firm: str) -> bool:
    """Whether a report is signed by another firm than that of the cover: it is of another year, or on another company."""
    return bool(signed and firm) and own_words(signed).isdisjoint(own_words(firm))


# --- since when ---


def tenure(held: Sequence[SectionText], firm: str) -> Reported | None:
    """The sentence that says since when the firm of the cover has served; None where there are two that disagree."""
    found: dict[str, Reported] = {}
    for text in held:
        for hit in re.finditer(r"\bsince\b", text.text):
            span = sentence_at(text, hit.start())
            said = text.text[slice(*span)] if span else ""
            if span is None or not AUDITORS_REPORT.pattern("served").search(said):
                continue
            signed = signing(reversed(text.text[max(0, span[0] - BELOW_SIGNATURE) : span[0]].split("\n")))
            if is_other(signed, firm):
                continue
            told = f"The auditor\u2019s report says since when {firm or signed or 'the firm'} has served."
            found.setdefault(" ".join(said.split()), Reported(text.section.pk, told, (span,), firm or signed))
    return next(iter(found.values())) if len(found) == 1 else None


def sentence_at(text: SectionText, at: int) -> Range | None:
    """The sentence of a place of a section; None in a table."""
    place = text.bounds.place(at)
    if place is None or text.bounds.stored[place][0] == "table":
        return None
    return next((one for one in text.bounds.units(text.block(place)) if one[0] <= at < one[1]), None)


# --- critical audit matters ---


def matters(held: Sequence[SectionText], firm: str) -> Reported | None:
    """The titles of all matters of the only report that has some, or the sentence that there are none."""
    opened = [(text, hit) for text in held for hit in AUDITORS_REPORT.pattern("opens").finditer(text.text)]
    none = [(text, hit) for text in held for hit in AUDITORS_REPORT.pattern("no_matters").finditer(text.text)]
    if len(opened) + len(none) != 1:
        return None
    ((text, hit),) = opened or none
    if none:
        span = sentence_at(text, hit.start())
        told = "The auditor\u2019s report names no critical audit matter."
        return Reported(text.section.pk, told, (span,), firm) if span else None
    found, signed = titles(text, hit.start())
    if is_other(signed, firm) or (len(found) != 1 if hit["number"].lower() == "is" else len(found) < LEAST):
        return None
    many = f"{len(found)} critical audit matters" if len(found) > 1 else "1 critical audit matter"
    told = f"The report of {firm or signed or 'the auditor'} names {many}, quoted in the filing\u2019s order."
    return Reported(text.section.pk, told, tuple(found), firm or signed)


def titles(text: SectionText, opening: int) -> tuple[list[Range], str]:
    """The titles of the matters behind the sentence that opens them, and the firm that signs; no title where one of them
    cannot be told for sure: as many are found as responses, and no heading is left over.
    """
    parts: list[list[Line]] = [[]]
    for line in lines_below(text, opening):
        signed = signing([line.text])
        if signed or AUDITORS_REPORT.pattern("served").search(line.text):
            *matters, rest = parts
            found = list(filter(None, map(title_of, matters)))
            once = {one.text for one in found}
            whole = len(once) == len(matters) and not any(one.kind == "heading" for one in rest)
            return [(one.start, one.end) for one in found if whole], signed
        if AUDITORS_REPORT.pattern("addresses").match(line.text):
            parts.append([])
        else:
            parts[-1].append(line)
    return [], ""


def lines_below(text: SectionText, at: int) -> list[Line]:
    """The blocks, and the rows of tables, below the block of a place, without what is printed on every page."""
    place = text.bounds.place(at)
    stored = text.bounds.stored
    found: list[Line] = []
    for number in range(len(stored) if place is None else place + 1, len(stored)):
        kind, start, end = stored[number][:3]
        spans = text.bounds.units(text.block(number)) if kind == "table" else [(start, end)]
        found += [Line(kind, start, end, text.text[start:end]) for start, end in spans]
    return [one for one in found if not AUDITORS_REPORT.pattern("furniture").match(one.text)]


def title_of(part: Sequence[Line]) -> Line | None:
    """The title of a matter among the lines above the response to it, from the one before: the line above its description,
    or the only heading. None where it may be another line or only the end of one.
    """
    headings = [place for place, one in enumerate(part) if one.kind == "heading"]
    described = [place for place, one in enumerate(part) if AUDITORS_REPORT.pattern("describes").match(one.text)]
    place = described[0] - 1 if len(described) == 1 else headings[0] if len(headings) == 1 and not described else -1
    if place < 0 or set(headings) - {place, *described}:
        return None
    title, before = part[place], part[place - 1] if place else None
    wrapped = before and title.kind != "heading" and before.text.rstrip()[-1:] not in ".:;"
    is_prose = title.kind in {"paragraph", "bullet"} and title.text.rstrip().endswith(".")
    if wrapped or is_prose or "\t" in title.text or len(title.text.split()) > LONGEST_TITLE:
        return None
    return title
