"""Seconds of one core from a document to its sections, chunks and vectors, filing by filing.

`python -m evals.bench text` measures a sample of the filings of the mirror beside the project, or, where there is
none, those of the bundled sample. `python -m evals.bench.text N` measures every Nth filing of the mirror. Nothing is
stored: neither database nor cache is touched.
"""

import lzma
import os
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from evals import mirror

EVERY = 9
# Seconds of one core for the median filing.
GOAL_WITHOUT, GOAL_WITH = 3.0, 15.0


@dataclass(frozen=True, slots=True)
class Measured:
    """One filing: seconds of processor time of each step, and what came of it."""

    name: str
    sections: float
    chunks: float
    embedding: float
    made: int
    windows: int


def measure(every: int = EVERY) -> str:
    """The table of a run, as text."""
    rows = [timed(*document) for document in (of_mirror(every) if mirror.is_there() else of_sample())]
    lines = [
        f"{'':<16}{'sections':>9}{'chunking':>9}{'embedding':>10}{'chunks':>8}{'windows':>8}   seconds of one core"
    ]
    lines += [
        f"{row.name:<16}{row.sections:>9.2f}{row.chunks:>9.2f}{row.embedding:>10.2f}{row.made:>8,}{row.windows:>8,}"
        for row in rows
    ]
    without = statistics.median(row.sections + row.chunks for row in rows)
    whole = statistics.median(row.sections + row.chunks + row.embedding for row in rows)
    speed = sum(row.windows for row in rows) / sum(row.embedding for row in rows)
    lines.append(
        f"{len(rows)} filings, median without embedding {without:.2f} s (goal {GOAL_WITHOUT:g}), with it {whole:.2f} s "
        f"(goal {GOAL_WITH:g}); {speed:.0f} windows a second of one core"
    )
    return "\n".join(lines)


def timed(symbol: str, year: int, documents: list[tuple[str, str, bytes]]) -> Measured:
    """Measure one filing's documents: (filename, type, content)."""
    from filings.sections import SourceDocument, read_sections
    from filings.text.chunking import chunk
    from filings.text.chunking.contextual import embedded_texts
    from filings.text.embeddings.minilm import MiniLM, tokenizer

    model = MiniLM()
    tokenizer()
    marks = [time.process_time()]
    sections = read_sections([SourceDocument(*document) for document in documents])
    marks.append(time.process_time())
    made = [(section, one) for section in sections for one in chunk(section)]
    marks.append(time.process_time())
    texts = embedded_texts((one, section.text) for section, one in made)
    model.documents(texts)
    marks.append(time.process_time())
    took = [after - before for before, after in pairwise(marks)]
    return Measured(f"{symbol} FY{year}", *took, made=len(made), windows=len(texts))


def of_mirror(every: int) -> Iterator[tuple[str, int, list[tuple[str, str, bytes]]]]:
    """Every so many filings of the mirror's list: symbol, year, documents."""
    for row in mirror.listed()[::every]:
        yield row["ticker"], int(row["fiscal_year"]), [mirror.document(row)]


def of_sample() -> Iterator[tuple[str, int, list[tuple[str, str, bytes]]]]:
    """The filings of the bundled sample that have documents."""
    from filings.edgar.edgar_files import read_container
    from filings.ingest.store_text import source_documents
    from filings.models.source_kinds import ANNUAL
    from filings.sample import FOLDER

    for path in sorted(FOLDER.glob("Archives/edgar/data/*/*/*.txt.xz")):
        accession = path.name.removesuffix(".txt.xz")
        container = read_container(accession, lzma.decompress(path.read_bytes()))
        found = [(one.filename, one.type, one.content) for one in source_documents(container, ANNUAL)]
        if found:
            yield accession[-6:], 2000 + int(accession[11:13]), found


if __name__ == "__main__":
    print(measure(*map(int, sys.argv[1:2])))
