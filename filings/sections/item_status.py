"""Classifies the text under an Item's heading: text, "None.", a reference elsewhere, or omitted."""

import re

from filings.document.sentences import sentence_spans

SHORT = 420  # characters of an Item that only says none, or omits itself
POINTER = 900  # characters of an Item that only refers elsewhere
PART_III_POINTER = 3_500  # Items 10 to 14 name headings of the proxy statement one by one
OWN_WORDS = 160  # characters outside the referring sentences from which an Item has text of its own
PART_III_OWN_WORDS = 700
MOST_WHERE = 500
MOST_READ = 20_000  # characters within which a reference appears
SUBHEAD = 60  # characters of a sub-heading, or of a sentence without content
PART_III = frozenset({"10", "11", "12", "13", "14"})
EXHIBITS = frozenset({"15", "II.6", "9.01", "20F.19"})

PLAIN_NONE = re.compile(r"\W*(?:none|nothing|not\s+applicable|n/?a|inapplicable)\b", re.IGNORECASE)
NONE = re.compile(
    r"\b(?:received|are|were|is|have|has|had)\s+(?:received\s+)?(?:no|not\s+received\s+any)\s+(?:[\w-]+\s+){0,3}(?:comments?|matters?)"
    r"|\bno\s+(?:\w+\s+){0,3}comments?\b|\b(?:is|are)\s+not\s+applicable\b"
    r"|\bno\s+(?:\w+\s+){0,2}(?:information|events?|changes?)\b.{0,60}\b(?:required|reported|disclosed|disagreements?)\b"
    r"|\bno\s+(?:response|disclosure)\s+is\s+required\b|\bnot\s+(?:a\s+)?part(?:y|ies)\s+to\s+any\b|\bno\s+(?:\w+\s+){0,4}proceedings\b",
    re.IGNORECASE,
)
RESERVED = re.compile(
    r"\W*(?:removed\s+and\s+)?(?:reserved|(?:intentionally\s+)?(?:omitted|left\s+blank))\W*", re.IGNORECASE
)
OMITTED = re.compile(
    r"\b(?:is|are|has\s+been|have\s+been)\s+(?:intentionally\s+)?omitted\b|\bno\s+longer\s+required\b"
    r"|\bsmaller\s+reporting\s+compan|\b(?:elected|chosen|opted|choosing)\s+(?:not\s+to|to\s+omit)\b"
    r"|\bnot\s+(?:being\s+)?(?:required|provided|included)\b",
    re.IGNORECASE,
)
TARGET = (
    r"(?:items?\s+\d|notes?\s+(?:\d|[A-Z]\b|to\b)|part\s+i|exhibit\s+\d|page|pages|proxy|annual\s+report\s+to|section|captions?"
    r"|headings?|appendix|(?:consolidated\s+)?financial\s+statements|md&a|management.{0,3}s\s+(?:\w+\s+)?discussion|item\b|[“\"])"
)
REFERENCE = re.compile(
    r"\bincorporat\w+\s+(?:[\w,]+\s+){0,8}?by\s+reference"
    r"|\bhereby\s+incorporated\b"
    rf"|\b(?:see|refer(?:ence)?(?:\s+is\s+(?:hereby\s+)?made)?(?:\s+should\s+be\s+made)?(?:\s+to)?)\b.{{0,160}}?\b{TARGET}"
    rf"|\b(?:is|are|can\s+be|may\s+be|also)\s+(?:also\s+)?(?:included|set\s+forth|contained|presented|provided|discussed|described|disclosed|found|shown|reported|filed|located|submitted|listed)\b.{{0,160}}?\b{TARGET}"
    rf"|\b(?:appears?|begin(?:s|ning)?|included|set\s+forth|contained|described|presented|discussed)\s+(?:\w+\s+)?(?:in|on|under|at)\b.{{0,160}}?\b{TARGET}",
    re.IGNORECASE | re.DOTALL,
)
SENTENCE = re.compile(r"(?<=[.!?])[”\"\u2019]?\s+(?=[A-Z“\"])")


def status_of(item: str, paragraphs: list[str], tables: bool = False) -> tuple[str, str]:
    """(status, where) of the text under a heading: extracted, none, omitted, or by_reference with the place in words.

    `paragraphs` are its blocks without tables and sub-headings; `tables` says whether it has tables of figures.
    """
    text = " ".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    if not re.search(r"\w", text):
        return ("extracted", "") if tables else ("omitted", "")
    if RESERVED.fullmatch(text):
        return "omitted", ""
    if len(text) <= SHORT:
        # "(b) Trading arrangements" is a sub-heading, however it is printed.
        while len(paragraphs) > 1 and len(paragraphs[0]) < SUBHEAD and not paragraphs[0].rstrip().endswith("."):
            paragraphs = paragraphs[1:]
        if all(PLAIN_NONE.match(paragraph) for paragraph in paragraphs):
            return "none", ""
        if len(text) < SUBHEAD and re.search(r"\bnone\W*$", text, re.IGNORECASE):
            return "none", ""
        if PLAIN_NONE.match(text) and not REFERENCE.search(text):
            return "none", ""
        # An Item of exhibits says what schedules are omitted, not that it is.
        if item not in EXHIBITS and not tables and OMITTED.search(text) and not REFERENCE.search(text):
            return "omitted", ""
    part_iii = item in PART_III
    if not (tables and not part_iii) and len(text) <= (PART_III_POINTER if part_iii else POINTER):
        sentences = [sentence for sentence in SENTENCE.split(text) if len(sentence) > 30]
        outside = sum(len(sentence) for sentence in sentences if not REFERENCE.search(sentence))
        if REFERENCE.search(text) and (
            outside <= (PART_III_OWN_WORDS if part_iii else OWN_WORDS) or 3 * outside <= len(text)
        ):
            return "by_reference", where(text)
    if len(text) <= SHORT and NONE.search(text) and not tables and not _says_more(text):
        return "none", ""
    return "extracted", ""


def _says_more(text: str) -> bool:
    """Whether a text with a "no" in it has further content."""
    return sum(len(sentence) for sentence in SENTENCE.split(text) if not NONE.search(sentence)) > SUBHEAD


def where(text: str) -> str:
    """The first referring sentence, cut at a word, without an open quotation mark."""
    text = " ".join(text[:MOST_READ].split())
    sentence = next((part for part in _sentences(text) if REFERENCE.search(part)), text)
    if len(sentence) <= MOST_WHERE:
        return sentence
    cut = sentence[: MOST_WHERE - 2].rsplit(" ", 1)[0] + "…"
    return cut + _left_open(cut)


def _sentences(text: str) -> list[str]:
    """The sentences of a text; nothing inside quotation marks ("Proposal No. 1. Election of Directors") ends one."""
    found: list[list[str]] = []
    curly = straight = 0  # open quotation marks of the last sentence
    for part in (text[start:end] for start, end in sentence_spans(text)):
        if found and (curly > 0 or straight % 2):
            found[-1].append(part)
        else:
            found.append([part])
            curly = straight = 0
        curly += part.count("“") - part.count("”")
        straight += part.count('"')
    return [" ".join(parts) for parts in found]


def _left_open(text: str) -> str:
    """The closing mark of an open quotation, or empty."""
    if text.count("“") > text.count("”"):
        return "”"
    return '"' if text.count('"') % 2 else ""
