"""The primary statements of a document as facts: each certain figure with its value, unit, period and place."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Protocol

from filings.document.blocks import Block, Page, page_at
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import NEAR, Period, Subject
from filings.tables.printed_numbers import CURRENCIES
from filings.tables.statements import ReadStatement, find_statements, read_statement
from filings.tables.sums import signs
from filings.tables.table_units import PERCENT, other_dollars
from filings.xbrl.parsed_xbrl import Line, ParsedFact, ParsedStatement

TAXONOMY = "printed"
LONGEST_TAG = 240
LENGTH_OF_CURRENCY = 3
SIGNED = re.compile(r"[$€£¥]\s*\(?\d")
_BEFORE_SIGN = re.compile(r"(?:US|HK|NT|[CAR])$")
_WORD = re.compile(r"[A-Za-z0-9]+")
# A balance among the flows of a cash flow statement.
_OPENING = re.compile(
    r"\b(?:beginning|start)\s+of\s+(?:the\s+)?(?:fiscal\s+)?(?:year|period|quarter)\b", re.IGNORECASE
)
_CLOSING = re.compile(r"\bend\s+of\s+(?:the\s+)?(?:fiscal\s+)?(?:year|period|quarter)\b", re.IGNORECASE)


class Text(Protocol):
    """A section: its text and the blocks and pages of it."""

    @property
    def text(self) -> str: ...
    @property
    def blocks(self) -> Sequence[Block]: ...
    @property
    def pages(self) -> Sequence[Page]: ...


@dataclass(frozen=True, slots=True)
class PrintedStatements:
    """The statements that a document prints, and their figures."""

    statements: tuple[ParsedStatement, ...] = ()
    facts: tuple[ParsedFact, ...] = ()

    @property
    def end(self) -> date | None:
        """The last day that a figure is of."""
        return max((fact.end for fact in self.facts), default=None)


def printed_statements(sections: Sequence[Text], subject: Subject) -> PrintedStatements:
    """The primary statements of a document's sections: of each kind the one with the most rows for its period, titled as
    one; of a document that is of no year, else its first table of selected results.
    """
    currency = currency_of(sections)
    titled: dict[str, list[tuple[int, ReadStatement]]] = defaultdict(list)
    selected: list[tuple[int, ReadStatement]] = []
    for number, section in enumerate(sections, 1):
        if not any(block.rows for block in section.blocks):
            continue
        for found in find_statements(section.text, section.blocks, section.pages):
            read = read_statement(section.text, section.blocks, found, subject, currency)
            if read is None or not _is_of(read, subject):
                continue
            if not found.is_titled:
                selected.append((number, read))
                continue
            titled[read.kind].append((number, read))
    best = {kind: one for kind, found in titled.items() if (one := _the_companys(found))}
    if "income" not in best and selected and not subject.annual:
        best["income"] = selected[0]
    told = [_as_facts(number, read, sections[number - 1].pages) for number, read in best.values()]
    return PrintedStatements(
        tuple(statement for statement, _ in told), tuple(fact for _, facts in told for fact in facts)
    )


def _the_companys(found: Sequence[tuple[int, ReadStatement]]) -> tuple[int, ReadStatement] | None:
    """Of statements of one kind that with the most rows; None where the document has others with other figures, of another
    registrant or of a parent alone, and this one is not the first.
    """
    best = max(found, key=lambda one: len(one[1].rows))
    alike = all(_agree(best[1], other) for _, other in found)
    return best if alike or best is found[0] else None


def _agree(one: ReadStatement, other: ReadStatement) -> bool:
    """Whether two statements have the same figures in most of the rows and periods that both have."""
    ours, theirs = (
        {(row.label.casefold(), cell.unit, cell.period.end): cell.value for _, row in read.rows for cell in row.cells}
        for read in (one, other)
    )
    both = ours.keys() & theirs.keys()
    return 2 * sum(ours[key] == theirs[key] for key in both) >= len(both)


def months_of(facts: Iterable[ParsedFact]) -> set[int]:
    """The lengths of the periods of facts that end last: 12 for a year, 0 for a day."""
    held = list(facts)
    newest = max((fact.end for fact in held), default=None)
    return {Period(fact.start, fact.end).months for fact in held if fact.end == newest}


def currency_of(sections: Sequence[Text]) -> str:
    """The currency whose sign stands before the document's figures, where it is one; that which it says of its dollars."""
    if said := next(filter(None, (other_dollars(one.text) for one in sections)), ""):
        return said
    signs = {
        (_before(one.text, at := match.start()), one.text[at])
        for one in sections
        for match in SIGNED.finditer(one.text)
    }
    known = {CURRENCIES.get(before + sign, "") for before, sign in signs}
    return known.pop() if len(known) == 1 else ""


def _before(text: str, at: int) -> str:
    found = _BEFORE_SIGN.search(text, max(at - 2, 0), at)
    return found[0] if found else ""


def _is_of(read: ReadStatement, subject: Subject) -> bool:
    """Whether the newest column of a statement is of the document's period."""
    newest = max(cell.period.end for _, row in read.rows for cell in row.cells)
    return subject.end is None or abs(newest - subject.end) <= NEAR


def _as_facts(
    section: int, read: ReadStatement, pages: Sequence[Page] = ()
) -> tuple[ParsedStatement, list[ParsedFact]]:
    lines: list[Line] = []
    facts: list[ParsedFact] = []
    named: Counter[str] = Counter()
    told = signs([_money(row) for _, row in read.rows])
    for order, (_, row) in enumerate(read.rows, 1):
        tag = _tag(row, read.kind)
        named[tag] += 1
        tag = tag if named[tag] == 1 else f"{tag}{named[tag]}"
        lines.append(Line(order, f"{TAXONOMY}:{tag}", row.label, row.heading, adds=told[order - 1]))
        facts += [
            replace(
                fact,
                statement=read.kind,
                order=order,
                place=(section, cell.start, cell.end),
                page=page.label if (page := page_at(pages, cell.start)) else "",
            )
            for cell in row.cells
            if (fact := fact_of(cell, row, tag))
        ]
    return ParsedStatement(read.kind, read.title, tuple(lines)), facts


def fact_of(cell: ReadCell, row: ReadRow, tag: str) -> ParsedFact | None:
    """A cell as a fact of the whole company; None of a share."""
    if cell.unit == PERCENT:
        return None
    period = balance_of(row.label, cell.period)
    return ParsedFact(
        TAXONOMY, tag, cell.unit, period.start, period.end, format(cell.value, "f"), cell.value, cell.decimals,
        label=row.label, printed=cell.text, column=cell.column,
    )  # fmt: skip


def balance_of(label: str, period: Period) -> Period:
    """The period of a row's figure: of a balance among flows the day that its label names."""
    if _OPENING.search(label):
        day = period.start - timedelta(days=1)
        return Period(day, day)
    return Period(period.end, period.end) if _CLOSING.search(label) else period


def _money(row: ReadRow) -> dict[object, Decimal]:
    """The amounts of money of a row by period, as printed."""
    return {one.period: one.value.scaleb(-one.power) for one in row.cells if len(one.unit) == LENGTH_OF_CURRENCY}


def _tag(row: ReadRow, kind: str) -> str:
    words = _WORD.findall(f"{row.heading} {row.label}".replace("'", "").replace("\u2019", ""))
    return f"{''.join(word[:1].upper() + word[1:].lower() for word in words)[:LONGEST_TAG]}-{kind}"


def figures_at(section: Text, subject: Subject, currency: str, starts: Collection[int]) -> list[ParsedFact]:
    """What the figures that begin at offsets of a section are, read again: as each statement there has them."""
    found: list[ParsedFact] = []
    for one in find_statements(section.text, section.blocks, section.pages):
        parts = [section.blocks[part] for part in one.parts]
        if any(part.start <= start < part.end for part in parts for start in starts):
            read = read_statement(section.text, section.blocks, one, subject, currency)
            facts = _as_facts(0, read)[1] if read else ()
            found += [fact for fact in facts if fact.place and fact.place[1] in starts]
    return found
