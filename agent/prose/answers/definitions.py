"""What a filing means by a term: the sentences, footnotes and rows that define it, wherever they stand."""

import re
from collections.abc import Iterator, Sequence

from agent.prose.questions.asked_terms import compiled
from agent.prose.text.boundaries import Range
from agent.prose.text.candidate_sentences import texts_of_filing
from agent.prose.text.english import DEFINITIONS, TOPICS
from agent.prose.text.section_text import SectionText
from agent.words.common_words import is_everyday
from filings.document.sentences import sentence_spans

# Blocks behind a table in which its footnotes stand.
FOOTNOTES = 16
# Characters before an abbreviation in brackets in which its words stand.
SPELLED_OUT = 100
# Cells of a line that is a row of a table and no footnote: that may have its mark in one of its own.
ROW = 3
_MARKED = re.compile(r"[\s%,:]*\(?(\d|\*+|(?<=\()\w{1,2})\)?\s*")


def defined(term: str, filing: int) -> list[tuple[int, Range]]:
    """The sentences that define a term in the surest way that the filing has one, in its order, each with
    its section's primary key.
    """
    read = texts_of_filing(filing)
    forms = _forms(term, [text.text for text in read.values()])
    found = [(section, *one) for section, text in read.items() for one in dict.fromkeys(_places(text, forms))]
    ways = DEFINITIONS.data
    idle = [compiled(one) for one in ways["idle"]]
    # Most sentences with a word that everybody uses define something else.
    for way in ways["told"][:1] if is_everyday(term) else ways["told"]:
        told = [compiled(one, forms) for one in way["by"]]
        meanings = []
        for section, of, place, span in found:
            said = read[section].text[slice(*place)]
            if of == way["of"] and any(one.search(said) for one in told) and not any(one.search(said) for one in idle):
                meanings.append((section, span))
        if meanings:
            return meanings
    return []


def _places(text: SectionText, forms: str) -> Iterator[tuple[str, Range, Range]]:
    """What may define a term (a sentence that names it, a row of a glossary, the footnote of a label), and what is quoted
    for it: of a table no less than a row.
    """
    for hit in compiled(rf"(?<!\w){forms}(?=\d?(?!\w))").finditer(text.text):
        place = text.bounds.place(hit.start())
        if place is None:
            continue
        block = text.block(place)
        unit = next((one for one in text.bounds.units(block) if hit.start() < one[1]), None)
        if unit is None:
            continue
        said = text.text[slice(*unit)]
        cells = [cell for cell in said.split("\t") if cell.strip()]
        if block.kind != "table" or len(cells) == 1:
            if block.kind != "heading" or said.endswith("."):
                spans = (one for one in sentence_spans(text.text, *unit) if hit.start() < one[1])
                yield "sentence", next(spans, unit), unit
            continue
        if text.text[unit[0] : hit.start()].split("\t")[-1].strip():
            continue
        rest = text.text[hit.end() : unit[1]].split("\t")[0]
        if mark := _MARKED.fullmatch(rest):
            yield from _footnotes(text, place, unit[1], mark[1])
        if not rest.strip() and len(cells) < ROW:
            above = " ".join((text.text[block.start : block.end].split("\n")[0], *text.headings(place)[:1]))
            if DEFINITIONS.pattern("glossary").search(above):
                yield "row", unit, unit


def _footnotes(text: SectionText, place: int, after: int, mark: str) -> Iterator[tuple[str, Range, Range]]:
    """The footnote of a mark in a table: in the rows below its label, or in a block behind, up to the next table."""
    begins = re.compile(rf"\W*\({mark}\)" if mark.isalpha() else rf"\W*?{re.escape(mark)}(?![*\d])")
    for number in range(place, min(place + FOOTNOTES, len(text.bounds.stored))):
        block = text.block(number)
        units = text.bounds.units(block)
        for unit in units if block.kind == "table" else units[:1]:
            row = block.kind == "table" and sum(map(bool, text.text[slice(*unit)].split("\t"))) >= ROW
            if row and number > place:
                return
            if unit[0] >= after and not row and begins.match(text.text, *unit):
                yield "footnote", sentence_spans(text.text, *unit)[0], unit
                return


def _forms(term: str, read: Sequence[str]) -> str:
    """A term as it may be written: with its abbreviation, or with the words that one stands for."""
    found = {term}
    for written, words in TOPICS.data["abbreviations"].items():
        # Questions are read with these in full.
        found |= {one.replace(words, re.sub(r" \?|\?|\|.*", "", written)) for one in found}
    short = re.sub(r"(?<=[A-Z])s$", "", term).upper()
    for text in read:
        if short.isalpha():
            for hit in re.finditer(rf"\(\W*{short}s?\W*\)", text):
                found.add(_long_form(text[max(0, hit.start() - SPELLED_OUT) : hit.start()], short) or term)
        for hit in compiled(rf"({_spelled(term)})\s*\(\W*(?-i:([A-Z][A-Z&]+))s?\W*\)").finditer(text):
            if _long_form(text[max(0, hit.start() - SPELLED_OUT) : hit.end(1)], hit[2]) == hit[1]:
                found.add(hit[2])
    return rf"(?:{'|'.join(_spelled(one) for one in sorted(found))})"


def _long_form(before: str, short: str) -> str:
    """The words right before an abbreviation that have its letters, the first at the beginning of a word; else empty.

    As in A. Schwartz and M. Hearst, A Simple Algorithm for Identifying Abbreviation Definitions (2003).
    """
    before = re.split(r"[.;:()]", before)[-1].rstrip(' \u201c"')
    at, folded = len(before), before.lower()
    for place, letter in reversed(list(enumerate(short.lower()))):
        at = folded.rfind(letter, 0, at)
        while place == 0 and at > 0 and folded[at - 1].isalnum():
            at = folded.rfind(letter, 0, at)
        if at < 0:
            return ""
    return before[at:] if len(before[at:].split()) <= min(len(short) + 5, 2 * len(short)) else ""


def _spelled(term: str) -> str:
    """A term with any white space or a hyphen between its words, singular or plural."""
    *words, last = re.split(r"[\s-]+", term.strip("- "))
    forms = [pair for pair in DEFINITIONS.data["plurals"].items() if last.lower() in pair]
    stem, end = re.fullmatch(r"(?i)(.+?)(ies|y|(?<!s)s)?", last).groups()  # type: ignore[union-attr] # of any word
    ends = "(?:y|ies)" if end and end.lower() != "s" else "(?:s|es)?"
    form = f"(?:{'|'.join(*forms)})" if forms else re.escape(stem) + ends
    return r"[\u201d\"]?[\s-]+".join([*map(re.escape, words), form])
