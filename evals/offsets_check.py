"""Whether every offset of every document of ../shared is that of its own characters (see `evals.offsets`).

    python -m evals.offsets_check [--list] [KIND ...]

Reads the PDF files of ../shared/financebench and ../shared/quarterly, the filings of ../shared/forms, the calls of
../shared/transcripts and every ninth filing of ../shared/edgar through the readers that import them, or those of the
named kinds alone ("call", "10-Q", "PDF"). --list prints what did not hold. A run of all kinds writes the counts into
`reports/offsets.md`.
"""

import csv
import lzma
import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from evals.bench.text import EVERY, of_mirror
from evals.offsets import CITATIONS, PAGES, Tally, check
from filings.document.layout import UnreadableText
from filings.importing.stated import stated
from filings.ingest.store_text import numbered
from filings.models.source_kinds import ANNUAL, CALL, KINDS, REPORT, kind_of_form
from filings.sections import SourceDocument, read_sections

SHARED = Path(__file__).resolve().parents[1] / "../shared"
REPORT_FILE = Path(__file__).with_name("reports") / "offsets.md"
PDF = "PDF"

Document = tuple[str, str, str, list[SourceDocument]]  # what it is counted as, name, scheme, documents


def documents(kinds: Sequence[str]) -> Iterator[Document]:
    """Every document of these kinds, or of all."""
    return (one for one in chain(printed(kinds), others()) if not kinds or one[0] in kinds)


def printed(kinds: Sequence[str]) -> Iterator[Document]:
    if kinds and PDF not in kinds:
        return  # their kind is what they say: they are read for it
    for path in sorted([*SHARED.glob("financebench/pdfs/*.pdf"), *SHARED.glob("quarterly/pdfs/*.pdf")]):
        one = SourceDocument(path.name, "", path.read_bytes())
        yield PDF, path.stem, KINDS[stated(one.layout).kind or REPORT.key].scheme, [one]


def others() -> Iterator[Document]:
    for path in sorted(SHARED.glob("transcripts/*.txt")):
        yield CALL.key, path.stem, CALL.scheme, [SourceDocument(path.name, "", path.read_bytes())]
    with (SHARED / "forms/forms.csv").open(encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=itemgetter("accession"))
    for accession, listed in groupby(rows, itemgetter("accession")):
        filed = list(listed)
        if kind := kind_of_form(filed[0]["form"]):
            yield kind.key, f"{filed[0]['form']} {accession}", kind.scheme, [in_mirror(row) for row in filed]
    for symbol, year, files in of_mirror(EVERY):
        yield ANNUAL.key, f"{symbol} FY{year}", ANNUAL.scheme, [SourceDocument(*one) for one in files]


def in_mirror(row: dict[str, str]) -> SourceDocument:
    content = lzma.decompress((SHARED / "forms/mirror" / f"{row['mirror_path']}.xz").read_bytes())
    return SourceDocument(Path(row["mirror_path"]).name, row["document_type"], content)


def checked(scheme: str, files: Sequence[SourceDocument]) -> Tally:
    """What holds of the files of one filing, each with the sections that were read from it."""
    divided = list(numbered(read_sections(files, scheme), lambda: None))
    tally = Tally()
    for one in files:
        try:
            tally.add(check(one, [pair for pair in divided if pair[0].filename == one.filename]))
        except UnreadableText:
            tally.see("document has text", False, one.filename)
    return tally


def report(counted: dict[str, Tally], read: dict[str, int], seconds: float) -> str:
    """The counts as Markdown."""
    lines = ["# Offsets of sections, passages, pages and citations", ""]
    lines += [*(__doc__ or "").partition("\n\n")[2].strip().splitlines(), ""]
    files = ", ".join(f"{count} of {kind}" for kind, count in read.items())
    lines += [
        f"{CITATIONS} citations by chance of each document, and the lines of at most {PAGES} pages of each PDF file. "
        f"{sum(read.values())} documents: {files}; {seconds:.0f} s of one core.",
        "",
    ]
    checks = list(dict.fromkeys(name for tally in counted.values() for name in tally.of))
    lines += [f"| held, of | {' | '.join(counted)} |", f"|---|{'---:|' * len(counted)}"]
    for name in checks:
        cells = (f"{tally.held[name]:,} of {tally.of[name]:,}" if tally.of[name] else "" for tally in counted.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Check, print and write the report."""
    kinds = [one for one in arguments if not one.startswith("-")]
    began, counted, read = time.process_time(), dict[str, Tally](), dict[str, int]()
    for kind, name, scheme, files in documents(kinds):
        tally = checked(scheme, files)
        counted.setdefault(kind, Tally()).add(tally)
        read[kind] = read.get(kind, 0) + 1
        if "--list" in arguments:
            print(*(f"{name}: {line}" for line in tally.failures), sep="\n", end="\n" if tally.failures else "")
    if not counted:
        print("There is no such document in ../shared.")
        return 1
    told = report(counted, read, time.process_time() - began)
    if not kinds:
        REPORT_FILE.write_text(told, encoding="utf-8")
    print(told)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
