"""A document's tables with tagged figures: rows, row labels, and the text between two tables."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from filings.document.inline.facts import LONGEST_TEXT, InlineFact, fold, text_of

# "(1)", "(a)", "[2]", "*", daggers, and pointers to notes at the end of a row label.
FOOTNOTE_MARK = re.compile(
    r"""\s*(?:(?<!\$)(?<!\$\s)\(\s*(?:\d{1,2}|[a-z]{1,2})\s*\)|\[\s*(?:\d{1,2}|[a-z])\s*\]|[*†‡§¹²³⁴⁵⁶⁷⁸⁹]+
        |[(\[]?\s*(?:see\s+)?notes?\s+\d+[a-z]?(?:\s*(?:,|and|&|-)\s*\d+[a-z]?)*\s*[)\]]?)$""",
    re.IGNORECASE | re.VERBOSE,
)
WORD = re.compile(r"[^\W\d_]{2}")
COLUMN_HEAD = re.compile(
    r"\b(19|20)\d\d\b|\b(years?|months?|periods?|weeks?)\s+ended|\bas\s+of\b|\bin\s+(millions|thousands|billions)\b|\bstatements?\s+of\b|\bbalance\s+sheets?\b",
    re.IGNORECASE,
)
TOTAL = re.compile(r"(sub)?total\b", re.IGNORECASE)
INDENT = re.compile(r"\b(padding-left|margin-left|text-indent):\s*(-?\d*\.?\d+)")
PADDING = re.compile(r"\bpadding:([^;]*)")
LENGTH = re.compile(r"(\d*\.?\d+)(?:px|pt|em)?")
SLIP = 2.0  # indents of one level differ by up to this much between rows
RAISED = re.compile(r"vertical-align:\s*(?:super|top)|font-size:\s*[0-5](?:\.\d+)?pt", re.IGNORECASE)
MOST_ABOVE, MOST_BLOCKS = 300, 1_000  # elements above a table that are read, and paragraphs of one
MOST_CELLS = 200  # of a table's first rows
MOST_FACTS = 200  # of a cell
MARK_LENGTH = 200  # characters at the end of a label that may be marks
RAISED_LENGTH = 6
BLOCKS = frozenset({"div", "p", "table", "tr", "td", "th", "br", "hr", "li", "h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(slots=True)
class Row:
    """One table row. `facts` are in figure cells; `aside` are in the label cell, as in "par value $0.01"."""

    label: str
    facts: list[InlineFact] = field(default_factory=list)
    aside: list[InlineFact] = field(default_factory=list)
    heading: str = ""


@dataclass(slots=True)
class FactTable:
    """A table with at least one tagged figure. `position` counts such tables in the document."""

    element: etree._Element
    position: int
    facts: list[InlineFact] = field(default_factory=list)
    # The text of elements above tables, read once for all tables of a document.
    printed: "dict[etree._Element, Printed]" = field(default_factory=dict)
    _rows: list[Row] | None = None
    _above: list[str] | None = None

    @property
    def rows(self) -> list[Row]:
        if self._rows is None:
            self._rows = list(_rows(self.element, self.facts))
        return self._rows

    @property
    def above(self) -> list[str]:
        """Text blocks printed before it, nearest first, back to the previous table with figures, or some lines."""
        if self._above is None:
            self._above = text_above(self.element, self.printed)
        return self._above


@dataclass(frozen=True, slots=True)
class Printed:
    """The text of an element: whether it has a table with figures, and its last paragraphs."""

    has_figures: bool
    blocks: tuple[str, ...]


def fact_tables(facts: Iterable[InlineFact]) -> list[FactTable]:
    """The innermost tables around the given facts, in document order."""
    tables: dict[etree._Element, FactTable] = {}
    printed: dict[etree._Element, Printed] = {}
    for fact in facts:
        if fact.element is None:
            continue
        element = next(fact.element.iterancestors("{*}table"), None)
        if element is not None:
            tables.setdefault(element, FactTable(element, 0, printed=printed)).facts.append(fact)
    # Hidden facts come first in the file, but are printed where they are referred to.
    order = {element: position for position, element in enumerate(_in_document_order(tables))}
    for element, table in tables.items():
        table.position = order[element]
    return sorted(tables.values(), key=lambda table: table.position)


def text_above(table: etree._Element, printed: dict[etree._Element, Printed], limit: int = 1500) -> list[str]:
    """Text blocks printed before a table, nearest first, back to the previous table or `limit` characters.

    printed: a cache of elements' text, added to.
    """
    blocks: list[str] = []
    length = 0
    node: etree._Element | None = table
    for _ in range(MOST_ABOVE):
        if node is None or length >= limit:
            break
        sibling = node.getprevious()
        if sibling is None:
            parent = node.getparent()
            if parent is not None and fold(parent.text or ""):
                blocks.append(fold(parent.text or ""))
            node = parent
            continue
        node = sibling
        if node not in printed:
            figures = _has_figures(node)
            printed[node] = Printed(figures, () if figures else tuple(_blocks(node)[-MOST_BLOCKS:]))
        if printed[node].has_figures:
            break
        blocks.extend(reversed(printed[node].blocks))
        length += sum(map(len, printed[node].blocks))
    return [block for block in blocks if block]


def _has_figures(node: etree._Element) -> bool:
    """Whether an element is, or holds, a table with tagged figures."""
    tables = [node] if _name(node) == "table" else node.iter("{*}table")
    return any(next(table.iter("{*}nonFraction"), None) is not None for table in tables)


def table_text(table: etree._Element, limit: int = 6) -> list[str]:
    """The text of the first nonempty rows' cells."""
    texts: list[str] = []
    for row in table.iter("{*}tr"):
        cells = [text for cell in islice(row.iter("{*}td", "{*}th"), MOST_CELLS) if (text := cell_text(cell))]
        texts.extend(cells)
        limit -= bool(cells)
        if limit == 0:
            break
    return texts


def cell_text(cell: etree._Element) -> str:
    """The text of a cell, up to a length that no title has."""
    parts: list[str] = []
    left = LONGEST_TEXT
    for part in _label_parts(cell):
        parts.append(part[:left])
        left -= len(part)
        if left <= 0:
            break
    return fold("".join(parts))


def _in_document_order(elements: Iterable[etree._Element]) -> list[etree._Element]:
    wanted = set(elements)
    if not wanted:
        return []
    root = next(iter(wanted)).getroottree().getroot()
    return [element for element in root.iter("{*}table") if element in wanted]


def _rows(table: etree._Element, facts: Iterable[InlineFact]) -> Iterator[Row]:
    by_row: dict[etree._Element, list[tuple[etree._Element, InlineFact]]] = {}
    for fact in facts:
        cell, row = cell_and_row(fact)
        if cell is not None and row is not None:
            by_row.setdefault(row, []).append((cell, fact))
    heading, depth = "", -1.0
    above = ""  # the row directly above, if it is only a label
    for row in table.iter("{*}tr"):
        found = by_row.get(row, [])
        label, cell = _row_label(row, found)
        if not found:
            above = label
            if label and not COLUMN_HEAD.search(label):
                heading, depth = label, -1.0
            continue
        if above and label[:1].islower() and not above.endswith(":"):
            # A label printed over two rows, its figures in the second.
            label, heading = f"{above} {label}", ""
        above = ""
        # A heading applies to rows as indented as the first below it, down to their total.
        indent = _indent(cell)
        depth = indent if depth < 0 else depth
        if indent < depth - SLIP:
            heading = ""
        yield Row(
            label,
            [fact for holder, fact in found if holder is not cell],
            [fact for holder, fact in found if holder is cell],
            heading,
        )
        if TOTAL.match(label):
            heading = ""


def cell_and_row(fact: InlineFact) -> tuple[etree._Element | None, etree._Element | None]:
    cell = None
    for parent in fact.element.iterancestors() if fact.element is not None else ():
        name = _name(parent)
        if name in {"td", "th"} and cell is None:
            cell = parent
        if name == "tr":
            return cell, parent
    return cell, None


def _row_label(
    row: etree._Element, found: list[tuple[etree._Element, InlineFact]]
) -> tuple[str, etree._Element | None]:
    """The text of the first cell with words, up to the first figure, which may be in the same cell."""
    holders = {cell for cell, _ in found}
    for cell in row.iter("{*}td", "{*}th"):
        text = label_text(cell)
        if WORD.search(text) and not (cell in holders and _is_figure(cell, found)):
            return text, cell
        if cell in holders:
            break
    return "", None


def _indent(cell: etree._Element | None) -> float:
    """A label's indentation, in the document's own units: left padding or margin of the cell and its blocks."""
    if cell is None:
        return 0.0
    total = 0.0
    for element in (cell, *cell.iter("{*}div", "{*}p")):
        style = element.get("style", "")
        for _, value in INDENT.findall(style):
            total += float(value)
        for sides in PADDING.findall(style):
            values = LENGTH.findall(sides)
            total += float(values[3]) if len(values) == 4 else 0.0
    text = "".join(cell.itertext())
    return total + 3.0 * (len(text) - len(text.lstrip("\u00a0 \u2003")))


def _is_figure(cell: etree._Element, found: list[tuple[etree._Element, InlineFact]]) -> bool:
    """Whether a cell has only its figure, a currency sign or a percent sign."""
    rest = text_of(cell)
    for holder, fact in found[:MOST_FACTS]:
        if holder is cell:
            rest = rest.replace(fact.printed.strip("()"), "", 1)
    return not re.search(r"[^\W\d_]{3}", rest)


def label_text(cell: etree._Element) -> str:
    """The text of a label cell, white space folded, without footnote marks and note references at its end."""
    text = fold("".join(_label_parts(cell)))
    end = len(text)
    while True:
        start = max(end - MARK_LENGTH, 0)
        tail = text[start:end]
        cut = start + len(FOOTNOTE_MARK.sub("", tail).rstrip(" ,"))
        if cut in (0, end):
            return text[:end]
        end = cut


def _label_parts(cell: etree._Element) -> Iterator[str]:
    """The text of a cell without superscripts, with a blank around each block."""
    skipped: etree._Element | None = None
    for event, element in etree.iterwalk(cell, events=("start", "end")):
        name = _name(element)
        if event == "start":
            raised = name == "sup" or (name and RAISED.search(element.get("style", "")))
            if skipped is None and raised and element is not cell and len(text_of(element, 40)) <= RAISED_LENGTH:
                skipped = element
            if skipped is None:
                yield (" " if name in BLOCKS else "") + (element.text or "" if name else "")
            continue
        if skipped is None and name in BLOCKS:
            yield " "
        if element is skipped:
            skipped = None
        if skipped is None and element is not cell:
            yield element.tail or ""


def _blocks(element: etree._Element) -> list[str]:
    """The text of an element and after it, one string a paragraph."""
    parts: list[str] = []
    current: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        name = _name(node)
        if name in BLOCKS:
            parts.append(fold("".join(current)))
            current.clear()
        current.append((node.text if event == "start" and name else "") or "")
        if event == "end":
            current.append(node.tail or "")
    return [part for part in (*parts, fold("".join(current))) if part]


def _name(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""
