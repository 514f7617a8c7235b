"""Parses a document's inline XBRL elements: contexts, units and tagged numbers (Inline XBRL 1.1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from html.entities import name2codepoint

from lxml import etree

from filings.xbrl.periods import is_year

IX = "{*}"
XBRLI = "{http://www.xbrl.org/2003/instance}"
XSI_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]*);")
XML_ENTITIES = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
STANDARD_TAXONOMY = re.compile(r"http://(?:fasb\.org|xbrl\.(?:us|sec\.gov))/(us-gaap|srt|dei|ecd|country|cyd)/")
WIDTHLESS = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
HIDDEN_LINK = re.compile(r"-sec-ix-hidden:\s*([^;\s]+)")

UNITS_EN = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
TENS_EN = {
    word: 10 * number
    for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
MULTIPLES_EN = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
LONGEST_TEXT = 5_000
MOST_NAMESPACES = 20_000
MOST_DIGITS = 25  # no figure of a report is larger than this, or smaller
NO_VALUE_WORDS = frozenset({"no", "none", "nil"})


@dataclass(frozen=True, slots=True)
class Context:
    """A context without its entity.

    `axes` maps local names of dimensions to members; empty: the whole company. `typed`: whether a member is the filer's
    own text rather than an element.
    """

    start: date
    end: date
    axes: tuple[tuple[str, str], ...] = ()
    typed: bool = False

    @property
    def is_instant(self) -> bool:
        return self.start == self.end

    @property
    def is_annual(self) -> bool:
        return is_year(self.start, self.end)


@dataclass(frozen=True, slots=True, eq=False)
class InlineFact:
    """One ix:nonFraction as tagged, compared by identity.

    `element`: where it is printed: the tag itself, or the text that refers to a hidden one; None where it is not
    printed.
    """

    name: str
    context: Context
    unit: str
    value: Decimal
    decimals: int | None
    anchor: str
    printed: str
    element: etree._Element | None

    @property
    def taxonomy(self) -> str:
        return self.name.partition(":")[0]

    @property
    def tag(self) -> str:
        return self.name.partition(":")[2]


def fold(text: str) -> str:
    """Text with runs of white space, including no-break spaces, as one blank, without zero-width characters."""
    return " ".join(text.translate(WIDTHLESS).split())


def text_of(element: etree._Element, most: int = LONGEST_TEXT) -> str:
    """The folded text of an element, up to a number of characters: anything longer is no figure and no name."""
    parts: list[str] = []
    left = most
    for part in element.itertext():
        parts.append(part[:left])
        left -= len(part)
        if left <= 0:
            break
    return fold("".join(parts))


def plain_digits(value: Decimal) -> str:
    """A number in full, without exponent and trailing zeros, as companyfacts writes it."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def parse_markup(document: bytes) -> etree._Element | None:
    """The tree of an XHTML document; malformed markup is repaired, HTML entities are resolved.

    None where it has no element, or more namespaces than any filer declares: lxml removes them one by one from a list.
    """
    if document.count(b"xmlns") > MOST_NAMESPACES:
        return None
    start = re.search(rb"<\?xml|<html|<!doctype", document[:200_000], re.IGNORECASE)
    text = document[start.start() if start else 0 :]
    if ENTITY.search(text):
        text = ENTITY.sub(_written_out, text)
    parser = etree.XMLParser(
        recover=True, huge_tree=True, resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(text, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def named(root: etree._Element, tag: str) -> Iterator[tuple[etree._Element, str]]:
    """The elements of a tag in document order, each with its `name` under the usual prefix of its taxonomy (us-gaap,
    dei, srt); a company's own stays.

    Namespaces are tracked on the way: asking each element for its namespaces is slow where there are many.
    """
    spaces: dict[str, list[str]] = {}
    opened: list[str] = []
    for event, found in etree.iterwalk(root, events=("start-ns", "end-ns", "start"), tag=tag):
        if event == "start-ns":
            prefix, uri = found
            spaces.setdefault(prefix or "", []).append(uri)
            opened.append(prefix or "")
        elif event == "end-ns":
            spaces[opened.pop()].pop()
        else:
            name: str = found.get("name", "")
            prefix, _, local = name.partition(":")
            known = STANDARD_TAXONOMY.match((spaces.get(prefix) or [""])[-1])
            yield found, f"{known[1]}:{local}" if known else name


def read_contexts(root: etree._Element) -> dict[str, Context]:
    """Contexts by id; one without a readable period is left out."""
    contexts = {}
    for element in root.iter(f"{XBRLI}context"):
        instant = element.findtext(f"{XBRLI}period/{XBRLI}instant")
        start = instant or element.findtext(f"{XBRLI}period/{XBRLI}startDate")
        end = instant or element.findtext(f"{XBRLI}period/{XBRLI}endDate")
        try:
            period = date.fromisoformat((start or "").strip()[:10]), date.fromisoformat((end or "").strip()[:10])
        except ValueError:
            continue
        axes = tuple(
            (_local(member.get("dimension", "")), _local(text_of(member)))
            for member in element.iter("{*}explicitMember", "{*}typedMember")
        )
        typed = next(element.iter("{*}typedMember"), None) is not None
        contexts[element.get("id", "")] = Context(*period, axes, typed)
    return contexts


def read_units(root: etree._Element) -> dict[str, str]:
    """Units by id, spelled as companyfacts does: USD, shares, USD/shares, pure."""
    units = {}
    for element in root.iter(f"{XBRLI}unit"):
        above = element.findall(f".//{XBRLI}unitNumerator/{XBRLI}measure")
        below = element.findall(f".//{XBRLI}unitDenominator/{XBRLI}measure")
        measures = above or element.findall(f"{XBRLI}measure")
        text = "-".join(_local(fold(measure.text or "")) for measure in measures)
        if below:
            text += "/" + "-".join(_local(fold(measure.text or "")) for measure in below)
        units[element.get("id", "")] = text
    return units


def read_numbers(root: etree._Element, contexts: dict[str, Context], units: dict[str, str]) -> Iterator[InlineFact]:
    """Every ix:nonFraction with a value, including dimensional ones, in document order."""
    links: dict[str, etree._Element] = {}
    for element in root.iterfind(".//*[@style]"):
        found = HIDDEN_LINK.search(element.get("style", ""))
        if found:
            links.setdefault(found[1], element)
    hidden = {fact for block in root.iter(f"{IX}hidden") for fact in block.iter(f"{IX}nonFraction")}
    printed: dict[etree._Element, str] = {}
    for element, name in named(root, f"{IX}nonFraction"):
        context = contexts.get(element.get("contextRef", ""))
        unit = units.get(element.get("unitRef", ""))
        value = read_number(element)
        if context is None or value is None or not unit or ":" not in name:
            continue
        anchor = element.get("id", "")
        place = links.get(anchor) if element in hidden else element
        if place is not None and place not in printed:
            printed[place] = _signed(place, text_of(place))
        decimals = element.get("decimals", "")
        yield InlineFact(
            name=name,
            context=context,
            unit=unit,
            value=value,
            decimals=int(decimals) if re.fullmatch(r"-?\d{1,3}", decimals) else None,
            anchor=anchor,
            printed="" if place is None else printed[place],
            element=place,
        )


def read_number(element: etree._Element) -> Decimal | None:
    """The value of an ix:nonFraction after format, scale and sign; None where nil or no number.

    Formats are those of the Inline XBRL transformation registry, versions 1 to 5, and the SEC's own; a later version of
    the registry spells the same rule with hyphens.
    """
    if element.get(XSI_NIL) in {"true", "1"}:
        return None
    text = text_of(element)
    rule = element.get("format", "").rpartition(":")[2].replace("-", "").lower()
    try:
        value = _transformed(text, rule).scaleb(int(element.get("scale", "0")))
    except (InvalidOperation, ValueError):
        return None
    if abs(value.adjusted()) > MOST_DIGITS:
        return None
    return -value if element.get("sign") == "-" and value else value


def _transformed(text: str, rule: str) -> Decimal:
    if rule in {"zerodash", "fixedzero", "numdash"}:
        return Decimal(0)
    if rule == "numwordsen":
        return Decimal(_number_in_words(text))
    if rule in {"numcommadecimal", "numdotcomma", "numspacecomma", "numcommadecimalapos"}:
        text = re.sub(r"[^\d,]", "", text).replace(",", ".")
    elif rule in {"numunitdecimal", "numunitdecimalin"}:
        whole, *rest = re.findall(r"\d[\d,.]*", text)
        text = re.sub(r"\D", "", whole) + "." + (rest[0].zfill(2) if rest else "0")
    else:
        text = re.sub(r"[^\d.]", "", text)
    return Decimal(text)


def _number_in_words(text: str) -> int:
    """An English cardinal, as ixt-sec:numwordsen allows it: "twenty-two thousand", "no", "none"."""
    words = re.findall(r"[a-z]+", text.lower())
    if not words:
        raise ValueError(text)
    total = group = 0
    for word in words:
        if word in MULTIPLES_EN:
            total, group = total + group * MULTIPLES_EN[word], 0
        elif word == "hundred":
            group *= 100
        elif word in UNITS_EN:
            group += UNITS_EN[word]
        elif word in TENS_EN:
            group += TENS_EN[word]
        elif word not in NO_VALUE_WORDS and word != "and":
            raise ValueError(text)
    return total + group


def _written_out(match: re.Match[bytes]) -> bytes:
    name = match[1]
    code = None if name in XML_ENTITIES else name2codepoint.get(name.decode())
    return match[0] if code is None else b"&#%d;" % code


def _signed(place: etree._Element, text: str) -> str:
    """The figure with the parentheses printed around the tag."""
    before = place.getprevious()
    lead = (before.tail if before is not None else getattr(place.getparent(), "text", "")) or ""
    return f"({text})" if lead.rstrip().endswith("(") and not text.endswith(")") else text


def _local(name: str) -> str:
    return name.rpartition(":")[2]
