"""The look of paragraphs and runs of a Word document: their own properties, else their styles', else the defaults."""

import re
from dataclasses import dataclass, replace

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LAST_OUTLINE = 8  # outline levels count from 0; 9 is body text
HEADING_NAME = re.compile(r"heading ([1-9])", re.IGNORECASE)
OFF = frozenset({"0", "false", "off", "none"})
PLAIN_SIZE = 10.0
MOST_BASES = 20  # styles that a style is based on, one on another
LARGEST = 2_000  # half-points; Word's own limit is 3,276


@dataclass(frozen=True, slots=True)
class Look:
    """`level` is a heading's, from 2; 0 for other paragraphs. Sizes are in points."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    caps: bool = False
    centered: bool = False
    hidden: bool = False
    size: float = PLAIN_SIZE
    level: int = 0
    listed: bool = False
    page_before: bool = False
    section: bool = False


def value(element: etree._Element | None, name: str) -> str | None:
    """An attribute of WordprocessingML."""
    return element.get(W + name) if element is not None else None


class Styles:
    """The styles of a document."""

    def __init__(self, styles: etree._Element) -> None:
        self.of_id: dict[str, etree._Element] = {
            ident: style for style in styles.iter(W + "style") if (ident := value(style, "styleId"))
        }
        self.known: dict[tuple[str, Look], Look] = {}
        default = Look()
        for properties in styles.iterfind(f"{W}docDefaults/{W}rPrDefault/{W}rPr"):
            default = with_run(default, properties)
        usual = next(
            (
                ident
                for ident, style in self.of_id.items()
                if value(style, "type") == "paragraph" and value(style, "default") in {"1", "true", "on"}
            ),
            "",
        )
        self.usual = self.styled(usual, default)
        self.default = default

    def styled(self, ident: str, look: Look) -> Look:
        """A look with a style's properties, those of the styles it is based on first."""
        found = self.known.get((ident, look))
        if found is None:
            chain: list[etree._Element] = []
            name: str | None = ident
            while name and name in self.of_id and len(chain) < MOST_BASES:
                style = self.of_id[name]
                chain.append(style)
                name = value(style.find(W + "basedOn"), "val")
            found = look
            for style in reversed(chain):
                heading = HEADING_NAME.fullmatch(value(style.find(W + "name"), "val") or "")
                if heading:
                    found = replace(found, level=int(heading[1]) + 1)
                elif (value(style.find(W + "name"), "val") or "").casefold() == "title":
                    found = replace(found, level=2)
                found = with_paragraph(found, style.find(W + "pPr"))
                found = with_run(found, style.find(W + "rPr"))
            self.known[ident, look] = found
        return found

    def paragraph(self, element: etree._Element) -> Look:
        """The look of a paragraph."""
        properties = element.find(W + "pPr")
        if properties is None:
            return self.usual
        named = value(properties.find(W + "pStyle"), "val")
        look = self.styled(named, self.default) if named in self.of_id else self.usual
        return with_paragraph(look, properties)

    def run(self, element: etree._Element | None, around: Look) -> Look | None:
        """The look of a run in a paragraph; None where it is hidden."""
        properties = element.find(W + "rPr") if element is not None else None
        look = around
        if properties is not None:
            named = value(properties.find(W + "rStyle"), "val")
            look = with_run(self.styled(named, look) if named else look, properties)
        return None if look.hidden else look

    @staticmethod
    def section_kind(element: etree._Element) -> str | None:
        """The kind of the section that ends with a paragraph; None for the usual one, which begins a page."""
        return value(element.find(f"{W}pPr/{W}sectPr/{W}type"), "val")


def with_paragraph(look: Look, properties: etree._Element | None) -> Look:
    """A look with the properties of a paragraph or of its style."""
    if properties is None:
        return look
    changed: dict[str, bool | int] = {}
    for child in properties:
        said = value(child, "val")
        match child.tag.removeprefix(W) if isinstance(child.tag, str) else "":
            case "outlineLvl" if said and said.isascii() and said.isdecimal() and len(said) == 1:
                changed["level"] = int(said) + 2 if int(said) <= LAST_OUTLINE else 0
            case "numPr":
                changed["listed"] = value(child.find(W + "numId"), "val") not in {None, "0"} or look.listed
                if value(child.find(W + "numId"), "val") == "0":
                    changed["listed"] = False
            case "jc":
                changed["centered"] = said == "center"
            case "pageBreakBefore":
                changed["page_before"] = said not in OFF
            case "sectPr":
                changed["section"] = True
    return replace(look, **changed) if changed else look  # type: ignore[arg-type]


def with_run(look: Look, properties: etree._Element | None) -> Look:
    """A look with the properties of a run or of its style."""
    if properties is None:
        return look
    changed: dict[str, bool | float] = {}
    for child in properties:
        said = value(child, "val")
        match child.tag.removeprefix(W) if isinstance(child.tag, str) else "":
            case "b":
                changed["bold"] = said not in OFF
            case "i":
                changed["italic"] = said not in OFF
            case "u":
                changed["underline"] = said not in OFF
            case "caps" | "smallCaps":
                changed["caps"] = said not in OFF
            case "vanish":
                changed["hidden"] = said not in OFF
            case "sz" if said and said.isascii() and said.isdecimal() and len(said) <= 4:
                changed["size"] = min(int(said), LARGEST) / 2
    return replace(look, **changed) if changed else look  # type: ignore[arg-type]
