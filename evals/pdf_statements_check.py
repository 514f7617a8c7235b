"""The primary statements of PDF files beside the values that companyfacts holds of the same filing.

    python -m evals.pdf_statements_check [--list] [FOLDER]

Reads every PDF file of ../shared/financebench and ../shared/quarterly (or below FOLDER) whose company is in
../shared/edgar, finds the balance sheet, income statement and cash flow statement among its tables, and compares each
printed row: it agrees where one element has every printed figure, with its scale, as the value of the column's period,
all with the printed sign or all with the opposite one. --list prints the rows that do not. The figures are written
into `reports/pdf_statements.md`.
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

from evals.pdf_statements import PrintedRow, Statement, statements
from filings.document.layout import Layout
from filings.document.pdf import read_printed

SHARED = Path(__file__).resolve().parents[1] / "../shared"
REPORT = Path(__file__).with_name("reports") / "pdf_statements.md"
KINDS = ("balance", "income", "cashflow")
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
    rows: Mapping[str, tuple[int, int]]  # kind: rows that agree, and all
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
    return Held(accession, end, first)


def _period(entry: Mapping[str, object]) -> Period:
    start = entry.get("start")
    return (date.fromisoformat(str(start)) if start else None), date.fromisoformat(str(entry["end"]))


def agrees(row: PrintedRow, periods: Mapping[int, Period], facts: Facts, scale: int) -> bool:
    """Whether one element has every figure of a row, all with the printed sign or all with the opposite one."""
    figures = [(column, number) for column, number in row.figures if number is not None]
    if any(column not in periods for column, _ in figures):
        return False
    common: set[tuple[str, str, int, int]] | None = None
    for column, number in figures:
        found: set[tuple[str, str, int, int]] = set()
        for place, period in enumerate(_near(periods[column])):
            for (tag, unit), values in facts.get(period, {}).items():
                for value in (number * 10**power for power in _powers(unit, scale)):
                    found |= {(tag, unit, place, sign) for sign in (1, -1) if sign * value in values}
        common = found if common is None else common & found
        if not common:
            return False
    return True


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


def compare(path: Path, root: Path) -> Outcome | None:
    """A document beside what is held of it; None where nothing is."""
    cik = company(root, path.stem)
    if cik is None:
        return None
    began = time.process_time()
    layout = read_printed(path.read_bytes()).layout
    seconds = time.process_time() - began
    end = period_end(layout)
    known = held(root, cik, end) if end else None
    if known is None:
        return None
    counts: dict[str, tuple[int, int]] = dict.fromkeys(KINDS, (0, 0))
    headed = of = 0
    open_: list[tuple[str, PrintedRow, str]] = []
    for statement in statements(layout):
        periods = columns(statement, known)
        good = 0
        for row in statement.rows:
            if agrees(row, periods, known.facts, statement.scale):
                good += 1
            else:
                open_.append((statement.kind, row, _why(row, periods, known, statement.scale)))
        counts[statement.kind] = good, len(statement.rows)
        of += len(periods)
        headed += sum(str(period[1].year) in statement.headings[column] for column, period in periods.items())
    return Outcome(path.stem, len(layout.pages), seconds, counts, (headed, of), tuple(open_))


def _why(row: PrintedRow, periods: Mapping[int, Period], known: Held, scale: int) -> str:
    """Which figures companyfacts has in no element of the period."""
    lacking = [
        str(number)
        for column, number in row.figures
        if number is not None and not agrees(PrintedRow("", ((column, number),)), periods, known.facts, scale)
    ]
    return f"not held: {', '.join(lacking)}" if lacking else "no one element has all"


def outcomes(root: Path) -> Iterator[Outcome]:
    for path in documents(root):
        found = compare(path, root)
        if found is not None:
            yield found


def report(found: Sequence[Outcome]) -> str:
    """The figures as Markdown."""
    lines = ["# Primary statements of PDF files beside companyfacts", ""]
    lines += [*(__doc__ or "").partition("\n\n")[2].strip().splitlines(), ""]
    good, every = _sum(found)
    headed, of = sum(one.headed[0] for one in found), sum(one.headed[1] for one in found)
    lines += [
        f"{good} of {every} rows agree ({good / max(every, 1):.1%}); {headed} of {of} columns are headed with the year of their period.",
        "",
    ]
    lines += [
        "| Document | Pages | Balance sheet | Income | Cash flows | Headed columns |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for one in found:
        cells = [f"{good}/{every}" if every else "not found" for good, every in (one.rows[kind] for kind in KINDS)]
        lines.append(f"| {one.name} | {one.pages} | {' | '.join(cells)} | {one.headed[0]}/{one.headed[1]} |")
    return "\n".join(lines) + "\n"


def _sum(found: Sequence[Outcome]) -> tuple[int, int]:
    return (
        sum(good for one in found for good, _ in one.rows.values()),
        sum(every for one in found for _, every in one.rows.values()),
    )


def main(arguments: Sequence[str]) -> int:
    """Compare, print and write the report."""
    folders = [Path(one) for one in arguments if not one.startswith("-")]
    found = list(outcomes(folders[0] if folders else SHARED))
    if not found:
        print("No PDF file of ../shared is held in companyfacts.")
        return 1
    REPORT.write_text(report(found), encoding="utf-8")
    for one in found:
        print(
            one.name,
            f"{one.seconds:.1f}s",
            *(f"{kind} {good}/{every}" for kind, (good, every) in one.rows.items()),
            one.headed,
        )
        if "--list" in arguments:
            for kind, row, why in one.open:
                print("   ", kind, "|", row.label[:70], "|", *(str(number) for _, number in row.figures), "|", why)
    good, every = _sum(found)
    print(
        f"{good} of {every} rows agree ({good / max(every, 1):.2%}); {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
