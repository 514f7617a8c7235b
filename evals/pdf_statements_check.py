"""The primary statements of PDF files, as they are read at import, beside the values of the same filing's XBRL.

    python -m evals.pdf_statements_check [--list] [FOLDER]

Reads every PDF file of ../shared/financebench and ../shared/quarterly (or below FOLDER) and finds the balance sheet,
income statement and cash flow statement among its tables. Where ../shared/edgar has the company, a row agrees where one
element has every one of its figures as the value of its period, all with the printed sign or all with the opposite one:
in companyfacts, or in the filing's own inline XBRL where that is held, which has the company's own elements and those with
members too. It differs where an element has one of the figures and another value for another. What no element has is not
held: companyfacts lacks elements of the company and figures of members. Those rows, and the rows of companies that
../shared/edgar lacks, add up where they and the rows next to them make a printed total in every column. --list prints the
rows that do not agree. The figures are written into `reports/pdf_statements.md`.
"""

import csv
import json
import lzma
import re
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import django

django.setup()

from filings.document.inline.facts import parse_markup, read_contexts, read_numbers, read_units  # noqa: E402
from filings.document.pdf import read_printed  # noqa: E402
from filings.importing.stated import stated  # noqa: E402
from filings.tables.column_periods import Subject  # noqa: E402
from filings.tables.printed_facts import PrintedStatements, printed_statements  # noqa: E402
from filings.tables.sums import added_up  # noqa: E402
from filings.xbrl.statements import ParsedFact  # noqa: E402

SHARED = Path(__file__).resolve().parents[1] / "../shared"
REPORT = Path(__file__).with_name("reports") / "pdf_statements.md"
KINDS = ("balance", "income", "cashflow")
FINDINGS = ("agree", "differ", "added up", "not held")
FORMS = {"10-K", "10-Q"}
ANNUAL = re.compile(r"10-?K", re.IGNORECASE)
# Days by which the first day of a period of weeks may differ.
NEAR = timedelta(days=10)

Row = tuple[ParsedFact, ...]  # the figures of a printed row
Values = Mapping[date, Mapping[tuple[str, str], Sequence[tuple[date, Decimal]]]]  # end: (element, unit): start, value


@dataclass(frozen=True, slots=True)
class Outcome:
    """A document's rows: how many agree, and those that do not."""

    name: str
    pages: int
    seconds: float
    held: bool  # whether XBRL of the filing is held
    rows: Mapping[str, Counter[str]]  # kind: rows of each finding
    open: tuple[tuple[str, Row, str], ...]


def documents(root: Path) -> list[Path]:
    return sorted([*root.glob("financebench/pdfs/*.pdf"), *root.glob("quarterly/pdfs/*.pdf")])


def company(root: Path, name: str) -> int | None:
    """The CIK of the company that a file is named for, by ticker or the first word of its name."""
    words = {word.casefold() for word in re.split(r"[_\d]+", name) if word}
    with (root / "edgar/companyfacts.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            first = re.split(r"\W+", row["entity"])[0].casefold()
            if row["ticker"].casefold() in words or first in words:
                return int(row["cik"])
    return None


def held(root: Path, cik: int, end: date) -> Values | None:
    """The values of the filing whose period ends on a day, others where it has none itself; None where it is not held."""
    path = root / f"edgar/mirror/api/xbrl/companyfacts/CIK{cik:010d}.json.xz"
    entries: list[tuple[tuple[str, str], Mapping[str, object]]] = [
        ((tag, unit), entry)
        for taxonomy in json.loads(lzma.decompress(path.read_bytes()), parse_float=Decimal)["facts"].values()
        for tag, one in taxonomy.items()
        for unit, found in one["units"].items()
        for entry in found
    ]
    ends: dict[str, set[str]] = defaultdict(set)
    for _, entry in entries:
        if entry.get("form") in FORMS and "start" in entry:
            ends[str(entry["accn"])].add(str(entry["end"]))
    own = {accession for accession, found in ends.items() if max(found) == end.isoformat()}
    if not own:
        return None
    values: dict[date, dict[tuple[str, str], list[tuple[date, Decimal]]]] = defaultdict(lambda: defaultdict(list))
    for is_own in (True, False):
        first = {(day, key) for day, found in values.items() for key in found}
        for key, entry in entries:
            last = date.fromisoformat(str(entry["end"]))
            if (entry["accn"] in own) is is_own and (last, key) not in first:
                start = date.fromisoformat(str(entry.get("start", entry["end"])))
                values[last][key].append((start, Decimal(str(entry["val"]))))
    for key, start, last, value in _inline(root, cik, end):
        values[last][key].append((start, value))
    return values


def _inline(root: Path, cik: int, end: date) -> Iterator[tuple[tuple[str, str], date, date, Decimal]]:
    """The numbers of the inline XBRL of the filing whose period ends on a day, with their members, where it is held."""
    for listing, folder, day in (
        ("edgar/filings.csv", "edgar", "period_end"),
        ("forms/forms.csv", "forms/mirror", "period"),
    ):
        with (root / listing).open(encoding="utf-8") as file:
            found = [row for row in csv.DictReader(file) if row["cik"] == str(cik) and row[day] == end.isoformat()]
        for row in found:
            path = root / folder / f"{row['mirror_path']}.xz"
            document = (
                parse_markup(lzma.decompress(path.read_bytes())) if row["form"] in FORMS and path.is_file() else None
            )
            if document is None:
                continue
            for fact in read_numbers(document, read_contexts(document), read_units(document)):
                name = "|".join(
                    [fact.name.rpartition(":")[2], *(f"{axis}={member}" for axis, member in fact.context.axes)]
                )
                yield (name, fact.unit), fact.context.start, fact.context.end, fact.value


def agrees(row: Row, values: Values) -> bool:
    """Whether one element has every figure of a row, all with the printed sign or all with the opposite one."""
    return bool(set.intersection(*(_elements(fact, values) for fact in row)))


def differs(row: Row, values: Values) -> bool:
    """Whether an element that has one of a row's figures has another value for another of them."""
    named = {key for fact in row for key, _ in _elements(fact, values)}
    return any(all(_of(key, fact, values) for fact in row) for key in named)


def _elements(fact: ParsedFact, values: Values) -> set[tuple[tuple[str, str], int]]:
    """The elements that have a figure for its period: element and unit, and the sign."""
    return {
        (key, sign)
        for key in values.get(fact.end, {})
        for value in _of(key, fact, values)
        for sign in (1, -1)
        if sign * fact.value == value
    }


def _of(key: tuple[str, str], fact: ParsedFact, values: Values) -> list[Decimal]:
    """The values of an element for the period of a figure; of a flow also the balances at its end."""
    return [
        value
        for start, value in values.get(fact.end, {}).get(key, ())
        if key[1] == fact.unit and (abs(start - fact.start) <= NEAR or start == fact.end)
    ]


def rows_of(read: PrintedStatements) -> Iterator[tuple[str, list[Row]]]:
    """The rows of each primary statement, in order."""
    for statement in read.statements:
        by_line: dict[int, list[ParsedFact]] = defaultdict(list)
        for fact in read.facts:
            if fact.statement == statement.kind and fact.order is not None:
                by_line[fact.order].append(fact)
        if statement.kind in KINDS:
            yield statement.kind, [tuple(by_line[line.order]) for line in statement.lines if by_line[line.order]]


def compare(path: Path, root: Path) -> Outcome:
    """A document beside what is held of it; beside its own totals where nothing is."""
    layout = read_printed(path.read_bytes()).layout
    end = stated(layout).period_end
    began = time.process_time()
    read = printed_statements([layout], Subject(end, annual=bool(ANNUAL.search(path.stem))))
    seconds = time.process_time() - began
    cik = company(root, path.stem)
    known = held(root, cik, end) if cik and end else None
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    open_: list[tuple[str, Row, str]] = []
    for kind, rows in rows_of(read):
        added = added_up([{(fact.start, fact.end): fact.value for fact in row} for row in rows])
        for number, row in enumerate(rows):
            finding = "added up" if number in added else "not held"
            if known is not None and agrees(row, known):
                finding = "agree"
            elif known is not None and differs(row, known):
                finding = "differ"
            counts[kind][finding] += 1
            if known is not None and finding != "agree":
                open_.append((kind, row, finding))
    return Outcome(path.stem, len(layout.pages), seconds, known is not None, counts, tuple(open_))


def report(found: Sequence[Outcome]) -> str:
    """The figures as Markdown."""
    lines = ["# Primary statements of PDF files beside XBRL", ""]
    lines += [*(__doc__ or "").partition("\n\n")[2].strip().splitlines(), "", _summary(found), ""]
    lines += ["| Document | Pages | Statement | Rows | Agree | Differ | Not held, add up | Not held |"]
    lines += ["|---|---:|---|---:|---:|---:|---:|---:|"]
    for one in found:
        for kind, counts in one.rows.items():
            cells = " | ".join(str(counts[finding]) for finding in FINDINGS)
            lines.append(f"| {one.name} | {one.pages} | {kind} | {counts.total() or 'not found'} | {cells} |")
    return "\n".join(lines) + "\n"


def _summary(found: Sequence[Outcome]) -> str:
    every, other = (
        sum((counts for one in found if one.held is held for counts in one.rows.values()), Counter[str]())
        for held in (True, False)
    )
    agree, differ = every["agree"], every["differ"]
    absent = sum(not counts for one in found for counts in one.rows.values())
    return (
        f"{agree} of {agree + differ} rows that an element has agree ({agree / max(agree + differ, 1):.2%}); "
        f"{every['added up'] + every['not held']} rows no element has, of which {every['added up']} add up. "
        f"Without XBRL, {other['added up']} of {other.total()} rows add up. Of {len(KINDS) * len(found)} statements {absent} "
        f"are not found. Statements are read in {sum(one.seconds for one in found):.1f} s of all {len(found)} files."
    )


def main(arguments: Sequence[str]) -> int:
    """Compare, print and write the report."""
    folders = [Path(one) for one in arguments if not one.startswith("-")]
    root = folders[0] if folders else SHARED
    found = [compare(path, SHARED) for path in documents(root)]
    if not found:
        print("There is no PDF file in ../shared.")
        return 1
    REPORT.write_text(report(found), encoding="utf-8")
    for one in found:
        print(one.name, f"{one.seconds:.2f}s", *(f"{kind} {dict(counts)}" for kind, counts in one.rows.items()))
        if "--list" in arguments:
            for kind, row, finding in one.open:
                print("   ", kind, "|", row[0].label[:70], "|", *(fact.printed for fact in row), "|", finding)
    print(_summary(found))
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
