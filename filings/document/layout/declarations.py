"""CSS declarations (CSS Syntax and Cascade Modules) that decide how text is set and whether it is visible.

Everything is read in one pass. Values are in lower case, without comments and escapes; of several values of one
property the highest in rank counts, and invalid values count for nothing, as in a browser.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from filings.document.layout.colors import color, share
from filings.document.layout.lengths import length


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Every alternative consumes its beginning, closed or not, so that no character is read twice.
TOKEN = re.compile(
    r"(?P<comment>/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?)"
    r"|(?P<quoted>\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?)"
    r"|(?P<escape>\\(?:[0-9a-fA-F]{1,6}\s?|.|\Z))|(?P<mark>[;:{}()\[\]])|(?P<plain>[^\"'\\/;:{}()\[\]]++|/)",
    re.DOTALL,
)
NAME = re.compile(r"-?[a-z][a-z-]*")
PART = re.compile(r"(?:[^\s()]++|\((?:[^()]++|\([^()]*+\))*+\)|[()])++")
IMAGE = re.compile(r"\burl\(|gradient\(|image(?:-set)?\(|\burl\b")
FONT_SIZE = re.compile(r"[\d.]+(?:pt|px|r?em|%|in|cm|mm|pc|q)\b|0(?=/|$)|(?:calc|min|max|clamp)\(")
DISPLAYS = re.compile(
    r"none|contents|list-item|run-in|table|table-(?:caption|cell|column|row|(?:column|row|header|footer)-group)"
    r"|(?:(?:block|inline|flow|flow-root|flex|grid|ruby|inline-(?:block|table|flex|grid))(?: |\Z))+"
)
OF_ALL = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
NONE_OF_ITS_OWN = frozenset({"auto", "none", "normal", "min-content", "max-content", "fit-content"})
SIDES = ("top", "right", "bottom", "left")
HINT = (False, False, 0, 0, 0, 0)  # the rank of attributes such as bgcolor


class Value(NamedTuple):
    """The value of a property. `rank`: importance, style attribute, and for a rule its specificity and position."""

    text: str
    rank: tuple[int, ...]


Declarations = dict[str, Value]


def _is_length(value: str) -> bool:
    return value in NONE_OF_ITS_OWN or length(value, 1.0) is not None


def _is_color(value: str) -> bool:
    return value == "currentcolor" or color(value) is not None


# Valid values of the properties by which text is hidden or shown.
VALID: dict[str, Callable[[str], bool]] = {
    "display": lambda value: DISPLAYS.fullmatch(value) is not None,
    "visibility": lambda value: value in {"visible", "hidden", "collapse"},
    "opacity": lambda value: share(value) is not None,
    "position": lambda value: value in {"static", "relative", "absolute", "fixed", "sticky"},
    "content-visibility": lambda value: value in {"visible", "auto", "hidden"},
    **dict.fromkeys(("overflow-x", "overflow-y"), {"visible", "hidden", "clip", "scroll", "auto"}.__contains__),
    **dict.fromkeys(("color", "background-color", "-webkit-text-fill-color"), _is_color),
    **dict.fromkeys(("width", "height", "block-size", "inline-size", *SIDES), _is_length),
    **dict.fromkeys(("max-width", "max-height", "max-block-size", "max-inline-size", "text-indent"), _is_length),
    **dict.fromkeys(("margin-left", "margin-top", "padding-left"), _is_length),
}
# Values that are used unchanged.
OTHERS = _words(
    "font-weight font-style font-size font-variant text-decoration text-decoration-line text-transform "
    "text-align line-height background-image clip clip-path transform translate scale rotate zoom filter "
    "page-break-before page-break-after break-before break-after"
)


def cleaned(css: str) -> str:
    """CSS in lower case without comments, strings and escapes, so that every mark left is syntax."""
    if "\\" not in css and "(" not in css and "[" not in css and '"' not in css and "'" not in css and "/*" not in css:
        return css.lower()
    kept: list[str] = []
    depth = 0
    for found in TOKEN.finditer(css):
        text = found[0]
        match found.lastgroup:
            case "comment":
                text = " "
            case "quoted":
                text = '""'
            case "escape":
                text = _unescaped(text)
            case "mark":
                if text in "([":
                    depth += 1
                elif text in ")]":
                    depth = max(depth - 1, 0)
                elif depth:
                    text = " "
        kept.append(text)
    return "".join(kept).lower()


def _unescaped(text: str) -> str:
    digits = text[1:].strip()
    if re.fullmatch(r"[0-9a-fA-F]{1,6}", digits):
        code = int(digits, 16)
        text = chr(code) if 0 < code < 0x110000 else "_"
    else:
        text = digits or "_"
    return text if text.isalnum() or text == "-" else "_"


def declarations(css: str) -> Declarations:
    """The declarations of a style attribute."""
    said: Declarations = {}
    for part in cleaned(css).split(";"):
        declare(said, part, (True, 0, 0, 0, 0))
    return said


def declare(said: Declarations, declaration: str, rank: tuple[int, ...]) -> None:
    """Add a cleaned declaration; `rank` is its rank except importance."""
    head, colon, body = declaration.partition(":")
    name = head.strip()
    if not colon or not NAME.fullmatch(name):
        return
    text, mark, rest = body.rpartition("!")
    important = bool(mark) and rest.strip() == "important"
    value = " ".join((text if important else body).split())
    for one, its_value in _longhands(name, value):
        if its_value and (its_value in OF_ALL or "var(" in its_value or one not in VALID or VALID[one](its_value)):
            settle(said, {one: Value(its_value, (important, *rank))})


def settle(said: Declarations, more: Mapping[str, Value]) -> None:
    """Merge values: higher rank wins, and of equal rank the later."""
    for name, value in more.items():
        if name not in said or value.rank >= said[name].rank:
            said[name] = value


def _longhands(name: str, value: str) -> list[tuple[str, str]]:
    """The properties that a declaration sets, with their values; none for properties not used here."""
    if name in VALID or name in OTHERS:
        return [(name, value)]
    if name == "background":
        return _background(value)
    if name == "font":
        size = next((part.split("/")[0] for part in value.split() if FONT_SIZE.match(part)), "")
        return [("font", value), *([("font-size", size)] if size else [])]
    parts = PART.findall(value)[:4]
    if name == "overflow":
        return [("overflow-x", parts[0]), ("overflow-y", parts[-1])] if parts else []
    if name in {"margin", "padding", "inset"} and parts:
        # One value is for all sides; two are for top and right, and the opposite sides.
        sides = (parts + parts + parts)[:4] if len(parts) < 3 else [*parts, parts[1]][:4]
        named = zip(SIDES, sides if len(parts) > 1 else 4 * parts, strict=True)
        return [(side if name == "inset" else f"{name}-{side}", part) for side, part in named]
    return []


def _background(value: str) -> list[tuple[str, str]]:
    if value in OF_ALL:
        return [("background-color", value), ("background-image", value)]
    named = next((part for part in PART.findall(value) if _is_color(part)), "transparent")
    if named == "transparent" and "var(" in value:
        named = value
    return [("background-color", named), ("background-image", value if IMAGE.search(value) else "none")]
