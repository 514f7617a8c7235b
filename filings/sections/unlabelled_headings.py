"""Headings without a label: an Item's title alone, or none in words, where only a link or the heads of pages tell of it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from operator import attrgetter

from filings.document.layout import Layout, is_title
from filings.document.layout.running_lines import HEAD
from filings.sections.headings import LETTER, LISTED, MOST_CANDIDATES, NEAR, Heading, chain
from filings.sections.items import MARKET_RISK
from filings.sections.section_drafts import Source
from filings.sections.titles import is_own_title

LEAST_PEERS = 2  # sub-headings of one level, before a title of that level, from which it is one of them


def completed(source: Source) -> Source:
    """A document with a heading for each listed Item that has no label, between the Items before and after it.

    Unchanged where most Items have none, unless places of them are in order: pages in any order are an index.
    """
    places = _places(source)
    headed = {item for heading in (*source.headings, *source.others) for item in heading.items}
    starts = [places[item][0] for item in source.form.items if item in places]
    if sum(item in headed for item in source.form.great) < 2 and (len(starts) <= LISTED or starts != sorted(starts)):
        return source
    ends = [None, *source.headings, None]
    found = [heading for pair in pairwise(ends) for heading in _between(source, *pair, headed, places)]
    headings = sorted((*source.headings, *found), key=attrgetter("start"))
    inside = [heading for place, heading in enumerate(headings) if _is_within(source, headings, place)]
    if inside:
        known = sorted({*headings, *source.others}.difference(inside), key=attrgetter("start"))
        headings = chain(known, source.form)
    others = tuple(heading for heading in source.others if heading not in headings)
    return replace(source, headings=tuple(headings), others=others, inside=tuple(inside))


def _places(source: Source) -> dict[str, tuple[int, str]]:
    """(offset, title) of Items by the links of a table of contents, or by the first of the running heads that name one."""
    layout, form = source.layout, source.form
    rows = source.contents.rows
    shared = Counter(target for _, target in {(row.item, row.target) for row in rows})  # the heading of a part
    named = [(row.item, layout.anchors.get(row.target, -1), row.title) for row in rows if shared[row.target] == 1]
    for anchor, offset in layout.anchors.items():
        label = form.label.match(anchor.removeprefix(HEAD)) if anchor.startswith(HEAD) else None
        named += [(item, offset, form.items[item].title) for item in (form.keys(label, "")[:1] if label else ())]
    places: dict[str, tuple[int, str]] = {}
    for item, offset, title in named:
        if offset >= 0 and layout.block_at(offset) not in source.contents.blocks:
            places.setdefault(item, (offset, title))
    return places


def _between(
    source: Source,
    before: Heading | None,
    after: Heading | None,
    headed: set[str],
    places: dict[str, tuple[int, str]],
) -> list[Heading]:
    """The headings between two others."""
    layout, items = source.layout, [*source.form.items]
    first = items.index(before.items[-1]) + 1 if before else 0
    last = items.index(after.item) if after else len(items)
    listed = (source.contents.items | places.keys()) - headed
    missing = [item for item in items[first:last] if item in listed]
    start, end = before.end if before else 0, after.start if after else len(layout.text)
    candidates = [*islice(_titles(source, missing, start, end), MOST_CANDIDATES)] if missing else []
    titled = {heading.item for heading in candidates}
    for item in missing:
        offset, title = places.get(item, (-1, ""))
        if item not in titled and start <= offset < end:
            number = layout.block_at(offset)
            at = layout.blocks[number].start
            called = f"{source.form.items[item].called}. {title}"
            candidates.append(Heading(number, at, at, (item,), called, 1, linked=True))
    return chain(sorted(candidates, key=attrgetter("start")), source.form)


def _titles(source: Source, items: Sequence[str], start: int, end: int) -> Iterator[Heading]:
    """Lines of a range that are the title of an Item; a line set apart counts more."""
    layout = source.layout
    for number in range(layout.block_at(start), layout.block_at(end)):
        block = layout.blocks[number]
        if block.kind not in {"heading", "paragraph"} or block.end - block.start >= NEAR:
            continue
        text = layout.of(block)
        if number in source.contents.blocks or not is_title(text):
            continue
        for item in items:
            if is_own_title(item, LETTER.sub("", text)):
                yield Heading(number, block.start, block.end, (item,), text, 1 + int(block.kind == "heading"))


def _is_within(source: Source, headings: Sequence[Heading], place: int) -> bool:
    """Whether a title of market risk is a sub-heading of management's discussion.

    It has no label where its neighbours have one, others of its level stand above it, and more of them follow it.
    """
    if headings[place].item not in MARKET_RISK or not 0 < place < len(headings) - 1:
        return False
    before, heading, after = headings[place - 1 : place + 2]
    label = source.form.label.match
    if (
        source.form.discussion not in before.items
        or label(heading.text)
        or not label(before.text)
        or not label(after.text)
    ):
        return False
    level = source.layout.blocks[heading.block].level
    above = _of_level(source.layout, before.end, heading.start, level)
    return above >= LEAST_PEERS and _of_level(source.layout, heading.end, after.start, level) > 0


def _of_level(layout: Layout, start: int, end: int, level: int) -> int:
    """How many headings of a level, or above it, stand in a range."""
    blocks = layout.blocks[layout.block_at(start) : layout.block_at(end)]
    return sum(block.kind == "heading" and block.level <= level for block in blocks)
