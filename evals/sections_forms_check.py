"""Sections of 10-Qs, 8-Ks, proxy statements and 20-Fs against what else tells where they are.

`python -m evals.sections_forms_check [FOLDER]` reads the documents that a folder's forms.csv lists (../shared/forms), and
writes `evals/reports/sections_forms.md`; what is doubtful it prints. Witnesses: for 10-Qs the links of the table of
contents, followed as in `evals.sections_check`, which knows no code of ours; for 8-Ks the Items that the SEC's list of
filings names; for proxy statements subjects that each has by the SEC's rules.
"""

import csv
import json
import lzma
import os
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import django
from lxml import etree

from diligence.statistics import Share
from evals.sections_check import Finding, check, contents

SHARED = Path(__file__).resolve().parents[1] / "../shared"
REPORT = Path(__file__).parent / "reports/sections_forms.md"
QUARTERLY_TITLES = {
    "I.1": r"(consolidated |condensed |interim )*financial statements",
    "I.2": r"management.{0,3}s discussion and analysis",
    "I.3": r"quantitative and qualitative disclosures? about market risks?",
    "I.4": r"(disclosure )?controls and procedures",
    "II.1": r"legal proceedings",
    "II.1A": r"risk factors",
    "II.2": r"(unregistered )?sales? of (unregistered )?equity securities|issuer purchases|purchases of equity",
    "II.3": r"defaults? upon senior securities",
    "II.4": r"mine safety",
    "II.5": r"other information",
    "II.6": r"exhibits",
}
QUARTERLY_CORE = ("I.1", "I.2", "I.4", "II.1A")
LABEL = re.compile(r"(part i+\W+(financial|other) information\W*)?(item\s*\d{1,2}a?\W*)?", re.IGNORECASE)
# Subjects of Schedule 14A.
SUBJECTS = {
    "executive compensation": r"executive compensation|compensation discussion",
    "summary compensation table": r"summary compensation table",
    "security ownership": r"(security|stock|beneficial) (stock )?ownership",
    "election of directors": r"election of directors|nominees",
    "proposals": r"proposal",
}
ENDS = 200


@dataclass
class Filed:
    """One filing: its documents as (filename, type, content), and what was read from it."""

    row: dict[str, str]
    documents: list[tuple[str, str, bytes]] = field(default_factory=list)
    sections: list[tuple[str, str, str, str]] = field(default_factory=list)  # item, status, heading, text
    headings: set[str] = field(default_factory=set)
    chunks: int = 0
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.row['ticker'] or self.row['cik']} {self.row['form']} filed {self.row['filed']}"


def held(folder: Path) -> dict[str, Filed]:
    """The filings of a folder with their documents, by accession."""
    found: dict[str, Filed] = {}
    with (folder / "forms.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            content = lzma.decompress((folder / "mirror" / f"{row['mirror_path']}.xz").read_bytes())
            one = found.setdefault(row["accession"], Filed(row))
            one.documents.append((Path(row["mirror_path"]).name, row["document_type"], content))
    return found


def filings(folder: Path) -> dict[str, list[Filed]]:
    """The filings of a folder, read, by the key of their kind."""
    from filings.models.source_kinds import kind_of_form
    from filings.sections import SourceDocument, read_sections
    from filings.text.chunking import chunk

    found: dict[str, list[Filed]] = defaultdict(list)
    for one in held(folder).values():
        kind = kind_of_form(one.row["form"])
        if kind is None:
            continue
        began = time.process_time()
        sections = read_sections([SourceDocument(*document) for document in one.documents], kind.scheme)
        chunks = [made for section in sections for made in chunk(section)]
        one.seconds, one.chunks = time.process_time() - began, len(chunks)
        one.sections = [(part.item, str(part.status), part.heading, part.text) for part in sections]
        one.headings = {heading for made in chunks for heading in made.headings}
        found[kind.key].append(one)
    return found


def quarterly_item(link: etree._Element) -> tuple[str, etree._Element]:
    """The Item of a link in a 10-Q's table of contents, by the title in its row; and the row."""
    row = next((one for one in link.iterancestors("tr")), link)
    words = LABEL.sub("", " ".join(" ".join(row.itertext()).split()), count=1)
    return next((item for item, title in QUARTERLY_TITLES.items() if re.match(title, words, re.IGNORECASE)), ""), row


def against_contents(filed: Iterable[Filed]) -> list[Finding]:
    """Each Item of 10-Qs beside its place by the table of contents."""
    findings: list[Finding] = []
    for one in filed:
        told = {
            item: {"status": status, "first": text[:ENDS], "last": text[-ENDS:]}
            for item, status, _, text in one.sections
            if item
        }
        read = contents(one.documents[0][2], quarterly_item)
        findings += check(one.name, told, read, QUARTERLY_TITLES.keys(), QUARTERLY_CORE)
    return findings


def listed_items(filed: Iterable[Filed]) -> dict[str, set[str]]:
    """The Items of 8-Ks by accession, as the SEC's list of filings names them."""
    found: dict[str, set[str]] = {}
    for cik in {one.row["cik"] for one in filed}:
        path = SHARED / "edgar/mirror/submissions" / f"CIK{int(cik):010d}.json.xz"
        if path.is_file():
            recent = json.loads(lzma.decompress(path.read_bytes()))["filings"]["recent"]
            pairs = zip(recent["accessionNumber"], recent["items"], strict=True)
            found |= {accession: {*items.split(",")} - {""} for accession, items in pairs}
    return found


def report(by_kind: dict[str, list[Filed]]) -> Iterator[str]:
    """The lines of the report; doubtful cases are printed."""
    yield "# Sections of other forms than 10-K\n"
    yield "By `python -m evals.sections_forms_check`: documents of `../shared/forms`, one core, without embedding.\n"
    yield "| kind | filings | seconds, median | seconds, most | chunks, median |"
    yield "|---|---:|---:|---:|---:|"
    for key, filed in by_kind.items():
        seconds = [one.seconds for one in filed]
        chunks = statistics.median(one.chunks for one in filed)
        yield f"| {key} | {len(filed)} | {statistics.median(seconds):.2f} | {max(seconds):.2f} | {chunks:.0f} |"
    yield from of_quarters(by_kind.get("10-Q", []))
    yield from of_current(by_kind.get("8-K", []))
    yield from of_proxies(by_kind.get("DEF 14A", []))
    yield "\n## 20-F\n"
    for one in by_kind.get("20-F", []):
        counted = Counter(status for item, status, *_ in one.sections if item)
        yield f"- {one.name}: {', '.join(f'{count} {status}' for status, count in counted.items())}"


def of_quarters(filed: list[Filed]) -> Iterator[str]:
    yield "\n## 10-Q: how each Item was found\n"
    statuses = ("extracted", "none", "by_reference", "omitted", "unverified", "not_found")
    yield f"| Item | {' | '.join(statuses)} |"
    yield f"|---|{'---:|' * len(statuses)}"
    for item in QUARTERLY_TITLES:
        counted = Counter(status for one in filed for key, status, *_ in one.sections if key == item)
        yield f"| {item} | {' | '.join(str(counted[status]) for status in statuses)} |"
    findings = against_contents(filed)
    for finding in findings:
        if finding.verdict != "right":
            print(f"{finding.accession:34} {finding.item:5} {finding.verdict}: {finding.note}")
    yield "\n## 10-Q: extracted Items against the links of the table of contents\n"
    verdicts = [*dict.fromkeys(finding.verdict for finding in findings)]
    yield f"| Item | {' | '.join(verdicts)} |"
    yield f"|---|{'---:|' * len(verdicts)}"
    for item in QUARTERLY_TITLES:
        counted = Counter(finding.verdict for finding in findings if finding.item == item)
        yield f"| {item} | {' | '.join(str(counted[verdict]) for verdict in verdicts)} |"
    right = sum(finding.verdict in {"right", "pointed"} for finding in findings)
    wrong = sum(finding.verdict in {"mislabelled", "wrong start", "wrong end", "missing"} for finding in findings)
    yield f"\nRight of those that a link leads to: {Share(right, right + wrong)}"


def of_current(filed: list[Filed]) -> Iterator[str]:
    listed = listed_items(filed)
    found = missed = more = unknown = 0
    for one in filed:
        ours = {item for item, status, *_ in one.sections if status == "extracted" and not item.startswith("99")}
        theirs = listed.get(one.row["accession"])
        if theirs is None:
            unknown += 1
            continue
        found, missed, more = found + len(ours & theirs), missed + len(theirs - ours), more + len(ours - theirs)
        if ours != theirs:
            print(f"{one.name:34} Items listed {sorted(theirs)}, found {sorted(ours)}")
    exhibits = [kind for one in filed for _, kind, _ in one.documents if kind.startswith("EX-99")]
    held = [heading for one in filed for item, _, heading, _ in one.sections if item.startswith("99")]
    yield "\n## 8-K: Items against the SEC's list, and exhibits\n"
    yield f"- Items that the list names, found: {Share(found, found + missed)}"
    yield f"- Items found that the list does not name: {more}; filings that it does not have: {unknown}"
    yield f"- exhibits 99 that are sections: {Share(len(held), len(exhibits))}"
    yield f"- exhibits 99 with a headline: {Share(sum(map(bool, held)), len(held))}"


def of_proxies(filed: list[Filed]) -> Iterator[str]:
    yield "\n## Proxy statements: sections, and subjects among the headings of chunks\n"
    yield f"| filing | sections | longest, characters | {' | '.join(SUBJECTS)} |"
    yield f"|---|---:|---:|{'---|' * len(SUBJECTS)}"
    for one in filed:
        seen = [
            "yes" if any(re.search(p, text, re.IGNORECASE) for text in one.headings) else "no"
            for p in SUBJECTS.values()
        ]
        longest = max(len(text) for *_, text in one.sections)
        yield f"| {one.name} | {len(one.sections)} | {longest:,} | {' | '.join(seen)} |"


def main(folder: Path) -> None:
    REPORT.write_text("\n".join(report(filings(folder))) + "\n", encoding="utf-8")
    print(REPORT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    main(Path(sys.argv[1]) if sys.argv[1:] else SHARED / "forms")
