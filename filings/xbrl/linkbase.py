"""Statement faces from an XBRL presentation linkbase, and back.

lxml rather than edgartools, whose presentation parser needs the filing's whole XBRL package and a heavy import, for
what is a tree walk over one file.
"""

import re
from collections.abc import Iterable, Iterator

from lxml import etree

from filings.xbrl.parsed_xbrl import Line, ParsedStatement

LINK = "http://www.xbrl.org/2003/linkbase"
XLINK = "http://www.w3.org/1999/xlink"
PARENT_CHILD = "http://www.xbrl.org/2003/arcrole/parent-child"
STANDARD_LABEL = "http://www.xbrl.org/2003/role/label"
LABEL_KIND = re.compile(r"\s*\[(Member|Axis|Domain|Table|Line Items|Abstract)\]$")
OWN_ROLES = "http://diligence.example/role/"
OWN_SCHEMA = "http://diligence.example/taxonomy.xsd"

ROLE_NAMES = {
    "cover": "Cover",
    "income": "StatementOfIncome",
    "comprehensive": "StatementOfComprehensiveIncome",
    "balance": "BalanceSheet",
    "cashflow": "StatementOfCashFlows",
    "equity": "StatementOfEquity",
}
# Elements for structure, without figures.
STRUCTURE = re.compile(r".*(Abstract|Axis|Domain|Member|Table|LineItems|RollForward|Hierarchy)")
NOT_PRIMARY = re.compile(
    r"parenthetical|details?\b|details?$|policies|tables?\b|tables?$|schedule\s*i|parent\s?company|parent\s?only|condensed\s?financial\s?information|pro\s?forma",
    re.IGNORECASE,
)
# Tested in this order on the role's name: "statements of changes in equity and comprehensive income" is equity.
NAMES = (
    ("cover", r"cover|document\s?and\s?entity\s?information|^dei"),
    ("cashflow", r"cash\s?flow"),
    ("equity", r"(stock|share|unit|member|owner)\w*\W{0,3}s?\s?\W?\s?(equity|deficit|investment)|changes\s?in\s?\w*\s?(equity|capital|deficit)|of\s?\w*\s?equity|equity\s?statement"),
    ("balance", r"balance\s?sheet|financial\s?(position|condition)|assets\s?and\s?liabilities"),
    ("comprehensive", r"comprehensive"),
    ("income", r"income|operations|earnings|profit|loss"),
)  # fmt: skip
# A role is of a kind only if it contains such a tag.
PROOF = {
    "cover": r"dei:.*",
    "cashflow": r"us-gaap:NetCashProvidedByUsedIn.*Activities.*",
    "equity": r"us-gaap:(StockholdersEquity.*|PartnersCapital.*|MembersEquity|CommonStockSharesOutstanding|SharesOutstanding)",
    "balance": r"us-gaap:(Assets|LiabilitiesAndStockholdersEquity)",
    "comprehensive": r"us-gaap:(ComprehensiveIncome.*|OtherComprehensiveIncome.*)",
    "income": r"us-gaap:(NetIncomeLoss.*|ProfitLoss|IncomeLoss.*|EarningsPerShare.*)",
}
# A statement of comprehensive income with earnings per share is also the income statement.
COMBINED = re.compile(r"us-gaap:EarningsPerShare.*")


LONGEST_TITLE = 500  # characters of a role's name and definition


class UnreadableLinkbase(ValueError):
    """The bytes are no XBRL linkbase."""


def read_presentation(linkbase: bytes, schema: bytes | None = None) -> tuple[ParsedStatement, ...]:
    """The primary statements of a presentation linkbase, at most one of each kind, lines in order.

    schema: the filing's .xsd, whose role definitions ("0000004 - Statement - ...") say which roles are statements and
    give their titles; without it the role's name decides. A combined statement of income and comprehensive income
    counts as income. Raises UnreadableLinkbase.
    """
    root = _parsed(linkbase)
    if root is None or not any(True for _ in root.iter(f"{{{LINK}}}presentationLink")):
        raise UnreadableLinkbase(f"No presentation link in {len(linkbase)} bytes.")
    definitions = _definitions(schema) if schema else {}
    found: dict[str, ParsedStatement] = {}
    for role, links in _by_role(root).items():
        definition = definitions.get(role, "")
        group, title = _group_and_title(definition, role)
        if group not in {"", "statement", "document"} or NOT_PRIMARY.search(title):
            continue
        tags = list(_tags(links))
        kind = _kind(title, tags)
        # The first role of a kind is used: filers list the consolidated statement before a parent's or segment's.
        if kind and kind not in found:
            printed = title if definition else ""
            lines = tuple(Line(order, tag) for order, tag in enumerate(tags, 1))
            found[kind] = ParsedStatement(kind, printed, lines)
    return tuple(found.values())


def read_labels(linkbase: bytes) -> dict[str, str]:
    """The standard labels of a label linkbase by element name, without endings such as "[Member]". Raises
    UnreadableLinkbase.
    """
    root = _parsed(linkbase)
    if root is None:
        raise UnreadableLinkbase(f"No element in {len(linkbase)} bytes.")
    found: dict[str, str] = {}
    for link in root.iter(f"{{{LINK}}}labelLink"):
        elements: dict[str, str] = {}
        texts: dict[str, str] = {}
        for node in link.iter(f"{{{LINK}}}loc", f"{{{LINK}}}label"):
            key = node.get(f"{{{XLINK}}}label", "")
            if node.tag == f"{{{LINK}}}loc":
                elements[key] = node.get(f"{{{XLINK}}}href", "").rpartition("#")[2].rpartition("_")[2]
            elif node.get(f"{{{XLINK}}}role") == STANDARD_LABEL:
                texts.setdefault(key, LABEL_KIND.sub("", " ".join("".join(node.itertext()).split())))
        for arc in link.iter(f"{{{LINK}}}labelArc"):
            element, text = elements.get(arc.get(f"{{{XLINK}}}from", "")), texts.get(arc.get(f"{{{XLINK}}}to", ""))
            if element and text:
                found.setdefault(element, text[:LONGEST_TITLE])
    return found


def write_presentation(statements: Iterable[ParsedStatement]) -> bytes:
    """A presentation linkbase that `read_presentation` reads back to the same kinds, tags and order.

    Titles and printed labels have no place in it. Lines printed only by class or segment stand among the others, as in
    the SEC's files: their missing value for the whole company shows what they are.
    """
    root = etree.Element(f"{{{LINK}}}linkbase", nsmap={"link": LINK, "xlink": XLINK})
    for statement in statements:
        role = OWN_ROLES + ROLE_NAMES[statement.kind]
        link = etree.SubElement(root, f"{{{LINK}}}presentationLink", _xlink(type="extended", role=role))
        heading = f"us-gaap_{ROLE_NAMES[statement.kind]}Abstract"
        _locator(link, "root", heading)
        lines = sorted((*statement.lines, *statement.dimensional), key=lambda line: line.order)
        for number, line in enumerate(lines, 1):
            label = f"line_{number}"
            _locator(link, label, line.tag.replace(":", "_", 1))
            arc = {"type": "arc", "arcrole": PARENT_CHILD, "from": "root", "to": label}
            etree.SubElement(link, f"{{{LINK}}}presentationArc", {**_xlink(**arc), "order": str(number)})
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _xlink(**values: str) -> dict[str, str]:
    return {f"{{{XLINK}}}{name}": value for name, value in values.items()}


def _locator(link: etree._Element, label: str, element_id: str) -> None:
    attributes = _xlink(type="locator", label=label, href=f"{OWN_SCHEMA}#{element_id}")
    etree.SubElement(link, f"{{{LINK}}}loc", attributes)


def _parsed(text: bytes) -> etree._Element | None:
    parser = etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False, no_network=True)
    try:
        return etree.fromstring(text.strip(), parser) if text.strip() else None
    except etree.XMLSyntaxError:
        return None


def _definitions(schema: bytes) -> dict[str, str]:
    root = _parsed(schema)
    if root is None:
        return {}
    return {
        role.get("roleURI", ""): " ".join((role.findtext(f"{{{LINK}}}definition") or "").split())
        for role in root.iter(f"{{{LINK}}}roleType")
    }


def _group_and_title(definition: str, role: str) -> tuple[str, str]:
    """("statement", "CONSOLIDATED BALANCE SHEETS") of "0000004 - Statement - CONSOLIDATED BALANCE SHEETS"."""
    parts = re.split(r"\s+-\s+", definition[:LONGEST_TITLE], maxsplit=2)
    if len(parts) == 3:
        return parts[1].strip().lower(), parts[2].strip()
    name = role[-LONGEST_TITLE:].rstrip("/").rpartition("/")[2]
    return "", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def _by_role(root: etree._Element) -> dict[str, list[etree._Element]]:
    roles: dict[str, list[etree._Element]] = {}
    for link in root.iter(f"{{{LINK}}}presentationLink"):
        roles.setdefault(link.get(f"{{{XLINK}}}role", ""), []).append(link)
    return roles


def _tags(links: Iterable[etree._Element]) -> Iterator[str]:
    """Tags of a role in preorder of its tree, structure elements left out; an opening and a closing balance twice."""
    names: dict[str, str] = {}
    children: dict[str, list[tuple[float, int, str]]] = {}
    inner: set[str] = set()
    number = 0
    for link in links:
        for loc in link.iter(f"{{{LINK}}}loc"):
            names[loc.get(f"{{{XLINK}}}label", "")] = _tag(loc.get(f"{{{XLINK}}}href", ""))
        for arc in link.iter(f"{{{LINK}}}presentationArc"):
            if arc.get("use") == "prohibited":
                continue
            number += 1
            parent, child = arc.get(f"{{{XLINK}}}from", ""), arc.get(f"{{{XLINK}}}to", "")
            children.setdefault(parent, []).append((_order(arc.get("order")), number, child))
            inner.add(child)
    # An explicit stack with the arcs taken: an arc to an ancestor must not loop.
    stack = [(label, 0) for label in reversed(children) if label not in inner]
    taken: set[int] = set()
    below = {label: sorted(arcs, reverse=True) for label, arcs in children.items()}
    while stack:
        label, arc_number = stack.pop()
        if arc_number in taken:
            continue
        if arc_number:
            taken.add(arc_number)
        tag = names.get(label, "")
        if tag and not STRUCTURE.fullmatch(tag):
            yield tag
        # A parent's arcs are taken at its first position; further positions have none left.
        stack.extend((child, number) for _, number, child in below.pop(label, ()))


def _order(text: str | None) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 1.0


def _tag(href: str) -> str:
    """us-gaap:Assets of .../us-gaap-2024.xsd#us-gaap_Assets."""
    taxonomy, _, tag = href.rpartition("#")[2].partition("_")
    return f"{taxonomy}:{tag}" if taxonomy and tag else ""


def _kind(title: str, tags: list[str]) -> str:
    for kind, pattern in NAMES:
        if re.search(pattern, title, re.IGNORECASE) and any(re.fullmatch(PROOF[kind], tag) for tag in tags):
            if kind == "comprehensive" and any(COMBINED.fullmatch(tag) for tag in tags):
                return "income"
            return kind
    return ""
