"""Cross-reference indexes: tables that say on which printed pages each Item stands."""

import re
from dataclasses import dataclass, field

from filings.document.layout import Layout
from filings.sections.drafts import Source
from filings.sections.titles import BARE_LABEL, LABEL, keys_in

MOST_ENTRIES, MOST_PAGES = 200, 60  # rows of an index, and pages that one names: no filer has half as many
GREAT = ("1", "1A", "7", "8")  # Items that every full annual report has
NONE_LISTED = re.compile(r"\bnot\s+applicable\b|\bn/a\b|^\W*none\W*$", re.IGNORECASE)
PAGES = re.compile(r"(?<![\w-])((?:[A-Z]-)?\d{1,3})(?:\s*(?:[-\u2013—]|to|through)\s*((?:[A-Z]-)?\d{1,3}))?(?![\w%])")


@dataclass(slots=True)
class Entry:
    """One row of the index: an Item (or none) with its pages as printed, or what stands instead of pages."""

    item: str
    title: str
    rest: str
    pages: list[tuple[str, str]] = field(default_factory=list)


def index_of(source: Source) -> list[Entry]:
    """The rows of a document's cross-reference index; none where the text has headings of its great Items."""
    headed = {item for heading in source.headings for item in heading.items}
    if sum(item in headed for item in GREAT) >= 2:
        return []
    best: list[Entry] = []
    most = 0
    for number in sorted(source.contents.blocks):
        entries = _entries(source.layout, number)
        placed_here = sum(bool(entry.pages) for entry in entries if entry.item)
        if placed_here > most:
            best, most = entries, placed_here
    # One index may be several tables, one a part.
    if best and not {"1", "7"} <= {entry.item for entry in best}:
        best = [entry for number in sorted(source.contents.blocks) for entry in _entries(source.layout, number)]
    placed = {entry.item for entry in best if entry.pages}
    return best[:MOST_ENTRIES] if sum(item in placed for item in GREAT) >= 2 else []


def _entries(layout: Layout, number: int) -> list[Entry]:
    block = layout.blocks[number]
    entries: list[Entry] = []
    for cells in block.rows:
        texts = [layout.text[cell.start : cell.end] for cell in cells if cell.end > cell.start]
        if not texts:
            continue
        label = LABEL.match(texts[0])
        bare = None if label else BARE_LABEL.fullmatch(texts[0])
        match = label or (bare if len(texts) > 1 else None)
        keys = keys_in(match["keys"]) if match else ()
        others = texts
        if keys and match:
            title = texts[0][match.end() :].strip()
            others = texts[1:]
            if not title and others:
                title, *others = others
            rest = " ".join(others)
            entries.append(Entry(keys[0], title, rest, PAGES.findall(rest)[:MOST_PAGES]))
            continue
        rest = " ".join(others[1:])
        pages = PAGES.findall(rest)
        last = entries[-1] if entries else None
        if last and last.item and pages and len(texts) > 1 and not last.pages and not NONE_LISTED.search(last.rest):
            # The pages of an Item in rows of its own parts.
            last.pages += pages[:MOST_PAGES]
        elif pages or len(texts) > 1:
            # "Additional Item | Executive Officers | Page 36": the title stands before the pages.
            title = others[-2] if len(others) > 2 else others[0]
            entries.append(Entry("", title, others[-1], pages[:MOST_PAGES]))
    return entries
