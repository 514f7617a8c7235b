"""What inline styles say of text: weight, slant, size, whether it is seen at all, and where pages break."""

import re
from typing import NamedTuple

DECLARATION = re.compile(r"([a-z-]+)\s*:\s*([^;]+)")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
LENGTH = re.compile(r"(-?[\d.]+)\s*(pt|px|em|rem|%|in)?")
ALWAYS = re.compile(r"\b(always|page|left|right|recto|verso)\b")
WHITE = frozenset({"white", "#fff", "#ffffff", "rgb(255,255,255)", "rgba(255,255,255,1)"})
NO_COLOR = frozenset({"transparent", "none", "inherit", "initial", "unset"})
POINTS = {"pt": 1.0, "px": 0.75, "in": 72.0}
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
# Elements whose text is never on the page; the last are of Inline XBRL, SGML and forms.
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
# "header" is also an element of HTML 5; only that of Inline XBRL hides its text.
INLINE_XBRL_ONLY = frozenset({"header", "hidden", "references", "resources"})


class Style(NamedTuple):
    """The style in force for text. The last four are of one element alone and are not inherited."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    caps: bool = False
    size: float = 10.0
    centered: bool = False
    white: bool = False
    painted: bool = False
    hidden: bool = False
    block: bool = False
    break_before: bool = False
    break_after: bool = False


class Styles:
    """Styles of elements, worked out once for each (style around it, tag, attributes)."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Style] = {}
        self._rules: dict[str, str] = {}

    def read_sheet(self, sheet: str) -> None:
        """Keep the rules of a <style> element that are for a class or a tag alone."""
        for selectors, body in RULE.findall(re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)):
            for selector in selectors.split(","):
                name = selector.strip().lower()
                if re.fullmatch(r"[a-z0-9]*(\.[\w-]+)?", name):
                    self._rules[name] = self._rules.get(name, "") + ";" + body.lower()

    def of(self, around: Style, tag: str, css: str, classes: str, align: str, size: str, color: str) -> Style:
        """The style of an element: what is around it, changed by its tag and attributes."""
        key = (around, tag, css, classes, align, size, color)
        style = self._known.get(key)
        if style is None:
            style = self._known[key] = self._work_out(around, tag, css.lower(), classes.lower(), align, size, color)
        return style

    def _work_out(self, around: Style, tag: str, css: str, classes: str, align: str, size: str, color: str) -> Style:
        said = {"align": align.lower(), "font-color": color.lower()}
        if self._rules:
            sheet = [self._rules.get(tag, "")]
            for name in classes.split():
                sheet += [self._rules.get(f".{name}", ""), self._rules.get(f"{tag}.{name}", "")]
            css = ";".join([*sheet, css])
        for name, value in DECLARATION.findall(css):
            said[name] = value.replace("!important", "").strip()
        weight, font = said.get("font-weight", ""), said.get("font", "")
        slant, line = said.get("font-style", ""), said.get("text-decoration", said.get("text-decoration-line", ""))
        bold = around.bold or tag in BOLD_TAGS
        if weight:
            bold = "bold" in weight or (weight.isdigit() and int(weight) >= 600)
        elif re.search(r"\bbold|\b[6-9]00\b", font):
            bold = True
        italic = around.italic or tag in ITALIC_TAGS
        if slant:
            italic = "italic" in slant or "oblique" in slant
        elif "italic" in font:
            italic = True
        underline = around.underline or tag in UNDERLINE_TAGS or "underline" in line
        # The line under a link says nothing of the text.
        if tag == "a" or line == "none":
            underline = False
        caps = (
            around.caps
            or said.get("text-transform", "") == "uppercase"
            or "small-caps" in said.get("font-variant", "")
        )
        points = _points(said.get("font-size", ""), around.size)
        if points is None and font:
            # Beside the size, a weight may be a bare number: a size always has its unit.
            sizes = [part.split("/")[0] for part in font.split() if re.match(r"[\d.]+(pt|px|em|rem|%|in)\b", part)]
            points = _points(sizes[0] if sizes else "", around.size)
        if points is None:
            points = FONT_POINTS.get(size) if tag == "font" else HEADING_POINTS.get(tag)
        text_align = said.get("text-align", "") or said["align"]
        centered = text_align == "center" if text_align else (around.centered or tag == "center")
        ink = said.get("color", "") or (said["font-color"] if tag == "font" else "")
        white = ink.replace(" ", "") in WHITE if ink else around.white
        ground = (said.get("background-color", "") or said.get("background", "")).replace(" ", "")
        painted = around.painted or bool(ground and ground not in NO_COLOR and ground not in WHITE)
        size_now = around.size if points is None else points
        display = said.get("display", "")
        return Style(
            bold=bold,
            italic=italic,
            underline=underline,
            caps=caps,
            size=size_now,
            centered=centered,
            white=white,
            painted=painted,
            hidden=(white and not painted) or size_now < 0.5 or _unseen(said, display),
            block=(tag in BLOCK_TAGS and display != "inline") or display in {"block", "flex", "grid", "list-item"},
            break_before=bool(ALWAYS.search(said.get("page-break-before", "") + " " + said.get("break-before", ""))),
            break_after=bool(ALWAYS.search(said.get("page-break-after", "") + " " + said.get("break-after", ""))),
        )


def _points(text: str, around: float) -> float | None:
    """A font size in points; None where there is none."""
    if not text:
        return None
    if text in NAMED_POINTS:
        return NAMED_POINTS[text]
    found = LENGTH.match(text)
    if not found or not re.fullmatch(r"-?(\d+\.?\d*|\.\d+)", found[1]):
        return None
    number, unit = float(found[1]), found[2] or "px"
    if unit in {"em", "rem", "%"}:
        return around * number / (100 if unit == "%" else 1)
    return number * POINTS[unit]


def _unseen(said: dict[str, str], display: str) -> bool:
    """Whether declarations take an element's text off the page."""
    if display == "none" or said.get("visibility", "") in {"hidden", "collapse"}:
        return True
    if re.fullmatch(r"0?\.?0+%?", said.get("opacity", "")):
        return True
    if "hidden" in said.get("overflow", "") and any(
        re.fullmatch(r"0(\.0+)?(px|pt|em|%)?", said.get(side, ""))
        for side in ("height", "width", "max-height", "max-width")
    ):
        return True
    return any(re.match(r"-\d{3,}", said.get(place, "")) for place in ("left", "top", "text-indent", "margin-left"))
