"""Running headers, footers and page numbers: found at the edges of pages, cut before a text is frozen."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from filings.layout.lines import ITEM_START, Line

EDGE = 4  # lines from the top and from the bottom of a page where a running line may stand
LONGEST = 170  # characters of a running line
REPEATS = 3  # pages on which a line is the same but for its numbers
MOST_PAGES = 0.4  # share of the pages
TABLE_ROWS = 2  # rows of a table that is a header or footer

ROMAN = r"(?:x{0,3})(?:ix|iv|v?i{0,3})"
PAGE_NUMBER = re.compile(
    rf"[-\u2013—|\s]*(?:page\s*)?(?P<number>(?:[a-z]{{1,2}}\s?[-\u2013—]\s?)?\d{{1,3}}|(?=[ivx]){ROMAN})(?:\s*of\s*\d+)?[-\u2013—|\s]*",
    re.IGNORECASE,
)
CONTENTS = re.compile(
    r"(?:(?:back|return|go)\s+to\s+)?(?:(?:the\s+)?(?:table\s+of\s+contents|contents|index|top)"
    r"(?:\s+to\s+(?:consolidated\s+)?financial\s+statements)?)(?:\s*[|\d]*)?",
    re.IGNORECASE,
)
CONTINUED = re.compile(
    r"[\s,.\u2013—-]*\(?\s*(?:continued|cont[\u2019']d|cont\.)\s*\)?[\s.:\u2013—-]*$", re.IGNORECASE
)
# "PART I, II", "Item 2, 3, 4": which Items a page holds, never one of their headings.
ITEM_LIST = re.compile(
    r"(?:part\s+[iv]+(?:\s*[,&]\s*[iv]+)+|items?\s*\d{1,2}[a-c]?(?:\s*[,&]\s*\d{1,2}[a-c]?)+)\W*", re.IGNORECASE
)
# Words that answer an Item, however often they stand at the end of a page.
ANSWER = re.compile(
    r"\W*(?:none|not applicable|n/a|reserved|omitted)\W*|.*\b(?:by reference|information required|required by this item)\b.*",
    re.IGNORECASE,
)
FORM_OR_YEAR = re.compile(r"(?:form\s*)?10-?kt?(?:/a)?|\b(?:19|20)\d\d\b", re.IGNORECASE)
TOKEN = re.compile(r"(?<![\w.,$-])(?:([A-Z]{1,2})\s?[-\u2013—]\s?)?(\d{1,3})(?![\w%]|[.,]\d)")
NUMBERS = re.compile(r"\d+\s?[a-c]?\b|\b[ivx]+\b")


def without_running_lines(lines: Sequence[Line]) -> tuple[list[Line], dict[int, str]]:
    """The lines that stay, and the printed number of each page that shows one: {place: "12" or "F-3" or "iv"}.

    A line at the edge of a page is cut where it is only a page number, leads to the table of contents, or stands on
    three pages and more but for its numbers. The first of several like headings stays. Anchors pass to what follows.
    """
    pages: dict[int, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        pages[line.page].append(number)
    if len(pages) < 2:
        return list(lines), {}
    edges = [(page, top, number) for page, numbers in pages.items() for top, number in _edge(lines, numbers)]
    seen: dict[str, set[int]] = defaultdict(set)
    exact: dict[str, set[int]] = defaultdict(set)
    for page, _, number in edges:
        seen[_mask(lines[number].text)].add(page)
        exact[lines[number].text].add(page)
    cut: set[int] = set()
    kept_once: set[str] = set()
    for numbers in pages.values():
        for from_top in (True, False):
            order = numbers[:EDGE] if from_top else numbers[: -EDGE - 1 : -1]
            for number in order:
                line = lines[number]
                if number in cut:
                    break
                if not _may_run(line) or not _runs(line, from_top, lines, number, seen, exact):
                    break
                if from_top and _is_first_heading(line, kept_once, seen):
                    break
                cut.add(number)
    if 2 * sum(all(number in cut for number in numbers) for numbers in pages.values()) > len(pages):
        # Pages of one line each, all alike, are the document itself.
        return list(lines), {}
    printed = _printed(
        {page: [lines[number].text for number in numbers if number in cut] for page, numbers in pages.items()}
    )
    kept: list[Line] = []
    anchors: list[str] = []
    for number, line in enumerate(lines):
        if number in cut:
            anchors += line.anchors
            continue
        if anchors:
            line.anchors, anchors = [*anchors, *line.anchors], []
        kept.append(line)
    return kept, printed


def _edge(lines: Sequence[Line], numbers: list[int]) -> list[tuple[bool, int]]:
    top = numbers[:EDGE]
    return [(number in top, number) for number in dict.fromkeys([*top, *numbers[-EDGE:]]) if _may_run(lines[number])]


def _may_run(line: Line) -> bool:
    if len(line.text) > LONGEST or ANSWER.fullmatch(line.text) or line.bullet:
        return False
    return line.grid is None or len(line.grid.rows) <= TABLE_ROWS


def _mask(text: str) -> str:
    return re.sub(r"#(?:\s*[,&]\s*#)+", "#", NUMBERS.sub("#", CONTINUED.sub("", text).casefold()))


def _runs(
    line: Line,
    from_top: bool,
    lines: Sequence[Line],
    number: int,
    seen: dict[str, set[int]],
    exact: dict[str, set[int]],
) -> bool:
    text = line.text
    if PAGE_NUMBER.fullmatch(text) or CONTENTS.fullmatch(text):
        return True
    if line.grid is not None and any(CONTENTS.fullmatch(cell.text) for row in line.grid.rows for cell in row):
        return True
    if ITEM_LIST.fullmatch(text):
        return len(seen[_mask(text)]) >= REPEATS
    if line.grid is not None and PAGE_NUMBER.fullmatch(" ".join(FORM_OR_YEAR.sub("", text).split())):
        return True
    if ITEM_START.match(text):
        return _item_runs(line, from_top, lines, number, seen, exact)
    return len(seen[_mask(text)]) >= REPEATS


def _item_runs(
    line: Line,
    from_top: bool,
    lines: Sequence[Line],
    number: int,
    seen: dict[str, set[int]],
    exact: dict[str, set[int]],
) -> bool:
    """Whether an Item's name at the edge of a page runs: said to be continued, repeated, or said again just below."""
    text = line.text
    pages = lines[-1].page
    if CONTINUED.search(text) or len(exact[text]) >= REPEATS:
        return True
    label = ITEM_START.match(text)
    assert label  # noqa: S101
    # Where most pages name their Items, a bare name is never a heading.
    if len(text) <= len(label[0]) + 2 and len(seen[_mask(text)]) > MOST_PAGES * pages:
        return True
    if not from_top or len(text) > len(label[0]) + 2:
        return False
    name = _squeezed(label[0])
    below = (other for other in lines[number + 1 : number + 1 + EDGE] if other.page == line.page)
    return any((found := ITEM_START.match(other.text)) is not None and _squeezed(found[0]) == name for other in below)


def _is_first_heading(line: Line, kept: set[str], seen: dict[str, set[int]]) -> bool:
    """Whether this is the first of like headings, which stays: it is where the part begins."""
    text = line.text
    if PAGE_NUMBER.fullmatch(text) or CONTENTS.fullmatch(text) or ITEM_LIST.fullmatch(text):
        return False
    if line.grid is not None or CONTINUED.search(text):
        return False
    if not (line.is_marked or line.caps) and not ITEM_START.match(text):
        return False
    mask = text.casefold() if ITEM_START.match(text) else _mask(text)
    if mask in kept or ("#" in mask and not ITEM_START.match(text)):
        return False
    if ITEM_START.match(text) and len(ITEM_START.match(text)[0]) + 2 >= len(text):  # type: ignore[index]
        return False
    kept.add(mask)
    return True


def _squeezed(text: str) -> str:
    return "".join(text.casefold().split())


def _printed(cut: dict[int, list[str]]) -> dict[int, str]:
    """The number each page shows, out of what was cut there: one that goes on from the page before is believed first."""
    tokens: dict[int, list[tuple[str, int, bool]]] = {}
    for page, texts in cut.items():
        found = []
        for text in texts:
            alone = PAGE_NUMBER.fullmatch(text)
            if alone and not re.search(r"\d", alone["number"]):
                found.append((alone["number"], 0, True))
                continue
            bare = FORM_OR_YEAR.sub(" ", text)
            found += [
                (f"{prefix}-" if prefix else "", int(number), bool(alone)) for prefix, number in TOKEN.findall(bare)
            ]
        tokens[page] = found
    steps = Counter(number - page for page, found in tokens.items() for prefix, number, _ in found if not prefix)
    usual = steps.most_common(1)[0][0] if steps else 0
    printed: dict[int, str] = {}
    before: tuple[str, int] | None = None
    for page in sorted(tokens):
        found = tokens[page]
        choice = (
            next(((p, n) for p, n, _ in found if before and (p, n) == (before[0], before[1] + 1) and n), None)
            or next(((p, n) for p, n, alone in found if alone), None)
            or next(((p, n) for p, n, _ in found if not p and n - page == usual), None)
            or next(((p, n) for p, n, _ in found if p.endswith("-")), None)
        )
        before = choice if choice else (before[0], before[1] + 1) if before else None
        if choice:
            prefix, number = choice
            printed[page] = f"{prefix}{number}" if number else prefix
    return printed
