"""Finds headings of Items in a text, and tables of contents."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from filings.document.blocks import ROW_GAP, Block
from filings.document.layout import Layout, is_title
from filings.document.layout.running_lines import CONTINUED
from filings.sections.form_items import FormItems
from filings.sections.items import ALL_ITEMS
from filings.sections.titles import is_own_title, title_end

ORDER = {key: place for place, key in enumerate(ALL_ITEMS)}
LISTED = 4  # Items in one table, or in neighboring lines, from which they are a table of contents
NEAR = 260  # characters between the lines of such a list
MOST_BETWEEN = 12  # lines of a list between two Items
MOST_CANDIDATES = 600
LETTER = re.compile(r"[A-Z]\.\s+")  # before the title of a part of an Item: "D. Risk Factors"
REPEATED = 3  # repetitions from which a heading is a running line
PROSE_AFTER = re.compile(r"\s*[,”\"\u2019)]|\s+[a-z]")
LIST_PAGE = re.compile(r"[\s.·…_-]*(?:page\s*)?(?:[a-z]-)?\d{1,3}$|[\s.]*n/?a$|[\s.]{3,}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of Items: its block, its Items (several for a joint one), its end.

    `strength` is its certainty: label and title 2, set apart +1, linked from the table of contents +2.
    """

    block: int
    start: int
    end: int
    items: tuple[str, ...]
    text: str
    strength: int
    linked: bool = False

    @property
    def item(self) -> str:
        return self.items[0]


@dataclass(frozen=True, slots=True)
class Listed:
    """One row of a table of contents or cross-reference index."""

    item: str
    title: str
    rest: str  # the columns after the title
    block: int
    start: int
    target: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """The content of a document's tables of contents, and the blocks that they fill."""

    rows: tuple[Listed, ...] = ()
    blocks: frozenset[int] = field(default_factory=frozenset)

    @property
    def items(self) -> frozenset[str]:
        return frozenset(row.item for row in self.rows)


def read_contents(layout: Layout, form: FormItems) -> Contents:
    """The lists of Items in a document: tables with many rows of Items, and neighboring lines that only name them."""
    links: dict[int, dict[str, str]] = defaultdict(dict)
    for link in layout.links:
        links[link.start].setdefault(link.text.casefold(), link.target)
    rows: list[Listed] = []
    blocks: set[int] = set()
    lines: list[tuple[int, Listed]] = []
    for number, block in enumerate(layout.blocks):
        if block.kind == "table":
            found = _table_rows(layout, form, number, links.get(block.start, {}))
            if len({row.item for row in found}) >= LISTED:
                rows += found
                blocks.add(number)
            elif len(found) == len(block.rows):
                lines += [(number, row) for row in found]
        elif block.end - block.start < NEAR:
            row = _line_row(layout, form, number, next(iter(links.get(block.start, {}).values()), ""))
            if row:
                lines.append((number, row))
    for run in _runs(layout, form, lines):
        if len({row.item for _, row in run}) > LISTED:
            rows += [row for _, row in run]
            blocks.update(number for number, _ in run)
    rows.sort(key=lambda row: row.start)
    return Contents(tuple(rows), frozenset(blocks))


def _table_rows(layout: Layout, form: FormItems, number: int, links: dict[str, str]) -> list[Listed]:
    found = []
    within = ""  # the part of the rows
    for cells in layout.blocks[number].rows:
        texts = [layout.text[cell.start : cell.end] for cell in cells if cell.end > cell.start]
        part = form.part.fullmatch(texts[0]) if texts else None
        if part:
            within = part["part"]
            if len(texts) > 1:
                texts = texts[1:]
        if not texts:
            continue
        label = form.label.match(texts[0])
        bare = None if label else form.bare.fullmatch(texts[0])
        if not label and not (bare and len(texts) > 1):
            continue
        match = label or bare
        assert match  # noqa: S101
        title = texts[0][match.end() :].strip()
        others = texts[1:]
        if not title and others:
            title, *others = others
        keys = form.keys(match, title, within)
        if not keys or (bare and title_end(keys[0], title) is None):
            continue
        # Where numbers begin again, a bare label or a page leads to either Item.
        named = [*texts, title] if not form.begins_again else [title, texts[0][match.end() :] and texts[0]]
        target = next((links[text.casefold()] for text in named if text.casefold() in links), "")
        found += [Listed(key, title, " ".join(others), number, cells[0].start, target) for key in keys]
    return found


def _line_row(layout: Layout, form: FormItems, number: int, target: str) -> Listed | None:
    block = layout.blocks[number]
    text = layout.of(block)
    label = form.label.match(text)
    keys = form.keys(label, text[label.end() :]) if label else ()
    if not label or not keys:
        return None
    rest = text[label.end() :]
    return Listed(keys[0], rest, "", number, block.start, target)


def _runs(layout: Layout, form: FormItems, lines: Sequence[tuple[int, Listed]]) -> Iterable[list[tuple[int, Listed]]]:
    """Runs of lines that name Items with nothing longer than a title between them."""
    run: list[tuple[int, Listed]] = []
    for number, row in lines:
        if run:
            last, _ = run[-1]
            if row.item in {other.item for _, other in run} or not _only_names(layout, last, number):
                if _is_list(layout, form, run):
                    yield run
                run = []
        run.append((number, row))
    if _is_list(layout, form, run):
        yield run


def _only_names(layout: Layout, first: int, last: int) -> bool:
    """Whether the text between two blocks may be part of a list: names of parts and sections, pages, but no sentence."""
    between = layout.blocks[first + 1 : last] if last - first <= MOST_BETWEEN else None
    return between is not None and all(
        all(LIST_PAGE.search(layout.text, row[0].start, row[-1].end) for row in block.rows)
        if block.kind == "table"
        else block.end - block.start < NEAR
        and not re.search(r"[.;:]\W*$|\b(?:none|not applicable)\b", layout.of(block), re.IGNORECASE)
        for block in between
    )


def _is_list(layout: Layout, form: FormItems, run: Sequence[tuple[int, Listed]]) -> bool:
    """Whether lines are a list rather than short Items in sequence: they have the main Items, page numbers, or links."""
    if len(run) <= LISTED:
        return False
    items = {row.item for _, row in run}
    numbered = sum(bool(LIST_PAGE.search(layout.of(layout.blocks[number]))) for number, _ in run)
    linked = sum(bool(row.target) for _, row in run)
    return len(items & {*form.great}) >= 2 or max(numbered, linked) * 2 > len(run)


def find_headings(layout: Layout, contents: Contents, form: FormItems) -> list[Heading]:
    """Every block that may be the heading of an Item, in order."""
    targets: dict[str, set[int]] = defaultdict(set)
    for row in contents.rows:
        if row.target in layout.anchors:
            targets[row.item].add(layout.anchors[row.target])
    starts = [block.start for block in layout.blocks]
    found: dict[int, Heading] = {}
    within = ""  # the part of the blocks
    for number, block in enumerate(layout.blocks):
        if number in contents.blocks or block.kind == "table":
            continue
        if part := form.part.fullmatch(layout.text, block.start, min(block.end, block.start + NEAR)):
            within = part["part"]
        heading = _labelled(layout, form, number, within)
        if heading:
            found[number] = heading
    # A heading without its label, linked from the table of contents.
    for item, offsets in targets.items():
        for offset in offsets:
            first = bisect_left(starts, offset)
            near = [found[number] for number in range(first, min(first + 4, len(starts))) if number in found]
            if any(item in heading.items for heading in near):
                heading = next(heading for heading in near if item in heading.items)
                if not heading.linked:
                    found[heading.block] = _linked(heading)
                continue
            for number in range(first, min(first + 4, len(starts))):
                block = layout.blocks[number]
                if number in contents.blocks or number in found:
                    continue
                if block.kind == "table":
                    if heading := _first_row(layout, form, number, item):
                        found[number] = heading
                        break
                    continue
                if block.end - block.start >= NEAR:
                    continue
                text = layout.of(block)
                title = is_own_title(item, text) or (
                    number == first and block.kind == "heading" and title_end(item, text)
                )
                if title:
                    found[number] = Heading(number, block.start, block.end, (item,), text, 4, linked=True)
                    break
    if not any(item in form.unlabelled for heading in found.values() for item in heading.items):
        for number, block in enumerate(layout.blocks):
            if block.kind == "heading" and number not in found and number not in contents.blocks:
                text = layout.of(block)
                for item in form.unlabelled:
                    if is_own_title(item, LETTER.sub("", text)):
                        found[number] = Heading(number, block.start, block.end, (item,), text, 2)
    headings = _weighed([found[number] for number in sorted(found)])
    if len(headings) > MOST_CANDIDATES:
        headings = sorted(headings, key=lambda heading: -heading.strength)[:MOST_CANDIDATES]
        headings.sort(key=lambda heading: heading.start)
    return headings


def _linked(heading: Heading) -> Heading:
    return Heading(
        heading.block, heading.start, heading.end, heading.items, heading.text, heading.strength + 2, linked=True
    )


def _weighed(headings: Sequence[Heading]) -> list[Heading]:
    """Headings that are repeated, as at the top of every page, count less than one that occurs once."""
    said = Counter((heading.item, heading.text.casefold()) for heading in headings)
    return [
        replace(heading, strength=heading.strength - 1)
        if said[heading.item, heading.text.casefold()] >= REPEATED
        else heading
        for heading in headings
    ]


def _labelled(layout: Layout, form: FormItems, number: int, part: str) -> Heading | None:
    """The heading that a block is or begins with: label and title. `part` is the one that it stands in."""
    block = layout.blocks[number]
    text = layout.text[block.start : min(block.end, block.start + 700)]
    label = form.label.match(text)
    if not label or CONTINUED.search(text):
        return None
    rest = text[label.end() :]
    alone = not rest.strip(" .:|\u2013—-")
    keys = form.keys(label, _below(layout, number) if alone else rest, part)
    if not keys:
        return None
    set_apart = int(block.kind == "heading")
    if alone:
        return _with_next_title(layout, number, block, keys, text)
    short = bool(set_apart) and len(text) < NEAR
    title = next((found for key in keys if (found := title_end(key, rest, anywhere=short))), None)
    if title is None:
        return None
    after = rest[title:]
    if len(form.label.findall(after)) >= 2:
        # Lines of a table of contents in one paragraph.
        return None
    if block.kind == "heading" or block.end - block.start < NEAR:
        if set_apart == 0 and PROSE_AFTER.match(after) and not is_title(after):
            return None
        end = block.start + len(text) if len(text) < 700 else block.end
        return Heading(number, block.start, min(end, block.end), keys, text, 2 + set_apart)
    # "Item 1B. Unresolved Staff Comments. None ..." in one paragraph.
    stop = re.search(r"[.:—\u2013](?=\s|$)", after)
    if stop and stop.end() < 200 and not PROSE_AFTER.match(after) and is_title(rest[: title + stop.start()]):
        end = block.start + label.end() + title + stop.end()
        return Heading(number, block.start, end, keys, layout.text[block.start : end], 2)
    return None


def _first_row(layout: Layout, form: FormItems, number: int, item: str) -> Heading | None:
    """The heading of an Item that is the first row of a table."""
    block = layout.blocks[number]
    text = layout.of(block).partition(ROW_GAP)[0]
    label = form.label.match(text)
    if not label or len(text) >= NEAR or item not in form.keys(label, text[label.end() :]):
        return None
    if title_end(item, text[label.end() :]) is None:
        return None
    return Heading(number, block.start, block.start + len(text), (item,), " ".join(text.split()), 4, linked=True)


def _below(layout: Layout, number: int) -> str:
    """The line below a block."""
    below = layout.blocks[number + 1 : number + 2]
    return layout.of(below[0])[:NEAR] if below and below[0].kind != "table" else ""


def _with_next_title(layout: Layout, number: int, block: Block, keys: tuple[str, ...], text: str) -> Heading | None:
    """A label on a line of its own, its title on the next."""
    for after in range(number + 1, min(number + 3, len(layout.blocks))):
        below = layout.blocks[after]
        title = layout.of(below)[:NEAR]
        if below.kind != "table" and any(title_end(key, title) for key in keys) and below.end - below.start < NEAR:
            return Heading(number, block.start, below.end, keys, f"{text} {title}", 2 + int(block.kind == "heading"))
    if len(keys) > 1 and number + 1 < len(layout.blocks) and "by reference" in layout.of(layout.blocks[number + 1]):
        return Heading(number, block.start, block.end, keys, text, 3)
    return None


def chain(headings: Sequence[Heading], form: FormItems) -> list[Heading]:
    """The headings that cut the document: the strongest sequence in which Items follow one another.

    Of two headings of one Item the stronger stays; of equals the later in the front matter, the first in the body: an
    undetected table of contents has almost no text between its lines.
    """
    rows = [_strongest(headings, order) for order in form.orders] if headings else [(0.0, [])]
    return max(rows, key=lambda row: row[0])[1]


def _strongest(headings: Sequence[Heading], order: Mapping[str, int]) -> tuple[float, list[Heading]]:
    """(strength, headings) of the strongest sequence in an order of Items."""
    best: list[float] = []
    before: list[int] = []
    for place, heading in enumerate(headings):
        gain = heading.strength + _room(headings, place)
        value, previous = gain, -1
        for other in range(place):
            if order[headings[other].item] < order[heading.item] and best[other] + gain > value:
                value, previous = best[other] + gain, other
        best.append(value)
        before.append(previous)
    place = last = max(range(len(headings)), key=lambda number: best[number])
    row = []
    while place >= 0:
        row.append(headings[place])
        place = before[place]
    return best[last], row[::-1]


def _room(headings: Sequence[Heading], place: int) -> float:
    """Up to 1 for the amount of text between a heading and the next one of another Item."""
    heading = headings[place]
    after = next((other.start for other in headings[place + 1 :] if other.item != heading.item), None)
    return 1.0 if after is None else min(1.0, (after - heading.end) / 2_000)
