"""Search page results: chunks of one filing or all, each with a snippet that shows why it was found."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from filings.models import Chunk, Filing, SearchRequest, Section
from filings.models.section import chunk_text
from filings.search import active_indexes, indexing, relevance_floor, synonyms
from filings.search.index import IndexMismatch, SearchUnavailable
from filings.search.passages import Focus, FoundPassages, find
from filings.search.words import STOP_WORDS, WORD, bare, content_words, stem
from filings.text.chunking.contextual import contextual_prefix

LIMIT = 20
# Its sentence is shown to the reader.
KNOWN = (SearchUnavailable, IndexMismatch)


LENGTH = 320  # characters
MOST_HIGHLIGHTS = 40


def snippet(text: str, ranges: Sequence[tuple[int, int]], words: Sequence[str]) -> tuple[int, str, list[list[int]]]:
    """(start in the section's text, snippet, [[start, end], ...] in the snippet) for the range with most hits.

    words: of the query and its variants; a phrase counts word by word. The snippet is cut at words, has the text's own
    characters, and stays within one range.
    """
    wanted = {stem(word) for phrase in words for word in WORD.findall(phrase.lower())}
    wanted -= {stem(word) for word in STOP_WORDS}
    best: tuple[int, int, int, list[tuple[int, int]]] | None = None
    for start, end in ranges:
        found = [
            (match.start(), match.end(), key)
            for match in WORD.finditer(text, start, end)
            if (key := key_of(match[0])) in wanted
        ]
        starts = [place for place, _, _ in found] or [start]
        for number, place in enumerate(starts):
            last = bisect_left(starts, place + LENGTH - LENGTH // 4)
            # Different words count more than one word repeated.
            worth = 10 * len({key for _, _, key in found[number:last]}) + (last - number)
            if best is None or worth > best[0]:
                best = worth, start, end, [(a, b) for a, b, _ in found[number:last]]
    if best is None:
        return 0, "", []
    _, start, end, marks = best
    first, last_character = cut(text, start, end, marks[0][0] if marks else start)
    shown = [[a - first, b - first] for a, b in marks if first <= a and b <= last_character]
    return first, text[first:last_character], shown[:MOST_HIGHLIGHTS]


def key_of(word: str) -> str:
    return stem(bare(word.lower()))


def cut(text: str, start: int, end: int, place: int) -> tuple[int, int]:
    """About `LENGTH` characters of a range around a position, whole words, some of them before it."""
    first = max(start, place - LENGTH // 4)
    if first > start:
        while first < place and not text[first - 1].isspace():
            first += 1
    last = min(end, first + LENGTH)
    if last < end:
        while last > place and not text[last].isspace():
            last -= 1
        if last <= place:
            last = min(end, first + LENGTH)
    while last > first and text[last - 1].isspace():
        last -= 1
    return first, last


class Placed(Protocol):
    """A passage: its chunk, the section that holds it, and where in the section's text it stands."""

    @property
    def chunk(self) -> int: ...
    @property
    def section(self) -> int: ...
    @property
    def ranges(self) -> tuple[tuple[int, int], ...]: ...


P = TypeVar("P", bound=Placed)


def browse(request: SearchRequest) -> dict[str, Any]:
    """The fields of a finished search, without irrelevant passages. Raises SearchUnavailable or IndexMismatch."""
    words = content_words(request.text)
    filings = in_scope(request)
    if not words or filings == ():
        return {"results": [], "notes": []}
    focus = Focus(request.text, tuple(words), synonyms.variants(words))
    found = find([focus], filings or (), [request.item] if request.item else (), LIMIT)
    wanted = [*words, *focus.variants]
    return {
        "results": [
            result(one, chunk, wanted)
            for one, chunk in stored(found.passages)
            if relevance_floor.is_near(one, looked_in(one, chunk), focus, found.model)
        ],
        "index": found.index,
        "model": found.model,
        "notes": [*found.notes, *([] if filings else not_searched(found))],
    }


def looked_in(passage: Placed, chunk: Chunk) -> str:
    """The text of a passage after its indexed context: company, year, Item and headings."""
    section = chunk.section
    return contextual_prefix(section.filing, chunk) + chunk_text(section.text, [list(one) for one in passage.ranges])


def not_searched(found: FoundPassages) -> list[str]:
    """A note on filings that the answering index lacks, for a search of everything.

    Rows decide; where nothing was found the index itself is asked, which may have lost data.
    """
    index = next(one for one in active_indexes.known() if one.name == found.index)
    held = indexing.said_held(index).count() if found.passages else len(index.counts())
    missing = Filing.objects.searched().count() - held
    if missing <= 0:
        return []
    of = "1 filing is" if missing == 1 else f"{missing} filings are"
    return [f"{of} not in this search yet: still waiting to be indexed."]


def in_scope(request: SearchRequest) -> tuple[int, ...] | None:
    """The documents that a search is limited to; None for all.

    Kind and period stand in the rows of documents alone, so that every index filters them alike, and one that is told
    anew need not be indexed again.
    """
    wanted = {
        "accession": request.accession,
        "source": request.source,
        "fiscal_year": request.fiscal_year,
        "fiscal_quarter": request.fiscal_quarter,
    }
    wanted = {name: value for name, value in wanted.items() if value}
    if request.cik is None and not wanted:
        return None
    held = Filing.objects.searched().filter(**wanted)
    if request.cik is not None:
        held = held.of_companies([request.cik])
    return tuple(held.order_by("pk").values_list("pk", flat=True))


def results(passages: Sequence[Placed], words: Sequence[str]) -> list[dict[str, Any]]:
    """Passages in the form of `SearchRequest.results`."""
    return [result(one, chunk, words) for one, chunk in stored(passages)]


def stored(passages: Sequence[P]) -> list[tuple[P, Chunk]]:
    """Passages whose chunk is stored and not withdrawn, each with it, its section, filing and company."""
    chunks = Chunk.objects.filter(filing__withdrawn=None).in_bulk([one.chunk for one in passages])
    sections = Section.objects.select_related("filing__company").prefetch_related("filing__company__tickers")
    found = sections.defer("blocks").in_bulk([one.section for one in passages])
    for chunk in chunks.values():
        chunk.section = found[chunk.section_id]
    return [(one, chunks[one.chunk]) for one in passages if one.chunk in chunks]


def result(passage: Placed, chunk: Chunk, words: Sequence[str]) -> dict[str, Any]:
    section = chunk.section
    start, text, highlights = snippet(section.text, passage.ranges, words)
    filing = section.filing
    page = section.page(start)
    return {
        "chunk": passage.chunk,
        "section": section.pk,
        "number": section.number,
        "accession": filing.accession,
        "cik": filing.company.cik,
        "company": filing.company.name,
        "form": filing.form,
        "kind": filing.source,
        "document": filing.headline,
        "title": filing.title,
        "fiscal_year": filing.fiscal_year,
        "fiscal_quarter": filing.fiscal_quarter,
        "item": section.item,
        "label": section.label,
        "page": page.label if page else "",
        "ranges": [list(one) for one in passage.ranges],
        "start": start,
        "snippet": text,
        "highlights": highlights,
        "headings": chunk.headings,
    }
