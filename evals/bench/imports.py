"""Seconds to import a document of each kind, and to draw the picture of a page of a PDF file.

Each document is imported in a process and a database of its own which has read another before, as a worker has: read and
stored; the figures of its tables and sentences read; its passages embedded; indexed. The documents are the median and the
largest of each kind beside the project, where they are held, a release, and a PDF file of about 150 pages; else those of
the bundled sample. The processor's seconds stand beside those of the clock: others may use the machine. Goals without
embedding and figures: a 10-Q and a call 1 s, 150 pages of PDF 5 s and 300 MB; the figures 30 % of the import without its
index; a picture 300 ms, once drawn 10 ms.
"""

import csv
import lzma
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from evals.bench.program import own_database, peak
from filings.sample import FOLDER

SHARED = Path(__file__).resolve().parents[2] / "../shared"
PDF_PAGES, PDF_SECONDS, PDF_MB = 150, 5.0, 300
SECONDS = 1.0
SHARE = 0.3  # of the figures in the import
PICTURE_MS, KEPT_MS = 300.0, 10.0
PICTURES = 5  # of each PDF file
FIRST = "larkfield-first-quarter-2026-call.txt.xz"  # what each process reads before


def measure() -> str:
    """The table of documents and the line of pictures."""
    with own_database("imports") as step:
        step("prepare")
        lines = [
            f"imports; load of the machine {os.getloadavg()[0]:.1f}; seconds of the processor, of the clock in brackets",
            f"{'':<34}{'pages':>6}{'passages':>9}{'read, stored':>15}{'figures':>15}{'embedded':>17}{'indexed':>13}{'share':>7}"
            f"{'MB':>5}{'MB, all':>8}",
        ]
        shares = []
        drawn: list[dict[str, list[float]]] = []
        for kind, path in documents():
            told = step("import_one", kind, str(path))
            drawn += [told["pictures"]] if told["pictures"] else []
            steps = [f"{processor:.2f} ({clock:.2f})" for processor, clock in told["steps"]]
            read, figures, embedded = (processor for processor, _ in told["steps"][:3])
            shares.append(figures / (read + figures + embedded))
            lines.append(
                f"{kind + ' ' + path.name.partition('.')[0][:27]:<34}{told['pages']:>6}{told['passages']:>9}{steps[0]:>15}"
                f"{steps[1]:>15}{steps[2]:>17}{steps[3]:>13}{shares[-1]:>7.0%}{told['mb']:>5}{told['mb_all']:>8}"
            )
    lines.append(
        f"goals read and stored: a 10-Q or call {SECONDS:g} s, {PDF_PAGES} pages of PDF {PDF_SECONDS:g} s and {PDF_MB} MB; "
        f"the figures take {min(shares):.0%} to {max(shares):.0%} of reading, embedding and storing (goal {SHARE:.0%})"
    )
    return "\n".join([*lines, pictures(drawn)])


def pictures(drawn: Sequence[dict[str, list[float]]]) -> str:
    """The times of pictures, in milliseconds."""
    processor, clock, kept = ([ms for one in drawn for ms in one[key]] for key in ("processor", "clock", "kept"))
    return (
        f"{len(clock)} pictures of pages: of the processor median {statistics.median(processor):.0f}, longest "
        f"{max(processor):.0f} ms (goal {PICTURE_MS:.0f}), by the clock {statistics.median(clock):.0f} and "
        f"{max(clock):.0f}; drawn before, {max(kept):.1f} ms at most (goal {KEPT_MS:.0f})"
    )


def documents() -> Iterator[tuple[str, Path]]:
    """Kinds and files."""
    if not SHARED.is_dir():
        yield "call", FOLDER / "imports" / FIRST
        yield "report", next(FOLDER.glob("imports/*.pdf.xz"))
        return
    for kind, listing, folder, column in (
        ("10-K", "edgar/filings.csv", "edgar/mirror", "form"),
        ("10-Q", "forms/forms.csv", "forms/mirror", "document_type"),
    ):
        yield from ((kind, path) for path in spread(listed(kind, listing, folder, column)))
    releases = listed("EX-99.1", "forms/forms.csv", "forms/mirror", "document_type")
    yield "8-K", spread(releases)[0]
    yield from (("call", path) for path in spread([*(SHARED / "transcripts").glob("*.txt")]))
    reports = sorted((SHARED / "financebench/pdfs").glob("*.pdf"), key=lambda path: abs(pages(path) - PDF_PAGES))
    yield from (("report", path) for path in reports[:1])


def listed(kind: str, listing: str, folder: str, column: str) -> list[Path]:
    with (SHARED / listing).open(encoding="utf-8") as file:
        found = [SHARED / folder / f"{row['mirror_path']}.xz" for row in csv.DictReader(file) if row[column] == kind]
    return [path for path in found if path.is_file()]


def spread(paths: Sequence[Path]) -> list[Path]:
    """The median and the largest."""
    ordered = sorted(paths, key=lambda path: path.stat().st_size)
    return [ordered[len(ordered) // 2], ordered[-1]]


def pages(path: Path) -> int:
    from filings.document.pdf.opening import opened

    with opened(path.read_bytes()) as file:
        return file.pages


# --- in the processes of that database ---
def prepare() -> None:
    """Make the tables and a company."""
    from django.core.management import call_command

    from filings.models import Company

    call_command("migrate", verbosity=0, stdout=sys.stderr)
    Company.objects.create(cik=9_999_999_999, name="Bench Instruments, Inc. (fictional)")


def import_one(kind: str, path: str) -> dict[str, Any]:
    """Import a file; what each step took."""
    from filings.importing.document_fields import DocumentFields
    from filings.importing.importing import embed, index, store, subject_of, unheard
    from filings.importing.read_file import read_file
    from filings.ingest.store_printed import FIGURES, Part, Printed, read_parts
    from filings.models import Company
    from filings.models.source_kinds import KINDS
    from filings.text.embeddings import embedder

    content, name = content_of(Path(path)), Path(path).name.removesuffix(".xz")
    quarter = 1 if KINDS[kind].span == "quarter" else None
    fields = DocumentFields(Company.objects.get(), KINDS[kind], 2025, quarter, date(2025, 5, 1))
    is_pdf = content.startswith(b"%PDF-")
    read_file(content_of(FOLDER / "imports" / FIRST), "first.txt", "call")
    embedder().documents(["Instruments are shipped."])
    read, first = took(lambda: read_file(content, name, kind))
    sections, subject = [section for section, _ in read.text.sections], subject_of(fields, read.stated.period_end)
    said, second = took(lambda: read_parts(sections, subject, [Part.STATEMENTS]))
    parts, figures = took(lambda: read_parts(sections, subject, FIGURES))
    printed = Printed(parts.tables, said.statements)
    (filing, _), third = took(lambda: store(content, name, fields, read, printed, None))
    after = peak()
    kept = (first[0] + second[0] + third[0], first[1] + second[1] + third[1])
    steps = [kept, figures, took(lambda: embed(read, unheard))[1], took(lambda: index(filing, unheard))[1]]
    told = {
        "pages": max((page.number for section, _ in read.text.sections for page in section.pages), default=1),
        "passages": read.text.chunks,
        "steps": steps,
        "mb": after,
        "mb_all": peak(),
        "pictures": {},
    }
    if is_pdf:
        told["pictures"] = draw(content, told["pages"])
    return told


def content_of(path: Path) -> bytes:
    return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()


def took(do: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    """What a step gives, and its seconds: of the processor, and by the clock."""
    clock, processor = time.perf_counter(), time.process_time()
    given = do()
    return given, (time.process_time() - processor, time.perf_counter() - clock)


def draw(content: bytes, pages: int) -> dict[str, list[float]]:
    """Milliseconds of pictures of pages: of the processor and by the clock, and by the clock once more."""
    from filings.importing import original_files, page_pictures

    sha256 = original_files.sha256_of(content)
    found: dict[str, list[float]] = {"processor": [], "clock": [], "kept": []}
    for number in range(1, pages + 1, max(pages // PICTURES, 1)):
        began = of_children()
        _, (own, clock) = took(lambda number=number: page_pictures.page(sha256, number))  # type: ignore[misc] # mypy does not see the default
        found["processor"].append((own + of_children() - began) * 1000)
        found["clock"].append(clock * 1000)
        _, (_, again) = took(lambda number=number: page_pictures.page(sha256, number))  # type: ignore[misc] # mypy does not see the default
        found["kept"].append(again * 1000)
    return found


def of_children() -> float:
    """Seconds of the processor that ended processes have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
