"""The primary statements of PDF files beside the values of the same filing's XBRL.

    python -m evals.pdf_statements_check [--list] [FOLDER]

Reads every PDF file of ../shared/financebench and ../shared/quarterly (or below FOLDER) and finds the balance sheet,
income statement and cash flow statement among its tables. Where ../shared/edgar has the company, a printed row agrees where one element has every one of its figures, with its scale, as the value of the column's period, all with the
printed sign or all with the opposite one: in companyfacts, or in the filing's own inline XBRL where that is held, which
has the company's own elements and those with members too. It differs where an element has one of the figures and
another value for another. What no element has is not held: companyfacts lacks elements of the company and figures of
members. Those rows, and the rows of companies that ../shared/edgar lacks, add up where they and the rows next to them
make a printed total in every column. --list prints the rows
that do not agree. The figures are written into `reports/pdf_statements.md`.
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
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import permutations
from pathlib import Path

from evals.pdf_statements import PrintedRow, Statement, added_up, statements
from filings.document.inline.facts import parse_markup, read_contexts, read_numbers, read_units
from filings.document.layout import Layout
from filings.document.pdf import read_printed

SHARED = Path(__file__).resolve().parents[1] / "../shared"
REPORT = Path(__file__).with_name("reports") / "pdf_statements.md"
KINDS = ("balance", "income", "cashflow")
FINDINGS = ("agree", "differ", "added up", "not held")
FORMS = {"10-K", "10-Q"}
MOST_PERIODS = 8  # of a filing that a column may stand for
_DATE = re.compile(r"ended:?\s+([A-Z][a-z]+\s+\d{1,2},?\s+20\d\d)", re.IGNORECASE)

Period = tuple[date | None, date]  # the first day, None of a balance; and the last
Facts = Mapping[Period, Mapping[tuple[str, str], set[Decimal]]]  # (element, unit): values


@dataclass(frozen=True, slots=True)
class Held:
    """What companyfacts holds for a document: the accession, its period's last day, and the values."""

    accession: str
    end: date
    facts: Facts


@dataclass(frozen=True, slots=True)
class Outcome:
    """A document's rows: how many agree, those that do not, and the statements that were not found."""

    name: str
    pages: int
    seconds: float
    held: bool  # whether XBRL of the filing is held
    rows: Mapping[str, Counter[str]]  # kind: rows of each finding
    headed: tuple[int, int]  # columns whose heading names the year of their period, and all
    open: tuple[tuple[str, PrintedRow, str], ...]


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


def period_end(layout: Layout) -> date | None:
    """The last day of the document's period, which its cover names."""
    found = _DATE.search(" ".join(layout.text[:12_000].split()))
    if not found:
        return None
    return datetime.strptime(" ".join(found[1].replace(",", " ").split()), "%B %d %Y").date()  # noqa: DTZ007


def held(root: Path, cik: int, end: date) -> Held | None:
    """The values of the periods of the filing whose period ends on a day; another filing's where it has none itself."""
    path = root / f"edgar/mirror/api/xbrl/companyfacts/CIK{cik:010d}.json.xz"
    entries: list[tuple[tuple[str, str], Mapping[str, object]]] = [
        ((tag, unit), entry)
        for taxonomy in json.loads(lzma.decompress(path.read_bytes()), parse_float=Decimal)["facts"].values()
        for tag, one in taxonomy.items()
        for unit, found in one["units"].items()
        for entry in found
    ]
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    filed: dict[str, str] = {}
    for _, entry in entries:
        if entry.get("form") in FORMS and "start" in entry:
            ends[str(entry["accn"])][str(entry["end"])] += 1
            filed[str(entry["accn"])] = str(entry["filed"])
    own = [accession for accession, counts in ends.items() if max(counts) == end.isoformat()]
    if not own:
        return None
    accession = min(own, key=lambda one: filed[one])
    periods = {_period(entry) for _, entry in entries if entry.get("accn") == accession}
    first: dict[Period, dict[tuple[str, str], set[Decimal]]] = defaultdict(lambda: defaultdict(set))
    other: dict[Period, dict[tuple[str, str], set[Decimal]]] = defaultdict(lambda: defaultdict(set))
    for key, entry in entries:
        period = _period(entry)
        if period in periods:
            (first if entry["accn"] == accession else other)[period][key].add(Decimal(str(entry["val"])))
    for period, values in other.items():
        for key, found in values.items():
            first[period].setdefault(key, found)
    for key, period, value in _inline(root, cik, end):
        if period in periods:
            first[period][key].add(value)
    return Held(accession, end, first)


def _inline(root: Path, cik: int, end: date) -> Iterator[tuple[tuple[str, str], Period, Decimal]]:
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
                start, last = fact.context.start, fact.context.end
                name = "|".join(
                    [fact.name.rpartition(":")[2], *(f"{axis}={member}" for axis, member in fact.context.axes)]
                )
                yield (name, fact.unit), (None if start == last else start, last), fact.value


def _period(entry: Mapping[str, object]) -> Period:
    start = entry.get("start")
    return (date.fromisoformat(str(start)) if start else None), date.fromisoformat(str(entry["end"]))


def agrees(row: PrintedRow, periods: Mapping[int, Period], facts: Facts, scale: int) -> bool:
    """Whether one element has every figure of a row, all with the printed sign or all with the opposite one."""
    figures = [(column, number) for column, number in row.figures if number is not None]
    if any(column not in periods for column, _ in figures):
        return False
    found = [_elements(number, periods[column], facts, scale) for column, number in figures]
    return bool(set.intersection(*found))


def differs(row: PrintedRow, periods: Mapping[int, Period], facts: Facts, scale: int) -> bool:
    """Whether an element that has one of a row's figures has another value for another of them."""
    figures = [(column, number) for column, number in row.figures if number is not None and column in periods]
    for column, number in figures:
        for key, place, _ in _elements(number, periods[column], facts, scale):
            if all(key in facts.get(_near(periods[other])[place], {}) for other, _ in figures):
                return True
    return False


def _elements(number: Decimal, period: Period, facts: Facts, scale: int) -> set[tuple[tuple[str, str], int, int]]:
    """The elements that have a figure: element and unit, which of the days near the period, and the sign."""
    return {
        (key, place, sign)
        for place, near in enumerate(_near(period))
        for key, values in facts.get(near, {}).items()
        for power in _powers(key[1], scale)
        for sign in (1, -1)
        if sign * number * 10**power in values
    }


def _near(period: Period) -> list[Period]:
    """A column's period; for a duration also the balances before its first day and on its last."""
    start, end = period
    return [period] if start is None else [period, (None, start - timedelta(days=1)), (None, end)]


def _powers(unit: str, scale: int) -> Sequence[int]:
    if unit == "shares":
        return (0, 3, 6)
    return (0,) if "/" in unit or unit == "pure" else (scale,)


def columns(statement: Statement, known: Held) -> dict[int, Period]:
    """The period of each column: of those of the filing, the ones with which most rows agree."""
    numbers = sorted({column for row in statement.rows for column, _ in row.figures})
    kinds = [
        period
        for period in known.facts
        if (period[0] is None) == (statement.kind == "balance") and period[1] <= known.end
    ]
    score = {
        (column, period): sum(
            agrees(PrintedRow("", ((column, number),)), {column: period}, known.facts, statement.scale)
            for row in statement.rows
            for other, number in row.figures
            if other == column and number is not None
        )
        for column in numbers
        for period in kinds
    }
    best = sorted(kinds, key=lambda period: -max((score[column, period] for column in numbers), default=0))[
        :MOST_PERIODS
    ]
    if len(numbers) > len(best):
        return {}
    chosen = max(
        permutations(best, len(numbers)),
        key=lambda order: sum(score[column, period] for column, period in zip(numbers, order, strict=True)),
    )
    return dict(zip(numbers, chosen, strict=True))


def compare(path: Path, root: Path) -> Outcome:
    """A document beside what is held of it; beside its own totals where nothing is."""
    began = time.process_time()
    layout = read_printed(path.read_bytes()).layout
    seconds = time.process_time() - began
    cik, end = company(root, path.stem), period_end(layout)
    known = held(root, cik, end) if cik and end else None
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    headed = of = 0
    open_: list[tuple[str, PrintedRow, str]] = []
    for statement in statements(layout):
        added = added_up(statement.rows)
        if known is None:
            counts[statement.kind].update(
                "added up" if number in added else "not held" for number in range(len(statement.rows))
            )
            continue
        periods = columns(statement, known)
        for number, row in enumerate(statement.rows):
            finding = "agree"
            if not agrees(row, periods, known.facts, statement.scale):
                is_other = differs(row, periods, known.facts, statement.scale)
                finding = "differ" if is_other else "added up" if number in added else "not held"
                open_.append((statement.kind, row, finding))
            counts[statement.kind][finding] += 1
        of += len(periods)
        headed += sum(str(period[1].year) in statement.headings[column] for column, period in periods.items())
    return Outcome(path.stem, len(layout.pages), seconds, known is not None, counts, (headed, of), tuple(open_))


def outcomes(root: Path) -> Iterator[Outcome]:
    for path in documents(root):
        yield compare(path, root)


def report(found: Sequence[Outcome]) -> str:
    """The figures as Markdown."""
    headed, of = sum(one.headed[0] for one in found), sum(one.headed[1] for one in found)
    lines = ["# Primary statements of PDF files beside XBRL", ""]
    lines += [*(__doc__ or "").partition("\n\n")[2].strip().splitlines(), ""]
    lines += [f"{_summary(found)} {headed} of {of} columns are headed with the year of their period.", ""]
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
    return (
        f"{agree} of {agree + differ} rows that an element has agree ({agree / max(agree + differ, 1):.2%}); "
        f"{every['added up'] + every['not held']} rows no element has, of which {every['added up']} add up. "
        f"Without XBRL, {other['added up']} of {other.total()} rows add up."
    )


def main(arguments: Sequence[str]) -> int:
    """Compare, print and write the report."""
    folders = [Path(one) for one in arguments if not one.startswith("-")]
    found = list(outcomes(folders[0] if folders else SHARED))
    if not found:
        print("There is no PDF file in ../shared.")
        return 1
    REPORT.write_text(report(found), encoding="utf-8")
    for one in found:
        print(
            one.name,
            f"{one.seconds:.1f}s",
            *(f"{kind} {dict(counts)}" for kind, counts in one.rows.items()),
            one.headed,
        )
        if "--list" in arguments:
            for kind, row, finding in one.open:
                print("   ", kind, "|", row.label[:70], "|", *(str(number) for _, number in row.figures), "|", finding)
    print(_summary(found))
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
