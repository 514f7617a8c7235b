"""The primary statements among the tables of a text, of one page or several, by the titles above or within them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from filings.document.blocks import Block, Page, page_at
from filings.tables.cell_meanings import BEFORE, ReadRow, TableReader, lines_above
from filings.tables.column_periods import Subject

LONGEST_TITLE = 200
MOST_PARTS = 4  # pages of a statement
FEWEST_ROWS = 5
LONGEST_PART_TITLE = 60  # of the second half of a statement: "Liabilities and equity"
SAID_OF_IT = 4  # lines above a table of selected figures that say whose they are
_OF = r"statements?\s+of\s+(?:(?:condensed|consolidated|consolidating|net)\s+)*"
_TITLES = {
    "balance": re.compile(rf"balance\s+sheets?|{_OF}financial\s+(?:position|condition)", re.IGNORECASE),
    "cashflow": re.compile(rf"cash\s+flows?\s+statements?|{_OF}cash\s+flows?", re.IGNORECASE),
    "income": re.compile(
        rf"{_OF}(?:results\s+of\s+)?(?:operations|income|earnings|(?:profit|loss)\b)|(?:income|operations|earnings)\s+statements?",
        re.IGNORECASE,
    ),
    "comprehensive": re.compile(rf"{_OF}(?:other\s+)?comprehensive\s+(?:income|loss|earnings)", re.IGNORECASE),
}
_EQUITY = re.compile(r"statements?\s+of\s+.*(?:equity|deficit|investment|capital)|equity\s+statements?", re.IGNORECASE)
# What names a statement of a part, of other figures than the company's, or speaks of a statement.
_NOT_ONE = re.compile(
    r"\b(?:consolidating|parent|pro\s+forma|schedules?|reconcil\w+|supplement\w+|non-?gaap|selected|segments?|adjusted|"
    r"(?:non-?)?guarantors?|obligors?|notes?\s+to|following|tables?|sets?\s+forth|percent\w*|see|presents?|"
    r"shows?|included|summar\w+|highlights?|index|impact|effects?|line\s+items?|location|(?:income|operations|earnings|sheet|flows?|financial)\s+data)\b",
    re.IGNORECASE,
)
# Above the title of statements of a parent alone, or of others than the company.
_OF_PARENT = re.compile(
    r"\bparent\s+company\b|\bcondensed\s+financial\s+information\b|\bschedule\s+I\b|\bpro\s+forma\b|\bguarantors?\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\bcontinued\b|\bcont['\u2019]?d\b|\bconcluded\b", re.IGNORECASE)
# What may stand between the pages of a statement: its unit, a pointer to the notes.
_BESIDE = re.compile(
    r"\bin\s+(?:thousands|millions|billions)\b|\baccompanying\b|\bnotes\b|\bcontinued\b", re.IGNORECASE
)
_ROWS = {
    "balance": (r"total\s+(?:current\s+)?assets", r"total\s+liabilities|total\s+.*equity|liabilities\s+and"),
    "income": (
        r"(?:net|total)\s+(?:income|earnings|loss|sales|revenue)|\brevenues?\b|net\s+\(?loss",
        r"(?:basic|diluted|per\s+(?:common\s+)?share|dilution)",
    ),
    "cashflow": (
        r"operating\s+activities|from\s+operations|operations",
        r"financing|dividends\s+paid|net\s+(?:increase|decrease|change)",
    ),
    "comprehensive": (r"comprehensive", r"net\s+(?:income|earnings|\(?loss)"),
}


@dataclass(frozen=True, slots=True)
class FoundStatement:
    """A primary statement of a text: its kind, its title as printed, and the places of its tables among the blocks.

    is_titled: whether it is titled as one, and not a table of selected figures that has its rows.
    """

    kind: str
    title: str
    parts: tuple[int, ...]
    is_titled: bool = True


@dataclass(frozen=True, slots=True)
class ReadStatement:
    """A primary statement with its rows, those of all its pages; each with the block that it stands in."""

    kind: str
    title: str
    rows: tuple[tuple[int, ReadRow], ...]


def find_statements(text: str, blocks: Sequence[Block], pages: Sequence[Page]) -> Iterator[FoundStatement]:
    """The tables of a text that are titled as primary statements, each with its next pages; then those of selected figures
    of the company's results, as the first pages of a release have.
    """
    tables = [number for number, block in enumerate(blocks) if block.rows]
    titled = {number: told for number in tables if (told := title_of(text, blocks, number))}
    for number, (kind, title) in titled.items():
        if kind in _TITLES:
            parts = _parts(text, blocks, pages, tables, titled, number)
            printed = " ".join(text[blocks[one].start : blocks[one].end] for one in parts)
            # One statement may have the rows of both.
            kind = "income" if kind == "comprehensive" and _is("income", printed) else kind
            if _is(kind, printed):
                yield FoundStatement(kind, title, tuple(parts))
    for number in tables:
        said = [line for line in (*_first_rows(text, blocks[number]), *lines_above(text, blocks, number)) if line]
        is_of_results = number not in titled and _is("income", text[blocks[number].start : blocks[number].end])
        if is_of_results and not any(_NOT_ONE.search(line) for line in said[:SAID_OF_IT]):
            yield FoundStatement("income", said[0] if said else "", (number,), is_titled=False)


def title_of(text: str, blocks: Sequence[Block], number: int) -> tuple[str, str] | None:
    """The kind of statement that a table's own first rows, or else the nearest line above, say it is, with the title."""
    lines = [*reversed(_first_rows(text, blocks[number])), *lines_above(text, blocks, number)]
    for place, line in enumerate(lines):
        if len(line) > LONGEST_TITLE or not line:
            continue
        if kind := kind_of_title(line):
            of_parent = any(_OF_PARENT.search(above) for above in lines[place + 1 : place + 3])
            return "other" if of_parent else kind, line
    return None


def _first_rows(text: str, block: Block) -> list[str]:
    """The words of a table's first rows, where they stand alone or beside a heading."""
    own: list[str] = []
    for place, row in enumerate(block.rows[: BEFORE // 2]):
        said = [line for cell in row if (line := " ".join(text[cell.start : cell.end].split()))]
        if place < block.header:
            own += said[:1] if row[0].start < row[0].end else []
        elif len(said) > 2:
            break
        else:
            own += said[:1]
    return own


def kind_of_title(line: str) -> str:
    """The kind of statement that a line is the title of; "other" of an other statement or part, "" of none."""
    kinds = [kind for kind, title in _TITLES.items() if title.search(line)]
    if not kinds:
        return "other" if _EQUITY.search(line) else ""
    if _NOT_ONE.search(line) or line.endswith((".", ":")):
        return "other"
    # "Consolidated statements of operations and comprehensive loss" has the rows of an income statement.
    if (
        "income" not in kinds
        and "comprehensive" in kinds
        and re.search(r"operations|income\s+and", line, re.IGNORECASE)
    ):
        return "income"
    return kinds[0]


def _parts(
    text: str,
    blocks: Sequence[Block],
    pages: Sequence[Page],
    tables: Sequence[int],
    titled: Mapping[int, tuple[str, str]],
    number: int,
) -> list[int]:
    """A table and those on the next pages that go on with it, under none or its own title, where that says so or the
    statement is not whole.
    """
    parts = [number]
    for other in tables[tables.index(number) + 1 :]:
        last, block = blocks[parts[-1]], blocks[other]
        before, after = page_at(pages, last.start), page_at(pages, block.start)
        if not before or not after or after.number - before.number > 1 or len(parts) == MOST_PARTS:
            break
        kind, title = titled.get(other, ("", ""))
        whole = _is(titled[number][0], " ".join(text[blocks[one].start : blocks[one].end] for one in parts))
        if kind and not (kind == titled[number][0] and (not whole or _GOES_ON.search(title))):
            break
        between = [text[one.start : one.end] for one in blocks[parts[-1] + 1 : other]]
        goes_on = (_BESIDE.search(line) or (not whole and len(line) <= LONGEST_PART_TITLE) for line in between)
        if not kind and not all(goes_on):
            break
        if _width(block) != _width(last):
            break
        parts.append(other)
    return parts


def _width(block: Block) -> int:
    return sum(cell.span for cell in block.rows[0])


def _is(kind: str, text: str) -> bool:
    return all(re.search(words, text, re.IGNORECASE) for words in _ROWS[kind])


def read_statement(
    text: str, blocks: Sequence[Block], found: FoundStatement, subject: Subject, currency: str = ""
) -> ReadStatement | None:
    """A statement's rows with certain figures; None where its columns are not those of the document's period."""
    rows: list[tuple[int, ReadRow]] = []
    reader: TableReader | None = None
    for number in found.parts:
        reader = TableReader(
            text, blocks, number, subject, instant=found.kind == "balance", currency=currency, before=reader
        )
        rows += [(number, row) for row in reader.rows()]
    return ReadStatement(found.kind, found.title, tuple(rows)) if len(rows) >= FEWEST_ROWS else None
