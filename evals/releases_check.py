"""Revenue, net income and diluted EPS of the quarter as earnings releases print them, beside SEC's companyfacts.

    python -m evals.releases_check [--list] [FOLDER [EDGAR]]

Reads every exhibit 99 that the list FOLDER/forms.csv (../shared/forms by default) names, finds its statements among its
tables as an ingestion does, and selects the three measures as an answer does. The truth is the first value that
companyfacts of EDGAR (../shared/edgar by default) has for the quarter that ended last before the release; of a fourth quarter, which no
filing tags, the year less its first nine months. EPS that it has not is net income by diluted shares, and compared within
two cents. A release without the words of a
statement of income, as of deliveries, prints none. --list prints each that is not found or not equal. The figures are
written into `reports/releases.md`.
"""

import csv
import json
import lzma
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path

import django

django.setup()

from agent.numbers import registry  # noqa: E402
from agent.numbers.fact_selection import Selection  # noqa: E402
from agent.numbers.filing_figures import FilingFigures  # noqa: E402
from agent.numbers.selection_result import Choice  # noqa: E402
from filings.edgar.listing import quarter_before  # noqa: E402
from filings.models import Company, Fact, Filing, Statement, StatementKind  # noqa: E402
from filings.sections.parsed_section import ParsedSection, SourceDocument  # noqa: E402
from filings.sections.schemes import read_sections  # noqa: E402
from filings.tables.column_periods import Subject  # noqa: E402
from filings.tables.printed_facts import PrintedStatements, printed_statements  # noqa: E402
from filings.xbrl import facts  # noqa: E402
from filings.xbrl.periods import NINE_MONTHS_DAYS, QUARTER_DAYS, YEAR_DAYS  # noqa: E402
from filings.xbrl.stored_faces import Face, FaceLine  # noqa: E402

SHARED = Path(__file__).resolve().parents[1] / "../shared"
REPORT = Path(__file__).with_name("reports") / "releases.md"
MEASURES = ("revenue", "net_income", "eps_diluted")
RESULTS = re.compile(r"\bnet\s+(?:income|earnings|loss|\(loss\))|\bprofit\b", re.IGNORECASE)
PER_SHARE = re.compile(r"\bper\s+(?:\w+\s+){0,2}share\b", re.IGNORECASE)
FORMS = ("10-Q", "10-K")
FINDINGS = ("equal", "differs", "not found", "prints none", "no truth")
# Days by which the quarter that a release names may end off the one that companyfacts has.
NEAR = timedelta(days=10)
SHARES = "WeightedAverageNumberOfDilutedSharesOutstanding"
# Of EPS as a difference of years and nine months, each over other shares, or as a quotient.
BY_DIFFERENCE = Decimal("0.02")


@dataclass(frozen=True, slots=True)
class Truth:
    """What companyfacts says of a quarter: the values of the tags that may answer, and whether they are a difference."""

    values: frozenset[Decimal]
    computed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """One measure of a release: what was found, in which row, and the truth."""

    release: str
    measure: str
    finding: str
    value: Decimal | None = None
    label: str = ""
    truth: frozenset[Decimal] = frozenset()


class CompanyFactsFile:
    """The values of one company, and its fiscal calendar, as far as they were filed by a day."""

    def __init__(self, root: Path, cik: int) -> None:
        path = root / f"mirror/api/xbrl/companyfacts/CIK{cik:010d}.json.xz"
        told = json.loads(lzma.decompress(path.read_bytes()), parse_float=Decimal)["facts"] if path.is_file() else {}
        self.rows = [
            (tag, unit, _day(row, "start"), date.fromisoformat(row["end"]), Decimal(str(row["val"])), row)
            for tag, one in told.get("us-gaap", {}).items()
            for unit, found in one["units"].items()
            for row in found
            if row.get("form") in FORMS and "start" in row
        ]

    def ends(self, days: range, by: date) -> list[date]:
        """The ends of the periods of a length that were reported by a day, each by ten facts or more."""
        counts = Counter(
            end for _, _, start, end, _, row in self.rows if (end - start).days in days and _filed(row) <= by
        )
        return sorted(end for end, count in counts.items() if count >= 10)

    def values(self, tags: Iterable[str], unit: str, end: date, days: range) -> dict[str, Decimal]:
        """By tag the first value that was filed for a period."""
        wanted = set(tags)
        found: dict[str, Decimal] = {}
        for tag, one_unit, start, last, value, _ in sorted(self.rows, key=lambda one: one[5]["filed"]):
            if tag in wanted and one_unit == unit and abs(last - end) <= NEAR and (last - start).days in days:
                found.setdefault(tag, value)
        return found

    def truth(self, tags: Sequence[str], unit: str, end: date) -> Truth:
        """The values of a quarter, or of a fourth quarter as a difference."""
        if own := self.values(tags, unit, end, QUARTER_DAYS):
            return Truth(frozenset(own.values()))
        year = self.values(tags, unit, end, YEAR_DAYS)
        before = [
            one
            for one in self.ends(NINE_MONTHS_DAYS, date.max)
            if QUARTER_DAYS[0] <= (end - one).days <= QUARTER_DAYS[-1]
        ]
        nine = self.values(tags, unit, before[-1], NINE_MONTHS_DAYS) if before else {}
        left = frozenset(value - nine[tag] for tag, value in year.items() if tag in nine)
        return Truth(left or self._by_division(unit, end), computed=True)

    def _by_division(self, unit: str, end: date) -> frozenset[Decimal]:
        """A quarter's earnings per share, where they are not held: its net income by its diluted shares."""
        if unit != "USD/shares":
            return frozenset()
        income = self.values(["NetIncomeLoss"], "USD", end, QUARTER_DAYS)
        shares = self.values([SHARES], "shares", end, QUARTER_DAYS)
        return frozenset(one / other for one in income.values() for other in shares.values())


def _day(row: Mapping[str, str], name: str) -> date:
    return date.fromisoformat(row[name])


def _filed(row: Mapping[str, str]) -> date:
    return date.fromisoformat(row["filed"])


@cache
def company_facts(root: Path, cik: int) -> CompanyFactsFile:
    return CompanyFactsFile(root, cik)


def releases(root: Path) -> Iterator[tuple[dict[str, str], bytes]]:
    """The rows of the list that are exhibits 99, with their files."""
    with (root / "forms.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["form"] == "8-K" and row["document_type"].upper().startswith("EX-99"):
                path = root / "mirror" / row["mirror_path"]
                packed = path.with_name(f"{path.name}.xz")
                yield row, lzma.decompress(packed.read_bytes()) if packed.is_file() else path.read_bytes()


def selected(read: PrintedStatements, subject: Subject, cik: int, filed: date) -> Selection:
    """The measures of a release's statements, selected as an answer does."""
    company = Company(cik=cik, name=str(cik))
    filing = Filing(company=company, source="8-K", form="8-K", accession="release", filed=filed)
    filing.period_end, filing.days = subject.end, QUARTER_DAYS
    held = [
        Fact(
            filing=filing, source=Fact.Source.PRINTED, taxonomy=one.taxonomy, tag=one.tag, unit=one.unit, start=one.start,
            end=one.end, raw=one.raw, value=one.value, decimals=one.decimals, form="8-K", filed=filed, label=one.label,
        )
        for one in read.facts
    ]  # fmt: skip
    facts.keep(filing, held)
    filing.__dict__["_faces"] = {
        StatementKind(one.kind): Face(
            StatementKind(one.kind),
            one.title,
            Statement.Basis.PRINTED,
            tuple(FaceLine(line.order, line.tag, line.label, line.heading, adds=line.adds) for line in one.lines),
        )
        for one in read.statements
    }
    return Selection(FilingFigures(filing, registry.load()))


def outcomes(row: Mapping[str, str], content: bytes, root: Path) -> Iterator[Outcome]:
    """The measures of one release beside their truths."""
    name, filed = f"{row['ticker']} {row['filed']}", date.fromisoformat(row["filed"])
    sections = read_sections([SourceDocument(row["primary_doc"], row["document_type"], content)], "current")
    held = company_facts(root, int(row["cik"]))
    year_ends = held.ends(YEAR_DAYS, filed)
    found = quarter_before(filed, year_ends, held.ends(QUARTER_DAYS, filed))
    subject = Subject(found[0], found[2].year, found[1]) if found else Subject()
    if not prints_results(sections):
        yield from (Outcome(name, measure, "prints none") for measure in MEASURES)
        return
    read = printed_statements(sections, subject)
    subject = Subject(read.end, subject.fiscal_year, subject.quarter)
    selection = selected(read, subject, int(row["cik"]), filed)
    for measure in MEASURES:
        concept = selection.filing_figures.registry.concepts[measure]
        choice = selection.annual(measure)
        end = read.end or subject.end
        tags = [one.name.partition(":")[2] for one in concept.candidates]
        truth = held.truth(tags, str(concept.unit), end) if end else Truth(frozenset())
        if not isinstance(choice, Choice):
            said = ", ".join(f"{one.label} {one.value:f}" for one in choice.candidates)
            yield Outcome(name, measure, "not found", None, said or choice.text, truth.values)
            continue
        label = choice.candidate.label if choice.candidate else choice.formula
        slack = BY_DIFFERENCE if truth.computed and measure == "eps_diluted" else choice.half_unit
        equal = any(abs(choice.value - value) <= slack for value in truth.values)
        finding = "no truth" if not truth.values else "equal" if equal else "differs"
        yield Outcome(name, measure, finding, choice.value, label, truth.values)


def prints_results(sections: Iterable[ParsedSection]) -> bool:
    """Whether a release has words of a statement of income."""
    text = " ".join(one.text for one in sections)
    return bool(RESULTS.search(text) and PER_SHARE.search(text))


def report(found: Sequence[Outcome], seconds: float) -> str:
    """The figures as Markdown."""
    lines = ["# Results that earnings releases print, beside companyfacts", ""]
    lines += [*(__doc__ or "").partition("\n\n")[2].strip().splitlines(), "", summary(found), ""]
    lines += [f"| Measure | {' | '.join(FINDINGS)} |", f"|---|{'---:|' * len(FINDINGS)}"]
    for measure in MEASURES:
        counts = Counter(one.finding for one in found if one.measure == measure)
        lines.append(f"| {measure} | {' | '.join(str(counts[finding]) for finding in FINDINGS)} |")
    lines += ["", f"Read in {seconds:.1f} s.", "", "| Company | Releases | Found | Equal |", "|---|---:|---:|---:|"]
    for ticker in sorted({one.release.partition(" ")[0] for one in found}):
        own = [one for one in found if one.release.startswith(f"{ticker} ") and one.finding != "prints none"]
        told = [one for one in own if one.value is not None]
        equal = sum(one.finding == "equal" for one in told)
        lines.append(f"| {ticker} | {len({one.release for one in own})} | {len(told)} of {len(own)} | {equal} |")
    return "\n".join(lines) + "\n"


def summary(found: Sequence[Outcome]) -> str:
    counts = Counter(one.finding for one in found)
    told = counts["equal"] + counts["differs"] + counts["no truth"]
    due, compared = told + counts["not found"], counts["equal"] + counts["differs"]
    return (
        f"{len({one.release for one in found})} releases, of which {counts['prints none'] // len(MEASURES)} print no results. "
        f"Found {told} of {due} figures ({told / max(due, 1):.1%}); of the {compared} that companyfacts has, "
        f"{counts['equal']} are equal ({counts['equal'] / max(compared, 1):.1%})."
    )


def main(arguments: Sequence[str]) -> int:
    """Compare, print and write the report."""
    folders = [Path(one) for one in arguments if not one.startswith("-")]
    began = time.monotonic()
    found = [
        one
        for row, content in releases(folders[0] if folders else SHARED / "forms")
        for one in outcomes(row, content, folders[1] if len(folders) > 1 else SHARED / "edgar")
    ]
    if not found:
        print("The list names no exhibit 99 of an 8-K.")
        return 1
    REPORT.write_text(report(found, time.monotonic() - began), encoding="utf-8")
    for one in found if "--list" in arguments else ():
        if one.finding not in ("equal", "prints none"):
            print(one.release, one.measure, one.finding, one.value, one.label, *sorted(one.truth), sep=" | ")
    print(summary(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
