"""The style of text by CSS and tags: weight, slant, size, visibility, and page breaks."""

import re
from typing import NamedTuple

from lxml import etree

from filings.document.layout.colors import BLACK, WHITE, Color, color, is_seen, over
from filings.document.layout.declarations import HINT, Declarations, cleaned, declarations, declare, settle
from filings.document.layout.hidden import SMALLEST, is_gone, leading
from filings.document.layout.lengths import length
from filings.document.layout.style_sheets import Sheets

ALWAYS = re.compile(r"\b(always|page|left|right|recto|verso)\b")
# CSS names of sizes, and the sizes of <font size>, in points.
NAMED_POINTS = {"xx-small": 7, "x-small": 7.5, "small": 10, "medium": 12, "large": 13.5, "x-large": 18, "xx-large": 24}
FONT_POINTS = {"1": 7.5, "2": 10, "3": 12, "4": 13.5, "5": 18, "6": 24, "7": 36}

BLOCK_TAGS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "document",
        "text",
        "type",
        "sequence",
        "filename",
        "description",
        "sec-document",
    ]
)
BOLD_TAGS = frozenset({"b", "strong", "th", "h1", "h2", "h3", "h4", "h5", "h6"})
ITALIC_TAGS = frozenset({"i", "em", "cite", "var"})
UNDERLINE_TAGS = frozenset({"u", "ins"})
HEADING_POINTS = {"h1": 20, "h2": 16, "h3": 13}
# Elements whose text is never on the page; the last are from Inline XBRL, SGML and forms.
UNSEEN_TAGS = frozenset(
    [
        "head",
        "script",
        "style",
        "title",
        "noscript",
        "template",
        "object",
        "applet",
        "svg",
        "math",
        "iframe",
        "select",
        "textarea",
        "audio",
        "video",
        "canvas",
        "header",
        "hidden",
        "references",
        "resources",
    ]
)
# "header" is also an HTML 5 element; only Inline XBRL's hides its text.
INLINE_XBRL_ONLY = frozenset({"header", "hidden", "references", "resources"})


class Style(NamedTuple):
    """The style of text. The last four fields belong to one element and are not inherited.

    `unseen` text takes its place invisibly, though elements inside may be visible; of a `hidden` element nothing is.
    `ink` and `ground` are colors; None where they are unknown, as over a picture.
    """

    bold: bool = False
    italic: bool = False
    underline: bool = False
    caps: bool = False
    size: float = 10.0
    centered: bool = False
    ink: Color | None = BLACK
    ground: Color | None = WHITE
    invisible: bool = False
    leading: float | None = None
    unseen: bool = False
    hidden: bool = False
    block: bool = False
    break_before: bool = False
    break_after: bool = False


class Element(NamedTuple):
    """The parts of an element that decide its style; `hints` are attributes such as bgcolor, as declarations."""

    tag: str
    css: str
    hints: str = ""
    classes: str = ""
    ident: str = ""
    align: str = ""
    size: str = ""


class Styles:
    """Styles of elements, computed once for each different element and surrounding style."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Style] = {}
        self._sheets = Sheets()

    def read_sheet(self, sheet: str) -> None:
        """Add the rules of a <style> element."""
        self._sheets.read(sheet)

    def of(self, around: Style, element: Element, node: etree._Element) -> Style:
        """The style of an element: inherited, then changed by its tag, its attributes and matching rules."""
        matches: tuple[int, ...] = ()
        if self._sheets:
            classes, ident = element.classes.lower().split(), element.ident.lower()
            matches = self._sheets.matches(node, element.tag, ident, classes)
            element = element._replace(ident=ident if ident in self._sheets.idents else "")
        else:
            element = element._replace(classes="", ident="")
        key = (around, element, matches)
        style = self._known.get(key)
        if style is None:
            style = self._known[key] = _style(around, element, self._said(element, matches))
        return style

    def _said(self, element: Element, matches: tuple[int, ...]) -> dict[str, str]:
        said: Declarations = {}
        for hint in cleaned(element.hints).split(";"):
            declare(said, hint, HINT[1:])
        if self._sheets:
            settle(said, self._sheets.of(element.tag, element.ident, element.classes.lower().split(), matches))
        settle(said, declarations(element.css))
        return {name: value.text for name, value in said.items()}


def _style(around: Style, element: Element, said: dict[str, str]) -> Style:
    tag = element.tag
    weight, font = said.get("font-weight", ""), said.get("font", "")
    slant, line = said.get("font-style", ""), said.get("text-decoration", said.get("text-decoration-line", ""))
    bold = around.bold or tag in BOLD_TAGS
    if weight:
        bold = "bold" in weight or (weight.isdecimal() and len(weight) < 5 and int(weight) >= 600)
    elif re.search(r"\bbold|\b[6-9]00\b", font):
        bold = True
    italic = around.italic or tag in ITALIC_TAGS
    if slant:
        italic = "italic" in slant or "oblique" in slant
    elif "italic" in font:
        italic = True
    underline = around.underline or tag in UNDERLINE_TAGS or "underline" in line
    # A link's underline says nothing about the text.
    if tag == "a" or line == "none":
        underline = False
    caps = around.caps or said.get("text-transform", "") == "uppercase" or "small-caps" in said.get("font-variant", "")
    points = _points(said.get("font-size", ""), around.size)
    if points is None:
        points = FONT_POINTS.get(element.size) if tag == "font" else HEADING_POINTS.get(tag)
    size = around.size if points is None else points
    text_align = said.get("text-align", "") or element.align.lower()
    centered = text_align == "center" if text_align else (around.centered or tag == "center")
    display = said.get("display", "")
    block = (tag in BLOCK_TAGS and display != "inline") or display in {"block", "flex", "grid", "list-item"}
    ink, ground = _ink(around, said), _ground(around, said)
    invisible = (
        said.get("visibility", "") in {"hidden", "collapse"} if _is_set(said, "visibility") else around.invisible
    )
    height = leading(said.get("line-height", ""), size, block, around.leading)
    return Style(
        bold=bold,
        italic=italic,
        underline=underline,
        caps=caps,
        size=size,
        centered=centered,
        ink=ink,
        ground=ground,
        invisible=invisible,
        leading=height,
        unseen=invisible or size < SMALLEST or (height is not None and height < SMALLEST) or not is_seen(ink, ground),
        hidden=is_gone(said, tag, size),
        block=block,
        break_before=bool(ALWAYS.search(said.get("page-break-before", "") + " " + said.get("break-before", ""))),
        break_after=bool(ALWAYS.search(said.get("page-break-after", "") + " " + said.get("break-after", ""))),
    )


def _is_set(said: dict[str, str], name: str) -> bool:
    return said.get(name, "inherit") not in {"inherit", "unset"}


def _ink(around: Style, said: dict[str, str]) -> Color | None:
    name = "-webkit-text-fill-color" if _is_set(said, "-webkit-text-fill-color") else "color"
    named = said.get(name, "inherit")
    if named == "currentcolor" or not _is_set(said, name):
        return around.ink
    return BLACK if named in {"initial", "revert"} else color(named)


def _ground(around: Style, said: dict[str, str]) -> Color | None:
    if said.get("background-image", "none") not in {"none", "initial", "unset"}:
        return None
    named = said.get("background-color", "transparent")
    if named in {"initial", "unset", "inherit", "revert"}:
        return around.ground
    found = color(named)
    if found is None or found.alpha == 1:
        return found
    if found.alpha == 0:
        return around.ground
    return over(found, around.ground) if around.ground is not None else None


def _points(text: str, around: float) -> float | None:
    """A font size in points; None where there is none."""
    if not text:
        return None
    if text in NAMED_POINTS:
        return NAMED_POINTS[text]
    found = length(text, around)
    return None if found is None or found < 0 else found
