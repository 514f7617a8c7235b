"""A document of a fictional report: the source's blocks laid out on pages, with the head and foot of each."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from evals.sample.fictional.figures import Inconsistent
from evals.sample.fictional.inline import Inline
from evals.sample.fictional.source import Piece, spelled
from evals.sample.fictional.tables import table

PAGE = 3600  # characters of text on a page, a table row counted as ROW, other blocks with GAP for the space between
ROW, GAP = 70, 90
LEAST = 130  # a paragraph is broken over two pages where each part keeps as many characters
BREAK = '<hr style="page-break-after:always"/>'
PAGE_OF = re.compile(r"\{(page|exhibit) ([a-z0-9-]+)\}")
BOLD, ITALIC = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"(?<![\w*])\*([^*]+)\*")
TAG = re.compile(r"\{tag ([A-Za-z-]+:[A-Za-z0-9]+)\|([^}]*)\}")
STYLES = {
    "part": ("text-align:center;margin:9pt 0", "font-weight:700"),
    "item": ("margin:12pt 0 6pt 0", "font-weight:700"),
    "head": ("margin:10pt 0 4pt 0", "font-weight:700"),
    "caption": ("margin:9pt 0 4pt 0", "font-style:italic;font-weight:700"),
    "group": ("margin:9pt 0 4pt 0", "font-style:italic;text-decoration:underline"),
    "center": ("text-align:center;margin:6pt 0 2pt 0", "font-weight:700"),
    "sub": ("text-align:center;margin:0 0 4pt 0", "font-size:9pt"),
}
ITEM = re.compile(r"Items? (\d+[A-C]?)\.")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the pages of a document look. `running` stands at the head, `foot` at the end with {} for the number.

    The first `unnumbered` pages have no printed number; `behind` is what the printed number is less than the place.
    """

    running: str = "Table of Contents"
    foot: str = "{}"
    unnumbered: int = 1
    behind: int = 0


@dataclass(slots=True)
class Laid:
    """One block as markup. `note`: the text block it belongs to; `title`: it stays on the page of the next."""

    html: str
    weight: int
    note: str = ""
    title: bool = False
    plain: str = ""
    closes: bool = False


@dataclass
class Document:
    """Lays out one document. Text may name pages that come after it, so a document is laid out twice: `anchors` of
    the first time, and those of the exhibit, are given to the second.
    """

    inline: Inline
    layout: Layout
    salt: str
    anchors: dict[str, int] = field(default_factory=dict)
    exhibit: dict[str, int] = field(default_factory=dict)
    begun: dict[str, int] = field(default_factory=dict)
    named: Counter[str] = field(default_factory=Counter)

    def body(self, pieces: Iterable[Piece], cover: str = "") -> str:
        """The pages. Raises Inconsistent where a page is asked for that no anchor names."""
        laid: list[Laid] = [Laid(cover, 0, closes=True)] if cover else []
        note = ""
        contents: list[tuple[str, str]] = []
        place: int | None = None
        pieces = list(pieces)
        for piece in pieces:
            if piece.kind == "directive":
                name, _, rest = piece.text.partition(" ")
                if name == "toc":
                    place = len(laid)
                elif name == "page":
                    laid.append(Laid("", 0, note, closes=True))
                elif name == "note":
                    note = rest
                elif name == "endnote":
                    note = ""
                elif name == "anchor":
                    laid.append(Laid(f'<div id="{self.anchor(rest)}"></div>', 0, note, title=True))
                elif name in {"center", "sub"}:
                    laid.append(self.heading(name, rest, note))
                elif name == "hidden":
                    # What a reader does not see, and a machine must not either.
                    laid.append(Laid(f'<div style="display:none">{escape(rest, quote=False)}</div>', 0, note))
                else:
                    raise Inconsistent(f"No directive :{name}.")
            elif piece.kind in STYLES:
                laid.append(self.heading(piece.kind, piece.text, note))
                if piece.kind in {"part", "item"}:
                    contents.append((piece.kind, piece.text))
            elif piece.kind == "table":
                rows = tuple(self.filled(row) for row in piece.rows)
                html = table(self.filled(piece.text), rows, self.inline, self.styled)
                laid.append(Laid(f'<div style="margin:6pt 0">{html}</div>', ROW * len(rows) + GAP, note))
            else:
                text = self.filled(piece.text)
                laid.append(
                    Laid(self.block(piece.kind, text), len(text) + GAP, note, plain=text * (piece.kind == "paragraph"))
                )
        if place is not None:
            laid[place:place] = self.contents(contents)
        return self.pages(laid)

    def filled(self, text: str) -> str:
        """A source text with its figures and page numbers written out; {exhibit x} is a page of the other document."""

        def page(match: re.Match[str]) -> str:
            known = self.anchors if match[1] == "page" else self.exhibit
            if known and match[2] not in known:
                raise Inconsistent(f"No anchor is called {match[2]}.")
            return str(known.get(match[2], 0))

        # A range of one page is that page.
        text = re.sub(r"\b(\d+)-\1\b", r"\1", PAGE_OF.sub(page, text)) if PAGE_OF.search(text) else text
        return spelled(text, self.inline.figures, self.inline.year)

    def styled(self, text: str) -> str:
        """Markup of a text with *italic*, **bold**, {f key} and {tag name|text} in it."""
        html = escape(text, quote=False)
        html = BOLD.sub(r'<span style="font-weight:700">\1</span>', html)
        html = ITALIC.sub(r'<span style="font-style:italic">\1</span>', html)
        html = TAG.sub(lambda match: self.inline.text(match[1], match[2]), html)
        return re.sub(
            r"\{f (-?)([a-z0-9_]+)(?: (-\d))?\}",
            lambda match: self.inline.line(match[2], self.inline.year + int(match[3] or 0), bool(match[1])),
            html,
        )

    def anchor(self, name: str) -> str:
        digest = hashlib.sha256(self.salt.encode()).hexdigest()[:16]
        return f"i{digest}_{name}"

    def heading(self, kind: str, text: str, note: str) -> Laid:
        block, span = STYLES[kind]
        text = self.filled(text)
        named = f' id="{self.anchor(numbered(slug(text), self.named))}"' if kind in {"part", "item"} else ""
        html = f'<div{named} style="{block}"><span style="{span}">{self.styled(text)}</span></div>'
        return Laid(html, len(text) + GAP, note, title=True)

    def block(self, kind: str, text: str, above: str = "6pt") -> str:
        if kind == "bullet":
            return (
                '<div style="padding-left:36pt;text-indent:-18pt;margin-top:3pt"><span>&#8226;</span>'
                f'<span style="padding-left:14.5pt">{self.styled(text)}</span></div>'
            )
        return f'<div style="margin-top:{above};text-align:justify"><span>{self.styled(text)}</span></div>'

    def contents(self, headings: list[tuple[str, str]]) -> list[Laid]:
        """The table of contents: a row an Item with its page, each a link."""
        rows = []
        seen: Counter[str] = Counter()
        for kind, text in headings:
            text = self.filled(text)
            name = numbered(slug(text), seen)
            link = f'<a href="#{self.anchor(name)}" style="color:#0000ff;text-decoration:none">'
            if kind == "part":
                rows.append(
                    f'<tr><td colspan="3" style="padding:4px 1pt"><span style="font-weight:700">{link}{escape(text)}</a></span></td></tr>'
                )
                continue
            number, _, title = text.partition(". ")
            rows.append(
                f'<tr><td style="padding:2px 1pt;width:15%"><span>{link}{escape(number)}.</a></span></td>'
                f'<td style="padding:2px 1pt"><span>{link}{escape(title)}</a></span></td>'
                f'<td style="padding:2px 1pt;text-align:right"><span>{link}{self.anchors.get(name, 0)}</a></span></td></tr>'
            )
        title = '<div id="{}" style="text-align:center;margin:6pt 0"><span style="font-weight:700">TABLE OF CONTENTS</span></div>'
        table = f'<table style="border-collapse:collapse;width:100%">{"".join(rows)}</table>'
        return [Laid(title.format(self.anchor("toc")) + table, 0), Laid("", 0, closes=True)]

    def pages(self, laid: list[Laid]) -> str:
        """The blocks on pages, the anchors' pages noted."""
        pages: list[list[Laid]] = [[]]
        room = PAGE
        queue = list(laid)
        while queue:
            block = queue.pop(0)
            if block.closes:
                pages[-1] += [block] if block.html else []
                pages.append([])
                room = PAGE
            elif block.weight <= room or not pages[-1]:
                pages[-1].append(block)
                room -= block.weight
            else:
                parts = self.broken(block, room)
                if parts:
                    pages[-1].append(parts[0])
                    queue.insert(0, parts[1])
                else:
                    queue.insert(0, block)
                    # A heading goes with what it is above.
                    while pages[-1] and pages[-1][-1].title:
                        queue.insert(0, pages[-1].pop())
                pages.append([])
                room = PAGE
        pages = [page for page in pages if page]
        last: dict[str, int] = {}
        for number, page in enumerate(pages):
            for block in page:
                if block.note:
                    last[block.note] = number
        made = [self.page(number, page, last, number == len(pages)) for number, page in enumerate(pages, 1)]
        return BREAK.join(made)

    def broken(self, block: Laid, room: int) -> tuple[Laid, Laid] | None:
        """A paragraph in two, inside a sentence; None where it is too short or holds tags."""
        text = block.plain
        if "{" in text or len(text) < 2 * LEAST or room - GAP < LEAST:
            return None
        at = text.rfind(" ", 0, min(room - GAP, len(text) - LEAST))
        while at > LEAST and (text[at - 1] in ".!?:;" or text[:at].count("*") % 2):
            at = text.rfind(" ", 0, at)
        if at <= LEAST // 2:
            return None
        first, rest = text[:at], text[at + 1 :]
        return (
            Laid(self.block("paragraph", first), len(first) + GAP, block.note, plain=first),
            Laid(self.block("paragraph", rest, "0"), len(rest) + GAP, block.note, plain=rest),
        )

    def page(self, number: int, blocks: list[Laid], last: dict[str, int], final: bool) -> str:
        """One page: running head, blocks, foot."""
        shown = number - self.layout.behind if number > self.layout.unnumbered else 0
        parts = []
        if number > self.layout.unnumbered:
            link = f'<a href="#{self.anchor("toc")}" style="color:#0000ff;text-decoration:underline">{escape(self.layout.running)}</a>'
            parts.append(
                f'<div style="min-height:36pt;width:100%"><div><span style="font-size:9pt">{link}</span></div></div>'
            )
        for block in blocks:
            for name in re.findall(r'\bid="i[0-9a-f]{16}_([^"]+)"', block.html):
                self.anchors[name] = shown
        place = 0
        while place < len(blocks):
            note = blocks[place].note
            end = place
            while end < len(blocks) and blocks[end].note == note:
                end += 1
            html = "".join(block.html for block in blocks[place:end])
            parts.append(self.noted(note, html, last[note] == number - 1) if note else html)
            place = end
        if shown:
            foot = self.layout.foot.format(shown)
            parts.append(
                '<div style="height:36pt;position:relative;width:100%"><div style="bottom:0;position:absolute;width:100%">'
                f'<div style="text-align:center"><span style="font-size:9pt">{escape(foot)}</span></div></div></div>'
            )
        return "<div>" + "".join(parts) + "</div>"

    def noted(self, note: str, html: str, ends: bool) -> str:
        """A part of a note as a tagged text block, continued on the next page where it does not end."""
        name, _, key = note.partition(" ")
        begun = self.begun.get(note, 0)
        self.begun[note] = begun + 1
        after = "" if ends else f' continuedAt="{self.anchor(key)}-{begun + 1}"'
        if begun:
            return f'<ix:continuation id="{self.anchor(key)}-{begun}"{after}>{html}</ix:continuation>'
        tagged = self.inline.text(name, html)
        return tagged.replace("<ix:nonNumeric ", f'<ix:nonNumeric escape="true"{after} ', 1)


def numbered(name: str, seen: Counter[str]) -> str:
    """A name, with a number where it was seen before: the parts of a 10-Q each have an Item 1."""
    seen[name] += 1
    return name if seen[name] == 1 else f"{name}-{seen[name]}"


def slug(text: str) -> str:
    """The name of a heading's anchor: item-1a, part-i."""
    match = ITEM.match(text)
    return f"item-{match[1]}".lower() if match else re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def encoded(html: str) -> bytes:
    """A document's bytes, its end added."""
    return f"{html}</body></html>\n".encode("ascii", "xmlcharrefreplace")
