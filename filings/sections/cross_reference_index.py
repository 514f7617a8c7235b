"""Items of filers without headings: a cross-reference index gives the pages of each Item.

No text is in two Items, though an index may give one page to several. It belongs to the Item whose own title stands
there; without a title, to the one with the wider range around it. An Item left without text is by reference, to its
pages.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from filings.document.layout import Layout, is_title
from filings.document.layout.running_lines import SIGNED
from filings.sections.form_items import FormItems
from filings.sections.headings import ORDER
from filings.sections.item_status import where as pointing
from filings.sections.items import MARKET_RISK
from filings.sections.section_drafts import Draft, Range, Source, trimmed, without
from filings.sections.statement_sections import OPENING
from filings.sections.titles import is_own_title

MARK = re.compile(r"\(([a-z]|\d)\)|(\*+)")
MOST_MARKS = 40
STATEMENTS = frozenset({"8", "I.1", "20F.18"})
FIRST_PAGE = STATEMENTS | {"", "1", "15"}  # whose title is on the first of their pages
ANYWHERE = (
    "1A",
    "1B",
    "1C",
    "2",
    "3",
    "5",
    "9A",
    "II.1",
    "II.1A",
    "I.4",
)  # Items whose title is unmistakable outside the statements
RUN_IN = re.compile(r"(.{4,160}?)(?:\s\([A-Z&]{2,8}\))?[.:—\u2013](?:\s|$)")
TITLE_LENGTH = 220
DIVIDER = re.compile(r"[A-Za-z&\u2019' -]{1,60}")  # a title alone: no date, no place, no sentence
LETTER_END = 4  # blocks at the end of a letter: signature, office, place, date


MOST_ENTRIES, MOST_PAGES = 200, 60  # rows of an index, and pages that one names: no filer has half as many
NONE_LISTED = re.compile(r"\bnot\s+applicable\b|\bn/a\b|^\W*none\W*$", re.IGNORECASE)
PAGES = re.compile(r"(?<![\w-])((?:[A-Z]-)?\d{1,3})(?:\s*(?:[-\u2013—]|to|through)\s*((?:[A-Z]-)?\d{1,3}))?(?![\w%])")


@dataclass(slots=True)
class Entry:
    """One row of the index: an Item (or none) with its printed pages, or what replaces them."""

    item: str
    title: str
    rest: str
    pages: list[tuple[str, str]] = field(default_factory=list)


def index_of(source: Source) -> list[Entry]:
    """The rows of a document's cross-reference index; none where the text has headings of its great Items."""
    headed = {item for heading in source.headings for item in heading.items}
    form = source.form
    if sum(item in headed for item in form.great) >= 2:
        return []
    best: list[Entry] = []
    most = 0
    for number in sorted(source.contents.blocks):
        entries = _entries(source.layout, form, number)
        placed_here = sum(bool(entry.pages) for entry in entries if entry.item)
        if placed_here > most:
            best, most = entries, placed_here
    # One index may be several tables, one for each part.
    if best and not form.apart <= {entry.item for entry in best}:
        best = [entry for number in sorted(source.contents.blocks) for entry in _entries(source.layout, form, number)]
    placed = {entry.item for entry in best if entry.pages}
    return best[:MOST_ENTRIES] if sum(item in placed for item in form.great) >= 2 else []


def _entries(layout: Layout, form: FormItems, number: int) -> list[Entry]:
    block = layout.blocks[number]
    entries: list[Entry] = []
    within = ""  # the part of the rows
    for cells in block.rows:
        texts = [layout.text[cell.start : cell.end] for cell in cells if cell.end > cell.start]
        if not texts:
            continue
        if part := form.part.fullmatch(texts[0]):
            within = part["part"]
        label = form.label.match(texts[0])
        bare = None if label else form.bare.fullmatch(texts[0])
        match = label or (bare if len(texts) > 1 else None)
        title, others = texts[0][match.end() :].strip() if match else "", texts[1:]
        if not title and others:
            title, *others = others
        keys = form.keys(match, title, within) if match else ()
        if keys:
            rest = " ".join(others)
            entries.append(Entry(keys[0], title, rest, PAGES.findall(rest)[:MOST_PAGES]))
            continue
        others = texts
        rest = " ".join(others[1:])
        pages = PAGES.findall(rest)
        last = entries[-1] if entries else None
        if last and last.item and pages and len(texts) > 1 and not last.pages and not NONE_LISTED.search(last.rest):
            # The pages of an Item in rows of its own parts.
            last.pages += pages[:MOST_PAGES]
        elif pages or len(texts) > 1:
            # "Additional Item | Executive Officers | Page 36": the title precedes the pages.
            title = others[-2] if len(others) > 2 else others[0]
            entries.append(Entry("", title, others[-1], pages[:MOST_PAGES]))
    return entries


@dataclass(slots=True)
class Place:
    """The range of an Item, from `start` to `end`; `titled` where its own title is at the start."""

    item: str
    start: int
    end: int
    titled: bool
    heading_end: int


def items_by_index(source: Source, index: Sequence[Entry]) -> dict[str, Draft]:
    """A draft for every Item in the index; Items it does not name are omitted."""
    layout = source.layout
    printed: dict[str, int] = {}
    for place, page in enumerate(layout.pages):
        printed.setdefault(page.printed, place)
    starts_only = all(
        not last and len(entry.pages) == 1
        for entry in index
        if entry.item in source.form.great
        for _, last in entry.pages[:1]
    )
    spans: dict[int, list[Range]] = {}
    for number, entry in enumerate(index):
        spans[number] = [
            (printed[first], printed[last or first])
            for first, last in entry.pages
            if first in printed and (last or first) in printed and printed[first] <= printed[last or first]
        ]
    if starts_only:
        _until_next(index, spans, len(layout.pages))
    places = _titled_places(layout, index, spans)
    places += _whole_pages(layout, index, spans, places, starts_only)
    taken = _settled(places)
    drafts: dict[str, Draft] = {}
    for number, entry in enumerate(index):
        if entry.item and entry.item not in drafts:
            drafts[entry.item] = _draft(source, entry, number, spans, places, taken, index)
    for item in source.form.items:
        drafts.setdefault(item, Draft(item, "omitted"))
    return drafts


def _until_next(index: Sequence[Entry], spans: dict[int, list[Range]], pages: int) -> None:
    """For an index with first pages only: each Item lasts to the page where the next begins."""
    starts = sorted(
        {first for number, entry in enumerate(index) for first, _ in spans[number] if entry.item not in MARKET_RISK}
    )
    for number, ranges in spans.items():
        spans[number] = [(first, next((start for start in starts if start > first), pages - 1)) for first, _ in ranges]


def _titled_places(layout: Layout, index: Sequence[Entry], spans: dict[int, list[Range]]) -> list[Place]:
    """Items whose title is on their pages."""
    places: dict[str, Place] = {}
    statements = [span for number, entry in enumerate(index) if entry.item in STATEMENTS for span in spans[number]]
    for number, entry in enumerate(index):
        if entry.item in places:
            continue
        for first, last in spans[number]:
            pages = range(first, (first if entry.item in FIRST_PAGE else last) + 1)
            found = _title(layout, entry, pages)
            if found:
                start, end = found
                places[entry.item or f"#{number}"] = Place(entry.item, start, _page_end(layout, last), True, end)
                break
    outside = [
        place for place in range(len(layout.pages)) if not any(first <= place <= last for first, last in statements)
    ]
    listed = {entry.item: entry for entry in index if entry.item}
    for item in ANYWHERE:
        if item in listed and item not in places and outside and not NONE_LISTED.search(listed[item].rest):
            titles = [found for place in outside if (found := _title(layout, listed[item], [place]))]
            if len(titles) == 1:
                start, end = titles[0]
                page = max(place for place in range(len(layout.pages)) if layout.pages[place].start <= start)
                places[item] = Place(item, start, _page_end(layout, page), True, end)
    return list(places.values())


def _title(layout: Layout, entry: Entry, pages: Iterable[int]) -> Range | None:
    """The first block on some pages that is an Item's title, or begins with it in capitals, and the title's end."""
    for page in pages:
        start, end = layout.pages[page].start, _page_end(layout, page)
        number = layout.block_at(start)
        while number < len(layout.blocks) and layout.blocks[number].start < end:
            block = layout.blocks[number]
            number += 1
            text = layout.text[block.start : min(block.end, block.start + 400)]
            if block.kind == "table":
                first_row = text.partition("\n")[0].strip()
                if entry.item in STATEMENTS and (_is_title(entry, first_row) or OPENING.match(first_row)):
                    return block.start, block.start
                continue
            if entry.item in STATEMENTS and len(text) <= TITLE_LENGTH and OPENING.match(text):
                return block.start, block.end
            if block.end - block.start <= TITLE_LENGTH and _is_title(entry, text):
                return block.start, block.end
            run_in = RUN_IN.match(text)
            if run_in and run_in[1].isupper() and _is_title(entry, run_in[1]):
                return block.start, block.start + run_in.end()
    return None


def _is_title(entry: Entry, text: str) -> bool:
    if not entry.item:
        return _plain(text) == _plain(entry.title)
    if _plain(text) == _plain(entry.title):
        return True
    return is_own_title(entry.item, text)


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


def _page_end(layout: Layout, place: int) -> int:
    return layout.pages[place + 1].start if place + 1 < len(layout.pages) else len(layout.text)


def _whole_pages(
    layout: Layout, index: Sequence[Entry], spans: dict[int, list[Range]], titled: Sequence[Place], starts_only: bool
) -> list[Place]:
    """Items without a title: whole pages that no other Item has claimed, the widest first."""
    known = {place.item for place in titled}
    ranges = [(place.start, place.end) for place in titled]
    waiting = [
        (first, last, entry.item)
        for number, entry in enumerate(index)
        for first, last in spans[number][:1]
        if entry.item and entry.item not in known and not (starts_only and entry.item in MARKET_RISK)
    ]
    waiting.sort(key=lambda claim: (claim[0] - claim[1], ORDER[claim[2]]))
    places: list[Place] = []
    for first, until, item in waiting:
        last = until
        if starts_only and last > first:
            # The page on which the next Item begins belongs to it from its top.
            last -= 1
        start, end = layout.pages[first].start, _page_end(layout, last)
        if item in {place.item for place in places}:
            continue
        # A title inside the pages belongs to another Item: text up to it may still be this one's.
        inside = [a for a, b in ranges if a <= start < b]
        if inside and not (starts_only and max(inside) < start):
            continue
        number = layout.block_at(start)
        heading_end = layout.blocks[number].end if number < len(layout.blocks) else start
        places.append(Place(item, start, end, False, heading_end))
        ranges.append((start, end))
    return places


def _settled(places: Sequence[Place]) -> dict[str, list[Range]]:
    """Ranges by Item without what a later start takes away: an Item that begins inside another's range owns it."""
    taken: dict[str, list[Range]] = {}
    for place in places:
        own: list[Range] = [(place.start, place.end)]
        for other in places:
            if other is not place and other.start > place.start:
                own = without(own, [(other.start, other.end)])
        # Text after a part taken out of the middle has no title that shows its Item.
        taken[place.item or f"#{place.start}"] = [part for part in own if part[0] == place.start]
    return taken


def _draft(
    source: Source,
    entry: Entry,
    number: int,
    spans: dict[int, list[Range]],
    places: Sequence[Place],
    taken: dict[str, list[Range]],
    index: Sequence[Entry],
) -> Draft:
    layout = source.layout
    item = entry.item
    place = next((place for place in places if place.item == item), None)
    ranges = [part for left in taken.get(item, []) if (part := _without_divider(layout, *left))[0] < part[1]]
    if place and ranges and ranges[0][0] == trimmed(layout, place.start, place.end)[0]:
        heading = layout.text[place.start : place.heading_end].strip()
        if not heading or len(heading) > TITLE_LENGTH:
            heading = entry.title
        return Draft(item, "extracted", heading, "", source, ranges, place.heading_end)
    if re.search(r"reserved|omitted", entry.title, re.IGNORECASE):
        return Draft(item, "omitted", entry.title)
    if NONE_LISTED.search(entry.rest):
        return Draft(item, "none", entry.title)
    notes = _footnotes(source, entry)
    if spans[number]:
        holders = dict.fromkeys(
            source.form.items[other.item].called
            for other in places
            if other.item
            and any(
                left <= layout.pages[first].start < right
                for first, _ in spans[number]
                for left, right in taken.get(other.item, [])
            )
        )
        shown = " and ".join(
            called if not place else called.removeprefix("Item ") for place, called in enumerate(holders)
        )
        inside = f", printed within {shown}" if shown else ""
        return Draft(item, "by_reference", entry.title, f"{_listed(entry)}{inside}.{' ' if notes else ''}{notes}")
    if notes:
        return Draft(item, "by_reference", entry.title, notes)
    return Draft(item, "not_found", entry.title)


def _without_divider(layout: Layout, start: int, end: int) -> Range:
    """A range without an empty title at its end, which names what follows. A name under a letter stays."""
    start, end = trimmed(layout, start, end)
    last = max(layout.block_at(end) - 1, 0)
    block = layout.blocks[last]
    text = layout.of(block)
    if block.start <= start or block.kind == "table" or not DIVIDER.fullmatch(text) or not is_title(text):
        return start, end
    if any(SIGNED.fullmatch(layout.of(above)) for above in layout.blocks[max(last - LETTER_END, 0) : last]):
        return start, end
    return trimmed(layout, start, block.start)


def _listed(entry: Entry) -> str:
    pages = ", ".join(f"{first}-{last}" if last else first for first, last in entry.pages)
    return f"Pages {pages}" if len(entry.pages) > 1 or entry.pages[0][1] else f"Page {pages}"


def _footnotes(source: Source, entry: Entry) -> str:
    """The index's text under a mark such as (a)."""
    marks = {letter or star for letter, star in MARK.findall(entry.rest)} - {""}
    if not marks:
        return ""
    marked = re.compile(rf"\(?(?:{'|'.join(map(re.escape, sorted(marks)[:MOST_MARKS]))})\)?(?=\W|[A-Z])\W*")
    layout = source.layout
    for number in sorted(source.contents.blocks):
        for block in layout.blocks[number + 1 : number + 12]:
            found = marked.match(layout.text, block.start, block.end)
            if found:
                return pointing(layout.text[found.end() : block.end])
    return ""
