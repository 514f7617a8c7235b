"""Removes running headers, footers and page numbers, found at the edges of pages."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from filings.document.layout.lines import ITEM_START, Line, is_title

EDGE = 4  # lines from a page's top and bottom that may be running lines; repeated headings may follow below
LONGEST = 170  # characters of a running line
REPEATS = 3  # neighboring pages on which a line is the same except for a counting number
APART = 2  # pages from one to the next: left and right pages may differ
MANY, MANY_SHARE = 8, 0.5  # pages anywhere, or share of a short document's, from which a line counts as running
ELSEWHERE = 2  # times as often as at the edges: a line inside pages too is text
MOST_PAGES = 0.4  # share of the pages
TOP = 2  # lines from the edge of a page that may name its Item
FEW_NAMED = 6  # Items that a page names without being a table of contents
COUNTED = re.compile(r"(\d{1,3})|[-\u2013—]\s?(\d{1,3})\s?[-\u2013—]")
LEAST_COUNTED = 5  # single numbers, each one more than the last, that mark the ends of pages
TABLE_ROWS = 2  # rows of a table that is a header or footer

CONTENTS = re.compile(
    r"(?:(?:back|return|go)\s+to\s+)?(?:(?:the\s+)?(?:table\s+of\s+contents|contents|index|top)"
    r"(?:\s+to\s+(?:consolidated\s+)?financial\s+statements)?)(?:\s*[|\d]*)?",
    re.IGNORECASE,
)
CONTINUED = re.compile(
    r"(?<![\s,.\u2013—-])[\s,.\u2013—-]*\(?\s*(?:continued|cont[\u2019']d|cont\.)\s*\)?[\s.:\u2013—-]*$", re.IGNORECASE
)
# "PART I, II", "Item 2, 3, 4": Items on a page, never a heading of one.
ITEM_LIST = re.compile(
    r"(?:part\s+[iv]+(?:\s*[,&]\s*[iv]+)+|(?:part\s+[iv]+[\s,.\u2013—-]*)?items?\s*\d{1,2}[a-c]?(?:\s*[,&]\s*\d{1,2}[a-c]?)+)\W*",
    re.IGNORECASE,
)
# Words that answer an Item, however often they end a page.
ANSWER = re.compile(
    r"\W*(?:none|not applicable|n/a|reserved|omitted)\W*|.*\b(?:by reference|information required|required by this item)\b.*",
    re.IGNORECASE,
)
# A repeated heading at the top of a page: "Note 4 (Continued)", never a sentence that ends with the word.
SAID_AGAIN = re.compile(r"(?:\(|[\u2013—-]\s*|,\s*)(?:continued|cont[\u2019']d|cont\.)\s*\)?\W*$", re.IGNORECASE)
NUMBERED = re.compile(r"(?:note|table|exhibit|schedule|figure|annex|appendix)\s+#\W*")
# The end of a letter: two auditors' letters, or a letter and a certificate, end alike.
SIGNED = re.compile(
    r"/s/.*|.*\bL\.?L\.?P\.?|(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"\s+\d{1,2},?\s+(?:19|20)\d\d|.*\bauditors?\s+since\s+\d{4}\W*",
    re.IGNORECASE,
)
HEAD = "head of page: "  # before the name of an Item, in an anchor; no id has blanks
LETTER = re.compile(r"[A-Za-z]")
NUMBERS = re.compile(r"\d+\s?[a-c]?\b|\b[ivx]+\b")


ROMAN = r"(?:x{0,3})(?:ix|iv|v?i{0,3})"
PAGE_NUMBER = re.compile(
    rf"[-\u2013—|\s]*(?:page\s*)?(?P<number>(?:[a-z]{{1,2}}\s?[-\u2013—]\s?)?\d{{1,3}}|(?=[ivx]){ROMAN})(?:\s*of\s*\d+)?[-\u2013—|\s]*",
    re.IGNORECASE,
)
FORM_OR_YEAR = re.compile(r"(?:form\s*)?10-?kt?(?:/a)?|\b(?:19|20)\d\d\b", re.IGNORECASE)
TOKEN = re.compile(r"(?<![\w.,$-])(?:([A-Z]{1,2})\s?[-\u2013—]\s?)?(\d{1,3})(?![\w%]|[.,]\d)")
PREFIX = re.compile(r"([a-zA-Z]*)\s?[-\u2013—]?\s?(\d*)")


def printed_numbers(cut: dict[int, list[str]]) -> dict[int, str]:
    """The printed number of each page, from the lines cut there; one that continues the previous page's is preferred."""
    tokens: dict[int, list[tuple[str, int, bool]]] = {}
    for page, texts in cut.items():
        found = []
        for text in texts:
            alone = PAGE_NUMBER.fullmatch(text)
            if alone:
                prefix, number = PREFIX.findall(alone["number"])[0]
                found.append((prefix if not number else f"{prefix}-" if prefix else "", int(number or 0), True))
                continue
            bare = FORM_OR_YEAR.sub(" ", text)
            found += [(f"{prefix}-" if prefix else "", int(number), False) for prefix, number in TOKEN.findall(bare)]
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


@dataclass
class Edges:
    """The lines at the edges of pages and their pages: by words, by words with a counting number, and by words alone."""

    pages: int
    everywhere: Counter[str]
    exact: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    counting: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    masked: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, text: str, page: int) -> None:
        self.exact[_named(text)].add(page)
        self.counting[_counting(text, page)].add(page)
        self.masked[_mask(text)].add(page)

    def many(self, text: str) -> bool:
        """Whether a line is at the edges of so many pages that it must be a running line."""
        mask = _mask(text)
        found = self.exact[_named(text)] if NUMBERED.fullmatch(mask) else self.masked[mask]
        return len(found) >= max(REPEATS, min(MANY, MANY_SHARE * self.pages))

    def near(self, text: str, page: int) -> bool:
        """Whether a line is on neighboring pages too, and only at their edges."""
        mask = _mask(text)
        if self.everywhere[mask] > ELSEWHERE * len(self.masked[mask]):
            return False
        return any(
            _neighbours(found, page) >= REPEATS
            for found in (self.exact[_named(text)], self.counting[_counting(text, page)])
        )


def paged_by_numbers(lines: Sequence[Line]) -> int:
    """Give lines the pages that single numbers count, in a document without other page breaks; returns how many."""
    runs: dict[int, list[int]] = {}
    for place, line in enumerate(lines):
        counted = COUNTED.fullmatch(line.text) if line.grid is None else None
        if counted:
            number = int(counted[1] or counted[2])
            before = runs.get(number - 1, [])
            if len(before) >= len(runs.get(number, [])):
                runs[number] = [*before, place]
    ends = max(runs.values(), key=len, default=[])
    if len(ends) < LEAST_COUNTED:
        return 1
    for place, line in enumerate(lines):
        line.page = 1 + bisect_left(ends, place)
    return lines[-1].page


def without_running_lines(lines: Sequence[Line]) -> tuple[list[Line], dict[int, str]]:
    """The remaining lines, and the printed page numbers: {place: "12" or "F-3" or "iv"}.

    A line at the edge of a page is cut where it is only a page number, links to the table of contents, repeats a
    heading, or stands on three or more neighboring pages. The first of several equal headings stays, and so does the
    end of a letter. Anchors move to what follows, and the name of an Item at the head of a page becomes one.
    """
    pages: dict[int, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        pages[line.page].append(number)
    if len(pages) < 2:
        return list(lines), {}
    edges = Edges(len(pages), Counter(_mask(line.text) for line in lines if len(line.text) <= LONGEST))
    for page, numbers in pages.items():
        for number in dict.fromkeys([*numbers[:EDGE], *numbers[-EDGE:]]):
            if _may_run(lines[number]):
                edges.add(lines[number].text, page)
    named: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))  # page: {Item: lines}
    for number, line in enumerate(lines):
        if name := _item_named(line):
            named[line.page][name].append(number)
    cut: set[int] = set()
    kept_once: set[str] = set()
    for numbers in pages.values():
        for from_top in (True, False):
            order = numbers[: 2 * EDGE] if from_top else numbers[: -EDGE - 1 : -1]
            ends_letter = not from_top and any(SIGNED.fullmatch(lines[number].text) for number in order)
            held = False
            for place, number in enumerate(order):
                line = lines[number]
                if number in cut:
                    break
                if not _may_run(line) or (place >= EDGE and not SAID_AGAIN.search(line.text)):
                    break
                # An Item that is named elsewhere on the page, or was on the page before, does not begin here.
                name = _item_named(line) if place < TOP else ""
                on, before = named[line.page].get(name, ()), named[line.page - 1]
                begun = (name in before and len(before) <= FEW_NAMED) or any(
                    other > number if from_top else other < number and other not in cut for other in on
                )
                if name and not from_top and not begun:
                    break
                if not begun and not _runs(number, lines, edges, from_top, ends_letter):
                    if from_top:
                        _is_first_heading(line, kept_once)
                    break
                if from_top and not begun and _is_first_heading(line, kept_once):
                    held = True
                elif held and not SAID_AGAIN.search(line.text):
                    break
                else:
                    cut.add(number)
    if 2 * sum(all(number in cut for number in numbers) for numbers in pages.values()) > len(pages):
        # Pages of one line each, all alike, are the document itself.
        return list(lines), {}
    printed = printed_numbers(
        {page: [lines[number].text for number in numbers if number in cut] for page, numbers in pages.items()}
    )
    kept: list[Line] = []
    anchors: list[str] = []
    for number, line in enumerate(lines):
        if number in cut:
            anchors += line.anchors
            if ITEM_START.match(line.text) and (not kept or kept[-1].page < line.page):
                anchors.append(HEAD + line.text)
            continue
        if anchors:
            line.anchors, anchors = [*anchors, *line.anchors], []
        kept.append(line)
    return kept, printed


def _item_named(line: Line) -> str:
    """The Item whose heading a line may be; empty for text, and for a line of a table of contents."""
    label = ITEM_START.match(line.text)
    if not label or line.grid is not None or len(line.text) > LONGEST or line.links or line.text[-1].isdecimal():
        return ""
    title = line.text[label.end() :].partition(" (")[0]
    apart = line.is_marked or line.caps or is_title(title)
    return _squeezed(label[0]) if apart and LETTER.search(title) else ""


def _may_run(line: Line) -> bool:
    if len(line.text) > LONGEST or ANSWER.fullmatch(line.text):
        return False
    if line.bullet:
        return SAID_AGAIN.search(line.text) is not None
    return line.grid is None or len(line.grid.rows) <= TABLE_ROWS


def _named(text: str) -> str:
    return CONTINUED.sub("", text).casefold()


def _mask(text: str) -> str:
    return re.sub(r"#(?:\s*[,&]\s*#)+", "#", NUMBERS.sub("#", _named(text)))


def _counting(text: str, page: int) -> str:
    """A text with its small numbers reduced by the page's: the same on pages that it numbers."""
    return re.sub(r"(?<!\d)\d{1,3}(?!\d)", lambda found: f"<{int(found[0]) - page}>", _named(text))


def _neighbours(pages: set[int], page: int) -> int:
    """How many pages of a set are reached from one in steps of at most APART; at most REPEATS are counted."""
    count = 1
    for step in (1, -1):
        at = page
        while count < REPEATS and (
            found := next((at + step * far for far in range(1, APART + 1) if at + step * far in pages), None)
        ):
            at = found
            count += 1
    return count


def _runs(number: int, lines: Sequence[Line], edges: Edges, from_top: bool, ends_letter: bool) -> bool:
    line = lines[number]
    text = line.text
    if PAGE_NUMBER.fullmatch(text) or CONTENTS.fullmatch(text):
        return True
    if line.grid is not None:
        return (
            any(CONTENTS.fullmatch(cell.text) for row in line.grid.rows for cell in row)
            or PAGE_NUMBER.fullmatch(" ".join(FORM_OR_YEAR.sub("", text).split())) is not None
            or edges.many(text)
        )
    if ITEM_LIST.fullmatch(text):
        return len(edges.masked[_mask(text)]) >= REPEATS
    if ITEM_START.match(text):
        return _item_runs(number, lines, edges, from_top)
    if from_top and SAID_AGAIN.search(text):
        return True
    return edges.many(text) or (not ends_letter and edges.near(text, line.page))


def _item_runs(number: int, lines: Sequence[Line], edges: Edges, from_top: bool) -> bool:
    """Whether an Item's name at the edge of a page is a running line: marked as continued, repeated, or repeated just
    below.
    """
    line = lines[number]
    text = line.text
    if CONTINUED.search(text) or len(edges.exact[_named(text)]) >= REPEATS:
        return True
    label = ITEM_START.match(text)
    assert label  # noqa: S101
    # Where most pages name their Items, a bare name is never a heading.
    if len(text) <= len(label[0]) + 2 and len(edges.masked[_mask(text)]) > MOST_PAGES * lines[-1].page:
        return True
    if not from_top or len(text) > len(label[0]) + 2:
        return False
    name = _squeezed(label[0])
    below = (other for other in lines[number + 1 : number + 1 + EDGE] if other.page == line.page)
    return any((found := ITEM_START.match(other.text)) is not None and _squeezed(found[0]) == name for other in below)


def _is_first_heading(line: Line, kept: set[str]) -> bool:
    """Whether this is the first of equal headings, which stays: its part begins there. `kept` remembers them."""
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
